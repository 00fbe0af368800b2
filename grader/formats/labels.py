"""How people write headings, labels and values in Markdown: which exercise, which part, which text."""

import re

from grader.values import frozen

_WORDED = re.compile(
    r"(?:question|exercise|problem|task|ex|q|no)\.?\s*(?:no\.?\s*)?[-#:]?\s*([0-9]{1,3})(?![\w^*/%]|[.,]\d)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"#?([0-9]{1,3})(?:[.):](?!\d)|\s*[-–—:]\s|\s*$)")
_ID = re.compile(r"[A-Za-z]+[0-9]+[a-z]?(?:-[^\W_]+)+(?![\w/^*])")  # q4-batched-matmul
_HYPHENED = re.compile(r"([A-Za-z]\w*(?:-\w+)+)(?=\s*[:.]|\s+[-–—(]|\s*$)")
_WORD = re.compile(r"[A-Za-z](?:[\w-]|\\_)*")
_LABEL = re.compile(
    r"([*_`]*)((?:[A-Za-z][\w-]*[./])?[A-Za-z](?:[\w-]|\\_){0,99}?)([*_`]*)[ \t]*([:：=])(?!=)(.*)", re.DOTALL
)
_SPOKEN = re.compile(r"([*_`]*)([A-Za-z][\w ()-]{2,60}?)([*_`]*)[ \t]*[:：]([*_`]*)[ \t]*(.+)", re.DOTALL)
_LINE_TITLE = re.compile(
    r"(?:[A-Za-z]{2,10}\.?\s+(?:no\.?\s*)?#?[0-9]{1,3}(?:[.:)].*)?|[A-Za-z]{1,10}[0-9]{1,3}[.):]?)(?:\s*\(.*|\s+[–—-]\s.*)?"
)
_BULLET = re.compile(r"\A(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+|\(?[a-z]\)[ \t]+)(?:\[[ xX]\][ \t]+)?")
_ESCAPED = re.compile(r"\\([*_<>#`~])")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_MATHS = (("$$", "$$"), (r"\[", r"\]"), (r"\(", r"\)"), ("$", "$"))
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))

MOST_LETTERS = 2_000  # of a value, beyond which nothing is taken off it
MOST_TITLE = 200

# words before a colon that are no part's but begin a sentence, and those over answers that name nothing
_PROSE = """
also and assignment assume assuming assumption assumptions author because but comment course date derivation email
explanation finally given hence hint http https idea name note notes proof reason reasoning remark since so source step
steps summary then therefore thus title todo where work working
"""
PROSE = frozenset(_PROSE.split())
SOLUTIONS = frozenset(("answer", "answers", "solution", "solutions", "result", "results", "response"))


@frozen
class Label:
    """A line that gives an answer: `exercise` where it names one, the part, and the rest of the line. `marked` says
    that it is one without doubt: by a bullet or by its typeface; `sign` is what stands between."""

    part: str
    rest: str
    sign: str = ":"
    exercise: str = ""
    marked: bool = False


def exercise_of(title: str) -> tuple[str, bool] | None:
    """The exercise that a title names, and whether without doubt (`Question 4`, `q4-batched-matmul`, not just `4.`)."""
    if len(title) > MOST_TITLE:
        return None
    title = bare(title)
    if found := _ID.match(title):
        return found[0], True
    if found := _WORDED.match(title):
        return f"q{int(found[1])}", True
    if found := _HYPHENED.match(title):
        return found[1], False
    if found := _NUMBERED.match(title):
        return f"q{int(found[1])}", False
    word = title.rstrip(":. ")
    return (word, False) if _WORD.fullmatch(word) and word.lower() not in PROSE | SOLUTIONS else None


def is_title(line: str) -> bool:
    """Whether a line that is no heading is a title: `Question 4`, `Question 4: the batch`, `Q4 (batched)`."""
    return len(line) <= 80 and bool(_LINE_TITLE.fullmatch(line)) and "$" not in line


def part_of(title: str) -> str | None:
    """The part that a title is, where the title is one word: `flops`, `1. flops`, `(a) flops`."""
    word = bare(_BULLET.sub("", title[:MOST_TITLE], count=1)).rstrip(":. ")
    return word if _WORD.fullmatch(word) and word.lower() not in PROSE | SOLUTIONS else None


