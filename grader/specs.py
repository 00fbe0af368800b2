"""Kinds of values in the files that authors write: each is checked where it stands, and stays a text where it is a
number or a formula."""

import re
from collections.abc import Iterable
from dataclasses import field
from datetime import datetime, timedelta
from fractions import Fraction
from inspect import signature
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    WithJsonSchema,
)
from pydantic_core import core_schema

from grader.errors import GraderError, ResponseError
from grader.maths.expression import FUNCTIONS, Neg
from grader.maths.expression import Number as Numeral
from grader.maths.grammar import read_expression
from grader.maths.units import read_unit
from grader.plugins import member, tags
from grader.spec_reader import suggestion
from grader.values import frozen


def choose_from(name: str, options: Iterable[str]) -> str:
    """The name if it is an option; ValueError with the close one otherwise."""
    options = list(options)
    if name not in options:
        raise ValueError(f"{name!r} is not known" + suggestion(name, options))
    return name


def _words(text: str) -> str:
    if not text.strip():
        raise ValueError("empty: write something, or take the key out")
    return text.strip()


def _formula(text: str) -> str:
    text = _words(text)
    if len(text) > 1000:
        raise ValueError("longer than 1,000 characters")
    return text


_ID = r"[a-z0-9][a-z0-9_-]{0,63}"
_MISTAKE = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"  # names of mistakes may have the capital letters of symbols
_NAME = r"[A-Za-z][A-Za-z0-9_]{0,39}"
_MOST_SYMBOL = 24


def _id(text: str) -> str:
    if not re.fullmatch(_ID, text):
        raise ValueError(f"{text!r} is no id: small letters a-z, digits, - and _, at most 64")
    return text


def _mistake(text: str) -> str:
    if not re.fullmatch(_MISTAKE, text):
        raise ValueError(f"{text!r} is no id: letters a-z, digits, - and _, at most 64")
    return text


def _name(text: str) -> str:
    for character in text:
        if ord(character) > 127:
            import unicodedata  # for this message only

            kind = unicodedata.name(character, "a character without a name")
            raise ValueError(
                f"{text!r}: U+{ord(character):04X} is {kind}; use the letters a-z, A-Z, or a name such as beta"
            )
    if not re.fullmatch(_NAME, text) or "__" in text:
        raise ValueError(f"{text!r} is no name: a letter, then letters, digits and single _")
    return text


def _symbol(text: str) -> str:
    if len(_name(text)) > _MOST_SYMBOL:
        raise ValueError(f"{text!r} is longer than {_MOST_SYMBOL} characters")
    if text in FUNCTIONS:
        raise ValueError(f"{text!r} is a function; give the symbol another name")
    return text


def number(text: str) -> Fraction:
    """The number that a text such as `8.1e11`, `.5` or `2%` stands for, exactly; ValueError if it is none."""
    try:
        match read_expression(text):
            case Numeral(value):
                return Fraction(value)
            case Neg(Numeral(value)):
                return Fraction(-value)
    except ResponseError as error:
        raise ValueError(f"{text!r} is no number: {error}") from None
    raise ValueError(f"{text!r} is no number")


def _number(text: str) -> str:
    number(text)
    return text


def _unit(text: str) -> str:
    try:
        read_unit(_words(text))
    except ResponseError as error:
        raise ValueError(str(error)) from None
    return text.strip()


def _whole(text: Any) -> int:
    if not isinstance(text, str) or not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise ValueError("a positive whole number is expected")
    return int(text)


def _flag(text: Any) -> bool:
    if text not in ("true", "false"):
        raise ValueError("true or false is expected")
    return bool(text == "true")


_SCALAR = {"type": ["string", "number"]}

Words = Annotated[str, AfterValidator(_words)]
Formula = Annotated[str, AfterValidator(_formula), WithJsonSchema(_SCALAR)]
Id = Annotated[str, AfterValidator(_id), WithJsonSchema({"type": "string", "pattern": f"^{_ID}$"})]
MistakeId = Annotated[str, AfterValidator(_mistake), WithJsonSchema({"type": "string", "pattern": f"^{_MISTAKE}$"})]
Name = Annotated[str, AfterValidator(_name), WithJsonSchema({"type": "string", "pattern": f"^{_NAME}$"})]
Symbol = Annotated[str, AfterValidator(_symbol), WithJsonSchema({"type": "string", "pattern": f"^{_NAME}$"})]
Number = Annotated[str, AfterValidator(_number), WithJsonSchema(_SCALAR)]
UnitName = Annotated[str, AfterValidator(_unit)]
Whole = Annotated[int, PlainValidator(_whole), WithJsonSchema({"type": "integer", "minimum": 1})]
Flag = Annotated[bool, PlainValidator(_flag), WithJsonSchema({"type": "boolean"})]
Change = dict[Name, Formula]


def _some(items: tuple[Any, ...]) -> tuple[Any, ...]:
    if not items:
        raise ValueError("at least one is expected")
    return items


