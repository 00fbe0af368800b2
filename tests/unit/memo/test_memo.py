"""What was examined before changes nothing: a class graded with one memory gets what each would get alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from itertools import permutations
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from grader import memo
from grader.course import LoadedCourse
from grader.diagnosis.evidence import Evidence
from grader.grading import Grader
from grader.memo import Recent
from grader.results import PartResult, Result, Status
from grader.submission import Response, Submission
from tests import tiny as small
from tests.conftest import ROOT
from tests.tiny import submission

ODD = ("", "about 2", "2BDF +", "7BDF + 3", "0", "1", "never", "B > 1", "17", "1/0", "B = 2D", "2^2^2^2^2", "x")
SETTINGS = settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)
FIELDS = [field.name for field in fields(PartResult) if field.name != "line"]

Answers = Mapping[str, str]
Class = Sequence[tuple[str, Answers]]  # students with their answers, in the order in which they are graded


# --- what to expect: the same without any memory ----------------------------------------------------------------------


def alone(grader: Grader, handed_in: Submission) -> dict[str, PartResult]:
    """The results of the parts, each examined anew, with all that the student said before as evidence."""
    responses, _ = grader.matched(handed_in)
    said: dict[str, Evidence] = {}
    found: dict[str, PartResult] = {}
    for exercise in grader.course.exercises:
        before = exercise.follows
        evidence = said.get(before, Evidence()).seen_from(before) if before else Evidence()
        for marker in grader.markers(exercise, handed_in.student):
            nothing = Response(exercise=exercise.id, part=marker.part.id, text="")
            decided = marker.decided(responses.get((exercise.id, marker.part.id), nothing), {})
            part, earlier = grader._examine(decided, evidence)
            evidence = evidence.with_answer(earlier)
            found[f"{exercise.id}.{part.id}"] = part
        said[exercise.id] = evidence
    return found


def parts(result: Result) -> Iterator[tuple[str, PartResult]]:
    for exercise in result.exercises:
        yield from ((f"{exercise.id}.{part.id}", part) for part in exercise.parts)


def differences(found: Result, expected: Mapping[str, PartResult]) -> dict[str, Any]:
    """By part and field: what is, and what should be."""
    assert found.status == Status.GRADED
    return {
        f"{place} {name}": (getattr(part, name), getattr(expected[place], name))
        for place, part in parts(found)
        for name in FIELDS
        if getattr(part, name) != getattr(expected[place], name)
    }


class Trial:
    """A course to try a memory on; `plain` says what to expect."""

    def __init__(self, course: LoadedCourse, plain: Grader) -> None:
        self.course, self.plain = course, plain


def check(trial: Trial, students: Class) -> None:
    """Grade them one after another with one memory, and each with a memory of its own."""
    keyring = trial.course.keyring
    shared = Grader(keyring)
    for number, (student, answers) in enumerate(students):
        handed_in = submission(answers, student)
        truth = alone(trial.plain, handed_in)
        where = f"{student} with {answers} after {list(students[:number])}"
        assert differences(shared.grade(handed_in), truth) == {}, where
        assert differences(Grader(keyring).grade(handed_in), truth) == {}, f"alone: {where}"


# --- the classes that are tried ---------------------------------------------------------------------------------------


@st.composite
def classes(draw: st.DrawFn, known: Mapping[str, Sequence[str]], students: Sequence[str]) -> Class:
    """Students with right, wrong and odd answers to two exercises; few of each, so that they meet again."""
    exercises = sorted({place.partition(".")[0] for place in known})
    both = draw(st.lists(st.sampled_from(exercises), min_size=2, max_size=2, unique=True))
    places = [place for place in known if place.partition(".")[0] in both]
    texts = {place: draw(st.lists(_text(known[place]), min_size=1, max_size=3)) for place in places}
    answers = st.fixed_dictionaries({}, optional={place: st.sampled_from(few) for place, few in texts.items()})
    return draw(st.lists(st.tuples(st.sampled_from(students), answers), min_size=2, max_size=6))


def _text(known: Sequence[str]) -> st.SearchStrategy[str]:
    """Right here, right elsewhere (the texts that come first), or anything: each as often."""
    return st.one_of(st.just(known[0]), st.sampled_from(known[:4]), st.sampled_from([*known, *ODD]))


@lru_cache(1)
def known_answers() -> Mapping[str, Sequence[str]]:
    """Answers to the packaged exercises: right ones, those of mistakes, and what is said of such a part elsewhere."""
    cases = {n: yaml.safe_load((ROOT / f"tests/cases/answers_{n}.yaml").read_text("utf-8")) for n in ("right", "wrong")}
    places = [(exercise, part) for exercise, parts in cases["right"].items() for part in parts if exercise != "q3"]
    found = {}
    for exercise, part in places:
        elsewhere = [cases["right"][other][name][0] for other, name in places if name == part]
        wrong = [
            text[0] for other, name in places if name == part for text in cases["wrong"].get(other, {}).get(name, ())
        ]
        right = cases["right"][exercise][part][:2]
        found[f"{exercise}.{part}"] = tuple(dict.fromkeys(map(str, [right[0], *elsewhere, *right, *wrong])))
    return found


SHEETS = [f"s{number}" for number in range(8)]
TINY: Mapping[str, Sequence[str]] = {
    "fixed.ops": ("2BDF", "BDF", "BD", "7", "2B^2DF", "2BDF - BF"),
    "fixed.intensity": ("2BDF/(BD + DF + BF)", "2B", "(BD + DF + BF)/(2BDF)", "2BDF/(BD + DF)", "BDF/(BD + DF + BF)"),
    "fixed.critical": ("B > 243", "B < 243", "B > 240", "B > 122", "B > 486"),
    "fixed.lower": ("max(T_math, T_comms)", "min(T_math, T_comms)", "T_math + T_comms"),
    "drawn.ops": ("2BDF", "BDF", "2B^2DF", "BD"),
    "drawn.intensity": (
        "BDF/(BD + DF + BF)",
        "2BDF/(BD + DF + BF)",
        "BDF/(2(BD + DF + BF))",
        "B",
        "(BD + DF + BF)/BDF",
        "B^2DF/(BD + DF + BF)",
    ),
    "drawn.leading": ("B", "2B", "B/2", "4B"),
    "drawn.ridge": ("246.25 FLOP/byte", "123.125 FLOP/byte", "618.75", "286.9", "573.75", "1236.25", "17"),
    "drawn.critical": ("B > 246", "B > 123", "B > 246.25", "B > 573.75", "B > 287", "B > 492", "B < 246"),
}


@pytest.fixture(scope="module")
def whole(packaged: LoadedCourse, packaged_grader: Grader) -> Trial:
    """The course that comes with the grader."""
    return Trial(packaged, packaged_grader)


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Trial:
    """The small course with parts of the same names in both exercises, the second of which goes on from the first."""
    folder = tmp_path_factory.mktemp("sheets")
    more = """\
