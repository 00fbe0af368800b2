"""A course from its folder: compiled once from YAML and the reference, then read from a cache.

The only module that imports a reference package, by the name that course.yaml gives. The cache is keyed by the content
of everything that a compiled course depends on, so it can never be stale; the packaged course ships compiled.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grader.compiled import COURSE, EDITION, Course, Exercise, Pairs, PartKeys, from_json
from grader.errors import Fault, SpecError, did_you_mean
from grader.gradebook import Column, Outline
from grader.keyring import Keyring, sample_key, variants
from grader.results import Reveal, to_json
from grader.values import frozen

COMPILED = "compiled.json"  # in the folder of a course that ships compiled
COMPILED_PAIRS = "compiled_pairs.json"  # read only when an answer may show two mistakes at once
_SOURCES = (
    "maths", "answers", "checks", "solutions.py", "keyring.py", "compiled.py", "compiling.py", "exercise.py",
    "specs.py", "spec_reader.py", "yamltree.py",
)  # fmt: skip


@frozen(slots=False)
class LoadedCourse:
    """A course with the keyring that solves its parts. `stamp` tells what it was compiled from; a student `edition`
    can be read against, and has no keys."""

    course: Course
    keyring: Keyring
    folder: Path
    stamp: str = ""
    edition: bool = False


def load_course(path: str | Path | None = None) -> LoadedCourse:
    """The course in a folder (or of a course.yaml), or its student edition; the packaged course without a path.

    SpecError with every fault, each with its file and line, if the course is wrong.
    """
    folder = _folder(path)
    if not (folder / COURSE).is_file():
        from grader.edition import NoKeys, read_edition

        edition = read_edition(folder)
        return LoadedCourse(edition, NoKeys(edition, b""), folder, edition=True)
    stamp = _stamp(folder)
    data = _cached(folder, stamp)
    if data is None:
        data = _compiled(folder)
        _store(stamp, data)
    course: Course = from_json(Course, data["course"])
    secret = os.environ.get(course.secret_env, "").encode() if course.secret_env else b""
    solved = _solved(course, secret, stamp, data)
    whole = _with_reference(stamp, data["reference"])
    return LoadedCourse(course, Keyring(course, secret, solved, _PairFiles(folder, whole, secret)), folder, whole)


def pack(loaded: LoadedCourse) -> dict[str, Any]:
    """The course as JSON data, for a machine that has neither its folder nor its reference; the secret is not in it."""
    keys = {e.id: loaded.keyring.keys(e, {}) for e in loaded.course.exercises if not e.draws}
    return {
        "stamp": loaded.stamp,
        "course": to_json(loaded.course),
        "keys": {name: {part: found.to_json() for part, found in parts.items()} for name, parts in keys.items()},
    }


def unpack(data: Mapping[str, Any], secret: bytes, folder: Path | None = None) -> LoadedCourse:
    """The course that `pack` made data of. Tables of pairs are those in the folder (see `packed_pairs`), else this
    machine's own, or made here when needed."""
    course: Course = from_json(Course, data["course"])
    stamp, folder = data["stamp"], folder or _package_folder("exercises") or Path()
    pairs = _PairFiles(folder, stamp, secret) if stamp else None
    return LoadedCourse(course, Keyring(course, secret, _part_keys(data["keys"]), pairs), folder, stamp)


def packed_pairs(loaded: LoadedCourse, secret: bytes) -> str:
    """All tables of pairs of a course with its secret, as the text of the file `COMPILED_PAIRS`."""
    return _pairs_text(loaded.keyring, loaded.stamp + _secret_suffix(secret))


def require_secret(course: Course) -> None:
    """SpecError if parameters are drawn with a secret that is not there: they would be those of nobody's sheet."""
    if course.secret_env and not os.environ.get(course.secret_env) and any(e.draws for e in course.exercises):
        raise SpecError(f"parameters are drawn with the course's secret: set the variable {course.secret_env}")


def require_keys(loaded: LoadedCourse) -> None:
    """SpecError if the course is a student edition, against which nothing can be graded."""
    if loaded.edition:
        from grader.edition import NO_KEYS

        raise SpecError(f"{loaded.folder}: {NO_KEYS}")


@frozen
class _PairFiles:
    """The tables of pairs on disk: those that ship with the course, else one cache file a part, made when needed."""

    folder: Path
    stamp: str
    secret: bytes

    def load(self, exercise: str, part: str) -> Pairs | None:
        """The stored table, if there is one."""
        shipped = _read_json(self.folder / COMPILED_PAIRS)
        if shipped and shipped.get("stamp") == self.stamp + _secret_suffix(self.secret):
            return shipped["pairs"][exercise].get(part)  # type: ignore[no-any-return]
        stored = _read_json(_cache_folder() / f"{self.stamp}{self._suffix(exercise, part)}.json")
        return stored["pairs"] if stored else None

    def save(self, exercise: str, part: str, pairs: Pairs) -> None:
        """Store the table in the cache."""
        _store(self.stamp, {"pairs": pairs}, self._suffix(exercise, part))

    def _suffix(self, exercise: str, part: str) -> str:
        return f"{_secret_suffix(self.secret)}-{exercise}-{part}"


