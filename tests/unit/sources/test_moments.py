"""Moments in the forms that platforms write."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.moments import moment, tagged


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-10-02T09:14:41Z", "2026-10-02T09:14:41+00:00"),
        ("2026-10-02 09:14:41.365935000 Z", "2026-10-02T09:14:41.365935+00:00"),
        ("2026-10-02 09:14:41.000000 UTC\n", "2026-10-02T09:14:41+00:00"),
        ("2026-10-02 09:14:41", "2026-10-02T09:14:41+00:00"),
        ("2026-10-02T09:14", "2026-10-02T09:14:00+00:00"),
        ("2026-10-02T09:14:41+0200", "2026-10-02T09:14:41+02:00"),
        ("2026-10-02 09:14:41 -07:00", "2026-10-02T09:14:41-07:00"),
        ("2026-10-02T09:14:41.5+02", "2026-10-02T09:14:41.500000+02:00"),
        ("2026-13-02T09:14:41Z", None), ("2026-10-02T25:14:41Z", None), ("2026-10-02", None), ("soon", None),
        ("", None),
        ("٢٠٢٦-10-02T09:14:41Z", None), ("2026-10-02T09:14:41+99:00", None), ("x" * 100_000, None),
    ],
)  # fmt: skip
def test_moments(text: str, expected: str | None) -> None:
    assert moment(text) == expected


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("submit/2026-10-02T09-15-00Z-0a1b2c3", "2026-10-02T09:15:00+00:00"),
        ("submit/2026-13-02T09-15-00Z-0a1b2c3", None), ("v1", None), ("", None), ("2026-10-02T09-15-00Z", None),
    ],
)  # fmt: skip
def test_tags(tag: str, expected: str | None) -> None:
    assert tagged(tag) == expected


@given(st.datetimes(timezones=st.just(UTC)))
def test_what_is_written_in_iso_is_read_back(time: datetime) -> None:
    assert moment(time.isoformat()) == time.isoformat()


@given(st.text("0123456789-:TZ+. ", max_size=30))
def test_any_text_is_a_moment_or_none(text: str) -> None:
    found = moment(text)
    assert found is None or datetime.fromisoformat(found).tzinfo is not None
