"""Choices: one of the part's options, by its id or by its text."""

from grader.errors import ResponseError, did_you_mean
from grader.maths.show import escape, math_element
from grader.protocols import Check, Decision, Question
from grader.results import Relation, Verdict
from grader.values import frozen


@frozen
class ChoiceAnswer:
    """The option that was chosen."""

    id: str
    text: str
    remarks: tuple[str, ...] = ()
    value: None = None

    @property
    def read_as(self) -> str:
        """The option's id, which reads back, and its text."""
        return self.id if self.text in ("", self.id) else f"{self.id}: {self.text}"

    @property
    def latex(self) -> str:
        """The option as LaTeX text."""
        return f"\\text{{{_escaped(self.read_as)}}}"

    @property
    def mathml(self) -> str:
        """The option as one MathML element."""
        return math_element(f"<mtext>{escape(self.read_as)}</mtext>")


def _escaped(text: str) -> str:
    signs = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
    return "".join(signs.get(c, f"\\{c}" if c in "#$%&_{}" else c) for c in text)


class Choice:
    """The answer type of a choice among the part's options."""

    def read(self, text: str, question: Question) -> ChoiceAnswer:
        """The option that the text names, whatever its case; ResponseError if it names none."""
        typed = _plain(text)
        if not typed:
            raise ResponseError("nothing was typed", position=0, mend=_offer(question), code="empty")
        for id, option in question.options.items():
            if typed in (_plain(id), _plain(option), _plain(f"{id}: {option}")):
                return ChoiceAnswer(id, option)
        start = len(text) - len(text.lstrip())
        close = did_you_mean(text.strip(), (*question.options, *question.options.values()))
        mend = f"did you mean {close}?" if close else _offer(question)
        raise ResponseError("this is none of the options", position=start, mend=mend, code="unknown-option")

    def compare(self, answer: ChoiceAnswer, solution: ChoiceAnswer, question: Question, check: Check) -> Decision:  # noqa: ARG002
        """Whether the same option was chosen."""
        if answer.id == solution.id:
            return Decision(verdict=Verdict.CORRECT, relation=Relation.EXACT)
        return Decision(verdict=Verdict.INCORRECT)


def _plain(text: str) -> str:
    """The text without quotes around it, with single blanks, in lower case."""
    return " ".join(text.strip().strip("\"'`.").replace("_", " ").replace("-", " ").casefold().split())


def _offer(question: Question) -> str:
    return "choose one of " + ", ".join(question.options)
