"""Moodle: the offline grading worksheet, and the zip of feedback pages."""

import io
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from grader.exports.options import ExportError
from grader.gradebook import anonymous
from grader.results import Result, Status
from tests.unit.exports.made import HOSTILE, filled, named, row, ungraded, written

SHEET = """\
Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
Last modified (submission),Last modified (grade),Feedback comments
Participant 70001,Ada Example,0429,ada@example.edu,Submitted for grading,7.00,10.00,Yes,\
"Friday, 2 October 2026, 9:14 AM",-,<p>old</p>
Participant 70002,Bo Sample,1002,bo@example.edu,Submitted for grading,,10.00,Yes,"Friday, 2 October 2026, 11:00 AM",-,
Participant 70003,Cy Locked,1003,cy@example.edu,Submitted for grading,1.00,10.00,No,-,-,
Participant 70004,Di Other,1004,di@example.edu,No submission,,10.00,Yes,-,-,
"""
AFTER = SHEET.replace("7.00,10.00", "10,10.00").replace(
    'grading,,10.00,Yes,"Friday, 2 October 2026, 11', 'grading,3,10.00,Yes,"Friday, 2 October 2026, 11'
)
# headers of the columns Identifier to Feedback comments, a word before the number, and a word for "no"
LANGUAGES = {
    "de": ("ID,Vollständiger Name,ID-Nummer,E-Mail-Adresse,Status,Bewertung,Bestwertung,Bewertung kann geändert werden,"
           "Zuletzt geändert (Abgabe),Zuletzt geändert (Bewertung),Feedback als Kommentar", "Teilnehmer/in", "Nein"),
    "fr": ("Identifiant,Nom complet,Numéro d'identification,Adresse de courriel,Statut,Note,Note maximale,La note peut "
           "être modifiée,Dernière modification (travail remis),Dernière modification (note),Feedback par commentaires",
           "Participant", "Non"),
    "es": ("Identificador,Nombre completo,Número de ID,Dirección de correo,Estado,Calificación,Calificación máxima,La "
           "calificación puede ser cambiada,Última modificación (entrega),Última modificación (calificación),"
           "Comentarios de retroalimentación", "Participante ", "No"),
    "it": ("Identificativo,Nome completo,Codice identificativo,Indirizzo email,Stato,Valutazione,Valutazione massima,"
           "La valutazione può essere modificata,Ultima modifica (consegna),Ultima modifica (valutazione),"
           "Commenti di feedback", "Partecipante ", "No"),
    "nl": ("Identificatie,Volledige naam,ID-nummer,E-mailadres,Status,Cijfer,Maximum cijfer,Het cijfer kan gewijzigd "
           "worden,Laatst gewijzigd (inzending),Laatst gewijzigd (cijfer),Feedback opmerkingen", "Deelnemer ", "Nee"),
}  # fmt: skip


def people(*more: Any) -> list[Any]:
    return [named(row("70001", 3, 3, 4), "Ada Example"), named(row("bo", 1, 2, 0), email="bo@example.edu"), *more]


def fill(folder: Path, rows: Any, book: str = SHEET, **options: Any) -> str:
    return filled("moodle", folder, book.encode(), rows, **options).decode()


def test_only_the_grade_is_filled(tmp_path: Path) -> None:
    assert fill(tmp_path, people()) == AFTER


@pytest.mark.parametrize("name", ["70001", "Participant 70001", "0429", "ada@example.edu"])
def test_a_student_is_matched_by_number_identifier_id_or_address(name: str, tmp_path: Path) -> None:
    assert fill(tmp_path, [row(name, 3, 3, 4)]) == SHEET.replace("7.00,10.00", "10,10.00")


