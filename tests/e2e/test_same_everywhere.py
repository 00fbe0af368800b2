"""Pages and results are the same bytes whatever the machine, its language, its clock, and how the work is shared."""

import os
from pathlib import Path

import pytest

from grader.course import LoadedCourse
from grader.grading import Grader
from tests.bench.class_files import folders
from tests.bench.classes import FIFTEEN, ClassMaker
from tests.e2e.running import Runner, files, quiet
from tests.tiny import submission

# what differs in each run: workers, order of the paths, seed of the hashes, language, zone, warnings
RUNS = (
    ("1", "forwards", {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"}),
    ("2", "backwards", {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"}),
    ("3", "forwards", {"PYTHONHASHSEED": "4242", "LC_ALL": "de_DE.UTF-8", "TZ": "America/St_Johns"}),
    ("2", "forwards", {"PYTHONHASHSEED": "random", "LC_ALL": "C.UTF-8", "PYTHONWARNINGS": "error", "PYTHONUTF8": "0"}),
    ("1", "backwards", {"PYTHONHASHSEED": "1", "LC_ALL": "ja_JP.eucJP", "LANG": "zh_CN.GBK", "COLUMNS": "20"}),
)  # fmt: skip


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory, packaged: LoadedCourse) -> Path:
    """Eight students in two folders, and three in another."""
    folder = tmp_path_factory.mktemp("classes")
    students = list(ClassMaker(course=packaged).students(11, seed=3))
    for name, some in (("monday", students[:5]), ("friday", students[5:8]), ("late", students[8:])):
        folders(some, folder / name)
    return folder


@pytest.mark.skipif(os.name != "posix", reason="languages by environment")
def test_results_pages_and_output_are_the_same_bytes_everywhere(classes: Path, cache: Path, tmp_path: Path) -> None:
    found, printed = [], []
    for number, (jobs, order, variables) in enumerate(RUNS):
        paths = ["monday", "friday"] if order == "forwards" else ["friday", "monday"]
        runner = Runner(classes, cache, variables=variables)
        run = runner.run("grade", *paths, "-o", tmp_path / str(number), "--jobs", jobs, "--format", "json")
        quiet(run)
        assert run.returncode == 0, run.stderr
        found.append(files(tmp_path / str(number)))
        printed.append(run.stdout)
    assert len(found[0]) > 16
    assert len(set(printed)) == 1
    for other in found[1:]:
        assert sorted(other) == sorted(found[0])
        assert [name for name in other if other[name] != found[0][name]] == []


def test_a_run_in_pieces_leaves_what_a_run_in_one_does(classes: Path, cache: Path, tmp_path: Path) -> None:
    runner = Runner(classes, cache)
    for paths in (["late"], ["friday", "late"]):
        assert runner.run("grade", *paths, "-o", tmp_path / "pieces", "--jobs", "1").returncode == 0
    assert runner.run("grade", "late", "friday", "-o", tmp_path / "one", "--jobs", "1").returncode == 0
    pieces, one = files(tmp_path / "pieces"), files(tmp_path / "one")
    assert sorted(pieces) == sorted(one)
    assert [name for name in one if one[name] != pieces[name]] == []


def test_an_answer_says_nothing_of_another_exercise_that_was_graded_before(packaged: LoadedCourse) -> None:
    first = submission({"q2-mixed-matmul.flops": "2BDF"}, "a")
    second = submission({"q4-batched-matmul.flops": "2BDF", "q4-batched-matmul.bound": "above"}, "b")
    alone, used = Grader(packaged.keyring), Grader(packaged.keyring)
    used.grade(first)
    assert used.grade(second) == alone.grade(second)


def test_a_student_gets_the_same_whoever_was_graded_before(packaged: LoadedCourse) -> None:
    used, fresh = Grader(packaged.keyring), Grader(packaged.keyring)
    for student in ClassMaker(FIFTEEN, course=packaged).students(40, seed=11):
        places = {
            f"{exercise}.{part}": text for exercise, texts in student.answers.items() for part, text in texts.items()
        }
        fresh.forget()
        assert used.grade(submission(places)) == fresh.grade(submission(places)), student.id