NotEmpty = AfterValidator(_some)


class OneOrMore:
    """Marks a list whose single member may be written without the list."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_before_validator_function(
            lambda value: value if isinstance(value, tuple) else (value,), handler(source)
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        several = handler(schema)
        return {"anyOf": [several["items"], several]}


def shape(value: Any) -> str:
    """What a value is written as, to tell apart the members of a union: text, mapping or list."""
    return "mapping" if isinstance(value, dict | BaseModel) else "list" if isinstance(value, tuple) else "text"


# --- answer types and checks ------------------------------------------------------------------------------------------


class _AnswerTypes:
    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": "string", "enum": list(tags("answers"))}


@frozen
class Check:
    """Which check decides, and its options as texts."""

    tag: str = "exact"
    options: dict[str, str] = field(default_factory=dict)


class _CheckSchema:
    """How a check is written: its tag, or a mapping from the tag to its options."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(_check)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        scalar = {"type": ["string", "number"]}
        options = {
            tag: {
                "type": "object",
                "additionalProperties": False,
                "properties": dict.fromkeys(_options_of(tag), scalar),
            }
            for tag in tags("checks")
            if _options_of(tag)
        }
        mapping = {"type": "object", "properties": options, "additionalProperties": False, "maxProperties": 1}
        return {"anyOf": [{"enum": list(tags("checks"))}, {**mapping, "minProperties": 1}]}


def _options_of(tag: str) -> tuple[str, ...]:
    return tuple(signature(member("checks", tag)).parameters)


def _check(value: Any) -> Check:
    if isinstance(value, Check):
        return value
    if isinstance(value, dict) and len(value) == 1:
        tag, options = next(iter(value.items()))
    else:
        tag, options = value, {}
    if not isinstance(tag, str) or not isinstance(options, dict):
        raise ValueError("a check is expected, such as exact or {close: {rel: 2%}}")
    choose_from(tag, tags("checks"))
    for name, text in options.items():
        choose_from(name, _options_of(tag))
        _tolerance(name, text)
    try:
        member("checks", tag)(**options)
    except (GraderError, ValueError, TypeError) as error:
        raise ValueError(f"{tag}: {error}") from None
    return Check(tag, dict(options))


def _tolerance(name: str, text: Any) -> None:
    """A tolerance is a number that isn't negative, in the unit of the solution where it is absolute."""
    if not isinstance(text, str):
        raise ValueError(f"{name}: a number is expected")
    if number(text) < 0:
        raise ValueError(f"{name}: {text} is negative")


# --- credit, editions, dates ------------------------------------------------------------------------------------------


def _edition(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_]{1,16}", name):
        raise ValueError(f"{name!r} can't name an edition: letters, digits and _, at most 16")
    return name


def _credit(value: Any) -> int | str:
    if value == "full":
        return "full"
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,6}", value):
        raise ValueError("a whole number of points is expected, or full")
    return int(value)


_UNITS = {"s": "seconds", "min": "minutes", "h": "hours", "d": "days"}


def _moment(value: Any) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError(f"{value!r} is no date: 2026-12-01T23:59+01:00 is expected") from None
    if moment.tzinfo is None:
        raise ValueError(f"{value!r} lacks the time zone: add +01:00, or Z")
    return moment


def _duration(value: Any) -> timedelta:
    match = re.fullmatch(r"([0-9]{1,5})\s*(s|min|h|d)", value) if isinstance(value, str) else None
    if not match:
        raise ValueError(f"{value!r} is no duration: 10 min, 3 d, 12 h are")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def _module(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*(\.[a-z][a-z0-9]*(_[a-z0-9]+)*)*", text) or len(text) > 100:
        raise ValueError(f"{text!r} is no name of a package")
    return text


def _variable(text: str) -> str:
    if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,63}", text):
        raise ValueError(f"{text!r} is no name of an environment variable: capital letters, digits and _")
    return text


def _inside(text: str) -> str:
    if re.search(r"^[/\\~]|\\|:|(^|/)\.\.(/|$)", text) or not text.strip():
        raise ValueError(f"{text!r} is no folder inside the course's folder")
    return text


Moment = Annotated[datetime, PlainValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
Duration = Annotated[timedelta, PlainValidator(_duration), WithJsonSchema({"type": "string", "examples": ["10 min"]})]


AnswerType = Annotated[str, AfterValidator(lambda tag: choose_from(tag, tags("answers"))), _AnswerTypes()]
CheckChoice = Annotated[Check, _CheckSchema()]
Edition = Annotated[str, AfterValidator(_edition)]
Credit = Annotated[
    int | Literal["full"],
    PlainValidator(_credit),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"const": "full"}]}),
]
Package = Annotated[str, AfterValidator(_module)]
Variable = Annotated[str, AfterValidator(_variable)]
Folder = Annotated[str, AfterValidator(_inside)]
