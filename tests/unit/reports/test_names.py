"""File names: safe everywhere, different for different students."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.reports.names import file_stem

ODD = (
    *(
        "CON",
        "con",
        "aux.txt",
        "nul",
        "COM1",
        "lpt9",
        "index",
        "results",
        "../../etc/passwd",
        "a/b",
        "a\\b",
        "",
        ".",
        "..",
    ),
    *("s1", "S1", "s1 ", "s1.", "ſ1", "é", "e\u0301", "\udcff", "-rf", "s" * 300, "s" * 301),
)
students = st.text(max_size=80) | st.sampled_from(ODD)


@given(students)
def test_a_name_is_safe_on_every_system(student: str) -> None:
    stem = file_stem(student)
    assert re.fullmatch(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?", stem)
    assert ".." not in stem
    assert len(stem) <= 64
    assert not re.fullmatch(r"con|prn|aux|nul|(com|lpt)\d|index|results", stem.split(".")[0])
    assert unicodedata.is_normalized("NFC", stem)


@given(students, students)
def test_different_students_have_different_names_whatever_the_case(one: str, other: str) -> None:
    assert (file_stem(one) == file_stem(other)) == (one == other)


@given(st.text(alphabet="sS1.-_ é2", max_size=4), st.text(alphabet="sS1.-_ é2", max_size=4))
def test_names_that_nearly_agree_are_told_apart(one: str, other: str) -> None:
    assert (file_stem(one) == file_stem(other)) == (one == other)


@pytest.mark.parametrize("student", ["s1024", "ada-example", "2026_001", "a"])
def test_a_plain_name_stays_as_it_is(student: str) -> None:
    assert file_stem(student) == student


def test_another_name_stays_readable() -> None:
    assert re.fullmatch(r"zoe-example\.[0-9a-f]{16}", file_stem("Zoë Example"))
    assert re.fullmatch(r"student-con\.[0-9a-f]{16}", file_stem("CON"))
    assert re.fullmatch(r"student\.[0-9a-f]{16}", file_stem("李雷"))
