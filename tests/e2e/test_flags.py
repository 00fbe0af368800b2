"""What a person should look at in a class: each kind, and nothing where all is well."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Run
from tests.e2e.small import Small

ODD = "2BDF + 7BD + 3"


@pytest.fixture
def small(tmp_path: Path, grader: Run) -> Small:
    made = Small(tmp_path / "small", grader)
    made.folder.mkdir()
    made.course()
    return made


def found(small: Small, *options: str) -> list[tuple[str, str, str]]:
    run = small.run("flags", "out", "--format", "json", *options)
    assert run.returncode == 0, run.stderr
    return [(flag["kind"], flag["student"], flag["what"]) for flag in json.loads(run.stdout)]


def test_a_class_in_which_all_is_well_has_none(small: Small) -> None:
    small.answers("ann", {"ops": "2BDF"})
    small.answers("ben", {"ops": "BDF"})
    small.answers("cem", {"ops": "BDF"})  # a mistake that has a name is no copy
    small.grade("--no-reports")
    assert found(small) == []
    assert small.run("flags", "out").stdout == "nothing to look at\n"


def test_files_that_cannot_be_graded_names_alike_and_odd_answers_are_flagged(small: Small) -> None:
    small.answers("Ann", {"ops": ODD})
    small.answers("ann ", {"ops": ODD})
    small.answers("ben", {"ops": "2BDF"})
    (small.folder / "class/ben/answers.yml").write_text("answers: {}", encoding="utf-8")
    (small.folder / "class/cem").mkdir()
    (small.folder / "class/cem/answers.yaml").write_bytes(b"\0\1\2")
    (small.folder / "roster.csv").write_text("student,name\nAnn,Ann Example\nben,\ncem,\nzoe,Zoe Sample\n", "utf-8")
    assert small.grade("--roster", "roster.csv", "--no-reports").returncode == 3
    flags = found(small)
    assert [kind for kind, _, _ in flags] == ["attempts", "duplicate", "unreadable", "missing"]
    by_kind = {kind: (student, what) for kind, student, what in flags}
    assert by_kind["duplicate"][0] == "ben"
    assert by_kind["unreadable"][0] == "cem"
    assert by_kind["missing"] == ("zoe", "Zoe Sample handed in nothing")
    shown = small.run("flags", "out", "--kind", "missing").stdout
    assert shown == "missing: zoe: Zoe Sample handed in nothing\n"


def test_names_that_only_look_the_same_are_flagged(small: Small) -> None:
    for name in ("Jos\u00e9", "Jose\u0301", "ann", "ANN", "ben"):
        small.answers(name, {"ops": "2BDF"})
    small.grade("--no-reports")
    assert found(small) == [
        ("alike", "ANN", "possibly the same student as 'ann'"),
        ("alike", "ann", "possibly the same student as 'ANN'"),
        ("alike", "Jose\u0301", "possibly the same student as 'Jos\\xe9'"),
        ("alike", "Jos\u00e9", "possibly the same student as 'Jose\\u0301'"),
    ]


def test_unknown_students_are_flagged_where_there_is_a_roster(small: Small) -> None:
    small.answers("ann", {"ops": "2BDF"})
    small.answers("who", {"ops": "2BDF"})
    (small.folder / "roster.csv").write_text("student\nann\n", encoding="utf-8")
    small.grade("--roster", "roster.csv", "--no-reports")
    assert found(small) == [("unknown", "who", "not in the roster (class/who/answers.yaml)")]


def test_the_same_odd_answer_from_a_few_is_flagged_and_from_many_is_not(small: Small) -> None:
    for name in ("ann", "ben"):
        small.answers(name, {"ops": ODD})
    small.grade("--no-reports")
    assert found(small) == [("same", "ann, ben", f"fixed ops: the same odd wrong answer {ODD!r}")]
    for name in ("cem", "dee", "eve", "fay"):
        small.answers(name, {"ops": ODD})
    small.grade("--no-reports")
    assert found(small) == []


def jsonl(small: Small, *rows: Mapping[str, Any]) -> None:
    (small.folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    run = small.run("grade", "rows.jsonl", "-o", "out", "--jobs", "1", "--no-reports")
    assert run.returncode == 0, run.stderr


def test_late_ones_several_attempts_and_rules_that_cannot_be_applied_are_flagged(small: Small) -> None:
    small.course(
        course=(
            "secret_env:",
            "due: {at: 2026-10-01T09:00:00+02:00, from: lms}\nlate: {points_per_day: 1}\nsecret_env:",
        )
    )
    answers = {"fixed": {"ops": "2BDF", "critical": "B > 243"}}
    jsonl(
        small,
        {"student": "ann", "answers": answers, "submitted_at": "2026-10-02T12:00:00+02:00"},
        {"student": "ann", "answers": {"fixed": {"ops": "2BDF"}}, "submitted_at": "2026-10-01T08:00:00+02:00"},
        {"student": "ben", "answers": answers},
    )  # fmt: skip
    assert found(small) == [
        ("late", "ann", "2 days late by the clock lms, less 2 points"),
        ("attempts", "ann", "handed in 2 times; rows.jsonl:1 counts"),
        (
            "rules",
            "ben",
            "when this was handed in is not known by the clock the course goes by (lms); lateness not judged",
        ),
    ]


def test_an_answer_for_another_student_s_numbers_is_flagged_with_whose(small: Small) -> None:
    wide = {"ridge": "246.25 FLOP/byte"}  # right for one of six sheets
    rows = [{"student": f"s{number}", "answers": {"drawn": wide}} for number in range(12)]
    jsonl(small, *rows)
    flags = [flag for flag in found(small) if flag[0] == "sheet"]
    right = [name for name, points in small.points().items() if points]
    assert 0 < len(right) < 12
    assert {student for _, student, _ in flags} == set(small.points()) - set(right)
    assert all(f"is right for the numbers of {', '.join(sorted(right, key=str)[:1])}" in what for _, _, what in flags)


def test_points_given_for_what_is_there_no_more_are_flagged(small: Small) -> None:
    small.answers("ann", {"ops": "2BDF"})
    small.grade()
    small.run("override", "out", "ann", "fixed.lower", "1", "--why", "x")
    (small.folder / "roster.csv").write_text("student,login\ns1,ann\n", encoding="utf-8")
    small.grade("--roster", "roster.csv")
    what = "fixed lower: points given by hand (1), but nothing is handed in under this name any more"
    assert found(small, "--kind", "override") == [("override", "ann", what)]
    assert {name for name in small.pages() if "index" not in name} == {"s1.html", "s1.md", "class.html", "results.json"}


def test_a_kind_that_is_none_is_told(small: Small) -> None:
    small.answers("ann", {"ops": "2BDF"})
    small.grade("--no-reports")
    run = small.run("flags", "out", "--kind", "lates")
    assert run.returncode == 2
    assert "no kind 'lates'; did you mean late?" in run.stderr
