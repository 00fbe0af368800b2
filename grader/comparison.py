"""The public `compare`: one response against one solution, both in the answer language."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from grader.errors import ResponseError, SpecError
from grader.maths.domain import Assume, Domain
from grader.plugins import member, tags
from grader.protocols import Answer, AnswerType, Check, Decision, Question
from grader.results import Relation, Verdict

FAULT = "this answer could not be decided automatically; a person must look"

Tolerance = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of one comparison. Texts are made when asked for."""

    verdict: Verdict
    relation: Relation | None = None
    remarks: tuple[str, ...] = ()
    message: str = ""
    position: int | None = None
    answer: Answer | None = None
    solution: Answer | None = None
    domain: Domain = Domain()

    @property
    def read_as(self) -> str | None:
        """The answer as text that reads back, or None where nothing was read."""
        return None if self.answer is None else self.answer.read_as

    @property
    def latex(self) -> str | None:
        """The answer as LaTeX, or None where nothing was read."""
        return None if self.answer is None else self.answer.latex

    @property
    def ratio(self) -> str | None:
        """The answer over the solution, as text, where both are single values; None if it says nothing."""
        if self.answer is None or self.solution is None:
            return None
        if self.answer.value is None or self.solution.value is None:
            return None
        from grader.maths.ratio import ratio_text

        return ratio_text(self.answer.value, self.solution.value, self.domain)


def compare(  # noqa: PLR0913 - the public signature
    response: str,
    solution: str,
    *,
    type: str = "expression",
    symbols: Iterable[str] | str = (),
    assume: Assume = "positive",
    regime: str | None = None,
    unit: str | None = None,
    tolerance: Tolerance | None = None,
) -> Comparison:
    """Decide one response; both texts are in the answer language (grader/README.md).

    `symbols` are the names that may be used; a single text is split at commas and blanks. `regime` such as
    "B << D, F" lets the leading term count, too. `tolerance` is {"rel": r, "abs": a}; exact without one. A solution
    that can't be read raises SpecError; a response never raises.
    """
    names = tuple(symbols.replace(",", " ").split()) if isinstance(symbols, str) else tuple(symbols)
    band = None if tolerance is None else tuple(sorted(tolerance.items()))
    return _decided(response, _prepared(solution, type, names, assume, regime, unit, band))


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared:
    """A solution that was read, and all that deciding a response against it needs."""

    solution: Answer
    kind: AnswerType[Any]
    question: Question
    check: Check


@lru_cache(maxsize=256)
def _prepared(  # noqa: PLR0913, PLR0917 - the arguments of `compare`
    solution: str, type: str, names: tuple[str, ...], assume: Assume, regime: str | None, unit: str | None,
    band: tuple[tuple[str, Any], ...] | None,
) -> _Prepared:  # fmt: skip
    question = _question(names, assume, regime, unit, type)
    kind: AnswerType[Any] = member("answers", type)()
    try:
        key = kind.read(solution, replace(question, unit_required=False))
    except ResponseError as error:
        undeclared = (
            ", or declare names in symbols (--symbols B,D,F)" if error.code == "unknown-name" and not names else ""
        )
        raise SpecError(f"the solution {solution!r} can't be read: {error}{undeclared}") from error
    return _Prepared(key, kind, question, _check(None if band is None else dict(band), question))


@lru_cache(maxsize=512)
def _decided(response: str, prepared: _Prepared) -> Comparison:
    """Many people give the same answer: it is decided once."""
    return decide(response, prepared.solution, prepared.kind, prepared.question, prepared.check)


def forget() -> None:
    """Forget the responses decided so far; for those who measure."""
    _decided.cache_clear()


def decide(response: str, solution: Answer, kind: AnswerType[Any], question: Question, check: Check) -> Comparison:
    """Read a response and decide it against a solution that was read before; never raises on a response."""
    try:
        answer = kind.read(response, question)
        decision: Decision = kind.compare(answer, solution, question, check)
    except ResponseError as error:
        return Comparison(Verdict.INVALID, message=str(error), position=error.position)
    except SpecError:  # the solution or the tolerance is wrong, which only shows now
        raise
    except Exception:  # a fault of ours is never the student's mistake
        return Comparison(Verdict.UNDECIDED, message=FAULT)
    remarks = (*answer.remarks, *decision.remarks, *filter(None, (decision.slip,)))
    return Comparison(
        decision.verdict, decision.relation, remarks, decision.message,
        answer=answer, solution=solution, domain=question.domain,
    )  # fmt: skip


def _question(names: tuple[str, ...], assume: Assume, regime: str | None, unit: str | None, type: str) -> Question:
    if type not in COMPARED:
        raise SpecError(f"compare knows the types {', '.join(COMPARED)}; {type!r} is not one of them")
    from grader.maths.regime import Regime

    domain = Domain(assume, Regime.read(regime) if regime else None)
    return Question(symbols=names, unit=unit, domain=domain)


COMPARED = tuple(tag for tag in tags("answers") if tag not in ("choice", "curve"))


def _check(tolerance: Tolerance | None, question: Question) -> Check:
    if tolerance is not None:
        return member("checks", "close")(**tolerance)  # type: ignore[no-any-return]
    tag = "exact" if question.domain.regime is None else "leading_order"
    return member("checks", tag)()  # type: ignore[no-any-return]
