"""The summary is never too large for GitHub, whatever is in it, and never without the score."""

from dataclasses import replace
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.ci.handing import outputs, show
from grader.ci.outcome import Outcome, all_points, graded
from grader.ci.summary import STEP, summary
from grader.gradebook import Outline
from grader.results import ExerciseResult, Explanation, PartResult, Result, Reveal, Status, Verdict
from tests.unit.ci.jobs import job

texts = st.text(max_size=30) | st.sampled_from(["`" * 400, "|" * 900, "\x00" * 300, "@a " * 200, "x" * 5000, "𝓮" * 800])
parts = st.builds(
    PartResult,
    id=st.just("p"), verdict=st.sampled_from([None, *Verdict]), points=st.integers(0, 3), max_points=st.just(3),
    response=texts, read_as=st.none() | texts, message=texts, remarks=st.lists(texts, max_size=3).map(tuple),
    feedback=texts, position=st.none() | st.integers(0, 40), title=texts,
)  # fmt: skip


def outcome(exercises: list[list[PartResult]], **more: object) -> Outcome:
    """What came of these parts."""
    found = tuple(
        ExerciseResult(id=f"e{n}", title=f"Exercise {n}", points=0, max_points=3 * len(some), parts=tuple(some))
        for n, some in enumerate(exercises)
    )
    result = Result(student="s", source="answers.yaml", status=Status.GRADED, points=7, max_points=9, exercises=found)
    outline = Outline(course="c", title="C", columns=())
    return graded(replace(result, **more), outline, Reveal.MISTAKE, all_points)  # type: ignore[arg-type]


@settings(max_examples=30)
@given(
    st.lists(st.lists(parts, min_size=1, max_size=4), max_size=4), st.lists(texts, max_size=30), texts,
    st.integers(100, 30_000),
)  # fmt: skip
@example([[PartResult(id="p", verdict=Verdict.INCORRECT, points=0, max_points=3)]], [], "`" * 400, 638)
def test_a_summary_keeps_to_its_room_and_has_the_score(
    exercises: list[list[PartResult]], remarks: list[str], title: str, room: int
) -> None:
    made = summary(outcome(exercises, remarks=tuple(remarks)), title, room)
    assert len(made) <= room
    assert "7 of 9 points" in made.decode()


def test_what_is_left_out_is_said_feedback_first() -> None:
    some = [
        PartResult(
            id=f"p{n}",
            verdict=Verdict.INCORRECT,
            points=0,
            max_points=3,
            response="2B",
            read_as=f"B*{n}",
            message="m" * 300,
        )
        for n in range(30)
    ]
    one = outcome([some])
    whole = summary(one, "C", STEP).decode()
    assert "Left out" not in whole
    assert whole.count("#### ") == 30
    less = summary(one, "C", 8_000).decode()
    shown = less.count("#### ")
    assert 0 < shown < 30
    assert f"the feedback on {30 - shown} parts" in less
    assert "`B*7`" in less
    for room, words in ((1_700, "how the answers were read"), (1_000, "the table of the parts")):
        small = summary(one, "C", room).decode()
        assert words in small
        assert "7 of 9 points" in small
    assert summary(one, "C", 100) == b"## 7 of 9 points\n"
    assert summary(one, "C", 10) == b""


def test_the_largest_course_and_what_the_step_wrote_before_stay_within_the_limit(tmp_path: Path) -> None:
    why = Explanation(mistakes=("m",), title="t" * 300, feedback="f" * 3000, hint="h" * 1000)
    some = [
        PartResult(
            id=f"p{n}", verdict=Verdict.INCORRECT, points=0, max_points=3, response="r" * 60_000, read_as="B" * 900,
            message="m" * 60_000, explanations=(why,), line=n,
        )
        for n in range(25)
    ]  # fmt: skip
    one = outcome([some] * 10, remarks=("r" * 60_000,) * 5_000)
    made, told = job(tmp_path)
    (tmp_path / "summary").write_bytes(b"x" * 300_000)
    show(made, one)
    size = (tmp_path / "summary").stat().st_size
    assert 900_000 < size <= STEP
    assert "7 of 9 points" in told.summary
    assert len(told.annotations) == 10
    assert all(len(text) < 5_000 for _, _, text in told.annotations)
    assert max(map(len, told.log.split("\n"))) < 20_000
    assert len(outputs(replace(one, result=replace(one.result, exercises=(), points=0)))["result"]) < 1000  # type: ignore[arg-type]
