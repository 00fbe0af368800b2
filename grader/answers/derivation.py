"""The text of a threshold: words around it, steps that lead to it, and the inequalities of the last step."""

import itertools
import re
from collections.abc import Callable
from dataclasses import replace

from grader.answers import links
from grader.answers.statement import ORDER, Part, Statement, cut_tail, label, past_sign, split, typed, unwrapped
from grader.errors import ResponseError
from grader.maths.brackets import cut_at_commas, is_infinite
from grader.maths.expression import Expr, Symbol, substitute, symbols_of
from grader.maths.grammar import scan
from grader.maths.inequality import Inequality
from grader.maths.tokens import Tokens, refuse_long
from grader.maths.vocabulary import IN
from grader.protocols import Question
from grader.values import frozen

_STEPS = frozenset("so thus hence therefore then ; i".split())  # noqa: SIM905
_FRONT = frozenset("for For if If when When".split())  # noqa: SIM905
_BEHIND = (("compute", "-", "bound"), ("compute", "bound"))
_ID_EST = re.compile(r"\bi\.\s?e\.?(?=[\s,])")

MAX_CASES = 8  # joined by `or`

Case = tuple[Inequality, ...]  # all hold together
UNNAMED = Symbol("?")  # what an interval or a bare value speaks of where no one name is asked for


@frozen
class Claim:
    """What the last step says: any of the cases. `bare` is a value given without a name."""

    cases: tuple[Case, ...]
    bare: bool = False


@frozen
class Derivation:
    """The claims that the links of a chain allow, the last one first, and what was left out."""

    claims: tuple[Claim, ...]
    remarks: tuple[str, ...] = ()
    earlier: Case = ()  # what the steps before say of the name that is asked for