follows: fixed
parts:
  - {id: ops, answer: {type: expression}, solution: flops, points: 1}
  - {id: leading, answer: {type: expression}, solution: leading, points: 1}
  - {id: critical, answer: {type: threshold, symbol: B}, solution: critical_batch, check: {close: {rel: 2%}}, points: 1}
"""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grader.course._cache_folder", lambda: folder / "cache")
        patch.delenv("TINY_SECRET", raising=False)
        course = small.load(folder / "course", drawn=("parts:\n", more))
    return Trial(course, Grader(course.keyring))


# --- the properties ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "students",
    [
        [("s1", {"q2.flops": "2BDF"}), ("s2", {"q4.flops": "2BDF", "q4.leading": "2B"})],
        [("s1", {"q2.flops": "2BDF"}), ("s2", {"q4.flops": "2BDF", "q4.intensity": "2B"})],
        [("s1", {"q2.flops": "2BDF", "q4.flops": "2BDF", "q4.leading": "2B"})],
    ],
)
def test_what_is_right_in_two_exercises_speaks_against_the_mistakes_of_each(whole: Trial, students: Class) -> None:
    check(whole, students)


@SETTINGS
@given(students=classes(known_answers(), ["s1", "s2"]))
def test_what_others_answered_changes_no_result(whole: Trial, students: Class) -> None:
    check(whole, students)


@SETTINGS
@given(students=classes(TINY, SHEETS))
def test_what_others_answered_on_other_sheets_changes_no_result(sheets: Trial, students: Class) -> None:
    check(sheets, students)


def test_every_answer_among_right_ones_gets_what_it_gets_where_nobody_answered_before(whole: Trial) -> None:
    known = known_answers()
    right = {place: texts[0] for place, texts in known.items()}
    shared = Grader(whole.course.keyring)
    shared.grade(submission(right))
    for place, texts in known.items():
        own = {p: text for p, text in right.items() if p.partition(".")[0] == place.partition(".")[0]}
        for text in texts:
            handed_in = submission({**own, place: text})
            assert differences(shared.grade(handed_in), alone(whole.plain, handed_in)) == {}, (place, text)


def test_the_answers_of_the_small_course_are_right_wrong_and_followed(sheets: Trial) -> None:
    """Or the property above would say little."""
    verdicts, followed, elsewhere = set(), set(), set()
    for place, texts in TINY.items():
        for student in SHEETS[: 8 if place == "drawn.ridge" else 1]:
            for text in texts:
                given = {"fixed.ops": "BDF", "drawn.ops": "2B^2DF", "drawn.ridge": "573.75", place: text}
                found = alone(sheets.plain, submission(given, student))[place]
                verdicts.add(str(found.verdict))
                followed |= {place} if found.follow_through else set()
                elsewhere |= {place} if any("another sheet" in remark for remark in found.remarks) else set()
    assert {"correct", "partial", "incorrect"} <= verdicts
    assert {"fixed.intensity", "drawn.intensity"} <= followed
    assert "drawn.ridge" in elsewhere


def test_the_order_of_a_class_changes_no_result(sheets: Trial) -> None:
    students = [
        ("s1", {"fixed.ops": "BDF", "fixed.intensity": "BDF/(BD + DF + BF)", "drawn.ops": "2BDF"}),
        ("s2", {"fixed.ops": "2BDF", "fixed.intensity": "BDF/(BD + DF + BF)", "drawn.ops": "BDF"}),
        ("s3", {"fixed.ops": "BD", "fixed.intensity": "2B", "drawn.critical": "B > 573.75", "drawn.ridge": "573.75"}),
        ("s4", {"fixed.intensity": "BDF/(BD + DF + BF)", "drawn.critical": "B > 573.75", "drawn.ridge": "573.75"}),
    ]
    books = []
    for order in permutations(students):
        shared = Grader(sheets.course.keyring)
        books.append({student: shared.grade(submission(answers, student)) for student, answers in order})
    assert all(book == books[0] for book in books)


# --- what makes the properties able to fail ---------------------------------------------------------------------------


def test_a_memory_that_looks_at_too_little_is_noticed(whole: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo.Memo, "_weigh", lambda *_: ())
    students = [
        ("s1", {"q4.leading": "2B"}),
        ("s2", {"q4.flops": "2BDF", "q4.leading": "2B"}),
    ]
    with pytest.raises(AssertionError, match="mistakes"):
        check(whole, students)


def test_a_memory_that_forgets_what_was_wrong_before_is_noticed(whole: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo.Memo, "_reaches", lambda *_: False)
    intensity = "(7BDF + 3D)/(BD + BDF + BF)"
    students = [("s1", {"q4.intensity": intensity}), ("s2", {"q4.flops": "7BDF + 3D", "q4.intensity": intensity})]
    with pytest.raises(AssertionError, match="follow_through"):
        check(whole, students)


# --- what it forgets --------------------------------------------------------------------------------------------------


@settings(SETTINGS, max_examples=4)
@given(students=classes(TINY, SHEETS))
def test_what_was_forgotten_is_examined_again_with_the_same_result(sheets: Trial, students: Class) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memo, "_MOST_RESULTS", 3)
        patch.setattr(memo, "_MOST_ANSWERS", 4)
        check(sheets, [*students, *students])


def test_an_answer_is_examined_once_however_many_give_it(tiny: LoadedCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    examined = []
    genuine = Grader._examine

    def counted(self: Grader, *values: Any) -> Any:
        examined.append(values[0].response.text)
        return genuine(self, *values)

    monkeypatch.setattr(Grader, "_examine", counted)
    shared = Grader(tiny.keyring)
    for number in range(20):
        shared.grade(submission({"fixed.ops": "BDF", "fixed.intensity": "2B"}, f"s{number}"))
    assert (examined.count("BDF"), examined.count("2B")) == (1, 1)


def test_of_many_entries_those_stay_that_were_asked_for_lately() -> None:
    recent: Recent[int, str] = Recent(2)
    for number in range(100):
        recent.put(number, str(number))
        recent.put(0, "kept") if recent.get(0) is None else None
    assert recent.get(0) == "0"
    assert recent.get(99) == "99"
    assert recent.get(50) is None
