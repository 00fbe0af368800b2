"""Searches texts for what a student must not see: solutions in any form, and whatever else only the course holds."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from unittest.mock import patch

from grader.compiled import Exercise
from grader.course import LoadedCourse
from grader.errors import ResponseError
from grader.grading import Grader
from grader.keyring import variants
from grader.marking import Marker
from grader.maths.expression import Number
from grader.submission import Response

_LONGEST = 9  # words that are read together
_NUMBER = re.compile(r"(?<![\w.])\d[\d_,]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)", re.IGNORECASE)
_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|'([^']+)'|\$([^$]+)\$")
_PROSE = re.compile(r"[A-Za-z_]{2,}")  # words that no formula of the courses here has, but for these:
_IN_FORMULAS = re.compile(r"^(min|max|log|sqrt|t_math|t_comms|flops?|ops?|peak|bandwidth|bytes?)$", re.IGNORECASE)
_TOLERANCES = (
    "check",
    "check_options",
    "close",
    "pointwise",
    "leading_order",
    "rel",
    "abs",
    "credit",
    "strict",
    "side",
)


def markers(loaded: LoadedCourse) -> list[Marker]:
    """The markers of every part, in every variant."""
    grading = Grader(loaded.keyring)
    return [m for e in loaded.course.exercises for v in variants(e) for m in grading.variant_markers(e, v)]


def solutions(texts: Mapping[str, str], loaded: LoadedCourse) -> set[str]:
    """Every string of the files that is a right answer to a part, or has a right number that no question states."""
    known = stated(loaded)
    asked = [m for m in markers(loaded) if m.part.type != "choice"]  # all options of a choice are in the question
    numbers = {number for text in texts.values() for number in _numbers(text)} - known
    found = {f"{m.part.id}: {float(number)}" for number in numbers for m in asked if _near(m, number)}
    strings = {string for name, text in texts.items() for string in candidates(name, text) if 0 < len(string) < 200}
    squeezed = {_squeezed(text) for text in texts.values()}
    for like in _asked_alike(asked):
        said = _read(like[0], strings, known)
        for marker in like:
            right = [form for form, response in said.items() if marker.accepts(response, {})]
            found |= {f"{marker.part.id}: {form}" for form in right}
            found |= {f"{marker.part.id}: {form}" for form in _spellings(marker) if _occurs(form, squeezed)}
    return found


def _asked_alike(asked: list[Marker]) -> list[list[Marker]]:
    """The markers in groups that read alike, but for the unit."""
    groups: dict[object, list[Marker]] = {}
    for marker in asked:
        question = marker.question
        names = (question.symbols, question.symbol, question.bound, str(marker.keys.meanings))
        groups.setdefault((marker.part.type, names), []).append(marker)
    return list(groups.values())


def _read(marker: Marker, strings: set[str], known: set[Fraction]) -> dict[str, Response]:
    """Every string that reads as an answer, one for each that says the same; numbers that are stated say nothing."""
    said = {}
    with patch("difflib.get_close_matches", return_value=[]):  # nobody reads the mends, which take most of the time
        for string in sorted(strings):
            with suppress(ResponseError):
                answer = marker.kind.read(string, marker.question)
                if not (isinstance(answer.value, Number) and Fraction(answer.value.value) in known):
                    said[answer.read_as] = Response(exercise=marker.exercise.id, part=marker.part.id, text=string)
    return said


def stated(loaded: LoadedCourse) -> set[Fraction]:
    """The numbers that the questions state."""
    texts = [loaded.course.title]
    for exercise in loaded.course.exercises:
        texts += [exercise.title, exercise.prompt, exercise.source, *exercise.symbols.values()]
        for part in exercise.parts:
            texts += [part.title, part.prompt, *part.options.get("options", {}).values()]
            texts += [str(part.options.get(end, "")) for end in ("from", "to")]
    return {number for text in texts for number in _numbers(text)}


def candidates(name: str, text: str) -> Iterator[str]:
    """Every string that might be meant as one: values, quotations, code, lines, and words that stand together."""
    if name.endswith(".json"):
        yield from _strings(json.loads(text))
    for match in _QUOTED.finditer(text):
        yield next(filter(None, match.groups()))
    plain = re.sub(r"^[ \t]*(#+|[-*]|\d+\.)[ \t]+", "", text, flags=re.MULTILINE)
    for line in plain.splitlines():
        yield line.strip()
        yield from (piece.strip() for piece in re.split(r"[:;]|, ", line))
    words = plain.replace("`", " ").split()
    for begin in range(len(words)):
        for end in range(begin + 1, min(begin + _LONGEST, len(words)) + 1):
            last = words[end - 1].strip(".,:;?!\"'")
            if any(not _IN_FORMULAS.match(word) for word in _PROSE.findall(last)) and not _formula_like(last):
                break
            yield " ".join(words[begin:end]).strip(".,:;?!\"'")


def _formula_like(word: str) -> bool:
    return bool(re.search(r"[*/^+(){}\\=0-9]", word)) or word.isupper()


def _strings(data: object) -> Iterator[str]:
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield str(name)
            yield from _strings(value)
    elif isinstance(data, list):
        for value in data:
            yield from _strings(value)
    elif data is not None and not isinstance(data, bool):
        yield str(data)


def _numbers(text: str) -> set[Fraction]:
    return {Fraction(Decimal(re.sub("[_,]", "", match[0]))) for match in _NUMBER.finditer(text)}


def _near(marker: Marker, number: Fraction) -> bool:
    """Whether a number is right for the part within its tolerance."""
    keys = [key.number for key in marker.keys.right if key.number is not None]
    rel = Fraction(Decimal(marker.part.check_options.get("rel", "0%").removesuffix("%"))) / 100
    return any(abs(number - key) <= rel * abs(key) for key in keys)


def _spellings(marker: Marker) -> set[str]:
    """The texts of what is right, without blanks."""
    found = set()
    for key, answer in marker.right:
        mathml = re.sub(r"</?(?!annotation)\w[^<>]*>", "", answer.mathml)
        forms = {_squeezed(form) for form in (key.value, marker.key_text(key), answer.read_as, answer.latex, mathml)}
        found |= forms | {form.replace("*", "") for form in forms}
    return {form for form in found if len(form) > 1}


def _occurs(form: str, texts: set[str]) -> bool:
    """Whether the form is in a text, with nothing beside it that would make it another value."""
    pattern = rf"(?<![\w.^*/\\]){re.escape(form)}(?![\w*/^])"
    return any(form in text and re.search(pattern, text) for text in texts)


def _squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def secrets(texts: Mapping[str, str], loaded: LoadedCourse) -> set[str]:
    """Whatever else of the course is in the files: mistakes, tolerances, examples, formulas, other editions' values."""
    asked = _asked(loaded)
    words = {word for text in texts.values() for word in re.findall(r"[\w.%+-]+", text)}
    numbers = {number for text in texts.values() for number in _numbers(text)}
    found = {name for name in (*_ids(loaded), *_tolerances(loaded)) if name in words}
    found |= {name for name in _TOLERANCES if any(f'"{name}"' in text for text in texts.values())}
    found |= {value for value in _constants(loaded) if Fraction(Decimal(value)) in numbers - stated(loaded)}
    for phrase in _phrases(loaded):
        if phrase not in asked and any(phrase in " ".join(text.split()) for text in texts.values()):
            found.add(phrase)
    return found


