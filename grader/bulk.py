"""Grading a class: in worker processes, into a store that survives whatever happens on the way."""

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

import grader
from grader.bundle import Bundle
from grader.course import LoadedCourse, digests, outline, require_keys
from grader.pool import Failed, Limits, Pool
from grader.results import Reveal
from grader.store import Journal
from grader.store.runs import Task
from grader.submission import described
from grader.values import frozen
from grader.worker import fail, head, of_bundle, setup

_COMMIT_SECONDS = 0.2  # what is finished lasts after this long at most


class Watch(Protocol):
    """What is told how a long run goes."""

    def begin(self, what: str, total: int | None) -> None:
        """A stage begins, with so many items (None: not known)."""

    def step(self) -> None:
        """One item is done."""


@frozen(kw_only=True)
class Settings:
    """How to grade a class. `roster` is a file; `jobs` are worker processes. Without `explain` verdicts are all."""

    reveal: Reveal = Reveal.MISTAKE
    jobs: int = 0
    limits: Limits = Limits()
    roster: Path | None = None
    explain: bool = True


@frozen
class Counts:
    """What became of the submissions of one run: those graded now, and those that were as they are already."""

    graded: int
    unchanged: int


@frozen
class _Item:
    """A submission on its way: what tells whether it changed, and what is said of it if the grader fails."""

    stamp: str
    digest: str
    bundle: Bundle


def pool(loaded: LoadedCourse, settings: Settings) -> "Pool[Any]":
    """The worker processes for a course; SpecError if it is a student edition."""
    require_keys(loaded)
    secrets = filter(None, [loaded.course.secret_env])
    message = setup(loaded.folder, settings.reveal, settings.roster, explain=settings.explain)
    return Pool(message, settings.jobs or os.cpu_count() or 1, settings.limits, secrets=secrets)


def task(loaded: LoadedCourse, kind: str, settings: Settings) -> Task:
    """What a run against this course is about."""
    spec, key = digests(loaded)
    policy = loaded.course.policy
    if settings.roster and policy.extensions:
        from grader.roster import read_roster

        roster = read_roster(settings.roster)
        named = {student: roster.find(student) for student in policy.extensions}
        more = {found.id if (found := named[s]) else s: seconds for s, seconds in policy.extensions.items()}
        policy = replace(policy, extensions=more)
    parts = (grader.__version__, spec, key, str(settings.reveal == Reveal.FULL), str(settings.explain))
    return Task(
        kind=kind,
        grader=grader.__version__,
        spec=spec,
        key=key,
        judged=blake2b("\0".join(parts).encode(), digest_size=16).hexdigest(),
        reveal=str(settings.reveal),
        outline=outline(loaded.course),
        policy=policy,
        folder=str(loaded.folder.resolve()),
        explained=settings.explain,
    )


def grade_into(
    journal: Journal,
    bundles: Iterable[Bundle],
    settings: Settings,
    workers: "Pool[Any]",
    watch: Watch,
    *,
    roots: Iterable[str] = (),
) -> Counts:
    """Grade what was handed in and is not in the store already; what is finished lasts, whatever happens then.

    The run must have begun. What the store has from under one of `roots` and is there no more counts no longer.
    """
    if settings.roster:
        from grader.roster import read_roster

        journal.enrol(read_roster(settings.roster).students)
    unchanged = graded = 0
    committed = time.monotonic()
    whose = blake2b(settings.roster.read_bytes() if settings.roster else b"").hexdigest()

    def changed() -> Iterator[tuple[_Item, Mapping[str, Any]]]:
        nonlocal unchanged
        for bundle in bundles:
            item = _Item(stamp(bundle, whose), bundle.digest, replace(bundle, content=b"", attachments={}))
            journal.see(bundle.source)
            if journal.known(bundle.source, item.stamp):
                unchanged += 1
                watch.step()
            else:
                yield item, of_bundle(bundle)

    for item, found in workers.run(changed(), idle=journal.commit):
        if isinstance(found, Failed):
            journal.put(item.stamp, [_failed(item, found)], None)
        else:
            journal.put(item.stamp, found["graded"], found["worker"])
        graded += 1
        watch.step()
        if time.monotonic() - committed > _COMMIT_SECONDS:
            journal.commit()
            committed = time.monotonic()
    gone = journal.forget_unseen(roots)
    journal.finish(changed=graded + gone > 0)
    return Counts(graded, unchanged)


def _failed(item: _Item, found: Failed) -> Mapping[str, Any]:
    whose = described(item.bundle, student=item.bundle.key or item.bundle.source)
    return fail(head(replace(whose, digest=item.digest)), found.reason)


def stamp(bundle: Bundle, roster: str = "") -> str:
    """What tells whether anything changed of what the source and the roster say of a submission."""
    told = (bundle.digest, bundle.key, bundle.named, bundle.name, bundle.members, bundle.attempt,
            sorted(bundle.times.items()), bundle.late, bundle.remarks, roster)  # fmt: skip
    return blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
