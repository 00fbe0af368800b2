"""A student edition holds no solution in any form, and nothing else that only the course may hold."""

from collections.abc import Mapping
from pathlib import Path

import pytest

import grader.course
from grader.course import LoadedCourse
from grader.release import release
from tests import tiny as small
from tests.unit.edition import leaks

SECRET = "the secret of this course"


def released(loaded: LoadedCourse, folder: Path) -> Mapping[str, str]:
    """The texts of the files of an edition, by name."""
    release(loaded, folder)
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert sorted(texts) == ["README.md", "answers.yaml", "edition.json"]
    return texts


@pytest.fixture(scope="module")
def drawing(tmp_path_factory: pytest.TempPathFactory) -> LoadedCourse:
    """The small course, whose numbers are drawn with a secret."""
    folder = tmp_path_factory.mktemp("drawing")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grader.course, "_cache_folder", lambda: folder / "cache")
        patch.setenv("TINY_SECRET", SECRET)
        return small.load(folder / "course")


def test_the_edition_of_the_packaged_course_holds_nothing_of_what_is_right(
    packaged: LoadedCourse, tmp_path: Path
) -> None:
    texts = released(packaged, tmp_path / "edition")
    assert leaks.solutions(texts, packaged) == set()
    assert leaks.secrets(texts, packaged) == set()


def test_the_only_solution_that_questions_state_as_a_number_is_the_2_which_occurs_everywhere(
    packaged: LoadedCourse,
) -> None:
    known = leaks.stated(packaged)
    right = {(m.exercise.id[:2], m.part.id, key.value) for m in leaks.markers(packaged) for key in m.keys.right
             if key.number in known}  # fmt: skip
    assert right == {("q4", "leading", "2")}


def test_the_edition_of_a_course_whose_numbers_are_drawn_holds_neither_them_nor_the_secret(
    drawing: LoadedCourse, tmp_path: Path
) -> None:
    texts = released(drawing, tmp_path / "edition")
    assert leaks.solutions(texts, drawing) == set()
    assert leaks.secrets(texts, drawing) == set()
    everything = "".join(texts.values())
    assert SECRET not in everything
    assert "TINY_SECRET" not in everything
    assert drawing.keyring.key.hex() not in everything
    assert everything.count("bandwidth`: (drawn for each student") == 1


SOLUTIONS = [
    ("edition.json", '["D*(F + B)"]', "loaded"),
    ("edition.json", '{"solution": {"value": "B*F*(2*D - 1)"}}', "ops"),
    ("edition.json", "[245.1]", "critical"),
    ("answers.yaml", "# It comes to 2*B*D*F/(D*F + B*F + B*D), you know.", "intensity"),
    ("answers.yaml", "    critical: B > 241", "critical"),
    ("answers.yaml", "    # think of 139", "ridge_4096"),
    ("README.md", r"so that $\frac{2BDF}{BD + DF + BF}$ is left", "intensity"),
    ("README.md", "The time is `2BDF/3.94e14` then.", "t_math"),
    ("README.md", "hence max( T_math , T_comms ) is the\nlower bound", "lower"),
    ("README.md", "The answer is 295.4 FLOP/byte.", "intensity"),
    ("README.md", "```\n2*B*D\n  + 2*B*F + D*F\n```", "bytes"),
]


@pytest.mark.parametrize(("name", "text", "part"), SOLUTIONS)
def test_the_search_finds_a_solution_that_is_planted(packaged: LoadedCourse, name: str, text: str, part: str) -> None:
    found = leaks.solutions({name: text}, packaged)
    assert part in {leak.partition(":")[0] for leak in found}


def test_the_search_finds_whatever_else_is_planted(packaged: LoadedCourse, drawing: LoadedCourse) -> None:
    planted = {
        "bytes-forgot-writeback": "see bytes-forgot-writeback",
        "The output was never written back": "The output was\nnever written back",
        "0.5%": "within 0.5% of it",
        "rel": '{"rel": 1}',
        "8.2e11": "or 8.2e11 in another edition",
        "Tmath = 2BDF / 3.94e14": "such as Tmath = 2BDF / 3.94e14",
    }
    for wanted, text in planted.items():
        assert any(wanted in found for found in leaks.secrets({"README.md": text}, packaged)), wanted
    for wanted, text in {"1.6e12": "1.6e12 bytes/s", "tpu-v5p": "on a tpu-v5p", "Another row": "Another row"}.items():
        assert wanted in leaks.secrets({"README.md": text}, drawing)
    assert "ridge" in {leak.partition(":")[0] for leak in leaks.solutions({"a.yaml": "ridge: 123 FLOP/byte"}, drawing)}
