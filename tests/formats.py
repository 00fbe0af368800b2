"""The same answers as a file of each format."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping

import yaml

Answers = Mapping[str, Mapping[str, str]]


def notebook(*cells: tuple[str, list[str], str]) -> str:
    """A notebook of cells: kind, tags and source."""
    listed = [
        {"cell_type": kind, "metadata": {"tags": tags}, "source": source.splitlines(keepends=True)}
        for kind, tags, source in cells
    ]
    return json.dumps({"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def _yaml(answers: Answers, student: str) -> str:
    data = {"student": student, "answers": {exercise: dict(parts) for exercise, parts in answers.items()}}
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=10**6)


def _json(answers: Answers, student: str) -> str:
    return json.dumps({"student": student, "answers": answers}, indent=1, ensure_ascii=False) + "\n"


def _toml(answers: Answers, student: str) -> str:
    tables = (f"\n[answers.{exercise}]\n" + _lines(parts, _toml_line) for exercise, parts in answers.items())
    return f"student = {json.dumps(student)}\n" + "".join(tables)


def _toml_line(part: str, text: str) -> str:
    # a program escapes what TOML escapes; texts that have no quotation mark may as well stand as they are
    return f"{part} = '{text}'" if "'" not in text else f"{part} = {json.dumps(text, ensure_ascii=False)}"


def _csv(answers: Answers, student: str) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["student", "exercise", "part", "response"])
    for exercise, parts in answers.items():
        writer.writerows([student, exercise, part, text] for part, text in parts.items())
    return file.getvalue()


def _markdown(answers: Answers, student: str) -> str:
    return f"---\nstudent: {student}\n---\n" + "".join(
        f"\n## {exercise}\n\n" + _lines(parts, _markdown_line) for exercise, parts in answers.items()
    )


def _markdown_line(part: str, text: str) -> str:
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    padding = " " if text[:1] in "` " or text[-1:] == "`" else ""
    return f"- **{part}**: {fence}{padding}{text}{padding}{fence}" if text else f"- **{part}**:\n"


def _lines(parts: Mapping[str, str], line: Callable[[str, str], str]) -> str:
    return "".join(f"{line(part, text)}\n" for part, text in parts.items())


def _notebook(answers: Answers, student: str) -> str:
    return notebook(("code", [], "1 + 1"), ("markdown", [], _markdown(answers, student)))


WRITERS: dict[str, Callable[[Answers, str], str]] = {
    "yaml": _yaml,
    "json": _json,
    "toml": _toml,
    "csv": _csv,
    "md": _markdown,
    "ipynb": _notebook,
}
