"""Where the key may be wrong: the alarm fires when it is, and seldom when it isn't."""

from random import Random

from grader.analysis.alarm import alarms
from grader.analysis.sitting import Sitting
from grader.gradebook import Column
from tests.unit.analysis.made import COLUMNS, answer, sat, wrong

PARTS = tuple(f"p{number}" for number in range(12))
MANY = tuple(Column(exercise="q", part=name, title="", max_points=2) for name in PARTS)


def simulated(seed: int, students: int, *, key_wrong: str = "") -> list[Sitting]:
    """Students of different skill; a wrong answer is one of some popular ones, or one's own."""
    draw = Random(seed)

    def one(skill: float, part: str) -> object:
        if draw.random() < skill:
            return wrong(part, "the truth") if part == key_wrong else answer(part)
        popular = draw.random() < 0.5
        return wrong(part, f"popular {draw.choice('aab')}" if popular else f"odd {draw.randrange(10**6)}")

    return [
        sat(f"s{number}", *(one(skill, part) for part in PARTS))  # type: ignore[arg-type]
        for number in range(students)
        for skill in [draw.betavariate(4, 2)]
    ]


def test_an_alarm_fires_when_the_key_is_wrong_and_names_what_the_strong_agree_on() -> None:
    for seed in range(40):
        (alarm,) = alarms(simulated(seed, 30, key_wrong="p3"), MANY)
        assert (alarm.place, alarm.answer, alarm.right) == (("q", "p3"), "the truth", 0)
        assert alarm.agree * 3 >= alarm.strong


def test_false_alarms_are_rare() -> None:
    fired = sum(len(alarms(simulated(seed, 30), MANY)) for seed in range(100))
    assert fired <= 3, f"{fired} alarms at 1,200 parts with right keys"


def test_what_weak_students_agree_on_is_no_sign() -> None:
    strong = [sat(f"a{n}", answer("a"), answer("b"), answer("c")) for n in range(4)]
    weak = [sat(f"z{n}", wrong("a", "7"), wrong("b", "8"), wrong("c", "9")) for n in range(8)]
    assert alarms(strong + weak, COLUMNS) == ()


def test_numbers_that_differ_by_rounding_agree() -> None:
    strong = [sat(f"a{n}", wrong("a", text, ratio=ratio), answer("b"), answer("c")) for n, (text, ratio) in enumerate(
        [("295", "0.498"), ("295.4", "0.499"), ("296", "1/2")])]  # fmt: skip
    weak = [sat(f"z{n}", answer("a"), answer("b", points=0), answer("c", points=0)) for n in range(6)]
    (alarm,) = alarms(strong + weak, COLUMNS)
    assert (alarm.agree, alarm.students) == (3, ("a0", "a1", "a2"))


def test_what_follows_from_earlier_answers_and_what_two_agree_on_is_no_sign() -> None:
    def group(count: int, **given: bool) -> list[Sitting]:
        return [sat(f"a{n}", wrong("a", "7", **given), answer("b"), answer("c")) for n in range(count)]

    assert len(alarms(group(3), COLUMNS)) == 1
    assert alarms(group(2), COLUMNS) == ()
    assert alarms(group(3, followed=True), COLUMNS) == ()
