"""Moments as platforms write them, brought to one form: ISO 8601 with an offset."""

import re
from datetime import UTC, datetime

_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ]\s*(\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?\s*(z|utc|gmt|[+-]\d\d(?::?\d\d)?)?",
    re.ASCII | re.IGNORECASE,
)


def moment(text: str) -> str | None:
    """A moment such as `2026-10-02 09:14:41.365935000 Z` in ISO 8601 with its offset; None if the text is none.

    A text without a zone is taken as UTC: nbgrader and Classroom 50 write UTC, and so the answer doesn't depend on
    where it is read. Fractions are cut to microseconds.
    """
    match = _MOMENT.fullmatch(text.strip())
    if match is None:
        return None
    day, time, fraction, zone = match.groups()
    offset = "+00:00" if zone is None or zone.isalpha() else zone
    try:
        return datetime.fromisoformat(f"{day}T{time}{_fraction(time, fraction)}{offset}").isoformat()
    except ValueError:
        return None


def tagged(tag: str) -> str | None:
    """The moment in the name of a tag such as `submit/2026-10-02T09-15-00Z-0a1b2c3`."""
    match = re.match(r"submit/(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z", tag, re.ASCII)
    if match is None:
        return None
    try:
        return datetime(*map(int, match.groups()), tzinfo=UTC).isoformat()  # type: ignore[arg-type,misc]
    except ValueError:
        return None


def _fraction(time: str, fraction: str | None) -> str:
    digits = (fraction or "")[:6]
    if not digits:
        return ""
    return ("" if time.count(":") == 2 else ":00") + "." + digits.ljust(6, "0")
