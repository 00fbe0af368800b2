"""Many submissions: one result each, whatever happens to the others."""

from pathlib import Path

import pytest

from grader.batch import grade, read_back
from grader.course import LoadedCourse
from grader.errors import GraderError, SpecError, SubmissionError
from grader.grading import Grader
from grader.results import Gradebook, Result, Reveal, Status
from grader.submission import Submission


@pytest.fixture(autouse=True)
def secret(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny course draws its parameters with a secret, and a run without one is refused."""
    monkeypatch.setenv("TINY_SECRET", "hush")


def test_a_course_that_draws_parameters_is_not_graded_without_its_secret(
    tiny: LoadedCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TINY_SECRET")
    with pytest.raises(SpecError, match="TINY_SECRET"):
        grade([tmp_path], tiny)


GOOD = "answers:\n  fixed:\n    ops: 2BDF\n"


def hand_in(folder: Path, **files: str | bytes) -> Path:
    for student, content in files.items():
        place = folder / student / "answers.yaml"
        place.parent.mkdir(parents=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def statuses(book: Gradebook) -> dict[str, Status]:
    return {result.student: result.status for result in book.results}


def test_one_broken_file_leaves_the_others_as_they_are(tiny: LoadedCourse, tmp_path: Path) -> None:
    alone = grade([hand_in(tmp_path / "one", ada=GOOD)], tiny).results[0]
    folder = hand_in(tmp_path / "many", ada=GOOD, bob=b"\x00\x01", cy="- a list\n", dan="", eve=GOOD)
    book = grade([folder], tiny)
    assert statuses(book) == {
        "ada": Status.GRADED, "bob": Status.UNREADABLE, "cy": Status.UNREADABLE, "dan": Status.MISSING,
        "eve": Status.GRADED,
    }  # fmt: skip
    assert book.results[0].exercises == alone.exercises


@pytest.mark.parametrize("fault", [RuntimeError("a bug"), RecursionError(), MemoryError(), AssertionError()])
def test_a_submission_on_which_the_grader_fails_is_failed_and_the_rest_is_graded(
    tiny: LoadedCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    usual = Grader.grade

    def failing(self: Grader, submission: Submission) -> Result:
        if submission.student == "bob":
            raise fault
        return usual(self, submission)

    monkeypatch.setattr(Grader, "grade", failing)
    book = grade([hand_in(tmp_path, ada=GOOD, bob=GOOD, cy=GOOD)], tiny)
    assert statuses(book) == {"ada": Status.GRADED, "bob": Status.FAILED, "cy": Status.GRADED}
    failed = book.results[1]
    assert "a person must look" in failed.message
    assert "a bug" not in failed.message
    assert (failed.points, failed.exercises) == (0, ())


def test_stopping_by_hand_is_not_swallowed(tiny: LoadedCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Grader, "grade", stop)
    with pytest.raises(KeyboardInterrupt):
        grade([hand_in(tmp_path, ada=GOOD)], tiny)


def test_results_are_in_the_order_of_the_students(tiny: LoadedCourse, tmp_path: Path) -> None:
    folder = hand_in(tmp_path, cy=GOOD, ada=GOOD, bob=GOOD)
    assert list(statuses(grade([folder], tiny))) == ["ada", "bob", "cy"]
    assert grade([folder / "cy", folder / "ada", folder / "bob"], tiny).results == grade([folder], tiny).results


def test_progress_is_told_after_each_submission(tiny: LoadedCourse, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    grade([hand_in(tmp_path, ada=GOOD, bob=b"\x00", cy=GOOD)], tiny, progress=lambda *step: seen.append(step))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_a_gradebook_says_which_course_and_which_grader(tiny: LoadedCourse, tmp_path: Path) -> None:
    import grader

    book = grade([hand_in(tmp_path, ada=GOOD)], tiny)
    assert (book.course, book.title, book.grader, book.schema) == ("tiny", "Tiny", grader.__version__, 1)


def test_solutions_are_in_the_results_at_full_only(tiny: LoadedCourse, tmp_path: Path) -> None:
    folder = hand_in(tmp_path, ada=GOOD)
    for level in Reveal:
        (result,) = grade([folder], tiny, reveal=level).results
        solved = [part.solution is not None for exercise in result.exercises for part in exercise.parts]
        assert set(solved) == {level == Reveal.FULL}


def test_reading_back_shows_each_answer_and_no_verdict(tmp_path: Path, tiny: LoadedCourse, own_cache: Path) -> None:
    place = hand_in(tmp_path / "class", ada="answers:\n  fixed:\n    ops: 3BDF\n    intensity: '2*'\n    lower: ''\n")
    report = read_back(place / "ada" / "answers.yaml", tiny.folder)
    assert report.lines[0] == "fixed ops (line 3): 3*B*D*F"
    assert "fixed intensity (line 4): can't be read" in report.lines[1]
    assert not report.readable
    assert not any("incorrect" in line or "half-count" in line for line in report.lines)


def test_reading_back_names_what_fits_nothing(tmp_path: Path, tiny: LoadedCourse, own_cache: Path) -> None:
    place = hand_in(tmp_path / "class", ada="answers:\n  fixed:\n    opps: 2BDF\n")
    report = read_back(place / "ada", tiny.folder)
    assert not report.readable
    assert any("did you mean ops" in line for line in report.lines)


def test_only_one_submission_is_read_back(tmp_path: Path, tiny: LoadedCourse, own_cache: Path) -> None:
    with pytest.raises(SubmissionError):
        read_back(hand_in(tmp_path / "class", ada=GOOD, bob=GOOD), tiny.folder)
    with pytest.raises(GraderError, match=r"ada/answers\.yaml:1: NUL byte"):
        read_back(hand_in(tmp_path / "bad", ada=b"\x00") / "ada", tiny.folder)
    with pytest.raises(GraderError, match=r"ada/answers\.yaml is empty$"):
        read_back(hand_in(tmp_path / "empty", ada="") / "ada", tiny.folder)


def test_a_failure_in_reading_is_told_by_check_as_ours(
    tiny: LoadedCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("grader.answers.expression.Expression.read", broken)
    (tmp_path / "answers.yaml").write_text("fixed:\n  ops: 2BDF\n", encoding="utf-8")
    found = read_back(tmp_path / "answers.yaml", tiny)
    assert found.readable
    (line,) = found.lines
    assert line.startswith("fixed ops (line 2): this answer could not be checked automatically")


def test_check_says_of_chosen_exercises_alone_and_needs_the_secret_only_where_they_draw(
    tiny: LoadedCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TINY_SECRET")
    text = "fixed:\n  ops: 2BDF\ndrawn:\n  ops: (\n  nothing: 1\nfixd:\n  ops: 1\n"
    (tmp_path / "answers.yaml").write_text(text, encoding="utf-8")
    assert read_back(tmp_path / "answers.yaml", tiny, ["fixed"]).lines == (
        "fixed ops (line 2): 2*B*D*F",
        "line 7: unknown exercise 'fixd'; did you mean fixed?",
    )
    with pytest.raises(SpecError, match="TINY_SECRET"):
        read_back(tmp_path / "answers.yaml", tiny, ["drawn"])
