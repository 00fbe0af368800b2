"""What the columns of a roster are, by their names in several languages."""

import csv
import re
import unicodedata
from collections.abc import Iterator

from grader.gradebook import Student
from grader.values import frozen

_DELIMITERS = (",", ";", "\t")

# by role, in the order in which a student's id is chosen: (role, names of columns)
_IDENTITIES = (
    ("student", ("student", "student id", "studentid", "id", "sid", "matriculation number", "matrikelnummer",
                 "numéro d'étudiant", "matrícula")),
    ("username", ("username", "user name", "user", "login", "sis login id", "github username", "github login", "github",
                  "gitlab", "benutzername", "anmeldename", "nom d'utilisateur", "nombre de usuario")),
    ("number", ("id number", "sis user id", "roster identifier", "integration id", "id nummer", "idnumber",
                "numéro d'identification", "número de id", "número de identificación")),
    ("platform", ("identifier", "github id", "canvas id", "user id", "bezeichner", "identifikator", "kennung",
                  "identifiant", "identificador", "identificator")),
    ("email", ("email", "e mail", "email address", "e mail address", "mail", "e mail adresse", "adresse de courriel",
               "adresse e mail", "courriel", "dirección de correo", "dirección email", "correo electrónico",
               "dirección de correo electrónico")),
    ("name", ("name", "full name", "display name", "vollständiger name", "nom complet", "nombre completo",
              "apellido(s)/nombre", "nombre / apellido(s)")),
)  # fmt: skip
_OTHERS = {
    "first": ("first name", "firstname", "given name", "vorname", "prénom", "nombre"),
    "last": ("last name", "lastname", "surname", "family name", "nachname", "nom", "nom de famille", "apellido(s)"),
    "section": ("section", "group", "gruppe", "groupe", "grupo"),
    "role": ("role",),
    "lms": ("submitted at",),
    "release": ("submission timestamp",),
}
_PARTICIPANT = re.compile(r"(?:participante?|teilnehmer(?:/?in)?|deelnemer|partecipante) ?([0-9]+)", re.IGNORECASE)
_STUDENTS = ("", "student", "learner")


@frozen(kw_only=True)
class Columns:
    """Which column is what: `identities` by role, in the order in which an id is chosen; `others` by role."""

    identities: tuple[tuple[str, int], ...]
    others: dict[str, int]

    def skips(self, cells: list[str]) -> bool:
        """Whether a row is none of a student: Canvas's rows of points and of its test student, staff."""
        if _at(cells, self.others.get("role")).casefold() not in _STUDENTS:
            return True
        texts = [_at(cells, place) for _, place in self.identities] + self._names(cells)
        if "Points Possible" in cells[0] or cells[0] == "Student, Test":
            return True
        return not any(texts)

    def student(self, cells: list[str]) -> Student | None:
        """The student in a row; None if nothing in it names one."""
        texts = list(dict.fromkeys(text for text in self._texts(cells) if text))
        if not texts:
            return None
        names = self._names(cells)
        email = next((_at(cells, place) for role, place in self.identities if role == "email"), "")
        return Student(
            id=texts[0],
            name=names[0] if names else "",
            email=email,
            section=_at(cells, self.others.get("section")),
            aliases=tuple(dict.fromkeys([*texts, *names])),
        )

    def time(self, cells: list[str]) -> tuple[str, str]:
        """The clock and the text of when the student handed in."""
        return next(
            ((clock, text) for clock in ("release", "lms") if (text := _at(cells, self.others.get(clock)))), ("", "")
        )

    def _texts(self, cells: list[str]) -> Iterator[str]:
        """All that identifies the student, the id first."""
        for role, place in self.identities:
            text = _at(cells, place)
            participant = _PARTICIPANT.fullmatch(text) if role == "platform" else None
            if participant:
                yield participant[1]
            if role != "name":
                yield text
        yield from self._names(cells)

    def _names(self, cells: list[str]) -> list[str]:
        """The student's name as it is said, and as it is sorted."""
        given, family = _at(cells, self.others.get("first")), _at(cells, self.others.get("last"))
        whole = next((text for role, place in self.identities if role == "name" and (text := _at(cells, place))), "")
        if not whole and (given or family):
            return list(dict.fromkeys([f"{given} {family}".strip(), f"{family}, {given}".strip(", ")]))
        last, comma, first = whole.partition(",")
        if comma and first.strip() and "," not in first:
            return [f"{first.strip()} {last.strip()}", whole]
        return [whole] if whole else []


def columns(header: list[str]) -> Columns:
    """What the columns are, by the names in the header."""
    names = [_word(name) for name in header]
    places = _places(names)
    if _is_canvas(names):
        places = [("name", i) if names[i] == "student" else ("platform", i) if names[i] == "id" else (role, i)
                  for role, i in places]  # fmt: skip
    elif "vollständiger name" in names:  # Moodle's Identifier is called ID in German
        places = [("platform", i) if names[i] == "id" else (role, i) for role, i in places]
    order = [role for role, _ in _IDENTITIES]
    places.sort(key=lambda pair: order.index(pair[0]))
    others = {role: names.index(word) for role, words in _OTHERS.items() for word in words[::-1] if word in names}
    return Columns(identities=tuple(places), others=others)


def delimiter(header: str) -> str:
    """What stands between the cells, by the header: whatever makes the most columns of a known name."""
    known = {word for _, words in _IDENTITIES for word in words} | {w for words in _OTHERS.values() for w in words}

    def fits(sign: str) -> tuple[int, int]:
        cells = next(csv.reader([header], delimiter=sign), [])
        return sum(_word(cell) in known for cell in cells), len(cells)

    return max(_DELIMITERS, key=fits)


def _places(names: list[str]) -> list[tuple[str, int]]:
    return [(role, names.index(word)) for role, words in _IDENTITIES for word in words if word in names]


def _is_canvas(names: list[str]) -> bool:
    named = "student" in names or "lastname" in names
    return named and "id" in names and bool({"sis login id", "sis user id", "section"} & set(names))


def _word(name: str) -> str:
    text = unicodedata.normalize("NFC", name).casefold().replace("’", "'")
    return " ".join(text.replace("_", " ").replace("-", " ").split())


def _at(cells: list[str], place: int | None) -> str:
    return cells[place] if place is not None and place < len(cells) else ""
