"""Writes a class to disk in the layouts in which classes arrive: JSON Lines, folders, Moodle, Canvas, one table.

Students are taken one after the other from an iterator, so memory stays flat however large the class is. Run
`python tests/bench/class_files.py LAYOUT COUNT SEED PATH` to write one by hand (PATH may be a pipe for JSON Lines).
"""

import csv
import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])] if __name__ == "__main__" else []

from tests.bench.classes import FIFTEEN, ClassMaker, Student  # noqa: E402

# what YAML reads back as typed: anything else goes between quotes
_PLAIN = re.compile(r"[A-Za-z0-9(\\$][^#:\n]*|")


def answer_file(student: Student, *, named: bool = True) -> str:
    """The answers as a student types them into a file."""
    lines = [f"student: {_scalar(student.id)}"] if named else []
    lines.append("answers:")
    for exercise, answers in student.answers.items():
        lines.append(f"  {exercise}:")
        lines += [f"    {part}: {_scalar(text)}".rstrip() for part, text in answers.items()]
    return "\n".join(lines) + "\n"


def _scalar(text: str) -> str:
    if _PLAIN.fullmatch(text) and text == text.strip():
        return text
    return "'" + text.replace("'", "''") + "'"


def line(student: Student) -> str:
    """The student as one line of JSON Lines."""
    return json.dumps({"student": student.id, "answers": student.answers}, ensure_ascii=False) + "\n"


def jsonl(students: Iterable[Student], path: Path) -> None:
    """One submission a line; the path may be a pipe."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for student in students:
            file.write(line(student))


def folders(students: Iterable[Student], folder: Path) -> None:
    """A folder for each student, with answers.yaml and perhaps plot.csv in it."""
    for student in students:
        _put(student, folder / student.id)


def _put(student: Student, own: Path) -> None:
    own.mkdir(parents=True)
    (own / "answers.yaml").write_text(answer_file(student), encoding="utf-8", newline="\n")
    if student.table:
        (own / "plot.csv").write_text(student.table, encoding="utf-8", newline="\n")


def moodle(students: Iterable[Student], path: Path) -> None:
    """The archive that Moodle makes of all submissions of an assignment; students are told by name and number."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for student in students:
            folder = f"{student.name.replace('_', ' ')}_{_number(student)}_assignsubmission_file"
            archive.writestr(f"{folder}/answers.yaml", answer_file(student, named=False))
            if student.table:
                archive.writestr(f"{folder}/plot.csv", student.table)


def canvas(students: Iterable[Student], folder: Path) -> None:
    """The unpacked archive of Canvas: all files in one folder, every seventeenth one late."""
    folder.mkdir(parents=True)
    for student in students:
        number = _number(student)
        sortable = "".join(c for c in "".join(reversed(student.name.lower().split())) if c.isalnum())
        start = f"{sortable}{'_LATE' if number % 17 == 0 else ''}_{number}_{number + 700_000}"
        (folder / f"{start}_answers.yaml").write_text(answer_file(student, named=False), encoding="utf-8")
        if student.table:
            (folder / f"{start}_plot.csv").write_text(student.table, encoding="utf-8")


def _number(student: Student) -> int:
    return 40_000 + int(student.id[1:])


def table(students: Iterable[Student], path: Path) -> None:
    """One row a student, one column a part."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        for place, student in enumerate(students):
            columns = [f"{exercise}.{part}" for exercise, answers in student.answers.items() for part in answers]
            if place == 0:
                writer.writerow(["student", *columns])
            writer.writerow([student.id, *(text for answers in student.answers.values() for text in answers.values())])


LAYOUTS: dict[str, Callable[[Iterable[Student], Path], None]] = {
    "jsonl": jsonl, "folders": folders, "moodle": moodle, "canvas": canvas, "table": table,
}  # fmt: skip


def main() -> None:
    """Write a class: fifteen answers each for JSON Lines and the table, all twenty-five for the rest."""
    layout, count, seed, path = sys.argv[1:5]
    parts = FIFTEEN if layout in ("jsonl", "table") else "all"
    LAYOUTS[layout](ClassMaker(parts).students(int(count), int(seed)), Path(path))


if __name__ == "__main__":
    main()
