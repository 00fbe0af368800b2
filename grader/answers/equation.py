"""Equations: two are equal if they have the same solutions over the domain."""

from grader.answers.statement import read_statement
from grader.errors import ResponseError, SpecError
from grader.maths import show
from grader.maths.equality import undefined
from grader.maths.expression import Expr, Symbol, symbols_of
from grader.maths.grammar import parse
from grader.maths.solution_sets import Sides, always_true, never_true, same_solutions
from grader.protocols import Check, Decision, Question
from grader.results import Relation, Verdict
from grader.values import frozen


@frozen
class EquationAnswer:
    """The two sides as typed."""

    left: Expr
    right: Expr
    remarks: tuple[str, ...] = ()

    @property
    def sides(self) -> Sides:
        """The two sides."""
        return self.left, self.right

    @property
    def value(self) -> Expr | None:
        """What a name that stands alone on one side is said to be."""
        for name, other in ((self.left, self.right), (self.right, self.left)):
            if isinstance(name, Symbol) and name.name not in symbols_of(other):
                return other
        return None

    @property
    def read_as(self) -> str:
        """The equation as text that reads back."""
        return f"{show.text(self.left)} = {show.text(self.right)}"

    @property
    def latex(self) -> str:
        """The equation as LaTeX."""
        return f"{show.latex(self.left)} = {show.latex(self.right)}"

    @property
    def mathml(self) -> str:
        """The equation as one MathML element."""
        return show.math_element(show.inside(self.left) + show.operator("=") + show.inside(self.right))


class Equation:
    """The answer type of equations."""

    def read(self, text: str, question: Question) -> EquationAnswer:
        """The equation that a response stands for; ResponseError if it is none."""
        statement = read_statement(text, question.symbols)
        for relation, part in zip(statement.relations, statement.parts, strict=False):
            if relation not in ("=", "=="):
                raise statement.fault(part, "an equation is asked", "write it with =", "equation")
        if len(statement.parts) != 2:
            many = "one equation is asked" if statement.relations else "a formula stands where an equation is asked"
            raise statement.fault(statement.parts[0], many, "write left = right", "equation")
        parsed = [parse(statement.tokens, part.begin, part.end) for part in statement.parts]
        for part, side in zip(statement.parts, parsed, strict=True):
            if undefined(side.expression, question.domain):
                raise ResponseError(
                    f"{show.text(side.expression)} has no value",
                    position=statement.tokens.start(part.begin),
                    mend="check for a division by zero",
                    code="undefined",
                )
        remarks = (*statement.remarks, *(remark for side in parsed for remark in side.remarks))
        return EquationAnswer(parsed[0].expression, parsed[1].expression, remarks)

    def compare(self, answer: EquationAnswer, solution: EquationAnswer, question: Question, check: Check) -> Decision:
        """Whether both equations have the same solutions."""
        domain = question.domain
        if always_true(solution.sides, domain) or never_true(solution.sides, domain):
            raise SpecError(f"the solution {solution.read_as!r} holds always or never")
        if always_true(answer.sides, domain):
            return Decision(verdict=Verdict.INCORRECT, remarks=("this equation holds always and says nothing",))
        if never_true(answer.sides, domain):
            return Decision(verdict=Verdict.INCORRECT, remarks=("this equation never holds",))
        same = same_solutions(answer.sides, solution.sides, domain)
        if same:
            return Decision(verdict=Verdict.CORRECT, relation=Relation.EXACT)
        return self._otherwise(answer, solution, question, check, same)

    @staticmethod
    def _otherwise(
        answer: EquationAnswer, solution: EquationAnswer, question: Question, check: Check, same: bool | None
    ) -> Decision:
        """Where both say what one name is, the check decides (a tolerance, the leading order)."""
        if answer.value is not None and solution.value is not None and _about(answer) == _about(solution):
            match = check.match(answer.value, solution.value, question.domain)
            if match.relation is not None:
                return Decision(verdict=Verdict.CORRECT, relation=match.relation)
        if same is None:
            return Decision(
                verdict=Verdict.UNDECIDED, message="the solutions of the two equations could not be compared"
            )
        return Decision(verdict=Verdict.INCORRECT)


def _about(equation: EquationAnswer) -> Expr:
    return equation.right if equation.value is equation.left else equation.left
