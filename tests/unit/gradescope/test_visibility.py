"""What a student sees at once and what later."""

from dataclasses import replace

import pytest

from grader.course import LoadedCourse
from grader.gradescope.visibility import Shown, shown
from grader.results import Reveal

OCT = "2026-10-{}T00:00:00+00:00"
DATED = (("", "none"), (OCT.format("05"), "verdict"), (OCT.format("09"), "full"))


@pytest.mark.parametrize(
    ("reveal", "created", "due", "expected"),
    [
        ((("", "mistake"),), OCT.format("02"), "", Shown(Reveal.MISTAKE)),
        ((("", "none"),), OCT.format("02"), OCT.format("03"), Shown(Reveal.NONE)),
        (DATED, OCT.format("02"), OCT.format("05"), Shown(Reveal.NONE, Reveal.VERDICT, "after_due_date")),
        (DATED, OCT.format("02"), OCT.format("04"), Shown(Reveal.NONE, Reveal.VERDICT, "after_published")),
        (DATED, OCT.format("02"), "", Shown(Reveal.NONE, Reveal.VERDICT, "after_published")),
        (DATED, "2026-10-05T01:00:00+02:00", "", Shown(Reveal.NONE, Reveal.VERDICT, "after_published")),
        (DATED, "2026-10-05T02:00:00+02:00", "", Shown(Reveal.VERDICT)),
        (DATED, OCT.format("30"), "", Shown(Reveal.FULL)),
        (DATED, "", OCT.format("30"), Shown(Reveal.NONE, Reveal.VERDICT, "after_due_date")),
        (DATED[1:], OCT.format("02"), "", Shown(Reveal.NONE, Reveal.VERDICT, "after_published")),
        ((("", "none"), (OCT.format("05"), "none")), "", "", Shown(Reveal.NONE)),
    ],
)
def test_the_level_is_that_of_the_moment_of_handing_in_and_points_follow_when_the_course_says(
    tiny: LoadedCourse, reveal: tuple[tuple[str, str], ...], created: str, due: str, expected: Shown
) -> None:
    assert shown(replace(tiny.course, reveal=reveal), created, due) == expected