def _secret_suffix(secret: bytes) -> str:
    """Fingerprints depend on the course's secret, so what is stored of them has a file of its own."""
    return "-" + hashlib.sha256(sample_key(secret)).hexdigest()[:16] if secret else ""


def digests(loaded: LoadedCourse) -> tuple[str, str]:
    """Digests of what is asked and of what is right, but for the rules of the gradebook: by them a result is known to
    be up to date."""
    rest = ("policy", "reveal", "title", "templates")
    course = {name: value for name, value in to_json(loaded.course).items() if name not in rest}
    keys = {
        exercise.id: {part: keys.to_json() for part, keys in loaded.keyring.keys(exercise, {}).items()}
        for exercise in loaded.course.exercises
        if not exercise.draws
    }
    secret = loaded.keyring.key.hex()
    texts = (json.dumps(value, sort_keys=True) for value in (course, [keys, secret]))
    spec, key = (hashlib.sha256(text.encode()).hexdigest() for text in texts)
    return spec, key


def outline(course: Course) -> Outline:
    """The exercises and parts with their points."""
    return Outline(
        course=course.id,
        title=course.title,
        columns=tuple(
            Column(
                exercise=exercise.id,
                part=part.id,
                title=part.title,
                max_points=part.points,
                quantity=part.solution if part.solution.isidentifier() else "",
            )
            for exercise in course.exercises
            for part in exercise.parts
        ),
        exercises={exercise.id: (exercise.title, exercise.prompt) for exercise in course.exercises},
        templates=course.templates,
    )


def reveal_level(course: Course) -> Reveal:
    """The level of feedback that holds now."""
    levels = [level for since, level in course.reveal if not since or _passed(since)]
    return Reveal(levels[-1]) if levels else Reveal.NONE


def _passed(moment: str) -> bool:
    from datetime import UTC, datetime

    return datetime.fromisoformat(moment) <= datetime.now(UTC)


def find_exercises(course: Course, names: Iterable[str]) -> tuple[Exercise, ...]:
    """The exercises with these ids or unique prefixes of ids; all of them without a name."""
    from grader.grading import find_exercise

    found = []
    for name in names:
        exercise = find_exercise(course, name)
        if exercise is None:
            ids = [e.id for e in course.exercises]
            close = did_you_mean(name, ids)
            meant = f"did you mean {close}?" if close else f"there are {', '.join(ids)}"
            raise SpecError(f"no exercise {name!r}; {meant}")
        found.append(exercise)
    return tuple(found) or course.exercises


def chosen(loaded: LoadedCourse, names: Iterable[str]) -> LoadedCourse:
    """The course with only these exercises, in its own order; the whole one without a name. See `find_exercises`."""
    wanted = find_exercises(loaded.course, names)
    if len(wanted) == len(loaded.course.exercises):
        return loaded
    course = replace(loaded.course, exercises=tuple(e for e in loaded.course.exercises if e in wanted))
    return replace(loaded, course=course, keyring=loaded.keyring.of_course(course))


def _folder(path: str | Path | None) -> Path:
    if path is None:
        packaged = _package_folder("exercises")
        if packaged is None:
            raise SpecError("the packaged course is missing; install the grader anew, or name a course with --course")
        return packaged
    folder = Path(path)
    folder = folder.parent if folder.is_file() else folder
    if not any((folder / name).is_file() for name in (COURSE, EDITION)):
        raise SpecError(f"{folder}: no course.yaml in this folder; name the folder of a course with --course")
    return folder


def _stamp(folder: Path) -> str:
    """A digest of the course's files and of the modules that compile it."""
    room = Path(__file__).parent
    return _digest([*_files(folder, ".yaml"), *_modules(room / name for name in _SOURCES)])


def _with_reference(stamp: str, reference: str) -> str:
    """The stamp of what depends on the reference, too."""
    return hashlib.sha256(f"{stamp} {reference}".encode()).hexdigest()


def _modules(places: Iterable[Path]) -> list[Path]:
    return [file for place in places for file in ([place] if place.suffix else _files(place, ".py"))]


def _files(folder: Path, *endings: str) -> list[Path]:
    """The files directly in the folder with one of these endings, sorted."""
    files = [folder / name for name in sorted(os.listdir(folder)) if name.endswith(endings)]
    return [file for file in files if file.is_file()]  # a pipe would never end


