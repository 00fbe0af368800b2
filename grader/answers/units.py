"""What the units say of an answer, whatever the solution is: the one typed behind it, and those of a part's symbols."""

from collections.abc import Iterator

from grader.maths.expression import symbols_of
from grader.protocols import Answer, Question


def unit_remarks(answer: Answer, question: Question) -> Iterator[str]:
    """Why the answer can't have the unit that is asked for."""
    wrong: str = getattr(answer, "wrong_unit", "")
    if wrong:
        yield wrong
    yield from symbol_units(answer, question)


def symbol_units(answer: Answer | None, question: Question) -> Iterator[str]:
    """What the units of the part's own symbols make of a formula, where that is not the unit that is asked for."""
    links = getattr(getattr(answer, "chain", None), "links", ())
    if not links or question.unit is None or not question.units:
        return
    expression = links[-1].expression
    if not frozenset() < symbols_of(expression) <= question.units.keys():
        return  # sizes such as B have no unit of their own, and typed constants hide theirs
    from grader.maths.dimension import DimensionError, Dimensions, dimension
    from grader.maths.units import read_unit

    known = {name: read_unit(unit).dimension for name, unit in question.units.items()}
    try:
        found = dimension(expression, Dimensions(known))
    except DimensionError as error:
        yield f"the units do not go together: {error}"
        return
    if found is not None and found != read_unit(question.unit).dimension:
        yield f"the unit of this comes out as {found}, where {question.unit} is asked for"
