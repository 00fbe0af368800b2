"""A course is compiled once and then read from the cache, which can never be stale."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import grader.course
from grader.course import COMPILED, compiled_text, load_course
from grader.errors import SpecError
from tests import tiny as small

REFERENCE = "from reference.roofline import model\n"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> list[str]:
    """The folders that have been compiled, in order."""
    done: list[str] = []
    usual: Callable[[Path], dict[str, object]] = grader.course._compiled

    def counted(folder: Path) -> dict[str, object]:
        done.append(folder.name)
        return usual(folder)

    monkeypatch.setattr(grader.course, "_compiled", counted)
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small.write(tmp_path / "c")


def test_the_second_time_nothing_is_compiled_and_the_course_is_the_same(folder: Path, compiled: list[str]) -> None:
    first, second = load_course(folder), load_course(folder)
    assert compiled == ["c"]
    assert first.course == second.course
    exercise = first.course.exercises[0]
    for name, keys in first.keyring.keys(exercise, {}).items():
        assert keys.wrong == second.keyring.keys(second.course.exercises[0], {})[name].wrong


def test_a_copy_of_the_course_in_another_folder_uses_the_same_cache(
    folder: Path, tmp_path: Path, compiled: list[str]
) -> None:
    load_course(folder)
    load_course(small.write(tmp_path / "copy"))
    assert compiled == ["c"]


def test_a_changed_file_is_compiled_again(folder: Path, compiled: list[str]) -> None:
    load_course(folder)
    path = folder / "fixed.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("title: Fixed", "title: Firm"), encoding="utf-8")
    assert load_course(folder).course.exercises[0].title == "Firm"
    assert len(compiled) == 2


def test_a_file_that_is_added_or_renamed_is_noticed(folder: Path, compiled: list[str]) -> None:
    load_course(folder)
    (folder / "fixed.yaml").rename(folder / "firm.yaml")
    assert load_course(folder).course.exercises[0].file == "firm.yaml"
    assert len(compiled) == 2


def test_a_changed_reference_is_compiled_again(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "packages" / "tiny_reference"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(REFERENCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(package.parent))
    folder = small.write(tmp_path / "c", course=("reference: reference", "reference: tiny_reference"))
    load_course(folder)
    load_course(folder)
    assert len(compiled) == 1
    (package / "data.yaml").write_text("rows: []\n", encoding="utf-8")
    load_course(folder)
    assert len(compiled) == 2
    (package / "__init__.py").write_text(REFERENCE + "# changed\n", encoding="utf-8")
    load_course(folder)
    assert len(compiled) == 3


def test_a_package_that_gives_no_models_is_told_by_name(tmp_path: Path) -> None:
    for name, what in (("json", "json gives no models"), ("no_such_package", "there is no package no_such_package")):
        folder = small.write(tmp_path / name, course=("reference: reference", f"reference: {name}"))
        with pytest.raises(SpecError, match=what):
            load_course(folder)


def test_a_changed_module_of_the_grader_changes_the_stamp(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "module.py"
    module.write_text("x = 1\n", encoding="utf-8")
    monkeypatch.setattr(grader.course, "_SOURCES", (str(module),))
    before = grader.course._stamp(folder)
    assert grader.course._stamp(folder) == before
    module.write_text("x = 2\n", encoding="utf-8")
    assert grader.course._stamp(folder) != before


def test_every_module_that_makes_keys_counts_for_the_stamp() -> None:
    room = Path(grader.course.__file__).parent
    found = {path.name for path in grader.course._modules(room / name for name in grader.course._SOURCES)}
    for name in ("graph.py", "fingerprint.py", "solutions.py", "keyring.py", "compiling.py", "specs.py", "exercise.py"):
        assert name in found, name


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"stamp": "old"}'])
def test_a_corrupt_cache_file_is_ignored_and_mended(
    folder: Path, own_cache: Path, compiled: list[str], content: bytes
) -> None:
    load_course(folder)
    (stored,) = own_cache.glob("*.json")
    stored.write_bytes(content)
    assert load_course(folder).course.id == "tiny"
    assert len(compiled) == 2
    assert json.loads(stored.read_bytes())["course"]["id"] == "tiny"


def test_a_cache_file_with_parts_missing_is_ignored(folder: Path, own_cache: Path, compiled: list[str]) -> None:
    load_course(folder)
    (stored,) = own_cache.glob("*.json")
    stamp = json.loads(stored.read_bytes())["stamp"]
    stored.write_text(json.dumps({"stamp": stamp}), encoding="utf-8")
    assert load_course(folder).course.id == "tiny"
    assert len(compiled) == 2


def test_where_no_cache_can_be_kept_the_course_is_compiled_each_time(
    folder: Path, tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        monkeypatch.setattr(grader.course, "_cache_folder", lambda place=place: place)
        assert load_course(folder).course.id == "tiny"
    assert len(compiled) == 2


def test_a_cache_that_may_not_be_written_only_costs_time(
    folder: Path, own_cache: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("read-only")

    for name in ("mkdir", "write_text", "replace", "unlink"):
        monkeypatch.setattr(Path, name, refuse)
    assert load_course(folder).course.id == "tiny"
    assert load_course(folder).course.id == "tiny"
    assert len(compiled) == 2


def test_nothing_but_the_cache_file_is_left_behind(folder: Path, own_cache: Path, compiled: list[str]) -> None:
    load_course(folder)
    assert [path.suffix for path in own_cache.iterdir()] == [".json"]


def test_a_course_that_ships_compiled_needs_no_cache(folder: Path, own_cache: Path, compiled: list[str]) -> None:
    (folder / COMPILED).write_text(compiled_text(folder), encoding="utf-8")
    compiled.clear()
    assert load_course(folder).course.id == "tiny"
    assert compiled == []
    assert not own_cache.exists()


def test_a_shipped_file_that_no_longer_fits_is_not_used(folder: Path, own_cache: Path, compiled: list[str]) -> None:
    (folder / COMPILED).write_text(compiled_text(folder), encoding="utf-8")
    path = folder / "course.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("title: Tiny", "title: Small"), encoding="utf-8")
    compiled.clear()
    assert load_course(folder).course.title == "Small"
    assert compiled == ["c"]


def test_a_course_with_a_secret_keeps_the_keys_of_that_secret_apart(
    folder: Path, own_cache: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    public = load_course(folder)
    exercise = public.course.exercises[0]
    monkeypatch.setenv("TINY_SECRET", "hush")
    secret, again = load_course(folder), load_course(folder)
    assert compiled == ["c"]
    assert len(list(own_cache.glob("*.json"))) == 2
    assert not any("hush" in path.name + path.read_text(encoding="utf-8") for path in own_cache.iterdir())
    marks = [loaded.keyring.keys(exercise, {})["intensity"].right[0].fingerprint for loaded in (public, secret, again)]
    assert marks[0] != marks[1] == marks[2]


def test_keys_under_a_secret_are_solved_again_when_the_reference_changes(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "packages" / "tiny_secret_reference"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(REFERENCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setenv("TINY_SECRET", "hush")
    folder = small.write(tmp_path / "c", course=("reference: reference", "reference: tiny_secret_reference"))
    solved: list[bytes] = []
    usual = grader.course._keys
    monkeypatch.setattr(grader.course, "_keys", lambda course, secret: solved.append(secret) or usual(course, secret))
    load_course(folder)
    load_course(folder)
    assert solved == [b"", b"hush"]
    (package / "data.yaml").write_text("rows: []\n", encoding="utf-8")
    load_course(folder)
    assert solved == [b"", b"hush"] * 2


@pytest.mark.parametrize("content", [b"{", b"{}", b"[]"])
def test_corrupt_keys_of_a_secret_are_solved_again(
    folder: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setenv("TINY_SECRET", "hush")
    sound = load_course(folder)
    (stored,) = own_cache.glob("*-*.json")
    stored.write_bytes(content)
    mended = load_course(folder)
    exercise = sound.course.exercises[0]
    assert mended.keyring.keys(exercise, {})["ops"].right == sound.keyring.keys(exercise, {})["ops"].right
    assert b"keys" in stored.read_bytes()