def _package_folder(name: str) -> Path | None:
    """Where a package is, without importing it."""
    spec = find_spec(name)
    return Path(next(iter(spec.submodule_search_locations))) if spec and spec.submodule_search_locations else None


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _reference_digest(name: str) -> str:
    """A digest of the reference package's modules and data."""
    folder = _package_folder(name)
    return _digest(_files(folder, ".py", ".yaml")) if folder else ""


def _cached(folder: Path, stamp: str) -> Mapping[str, Any] | None:
    data = _read_json(folder / COMPILED)
    if not data or not _fits(data, stamp):
        data = _read_json(_cache_folder() / f"{stamp}.json")  # only now: finding the folder takes a moment
    return data if data and _fits(data, stamp) else None


def _fits(data: Mapping[str, Any], stamp: str) -> bool:
    """Whether a cache file is whole and belongs to these files and this reference."""
    if not {"stamp", "course", "keys", "reference", "reference_name"} <= data.keys() or data["stamp"] != stamp:
        return False
    return bool(data["reference"] == _reference_digest(data["reference_name"]))


def _read_json(place: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(place.read_bytes())
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def _cache_folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("roofline-grader", appauthor=False)


def _store(stamp: str, data: Mapping[str, Any], suffix: str = "") -> None:
    """Keep what was compiled; a folder that can't be written only costs the time to compile again."""
    place = _cache_folder() / f"{stamp}{suffix}.json"
    temporary = place.with_suffix(f".{os.getpid()}.tmp")
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary.write_text(_json({**data, "stamp": stamp}), encoding="utf-8")
        temporary.replace(place)
    except OSError:
        with suppress(OSError):
            temporary.unlink()


def compiled_text(folder: Path) -> str:
    """The compiled course as the text of the file that ships with it."""
    return _json({**_compiled(folder), "stamp": _stamp(folder)})


def compiled_pairs_text(compiled: str) -> str:
    """All tables of pairs of a course, given as `compiled_text`, as the text of the file that ships beside it."""
    data = json.loads(compiled)
    course: Course = from_json(Course, data["course"])
    return _pairs_text(Keyring(course, b""), _with_reference(data["stamp"], data["reference"]))


def _pairs_text(keyring: Keyring, stamp: str) -> str:
    pairs = {
        exercise.id: {p.id: keyring.pair_table(exercise, p) for p in exercise.parts if p.type == "expression"}
        for exercise in keyring.course.exercises
        if not exercise.draws
    }
    return _json({"pairs": pairs, "stamp": stamp})


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def _compiled(folder: Path) -> dict[str, Any]:
    """The course with its keys, as JSON data; takes a second or two and imports the reference."""
    from importlib import import_module

    from grader.compiling import compile_course, reference_of

    name = reference_of(folder)
    try:
        reference = import_module(name)
    except ImportError:
        raise SpecError([Fault(f"{folder / COURSE}", None, "reference", f"there is no package {name}")]) from None
    if not callable(getattr(reference, "model", None)):
        raise SpecError([Fault(f"{folder / COURSE}", None, "reference", f"{name} gives no models: it has no model()")])
    course = compile_course(folder, reference)
    keys = _keys(course, b"")
    return {
        "reference_name": name,
        "reference": _reference_digest(name),
        "course": to_json(course),
        "keys": keys,
    }


def _keys(course: Course, secret: bytes) -> dict[str, Any]:
    """The keys of every exercise in which nothing is drawn, as JSON data."""
    keyring = Keyring(course, secret)
    solved: dict[str, Any] = {}
    faults: list[Fault] = []
    for exercise in course.exercises:
        try:
            keys = keyring.keys(exercise, next(variants(exercise)))  # of what is drawn, too: its faults are told now
        except SpecError as error:
            faults += error.faults
            continue
        if not exercise.draws:
            solved[exercise.id] = {part: found.to_json() for part, found in keys.items()}
    if faults:
        raise SpecError(faults)
    return solved


def _solved(course: Course, secret: bytes, stamp: str, data: Mapping[str, Any]) -> Mapping[str, Mapping[str, PartKeys]]:
    """The stored keys; with a secret of the course's own they have other fingerprints and a cache file of their own."""
    keys = data["keys"]
    if secret:
        suffix = _secret_suffix(secret)
        stored = _read_json(_cache_folder() / f"{stamp}{suffix}.json") or {}
        if "keys" in stored and stored.get("reference") == data["reference"]:
            keys = stored["keys"]
        else:
            keys = _keys(course, secret)
            _store(stamp, {"keys": keys, "reference": data["reference"]}, suffix)
    return _part_keys(keys)


def _part_keys(keys: Mapping[str, Any]) -> Mapping[str, Mapping[str, PartKeys]]:
    return {
        exercise: {part: PartKeys.from_json(value) for part, value in parts.items()} for exercise, parts in keys.items()
    }