class Reader:
    """Reads one response; keeps the remarks made on the way."""

    def __init__(
        self, text: str, names: tuple[str, ...], question: Question, symbol: str | None, *, other: bool = False
    ) -> None:
        refuse_long(text)
        text = _ID_EST.sub(lambda found: ";".ljust(len(found[0])), text)
        self.tokens: Tokens = scan(text, names)
        self.question, self.symbol = question, symbol
        self.meanings = dict(question.meanings)
        self.remarks: list[str] = []
        self.other = other  # take the other reading of each slash that has two
        self.two_readings = False
        self.known = {None, *names}  # what a part may be that is no label

    def read(self) -> Derivation:
        """The derivation; ResponseError where it can't be read."""
        begin, end = unwrapped(self.tokens)
        begin, end = self.without_words(begin, end)
        end, remark = cut_tail(self.tokens, begin, end)
        if remark:
            self.remarks.append(remark)
        steps = self.cut(begin, end, lambda kind, word: kind in "i;" or (kind == "w" and word in _STEPS))
        if len(steps) > 1:
            self._refuse_arrow(steps)
            self.remarks.append("the last step was taken as the answer")
        earlier = [said for step in steps[:-1] for said in self.earlier(step)]
        claims = self.claims(self.last(steps[-1]))
        return Derivation(claims, tuple(dict.fromkeys(self.remarks)), tuple(earlier))

    def _refuse_arrow(self, steps: list[Part]) -> None:
        """B => 243 is no derivation: no step of it says anything."""
        kinds = {kind for kind, _ in self.tokens.items[steps[0].begin : steps[-1].end]}
        if "i" in kinds and "r" not in kinds:
            raise ResponseError(
                "this sign joins two steps, and no step has a relation", position=self.tokens.start(steps[0].end),
                mend="write >= for at least", code="relation",
            )  # fmt: skip

    def cut(self, begin: int, end: int, at: Callable[[str, str], bool]) -> list[Part]:
        """The parts between the words or signs at which to cut; a comma beside them is dropped."""
        found, start, items = [], begin, self.tokens.items
        for index in range(begin, end):
            kind, word = items[index]
            if kind != "end" and at(kind, word):
                braced = items[index - 1] == ("(", "}") and items[index + 1] == (")", "}")
                found.append(self.trimmed(start, index - braced))
                start = index + 1 + braced
        found.append(self.trimmed(start, end))
        return [part for part in found if part.begin < part.end] or [Part(begin, end)]

    def joined(self, step: Part, words: tuple[str, ...]) -> list[Part]:
        """The parts between `or` or `and`; none of them may be missing."""
        pieces = self.cut(step.begin, step.end, lambda kind, word: kind == "w" and word in words)
        between = [i for i in range(step.begin, step.end) if self.tokens.items[i][1] in words]
        if len(between) >= len(pieces):
            raise ResponseError(
                f"something is missing beside {words[0]}", position=self.tokens.start(between[-1]),
                mend=f"finish it, or leave {words[0]} out", code="unfinished",
            )  # fmt: skip
        return pieces

    def trimmed(self, begin: int, end: int) -> Part:
        items = self.tokens.items
        while begin < end and items[begin][0] == ",":
            begin += 1
        while begin < end and items[end - 1][0] == ",":
            end -= 1
        return Part(begin, end)

    def without_words(self, begin: int, end: int) -> tuple[int, int]:
        """The range without `for`, `if`, `when` in front and `compute-bound` in front or behind."""
        items = self.tokens.items
        words = [value for _, value in items]
        for phrase in _BEHIND:
            size = len(phrase)
            if tuple(words[begin : begin + size]) == phrase and words[begin + size] in _FRONT:
                begin += size
            close = end
            while items[close - 1][0] == ")" and close > begin:
                close -= 1
            if tuple(words[close - size : close]) == phrase and close - size > begin:
                open_at = close - size - (end - close)
                if all(kind == "(" for kind, _ in items[open_at : close - size]):
                    end = self.trimmed(begin, open_at).end
        braced = items[begin] == ("(", "}")
        if words[begin + braced] in _FRONT and items[begin + braced][0] == "w":
            begin += 1 + 2 * braced
        return begin, end

    def last(self, step: Part) -> Part:
        """The last inequality of a step such as 2B > 480 = B > 240."""
        begin, end = self.without_words(step.begin, step.end)
        parts, relations = split(self.tokens, begin, end)
        order = [i for i, relation in enumerate(relations) if relation in ORDER]
        for earlier, later in itertools.pairwise(order):
            if later - earlier > 1:
                self.remarks.append("the last step was taken as the answer")
                begin = parts[later].begin
        return Part(begin, end)

    def earlier(self, step: Part) -> Case:
        """An earlier step must read, too; a single word in it may be a label. Gives what it says of the symbol."""
        begin, end = self.without_words(step.begin, step.end)
        parts, relations = split(self.tokens, begin, end)
        statement = Statement(self.tokens, parts, relations)
        read = [statement.parse(p).expression for p in parts if not relations or label(statement, p) in self.known]
        if len(read) != 2 or not any(isinstance(side, Symbol) for side in read):
            return ()
        return (Inequality(read[0], relations[0] if relations[0] in ORDER else "=", read[1]),)

    def claims(self, step: Part) -> tuple[Claim, ...]:
        """The claims of the last step; several where a chain in it holds."""
        if bare := self.interval_claim(step):
            return (bare,)
        pieces = self.joined(step, ("or", "OR", "\\lor", "∪", "U"))
        if len(pieces) > MAX_CASES:
            at = self.tokens.start(pieces[MAX_CASES].begin)
            raise ResponseError("too many cases", position=at, mend="give one inequality", code="two-answers")
        options = [self.conjunction(piece) for piece in pieces]
        if len(options) == 1:
            return tuple(dict.fromkeys(Claim((case,), bare) for case, bare in options[0]))
        if any(bare for option in options for _, bare in option):
            raise ResponseError(
                "two answers", position=self.tokens.start(pieces[1].begin), mend="give one answer", code="two-answers"
            )
        return (Claim(tuple(option[0][0] for option in options)),)

    def conjunction(self, piece: Part) -> list[tuple[Case, bool]]:
        """The inequalities joined by `and`; each reading of the last one's chain is a variant."""
        if claim := self.interval_claim(piece):
            return [(claim.cases[0], False)]
        members = self.joined(piece, ("and", "AND", "\\land"))
        read = [self.member(member) for member in members]
        if len(read) == 1:
            return read[0]
        for member, found in zip(members, read, strict=True):
            if found[0][1]:
                at = self.tokens.start(member.begin)
                raise ResponseError("two answers", position=at, mend="give one answer", code="two-answers")
        return [(tuple(inequality for member in read for inequality in member[0][0]), False)]

    def member(self, member: Part) -> list[tuple[Case, bool]]:
        """One inequality, one equation or a bare value, in every variant that its chain allows."""
        begin, end = self.without_noun(member)
        begin = past_sign(self.tokens, begin, end)
        parts, relations = split(self.tokens, begin, end)
        if relations and parts[0].begin == parts[0].end:
            raise self._nameless(begin, relations[0])
        statement = self.labelled(Statement(self.tokens, parts, relations))
        for index, relation in enumerate(statement.relations):
            if relation == "==":
                raise statement.fault(statement.parts[index + 1], "== belongs to equations", "write =", "double-equals")
        order = [i for i, relation in enumerate(statement.relations) if relation in ORDER]
        return self.point(statement) if not order else self.ordered(statement, order)

    def _nameless(self, begin: int, relation: str) -> ResponseError:
        at, names = self.tokens.start(begin), self.tokens.vocabulary.names
        name = self.symbol or (names[0] if names else "the name")
        mend = f"write the name in front, such as {name} {self.tokens.text[at:].strip()[:60]}"
        return ResponseError(f"nothing stands before {relation}", position=at, mend=mend, code="unfinished")

    def labelled(self, statement: Statement) -> Statement:
        """The statement with B_crit read as B, or with a label before = dropped."""
        first = label(statement, statement.parts[0])
        declared = first in self.tokens.vocabulary.names if first else True
        if first is None or declared or not statement.relations:
            return statement
        if statement.relations[0] in ORDER:
            name = self.symbol or max(filter(first.startswith, self.tokens.vocabulary.names), key=len, default="")
            if name and first.startswith(name):
                self.remarks.append(f"{first} was read as {name}")
                at = statement.parts[0].begin + (statement.parts[0].end - statement.parts[0].begin) // 2
                self.tokens.items[at] = ("s", Symbol(name))
            return statement
        self.remarks.append(f"the label {first} was left out")
        return replace(statement, parts=statement.parts[1:], relations=statement.relations[1:])

    def link(self, statement: Statement, part: Part) -> links.Link:
        """One formula, in the reading that is wanted."""
        found = links.read_link(statement, part, {})
        if found.alternative is None:
            return found
        self.two_readings = True
        return replace(found, expression=found.alternative) if self.other else found

    def point(self, statement: Statement) -> list[tuple[Case, bool]]:
        """B = 243, 2B = 486, B = 487/2 = 243.5 or a bare 243."""
        found = [self.link(statement, part) for part in statement.parts]
        named = [i for i, link in enumerate(found) if isinstance(link.expression, Symbol)]
        if len(found) == 1 or not named:
            if len(found) == 2 and self._one_has_the_symbol(found):
                return [((Inequality(found[0].expression, "=", found[1].expression),), False)]
            if self._one_has_the_symbol(found):
                mend = f"write a relation, such as {self.symbol} > 100"
                raise statement.fault(statement.parts[0], f"this sets no bound for {self.symbol}", mend, "relation")
            chained = self.chained(found, statement.relations)
            left = Symbol(self.symbol) if self.symbol else UNNAMED
            return [((Inequality(left, "=", link.expression),), True) for link in chained]
        name = found[named[0]]
        others = [link for link in found if link is not name]
        relations = statement.relations[1:] if named[0] == 0 else statement.relations[: len(others) - 1]
        chained = self.chained(others, relations)
        return [((Inequality(name.expression, "=", link.expression),), False) for link in chained]

    def _one_has_the_symbol(self, found: list[links.Link]) -> bool:
        return self.symbol is not None and any(self.symbol in symbols_of(link.expression) for link in found)

    def ordered(self, statement: Statement, order: list[int]) -> list[tuple[Case, bool]]:
        """One or two relations of order, with chains of equal values between them."""
        cuts = [0, *(index + 1 for index in order), len(statement.parts)]
        groups = []
        for a, b in itertools.pairwise(cuts):
            found = [self.link(statement, part) for part in statement.parts[a:b]]
            groups.append(self.chained(found, statement.relations[a : b - 1]))
        signs = [statement.relations[index] for index in order]
        if len(groups) > 3 or (len(groups) == 3 and signs[0][0] != signs[1][0]):
            raise statement.fault(statement.parts[0], "too many relations", "give one inequality", "relation")
        if len(groups) == 2:
            return [((Inequality(a.expression, signs[0], b.expression),), False) for a in groups[0] for b in groups[1]]
        first, middle, last = (group[0].expression for group in groups)
        return [((Inequality(first, signs[0], middle), Inequality(middle, signs[1], last)), False)]

    def chained(self, found: list[links.Link], relations: tuple[str, ...]) -> list[links.Link]:
        """The links of a chain, the last first, if it holds; else the last one, with a remark."""
        for link in found:
            self.remarks.extend(link.remarks)
        if len(found) == 1:
            return found
        valued = [replace(link, value=substitute(link.expression, self.meanings)) for link in found]
        chain = links.chain(valued, relations, self.question)
        self.remarks.extend(chain.remarks)
        return list(reversed(chain.links))

    def without_noun(self, member: Part) -> tuple[int, int]:
        """The range without a unit or one noun behind the value, such as `tokens`."""
        items, begin, end = self.tokens.items, member.begin, member.end
        at = next((i for i in range(begin + 1, end) if items[i][0] == "w"), None)
        if at is None or items[at - 1][0] in ("r", "+", "-", "*", "/", "^"):
            return begin, end
        at -= items[at - 1] == ("(", "}") or items[at - 1][0] == '"'
        noun = typed(self.tokens, at, end).strip('"')
        shown = re.sub(r"[{}]", "", noun).strip()
        if at <= begin or not (re.fullmatch(r"(\\[a-z]+)?\{?\s*[A-Za-z]{3,}\s*\}?", noun) or _is_unit(noun)):
            return begin, end
        self.remarks.append(f"left out: {shown}")
        return begin, at

    def interval_claim(self, step: Part) -> Claim | None:
        """(243, ∞), [244, oo), also behind B ∈; None where it is something else."""
        items, begin, end = self.tokens.items, step.begin, step.end
        name = Symbol(self.symbol) if self.symbol else UNNAMED
        if begin + 2 < end and items[begin][0] == "s" and items[begin + 1][0] == "w" and items[begin + 1][1] in IN:
            name = items[begin][1]
            begin += 2
        if items[begin][0] != "(" or items[begin][1] not in ")]" or items[end - 1][0] != ")":
            return None
        ends = cut_at_commas(self.tokens, begin + 1, end - 1)
        if len(ends) != 2:
            return None
        case = []
        low, high = self.end_of_interval(*ends[0], sign=-1), self.end_of_interval(*ends[1], sign=1)
        if low is not None:
            case.append(Inequality(name, ">=" if items[begin][1] == "]" else ">", low))
        if high is not None:
            case.append(Inequality(name, "<=" if items[end - 1][1] == "]" else "<", high))
        return Claim((tuple(case),))

    def end_of_interval(self, begin: int, end: int, sign: int) -> Expr | None:
        """One end of an interval, None where it is infinite on its own side."""
        if is_infinite(self.tokens, begin, end, sign):
            return None
        return Statement(self.tokens, ()).parse(Part(begin, end)).expression


def _is_unit(text: str) -> bool:
    from grader.maths.units import read_unit

    try:
        read_unit(text)
    except ResponseError:
        return False
    return True