def test_feedback_is_written_as_html(tmp_path: Path) -> None:
    def comment(result: Result) -> str:
        return f"{result.points} of 10\na < b, c"

    after = fill(tmp_path, people(), comment=comment)
    assert after == AFTER.replace("<p>old</p>", '"<p>10 of 10<br>a &lt; b, c</p>"').replace(
        '11:00 AM",-,', '11:00 AM",-,"<p>3 of 10<br>a &lt; b, c</p>"'
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_no_feedback_changes_lines_columns_or_the_page(text: str, tmp_path: Path) -> None:
    import csv

    after = fill(tmp_path, people(), comment=lambda _: text)
    table = list(csv.reader(io.StringIO(after, newline="")))
    assert [len(cells) for cells in table] == [11] * 5
    cell = table[1][10]
    assert cell == "" or (cell.startswith("<p>") and "<" not in cell[3:-4].replace("<br>", ""))


@pytest.mark.parametrize(
    "change", [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n"), lambda t: t.rstrip("\n")]
)
def test_marks_and_line_ends_stay(change: Any, tmp_path: Path) -> None:
    assert fill(tmp_path, people(), change(SHEET)) == change(AFTER)


def test_an_encoding_of_two_bytes_stays(tmp_path: Path) -> None:
    content = b"\xff\xfe" + SHEET.encode("utf-16-le")
    assert filled("moodle", tmp_path, content, people()) == b"\xff\xfe" + AFTER.encode("utf-16-le")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_the_headers_of_other_languages_are_known(language: str, delimiter: str, tmp_path: Path) -> None:
    head, word, no = LANGUAGES[language]
    body = f"{word}70001,Ada,0429,a@x.de,-,,10,00,Ja,-,-,\n{word}70002,Bo,1002,bo@example.edu,-,,10,00,{no},-,-,\n"
    body = body.replace("10,00", "10" if delimiter == "," else "10#00").replace(",", delimiter).replace("#", ",")
    told: list[str] = []
    book = head.replace(",", delimiter) + "\n" + body
    after = fill(tmp_path, people(), book, comment=lambda _: "ok", note=told.append)
    first, second, rest = after.split("\n")[1:]
    before = body.split("\n")
    at = [i for i, char in enumerate(before[0]) if char == delimiter]
    assert first == before[0][: at[4] + 1] + "10" + before[0][at[5] :] + "<p>ok</p>"
    assert (second, rest) == (before[1], "")
    assert told == ["the grade can't be changed in Moodle, left alone:\n  bo"]


def test_columns_of_any_language_can_be_named(tmp_path: Path) -> None:
    book = "Tunniste,Nimi,Arvosana,Palaute\nOsallistuja 70001,Ada,,\n"
    told: list[str] = []
    after = fill(tmp_path, people()[:1], book, column="Arvosana|Palaute", comment=lambda _: "ok", note=told.append)
    assert after == book.replace("Ada,,", "Ada,10,<p>ok</p>")
    assert [text.partition(": ")[2][:27] for text in told] == [
        "no column is known to say t",
        "no column is known to say w",
    ]


@pytest.mark.parametrize(
    ("book", "options", "message"),
    [
        (SHEET.replace("No submission,,10.00", "No submission,,20.00"), {}, "maximum grade in Moodle is 20.00, but 10"),
        (SHEET.replace("Maximum Grade", "Scale"), {}, "scale"),
        ("Tunniste,Arvosana\nx,\n", {}, "name the column"),
        (SHEET, {"column": "Grad"}, "no single column is called 'Grad'"),
    ],
)
def test_what_does_not_fit_is_refused(book: str, options: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=message):
        fill(tmp_path, people(), book, **options)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row("429", 3, 3, 4)], "429: no line is exactly theirs, but near: '0429' in line 2"),
        ([row("Ada@example.edu", 3, 3, 4)], "near: 'ada@example.edu' in line 2"),
        ([named(row("x", 3, 3, 4), "Ada Example")], r"x \(Ada Example\): no line has an id"),
        ([named(row("0429", 3, 3, 4), aliases=("70002",))], "matches several lines: 2, 3"),
        ([row("0429", 3, 3, 4), row("70001", 0, 0, 0)], "downloaded.csv:2: 0429, 70001"),
    ],
)
def test_who_can_not_be_placed_for_certain_is_refused(rows: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=message):
        fill(tmp_path, rows)


def test_locked_and_ungraded_students_are_left_alone_and_told(tmp_path: Path) -> None:
    told: list[str] = []
    rows = people(row("1003", 3, 3, 4), ungraded("1004", Status.MISSING))
    assert fill(tmp_path, rows, note=told.append) == AFTER
    assert told == [
        "nothing was graded, left alone:\n  1004: missing",
        "the grade can't be changed in Moodle, left alone:\n  1003",
    ]


def test_anonymous_results_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="anonymous"):
        fill(tmp_path, [anonymous(people()[0], b"key")])


# --- the zip of pages -------------------------------------------------------------------------------------------------


def pages(*sources: str) -> dict[str, str]:
    rows = [row(f"s{n}", 3, 3, 4, source=source) for n, source in enumerate(sources)]
    with ZipFile(io.BytesIO(written("moodle_feedback_zip", rows, page=lambda r: f"<h1>{r.student}</h1>"))) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_each_page_is_in_the_folder_that_was_downloaded() -> None:
    assert pages(
        "Ada Example_70001_assignsubmission_file/answers.yaml",
        "course-4242.zip/Bo Sample_70002_assignsubmission_file_/sub/answers.yaml",
        "downloads/Dee Ng_70004_assignsubmission_onlinetext/onlinetext.html",
        "Participant_70003_assignsubmission_file_answers.yaml",
    ) == {
        "Ada Example_70001_assignsubmission_file/feedback.html": "<h1>s0</h1>",
        "Bo Sample_70002_assignsubmission_file_/feedback.html": "<h1>s1</h1>",
        "Dee Ng_70004_assignsubmission_onlinetext/feedback.html": "<h1>s2</h1>",
        "Participant_70003_assignsubmission_file_feedback.html": "<h1>s3</h1>",
    }


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (("s1/answers.yaml",), "s0: was not read from a folder of Moodle"),
        (("../_1_assignsubmission_file\x00/a",), "s0: was not read from a folder"),
        (("Group A_55_assignsubmission_file/a",) * 2, "s1: shares Group A_55_assignsubmission_file with s0"),
    ],
)
def test_a_folder_that_is_not_certain_is_refused(sources: tuple[str, ...], message: str) -> None:
    with pytest.raises(ExportError, match=message):
        pages(*sources)


def test_who_handed_nothing_in_gets_no_page() -> None:
    content = written("moodle_feedback_zip", [ungraded("s1", Status.MISSING)], page=lambda _: "")
    assert ZipFile(io.BytesIO(content)).namelist() == []


def test_pages_need_something_that_makes_them() -> None:
    with pytest.raises(ExportError, match="no pages"):
        written("moodle_feedback_zip", people())
