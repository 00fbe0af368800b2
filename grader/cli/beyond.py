"""Grading beyond one machine: on a cluster, and into part files in place of a store."""

import logging
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from grader.cli.common import say

if TYPE_CHECKING:
    from grader.bulk import Settings
    from grader.cluster import ClusterPool
    from grader.course import LoadedCourse
    from grader.folders import Folder
    from grader.parts import Maker
    from grader.pool import Pool
    from grader.sources.candidate import Candidate

_STORE = {"output": "-o", "form": "--format", "pass_mark": "--pass-mark"}


def refuse(given: dict[str, Any]) -> None:
    """UsageError for what needs a store where part files are asked for."""
    for name, option in _STORE.items():
        if given.get(name):
            raise click.UsageError(f"--parquet writes part files in place of a store and reports: leave out {option}")


def workers(
    own: "Pool[Any]", course: "LoadedCourse", settings: "Settings", cluster: str | None
) -> AbstractContextManager[Any]:
    """What grades: the workers of a cluster, or those here, which go on to make the pages."""
    if cluster is None:
        return nullcontext(own)
    return _cluster(cluster, course, settings, None)


def write_parquet(
    found: Iterator["Candidate"], course: "LoadedCourse", settings: "Settings", place: str, cluster: str | None
) -> int:
    """Grade into part files, print what they come to, and give the exit code."""
    from grader.bulk import task
    from grader.cli.progress import watch
    from grader.exports.output import library
    from grader.folders import folder
    from grader.parts import chunks, write_parts

    library("pyarrow", "parquet")
    where, shown = folder(place), watch()
    judged = task(course, "grade", settings).judged
    with _maker(course, settings, where, cluster) as maker:
        shown.begin("Graded", None)
        tally = write_parts(where, chunks((candidate.bundle() for candidate in found), judged), maker, shown)
        shown.end()
    for status, number in tally.statuses.items():
        say(f"{number:8,} {status}")
    total = sum(tally.statuses.values())
    say(f"{total:8,} submissions; {tally.written} part files written, {tally.there} there already")
    return 3 if tally.statuses.keys() & {"unreadable", "duplicate", "failed"} else 0


def _maker(
    course: "LoadedCourse", settings: "Settings", where: "Folder", cluster: str | None
) -> "AbstractContextManager[Maker]":
    if cluster is None:
        from grader.parts import LocalMaker

        return LocalMaker(course, settings)
    return _cluster(cluster, course, settings, where)


def _cluster(address: str, course: "LoadedCourse", settings: "Settings", where: "Folder | None") -> "ClusterPool[Any]":
    from grader.cluster import ClusterPool

    pool = ClusterPool[Any](address, course, settings, place=where)
    if not os.environ.get("GRADER_DEBUG"):  # what goes wrong is told in our words
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    return pool
