"""Gradebooks that name nobody."""

import io
from dataclasses import replace
from zipfile import ZipFile

import pytest

from grader.gradebook import Row, anonymous, is_anonymous
from grader.results import Override
from tests.unit.exports.made import STREAMED, named, of, part, written

KEY = b"a secret of the course"


def person(student: str = "s1024") -> Row:
    given = part("ridge", 4, 4, override=Override(points=4, before=0, why="Ada Example asked", by="Prof. Example"))
    one = of(
        student, part("flops", 3, 3), part("bytes", 0, 3), given, name="Ada Example",
        source="Ada Example_70001_assignsubmission_file/answers.yaml", message="Ada Example handed in twice",
        remarks=("possibly the same student as s1025 (Ada Exampel)",), flags=("Ada Example: no time stamp",),
    )  # fmt: skip
    return named(one, "Ada Example", "ada@example.edu", "Section Example", aliases=("70001",))


def unpacked(tag: str, content: bytes) -> bytes:
    if tag == "parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        return repr(parquet.read_table(io.BytesIO(content)).to_pylist()).encode()
    if content.startswith(b"PK"):
        with ZipFile(io.BytesIO(content)) as archive:
            return b"".join(archive.read(name) for name in archive.namelist())
    return content


@pytest.mark.parametrize("tag", STREAMED)
def test_no_format_names_a_person(tag: str) -> None:
    assert b"Ada Example" in unpacked(tag, written(tag, [person()])) or tag in ("junit", "gradescope")
    content = unpacked(tag, written(tag, [anonymous(person(), KEY)]))
    assert b"anon-" in content
    for text in ("Example", "Exampel", "s1024", "s1025", "ada@", "70001"):
        assert text.encode() not in content


def test_points_and_answers_stay() -> None:
    hidden = anonymous(person(), KEY).result
    assert (hidden.points, hidden.status) == (person().result.points, person().result.status)
    assert [p.points for e in hidden.exercises for p in e.parts] == [3, 0, 4]
    assert hidden.exercises[1].parts[0].override == Override(points=4, before=0)


def test_a_student_has_one_pseudonym_for_each_key() -> None:
    first = anonymous(person(), KEY).student
    assert first == anonymous(person(), KEY).student
    assert first != anonymous(person(), b"another").student
    assert first.id == anonymous(person(), KEY).result.student
    assert is_anonymous(first)
    assert not is_anonymous(person().student)
    assert not is_anonymous(replace(first, name="Ada"))


def test_no_two_of_a_large_class_share_a_pseudonym() -> None:
    one = person()
    names = {anonymous(replace(one, student=replace(one.student, id=f"s{n}")), KEY).student.id for n in range(5_000)}
    assert len(names) == 5_000


@pytest.mark.parametrize("student", ["\ud800", "", "é"])
def test_every_id_has_a_pseudonym(student: str) -> None:
    assert is_anonymous(anonymous(person(student), KEY).student)


def test_a_key_is_needed() -> None:
    with pytest.raises(ValueError, match="needs a key"):
        anonymous(person(), b"")