def bare(title: str) -> str:
    """A title without its typeface and links."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title.strip())
    return _ESCAPED.sub(r"\1", title.strip("*`_ ")).replace("`", "").replace("**", "").strip()


def without_bullet(body: str) -> str:
    """A line without what makes it one of a list."""
    return _BULLET.sub("", body, count=1)


def label_of(body: str) -> Label | None:
    """The answer that a line gives: `flops: 2BDF`, `- **flops**: 2BDF`, `flops = 2BDF`; None for any other line."""
    plain = without_bullet(body)
    found = _LABEL.match(plain)
    if not found:
        return None
    before, key, after, sign, rest = found.groups()
    if not before and after:
        if after.strip("_"):
            return None
        key += after
    if before and not after:  # **flops:** 2BDF, **flops: 2BDF**
        end = before[::-1]
        rest = rest.removeprefix(end) if rest.startswith(end) else rest.rstrip().removesuffix(end)
    if sign != "=" and rest.startswith(("//", "=")):
        if rest.startswith("//"):
            return None
        rest = rest[1:]
    place = re.fullmatch(r"(.+)[./](.+)", key.replace(r"\_", "_"))
    exercise, part = (place[1], place[2]) if place else ("", key.replace(r"\_", "_"))
    return Label(part, rest.strip(), sign, exercise, bool(before) or plain != body)


def is_spoken(body: str) -> bool:
    """Whether a line looks like an answer under a name in words: `Arithmetic intensity: $2B$`."""
    found = _SPOKEN.fullmatch(without_bullet(body)) if len(body) <= MOST_LETTERS else None
    return bool(found and found[2].count(" ") in (1, 2, 3) and delimited(found[5].strip()) is not None)


def opened(source: str) -> tuple[str, str] | None:
    """The signs of display maths that begins here and doesn't end here."""
    for start, end in _MATHS[:2]:
        if source.startswith(start) and end not in source[2:]:
            return start, end
    return None


def delimited(source: str) -> str | None:
    """The text within dollars, LaTeX's brackets or back-ticks, if that is all there is but for a full stop."""
    source = source.strip()
    if len(source) > MOST_LETTERS:
        return None
    if source[-1:] in (".", ",", ";") and source[-2:-1] in ("$", "`", ")", "]", "*"):
        source = source[:-1]
    source = _without_bold(source)
    if code := _CODE.fullmatch(source):
        inner = code[2]
        padded = len(inner) > 2 and inner[0] == inner[-1] == " " and bool(inner.strip())
        return inner[1:-1] if padded else inner
    for start, end in _MATHS:
        inside = source[len(start) : len(source) - len(end)]
        whole = len(source) > len(start) + len(end) and source.startswith(start) and source.endswith(end)
        if whole and inside.strip() and start not in inside and end not in inside:
            return inside.strip()
    return None


def value_of(source: str) -> str:
    """The text typed as a value: in dollars, in back-ticks or plain, without Markdown's own signs."""
    source = source.strip()
    inner = delimited(source)
    if inner is not None or len(source) > MOST_LETTERS:
        return source if inner is None else inner
    source = _without_bold(source)
    if len(source) > 2 and source[0] == source[-1] and source[0] in "\"'" and source[0] not in source[1:-1]:
        return source[1:-1]
    if "$" not in source:
        source = _ESCAPED.sub(r"\1", _CODE.sub(lambda code: code[2].strip(), source))
    for entity, sign in _ENTITIES:
        source = source.replace(entity, sign)
    return source if source.endswith("\\\\") else source.removesuffix("\\").rstrip()


def is_open(text: str) -> bool:
    """Whether a bracket or a dollar is open at the end of a line, so that the value goes on below."""
    opened = sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))
    return len(text) <= MOST_LETTERS and (opened or (text.startswith("$") and text.count("$") % 2 == 1))


def _without_bold(source: str) -> str:
    """A value of which all is bold or slanted, without those signs."""
    for sign in ("**", "__", "*", "_"):
        inner = source[len(sign) : len(source) - len(sign)]
        if inner.strip() and sign not in inner and source.startswith(sign) and source.endswith(sign):
            return inner.strip()
    return source
