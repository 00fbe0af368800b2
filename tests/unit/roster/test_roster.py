"""Who is in the class, read from whatever platforms export, and found by any of the texts that name a student."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.gradebook import Student
from grader.roster import Roster, read_roster


def roster(tmp_path: Path, text: str | bytes, name: str = "roster.csv") -> Roster:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_roster(path)


def one(tmp_path: Path, text: str) -> Student:
    (student,) = roster(tmp_path, text).students
    return student


CLASSROOM50 = (
    "username,first_name,last_name,email,section,github_id,role\n"
    "ada-example,Ada,Example,ada@example.edu,01,1234567,student\n"
    "prof,Pia,Rof,pia@example.edu,01,7,instructor\n"
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Rooflines 1 (98765)\n"
    ",,,,,Manual Posting\n"
    "    Points Possible,,,,,10\n"
    '"Example, Ada",31001,1001,adaex,01,7\n'
    '"Student, Test",31999,,9a,01,\n'
)
CANVAS_NAMES = (
    "LastName,FirstName,ID,SIS Login ID,Section,Rooflines 1 (98765)\n"
    "    Points Possible,,,,,10\n"
    "Example,Ada,31001,adaex,01,7\n"
)
MOODLE = (
    "Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade\n"
    "Participant 70001,Ada Example,1001,ada@example.edu,Submitted for grading,7.00,10.00\n"
)
GITHUB = (
    "assignment_name,assignment_url,github_username,roster_identifier,student_repository_name,submission_timestamp\n"
    "Rooflines 1,https://example.org,ada-example,ada@example.edu,r-ada,2026-05-04T10:00:00Z\n"
    "Rooflines 2,https://example.org,ada-example,ada@example.edu,r-ada,2026-05-04T12:30:00+03:00\n"
    "Rooflines 3,https://example.org,ada-example,ada@example.edu,r-ada,2026-05-04 10:15:00 UTC\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CLASSROOM50, Student(id="ada-example", name="Ada Example", email="ada@example.edu", section="01",
                              aliases=("ada-example", "1234567", "ada@example.edu", "Ada Example", "Example, Ada"))),
        (CANVAS, Student(id="adaex", name="Ada Example", section="01",
                         aliases=("adaex", "1001", "31001", "Ada Example", "Example, Ada"))),
        (CANVAS_NAMES, Student(id="adaex", name="Ada Example", section="01",
                               aliases=("adaex", "31001", "Ada Example", "Example, Ada"))),
        (MOODLE, Student(id="1001", name="Ada Example", email="ada@example.edu",
                         aliases=("1001", "70001", "Participant 70001", "ada@example.edu", "Ada Example"))),
        (GITHUB, Student(id="ada-example", aliases=("ada-example", "ada@example.edu"))),
        ("student_id,name,email,section,github\ns1,Ada Example,a@x,2,ada\n",
         Student(id="s1", name="Ada Example", email="a@x", section="2", aliases=("s1", "ada", "a@x", "Ada Example"))),
        ("id,login\n0429,ada\n", Student(id="0429", aliases=("0429", "ada"))),
        ("name\nAda Example\n", Student(id="Ada Example", name="Ada Example", aliases=("Ada Example",))),
        ("email,name\na@x,Ada\n", Student(id="a@x", name="Ada", email="a@x", aliases=("a@x", "Ada"))),
    ],
)  # fmt: skip
def test_each_export_is_known_by_its_columns(tmp_path: Path, text: str, expected: Student) -> None:
    assert one(tmp_path, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "ID,Vollständiger Name,ID-Nummer,E-Mail-Adresse,Status\nTeilnehmer/in70001,Ada Example,1001,a@x,\n",
        "Identifiant,Nom complet,Numéro d’identification,Adresse de courriel\nParticipant 70001,Ada Example,1001,a@x\n",
        "Identificador,Nombre completo,Número de ID,Dirección de correo\nParticipante 70001,Ada Example,1001,a@x\n",
        "IDENTIFIER;full_name;Id-Number;E-Mail Address\nParticipant 70001;Ada Example;1001;a@x\n",
        "Identifier\tFull name\tID number\tEmail address\nParticipant 70001\tAda Example\t1001\ta@x\n",
    ],
)
def test_moodle_s_worksheets_in_other_languages_and_forms(tmp_path: Path, text: str) -> None:
    student = one(tmp_path, text)
    assert (student.id, student.name, student.email) == ("1001", "Ada Example", "a@x")
    assert {"70001", "1001", "a@x", "Ada Example"} <= set(student.aliases)


def test_without_an_id_number_moodle_s_own_number_is_the_id(tmp_path: Path) -> None:
    text = "Identifier,Full name,ID number\nParticipant 70001,Ada Example,\nParticipant 70003,,\n"
    assert [s.id for s in roster(tmp_path, text).students] == ["70001", "70003"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, ends: str) -> None:
    text = 'student,name\ns1,"Núñez, Zoë"\ns2,"two\u2028lines"\n\n,,\n'.replace("\n", ends)
    first, second = roster(tmp_path, text.encode(encoding)).students
    assert (first.id, first.name) == ("s1", "Zoë Núñez")
    assert second.name == "two\u2028lines"


@pytest.mark.parametrize("ids", [("007", "7", "0429", "429", "1e5", "100000", "=1+1", "-5", "5")])
def test_ids_are_texts(tmp_path: Path, ids: tuple[str, ...]) -> None:
    found = roster(tmp_path, "student\n" + "".join(f"{each}\n" for each in ids))
    assert tuple(student.id for student in found.students) == ids
    for each in ids:
        student = found.find(each)
        assert student is not None
        assert student.id == each
    assert found.remarks == ()


def test_the_sign_that_guards_a_cell_from_spreadsheets_is_taken_off(tmp_path: Path) -> None:
    found = roster(tmp_path, "student,name\n'=1+1,'+x\n'-5,O'Hara\n'quoted',x\n")
    assert [student.id for student in found.students] == ["=1+1", "-5", "'quoted'"]
    assert found.students[1].name == "O'Hara"


def test_a_student_is_found_by_any_text_whatever_its_case_or_form(tmp_path: Path) -> None:
    found = roster(tmp_path, "username,name,email\nada,Zoë  Núñez,Ada@Example.edu\nbo,Bo Sample,bo@x\n")
    for text in ("ada", "ADA", "zoe\u0308 nu\u0301n\u0303ez", "Zoë Núñez", " ada@example.edu "):
        student = found.find(text)
        assert student is not None
        assert student.id == "ada"
    assert found.find("nobody", "", "BO@X").id == "bo"  # type: ignore[union-attr]
    assert found.find("bo", "ada").id == "bo"  # type: ignore[union-attr]
    assert found.find("nobody", "") is None
    assert found.find() is None


def test_an_alias_of_two_students_names_nobody_and_is_told(tmp_path: Path) -> None:
    text = "Identifier,Full name,ID number\nParticipant 1,Wei Zhang,2\nParticipant 2,wei zhang,3\nParticipant 4,Cy,5\n"
    found = roster(tmp_path, text)
    assert found.find("2") is None
    assert found.find("3").id == "3"  # type: ignore[union-attr]
    assert found.find("WEI ZHANG") is None
    assert found.find("Wei Zhang").id == "2"  # type: ignore[union-attr]
    assert found.find("WEI ZHANG", "1").id == "2"  # type: ignore[union-attr]
    assert found.remarks == (
        "2 stands for 2 and 3: it names nobody",
        "wei zhang stands for 2 and 3: it names nobody unless it is spelled as here",
    )


def test_a_student_listed_twice_is_one_and_told_if_the_lines_differ(tmp_path: Path) -> None:
    found = roster(tmp_path, "student,name\ns1,Ada\ns2,Bo\ns1,Ada\ns1,Eve\n,x\n")
    assert [(s.id, s.name) for s in found.students] == [("s1", "Ada"), ("s2", "Bo"), ("x", "x")]
    assert found.remarks == (f"{tmp_path}/roster.csv:5: s1 is in line 2 too, with other data",)


@pytest.mark.parametrize(
    ("text", "near"),
    [("429", "0429"), ("00429", "0429"), ("7", "007"), ("100000", "1e5"), ("1E+05", "1e5"), ("-5.0", "-5"),
     ("ada-exampel", "ada-example"), ("Ada-Example ", "ada-example"), ("8", None), ("zzz", None), ("", None),
     ("12345678901234567890123456789012345678901234567890", None), ("1e999999999", None), ("٧", None)],
)  # fmt: skip
def test_who_may_be_meant_by_an_unknown_text(tmp_path: Path, text: str, near: str | None) -> None:
    found = roster(tmp_path, "student\n0429\n007\n1e5\n-5\nada-example\nbo-sample\n")
    student = found.near(text)
    assert (student.id if student else None) == near


def test_of_two_who_may_be_meant_none_is_named(tmp_path: Path) -> None:
    found = roster(tmp_path, "student\n0429\n00429\nanna-1\nanna-2\n")
    assert found.near("429") is None
    assert found.near("anna-3") is None


def test_times_are_told_by_student_and_clock(tmp_path: Path) -> None:
    assert roster(tmp_path, GITHUB).times == {"ada-example": {"release": "2026-05-04T10:15:00+00:00"}}
    found = roster(tmp_path, "student,submitted_at\ns1,2026-10-02T09:14:41Z\ns2,soon\ns3,\n")
    assert found.times == {"s1": {"lms": "2026-10-02T09:14:41+00:00"}}
    assert found.remarks == (f"{tmp_path}/roster.csv:3: soon is no time such as 2026-10-02T09:14:41Z",)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "roster.csv: there are no students"),
        (b"a,b\n1,2\n", "roster.csv:1: no column names the students"),
        (b"student\n", "roster.csv: there are no students"),
        (b"student\ns1\ncaf\xe9\n", "roster.csv:3: not UTF-8: byte 0xE9 in line 3"),
        (b'student\n"s1\n', "roster.csv:2: quotation marks are not in order"),
        (b"student\n" + b"x" * 200_000, "roster.csv:2: a cell is too long"),
        (b"PK\x03\x04", "roster.csv: this looks like a zip archive or an office document"),
        (b"student\ns\0\n", "NUL byte in line 2"),
    ],
)
def test_what_can_t_be_read_is_told_with_its_line(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(SubmissionError) as error:
        roster(tmp_path, data)
    assert message in str(error.value)


def test_a_roster_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="there is no such file"):
        read_roster(tmp_path / "roster.csv")


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("student,id;\t\"\n\r name12\ufeffé=-+@'"), max_size=60))
def test_any_text_is_a_roster_or_an_error_in_words(tmp_path: Path, text: str) -> None:
    try:
        found = roster(tmp_path, text)
    except SubmissionError:
        return
    for student in found.students:
        assert student.id in student.aliases
        found.near(student.id)


@given(st.lists(TEXT, max_size=6), TEXT)
def test_whoever_is_found_has_the_text_and_nobody_else_does(ids: list[str], text: str) -> None:
    students = tuple(Student(id=f"{i}", aliases=(f"{i}", each)) for i, each in enumerate(ids))
    found = Roster(students=students).find(text)
    owners = [student for student in students if text.strip() in student.aliases]
    if found is not None and owners:
        assert owners == [found]