def _asked(loaded: LoadedCourse) -> str:
    """All that the questions say."""
    parts = [part for exercise in loaded.course.exercises for part in exercise.parts]
    pieces = [piece for e in loaded.course.exercises for piece in (e.prompt, e.title, e.source, *e.symbols.values())]
    pieces += [piece for part in parts for piece in (part.prompt, part.title)]
    pieces += [piece for part in parts for option in part.options.get("options", {}).items() for piece in option]
    return " ".join(" ".join(pieces).split())


def _mistakes(loaded: LoadedCourse) -> Iterator[object]:
    yield from loaded.course.mistakes
    for exercise in loaded.course.exercises:
        yield from exercise.mistakes


def _ids(loaded: LoadedCourse) -> Iterator[str]:
    yield from (mistake.id for mistake in _mistakes(loaded))  # type: ignore[attr-defined]


def _tolerances(loaded: LoadedCourse) -> Iterator[str]:
    for exercise in loaded.course.exercises:
        for part in exercise.parts:
            yield from part.check_options.values()


def _constants(loaded: LoadedCourse) -> Iterator[str]:
    """The numbers of the models: peaks, bandwidths, those of other editions, what is drawn."""
    for exercise in loaded.course.exercises:
        for formulas in (model.formulas for model in exercise.models.values()):
            yield from (value for value in formulas.values() if re.fullmatch(r"[\d.]+e\d+", value))
        yield from (v for values in exercise.draws.values() for v in values if re.fullmatch(r"[\d.]+e\d+", v))


def _phrases(loaded: LoadedCourse) -> Iterator[str]:
    """Texts that nothing but the course holds."""
    for mistake in _mistakes(loaded):
        for text in (mistake.title, mistake.feedback, mistake.hint):  # type: ignore[attr-defined]
            yield from (" ".join(s.split()) for s in re.split(r"(?<=[.?!])\s", text) if len(s) > 5)
    for exercise in loaded.course.exercises:
        yield from _phrases_of(exercise)


def _phrases_of(exercise: Exercise) -> Iterator[str]:
    yield from (example.response for part in exercise.parts for example in part.examples if len(example.response) > 4)
    for model in exercise.models.values():
        yield from (formula for formula in model.formulas.values() if re.search(r"[*/+-]", formula))
    yield from (value for values in exercise.draws.values() for value in values)
    yield from (value for part in exercise.parts for value in part.credit if "-" in value)
