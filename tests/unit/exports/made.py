"""A class small enough to see through: two exercises with three parts, and rows of students with known points."""

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from grader.exports.options import Options
from grader.gradebook import Column, Outline, Row, Student
from grader.results import ExerciseResult, Explanation, Lateness, Override, PartResult, Result, Status, Verdict

OUTLINE = Outline(
    course="rooflines",
    title="Rooflines",
    columns=(
        Column(exercise="q1", part="flops", title="Operations", max_points=3),
        Column(exercise="q1", part="bytes", title="Bytes moved", max_points=3),
        Column(exercise="q2", part="ridge", title="Ridge", max_points=4),
    ),
    run={"grader_version": "0.1.0", "spec_sha256": "ab" * 32},
)
STREAMED = ("csv", "long_csv", "jsonl", "junit", "gradescope", "parquet", "xlsx")

# one of each kind that has done harm in a table, a page or a log
HOSTILE = (
    "=1+1", "@SUM(1+1)*cmd|' /C calc'!A0", "+1+1", "-1+1", "\t=1+1", "\r=1+1", "\n=1+1", 'a,b"c\nd', "＝1+1", "＋1",
    "－1", "＠x", "1E5", "007", "0429", "'=1+1", "'", "''=x", "\x1b[31mred\x1b[0m", "\x1b]0;pwned\x07",
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\", "wrong\rcorrect", "\x07\x07\x07",
    "2*B\n2026-01-01 INFO graded student=bob score=100", "<script>alert(1)</script>", "<svg/onload=alert(1)>",
    '" onmouseover="alert(1)', "]]></failure><testcase/>", "--><script>alert(1)</script><!--",
    "x |\n\n## Score: 100/100\n\n| y", "| q1 | correct | 100 |", "` `` ``` ```` 2*B",
    "![x](https://evil.example/p.png)", "@everyone @octocat fixes #1", "[^1]: note\n[q1]: https://evil.example",
    "<r><t>rich</t></r>", "_x0041_", "\ud800", "\udcff.yaml", "\x00", "\ufffe\uffff", "\u2028\u2029\x85", "", " ",
    "::error::x", "a;b", "{=1}", "𝓮𝓿𝓪𝓵", "é", "x" * 40_000,
)  # fmt: skip


def part(name: str, points: int, of: int, verdict: Verdict | None = None, **more: Any) -> PartResult:
    """A part; its verdict follows from its points unless it is given."""
    plain = Verdict.CORRECT if points == of else Verdict.PARTIAL if points else Verdict.INCORRECT
    return PartResult(id=name, verdict=verdict or plain, points=points, max_points=of, **more)


def result(student: str, *parts: PartResult, late: int = 0, days: int = 0, **more: Any) -> Result:
    """A graded result of three parts, of which `late` points are taken."""
    first = ExerciseResult(id="q1", title="One", points=0, max_points=6, parts=parts[:2])
    second = ExerciseResult(id="q2", title="Two", points=0, max_points=4, parts=parts[2:])
    exercises = tuple(replace(e, points=sum(p.points or 0 for p in e.parts)) for e in (first, second))
    lateness = Lateness(submitted_at="2026-10-02T09:00:00+02:00", due_at="2026-10-01T09:00:00+02:00", clock="lms",
                        days=days, penalty=late) if days else None  # fmt: skip
    earned = sum(p.points or 0 for p in parts)
    values: dict[str, Any] = {
        "source": f"{student}/answers.yaml", "status": Status.GRADED, "points": earned - late,
        "max_points": 10, "exercises": exercises, "late": lateness,
    }  # fmt: skip
    return Result(student=student, **(values | more))


def of(student: str, *parts: PartResult, **more: Any) -> Row:
    """A student with these three parts."""
    return Row(student=Student(id=student, aliases=(student,)), result=result(student, *parts, **more))


def row(student: str, *points: int, **more: Any) -> Row:
    """A student with these points for the three parts."""
    asked = (("flops", 3), ("bytes", 3), ("ridge", 4))
    return of(student, *(part(name, p, most) for (name, most), p in zip(asked, points, strict=True)), **more)


def ungraded(student: str, status: Status, **more: Any) -> Row:
    """A student of whose work nothing was graded."""
    return Row(
        student=Student(id=student, aliases=(student,)),
        result=Result(student=student, source="", status=status, max_points=10, **more),
    )


def named(row: Row, name: str = "", email: str = "", section: str = "", aliases: tuple[str, ...] = ()) -> Row:
    """The row with more about the student."""
    student = replace(row.student, name=name, email=email, section=section, aliases=(row.student.id, *aliases))
    return replace(row, student=student)


def answered(student: str, text: str) -> Row:
    """A student with this text in every place that holds free text."""
    why = Explanation(mistakes=("no-output",), title=text, feedback=text)
    parts = (
        part("flops", 1, 3, response=text, read_as=text, message=text, remarks=(text,), slips=(text,)),
        part("bytes", 0, 3, response=text, mistakes=("no-output",), explanations=(why,), follow_through=("flops",)),
        part("ridge", 4, 4, override=Override(points=4, before=0, why=text, by=text), response=text, ratio=text),
    )
    named_ = Student(id=student, name=text, email=text, section=text, aliases=(student, text))
    return Row(student=named_, result=result(student, *parts, remarks=(text,), message=text, name=text))


CLASS = (
    named(row("0429", 3, 0, 4), "Ada Example", "ada@example.edu", "01"),
    named(row("s2", 3, 2, 0, late=2, days=1), "Bo Sample", "bo@example.edu", "01"),
    ungraded("s3", Status.MISSING),
    ungraded("s4", Status.UNREADABLE, message="line 7: unfinished"),
)


def exporter(tag: str) -> Any:
    """The module of a format."""
    return import_module(f"grader.exports.{tag}")


def written(tag: str, rows: Any, **options: Any) -> bytes:
    """The whole file."""
    return b"".join(exporter(tag).export(iter(rows), OUTLINE, Options(**options)))


def filled(tag: str, folder: Path, template: bytes, rows: Any, **options: Any) -> bytes:
    """The instructor's file, filled in."""
    file = folder / "downloaded.csv"
    file.write_bytes(template)
    return written(tag, rows, template=file, **options)


def many(count: int) -> Iterator[Row]:
    """Rows that exist one at a time."""
    for number in range(count):
        yield row(f"s{number:05}", number % 4, 0, 4)
