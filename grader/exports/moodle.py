"""The instructor's offline grading worksheet as downloaded from Moodle, with Grade and Feedback comments filled in.

Columns are found by their headers, which are in the language of the site (English, German, French, Spanish, Italian
and Dutch are known); `column` names the grade column of any other, and `GRADE|FEEDBACK` that of the feedback too.
Students are matched with the columns Identifier (`Participant 70001`, or the number alone), ID number, Email address
and Username.

Every other byte of the file stays. Grades are whole points. The feedback is HTML, as everywhere in Moodle, so texts
are escaped. A Maximum Grade that isn't the course's is refused, and so is a scale. Left alone are lines whose grade
can't be changed, lines of students who are none of ours, and students for whom nothing was graded (missing,
unreadable, duplicate, failed) unless a person gave points. All of these but the second are told.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from html import escape

from grader.exports.cells import neutral
from grader.exports.matching import Entry, called, entry, place, tell_entries
from grader.exports.options import ExportError, Options
from grader.exports.worksheet import Worksheet
from grader.gradebook import Outline, Row

ending = ".csv"
needs_template = True

# what the columns are called, in small letters
_HEADERS: Mapping[str, frozenset[str]] = {
    "identifier": frozenset({
        "identifier", "id", "identifikator", "identifiant", "identificador", "identificativo", "identificatie",
        "identificatienummer",
    }),
    "number": frozenset({
        "id number", "id-nummer", "numéro d'identification", "numéro d’identification", "número de id",
        "número de identificación", "codice identificativo", "numero id",
    }),
    "email": frozenset({
        "email address", "email", "e-mail-adresse", "adresse de courriel", "adresse e-mail", "dirección de correo",
        "dirección email", "correo electrónico", "indirizzo email", "e-mailadres",
    }),
    "login": frozenset({
        "username", "anmeldename", "nom d'utilisateur", "nom d’utilisateur", "nombre de usuario", "gebruikersnaam",
    }),
    "grade": frozenset({"grade", "bewertung", "note", "calificación", "valutazione", "voto", "cijfer"}),
    "maximum": frozenset({
        "maximum grade", "bestwertung", "beste bewertung", "note maximale", "calificación máxima",
        "valutazione massima", "voto massimo", "maximum cijfer", "maximumcijfer", "maximale cijfer",
    }),
    "scale": frozenset({"scale", "skala", "barème", "escala", "scala", "schaal"}),
    "open": frozenset({
        "grade can be changed", "bewertung kann geändert werden", "la note peut être modifiée",
        "la calificación puede ser cambiada", "la calificación se puede cambiar", "se puede cambiar la calificación",
        "la valutazione può essere modificata", "la valutazione può essere cambiata",
        "het cijfer kan gewijzigd worden", "cijfer kan gewijzigd worden",
    }),
    "feedback": frozenset({
        "feedback comments", "feedback als kommentar", "feedback-kommentare", "feedback par commentaires",
        "comentarios de retroalimentación", "comentarios de la retroalimentación", "commenti di feedback",
        "commenti feedback", "feedback commenti", "feedback opmerkingen", "feedback als opmerkingen",
        "feedback door opmerkingen",
    }),
}  # fmt: skip
_NO = {"no", "nein", "non", "nee"}


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:
    """The file in one piece; ExportError if a student, a column or the maximum doesn't fit for certain."""
    sheet = Worksheet(options.template)
    columns = _columns(sheet, options)
    _same_maximum(sheet, columns, outline)
    asked = options.comment if "feedback" in columns else None
    entries = [entry(row, outline, asked(row.result) if asked else None) for row in rows]
    placed = place(entries, sheet, {n: _identities(sheet, columns, n) for n in range(1, len(sheet))})
    locked = {n for n in placed if sheet.text(n, columns.get("open")).casefold() in _NO}
    filled = {n: one for n, one in placed.items() if one.points is not None and n not in locked}
    written = sheet.written(_changes(filled, columns))
    tell_entries(entries, options)
    if locked:
        options.tell("the grade can't be changed in Moodle, left alone:", _named(placed, locked))
    yield written


def _named(placed: Mapping[int, Entry], rows: Iterable[int]) -> list[str]:
    return [called(placed[row].student) for row in sorted(rows)]


def _columns(sheet: Worksheet, options: Options) -> dict[str, int]:
    head = sheet.header()
    names = [name.casefold() for name in head]
    columns = {
        role: next(place for place, name in enumerate(names) if name in known)
        for role, known in _HEADERS.items()
        if known & set(names)
    }
    for role, asked in zip(("grade", "feedback"), options.column.split("|") if options.column else (), strict=False):
        if head.count(asked.strip()) != 1:
            raise ExportError(f"{sheet.name}: no single column is called {asked.strip()!r}. Its columns:", head)
        columns[role] = head.index(asked.strip())
    columns.setdefault("identifier", 0)  # always the first
    if "grade" not in columns:
        raise ExportError(
            f"{sheet.name}: no grading worksheet from Moodle, or in a language that isn't known; name the column "
            "of the grade. Its columns:",
            head,
        )
    for role, what in (("maximum", "the maximum grade"), ("open", "whether a grade can be changed")):
        if role not in columns and "scale" not in columns:
            options.tell(f"{sheet.name}: no column is known to say {what}; check this before you upload")
    return columns


def _same_maximum(sheet: Worksheet, columns: Mapping[str, int], outline: Outline) -> None:
    if "scale" in columns and "maximum" not in columns:
        raise ExportError(f"{sheet.name}: the assignment is graded with a scale in Moodle; set it to points")
    for row in range(1, len(sheet)):
        text = sheet.text(row, columns.get("maximum"))
        if text and _number(text) != outline.max_points:
            raise ExportError(
                f"{sheet.name}:{sheet.line(row)}: the maximum grade in Moodle is {text}, but {outline.max_points} "
                "points can be had here; set the assignment's maximum grade to that and download the worksheet again"
            )


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace(",", "."))
    except InvalidOperation:
        return None


def _identities(sheet: Worksheet, columns: Mapping[str, int], row: int) -> list[str]:
    """The texts that name the student of a row; of `Participant 70001` the number too, in whatever language."""
    identifier = sheet.text(row, columns["identifier"])
    number = identifier[len(identifier.rstrip("0123456789")) :]
    return [identifier, number, *(sheet.text(row, columns.get(role)) for role in ("number", "email", "login"))]


def _changes(filled: Mapping[int, Entry], columns: Mapping[str, int]) -> dict[tuple[int, int], str]:
    changes = {(row, columns["grade"]): str(one.points) for row, one in filled.items()}
    for row, one in filled.items():
        if one.comment is not None:
            changes[row, columns["feedback"]] = _feedback(one.comment)
    return changes


def _feedback(comment: str) -> str:
    lines = escape(comment.strip()).splitlines()
    return neutral(f"<p>{'<br>'.join(lines)}</p>") if lines else ""
