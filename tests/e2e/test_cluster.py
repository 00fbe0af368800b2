"""The same work beyond one machine: on a real cluster of two workers, from URLs, and into part files."""

import gzip
import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.e2e.clusters import Cluster, started, write_rows
from tests.e2e.conftest import GRADER, Run
from tests.tiny import write as write_tiny

pytest.importorskip("distributed", reason="the extra `cluster` isn't installed")
pytest.importorskip("fsspec", reason="the extra `cluster` isn't installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `parquet` isn't installed")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

from grader.cluster import ClusterPool  # noqa: E402
from grader.course import LoadedCourse  # noqa: E402
from grader.errors import GraderError, SubmissionError  # noqa: E402
from grader.parts import chunked  # noqa: E402
from grader.sources.finding import find  # noqa: E402


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Cluster]:
    """The cluster of all tests here."""
    yield from started(tmp_path_factory.mktemp("cluster"), cache)


def results(output: Path) -> bytes:
    """What a run made of its class."""
    return (output / "results.json").read_bytes()


def statuses(output: Path) -> dict[str, str]:
    """The status of each student."""
    return {result["student"]: result["status"] for result in json.loads(results(output))["results"]}


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until it holds."""
    end = time.monotonic() + 40
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


def table(folder: Path) -> list[dict[str, Any]]:
    """The rows of all part files, by student and exercise as an export has them."""
    rows = [row for path in folder.glob("*.parquet") for row in parquet.read_table(path).to_pylist()]
    return sorted(rows, key=lambda row: row["student"])


# --- the cluster


def test_a_worker_that_is_killed_in_the_middle_changes_nothing(grader: Run, cluster: Cluster, tmp_path: Path) -> None:
    write_rows(tmp_path / "class.jsonl", 80)
    local = grader("grade", "class.jsonl", "-o", "local", "--format", "txt", "--jobs", "2")
    assert local.returncode == 0
    before = len(cluster.busy())
    run = subprocess.Popen(
        [str(GRADER), "grade", "class.jsonl", "-o", "far", "--format", "txt", "--cluster", cluster.address],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_for(lambda: len(cluster.busy()) > before + 3)
    victim = cluster.busy()[-1]
    os.kill(victim, signal.SIGKILL)
    _, complaints = run.communicate(timeout=60)
    assert run.returncode == 0, complaints
    assert set(cluster.busy()[before:]) - {victim}, "nobody else did anything"
    assert results(tmp_path / "far") == results(tmp_path / "local")
    again = grader("grade", "class.jsonl", "-o", "far", "--format", "txt", "--cluster", cluster.address)
    assert "0 graded now, 80 unchanged" in again.stdout


def test_who_kills_workers_again_and_again_or_hangs_fails_alone(grader: Run, cluster: Cluster, tmp_path: Path) -> None:
    write_rows(tmp_path / "class.jsonl", 24, "killer", "hang")
    given = ("--cluster", cluster.address, "--time-limit", "1", "--format", "json")
    run = grader("grade", "class.jsonl", *given)
    assert run.returncode == 3, run.stderr
    found = {result["student"]: result for result in json.loads(run.stdout)["results"]}
    assert "the workers that tried it died" in found["killer"]["message"]
    assert "it took more than 1 s" in found["hang"]["message"]
    assert Counter(result["status"] for result in found.values()) == {"graded": 24, "failed": 2}


def test_a_course_with_a_secret_goes_to_workers_that_have_neither(
    grader: Run, cluster: Cluster, tmp_path: Path
) -> None:
    write_tiny(tmp_path / "course")
    secret = "kept-to-ourselves"
    answers = [{"fixed": {"ops": text}, "drawn": {"ops": "4096"}} for text in ("2BDF", "BDF", "BDF +")]
    rows = [{"student": f"s{n}@x.org", "answers": answers[n % 3]} for n in range(30)]
    (tmp_path / "class.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "roster.csv").write_text(
        "student,name,email\n" + "".join(f"id{n},Name {n},s{n}@x.org\n" for n in range(30))
    )
    given = (
        "grade",
        "class.jsonl",
        "--course",
        "course",
        "--roster",
        "roster.csv",
        "--reveal",
        "full",
        "--format",
        "txt",
    )
    local = grader(*given, "-o", "local", "--jobs", "1", env={"TINY_SECRET": secret})
    far = grader(*given, "-o", "far", "--cluster", cluster.address, env={"TINY_SECRET": secret})
    assert (local.returncode, far.returncode) == (0, 0), far.stderr
    assert results(tmp_path / "far") == results(tmp_path / "local")
    assert set(statuses(tmp_path / "far")) == {f"id{n}" for n in range(30)}
    assert secret not in cluster.told()


def test_no_cluster_is_an_error_that_says_so(grader: Run, tmp_path: Path) -> None:
    write_rows(tmp_path / "class.jsonl", 3)
    run = grader("grade", "class.jsonl", "--cluster", "nowhere")
    assert run.returncode == 2
    assert "nowhere: no Dask scheduler answers here" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("arguments", "library"),
    [(("class.jsonl", "--cluster", "tcp://127.0.0.1:1"), "dask"), (("s3://bucket/class.jsonl",), "fsspec")],
)
def test_a_missing_library_is_told_with_the_extra_that_has_it(
    grader: Run, tmp_path: Path, arguments: tuple[str, ...], library: str
) -> None:
    write_rows(tmp_path / "class.jsonl", 3)
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "sitecustomize.py").write_text("import sys\nsys.modules.update(distributed=None, fsspec=None)\n")
    run = grader("grade", *arguments, env={"PYTHONPATH": str(blocked)})
    assert run.returncode == 2
    assert f"the library {library}: pip install 'roofline-grader[cluster]'" in run.stderr.replace("\n", " ")


def test_chunks_follow_from_the_items_alone_and_are_small_at_first() -> None:
    def lengths() -> list[int]:
        items = ((number, {"bundle": {"content": "x" * 100, "attachments": {}}}) for number in range(10_000))
        return [len(group) for group in chunked(items)]

    assert lengths() == lengths()
    assert lengths()[0] == 8
    assert max(lengths()) == 256
    assert sum(lengths()) == 10_000
    large = ((number, {"bundle": {"content": "x" * (1 << 19), "attachments": {}}}) for number in range(9))
    assert [len(group) for group in chunked(large)] == [2, 2, 2, 2, 1]


def test_only_so_much_is_under_way_however_many_there_are(cluster: Cluster, tiny: LoadedCourse) -> None:
    from grader.bulk import Settings
    from grader.bundle import Bundle
    from grader.cluster import ClusterPool
    from grader.worker import of_bundle

    taken = 0

    def items() -> Iterator[tuple[int, Any]]:
        nonlocal taken
        while True:
            bundle = Bundle(source=f"c:{taken}", key=f"s{taken}", file="answers.json", content=b'{"answers": {}}')
            yield taken, of_bundle(bundle)
            taken += 1

    with ClusterPool[int](cluster.address, tiny, Settings()) as pool:
        for seen, _ in enumerate(pool.run(items()), 1):
            assert taken - seen <= 8 * 8
            if seen == 80:
                break


# --- URLs


def test_files_by_url_are_read_as_those_on_disk(tmp_path: Path) -> None:
    write_rows(tmp_path / "a-1.jsonl", 20)
    second = (tmp_path / "a-1.jsonl").read_bytes().replace(b'"s00', b'"t00')
    (tmp_path / "a-2.jsonl.gz").write_bytes(gzip.compress(second))
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a-2.jsonl").write_bytes(second)
    by_url = [candidate.bundle() for candidate in find([f"file://{tmp_path}/a-*"])]
    by_path = [candidate.bundle() for candidate in find([tmp_path / "a-1.jsonl", tmp_path / "plain" / "a-2.jsonl"])]
    assert [by_url[place].source for place in (0, 39)] == [
        f"file://{tmp_path}/a-1.jsonl:1",
        f"file://{tmp_path}/a-2.jsonl.gz:20",
    ]
    assert [replace(bundle, source="") for bundle in by_url] == [replace(bundle, source="") for bundle in by_path]


@pytest.fixture
def memory() -> Iterator[Any]:
    """A storage in memory, empty."""
    import fsspec

    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()


def test_tables_and_lines_are_found_wherever_fsspec_reaches(memory: Any) -> None:
    memory.pipe_file("/b/wide.csv", b"student,q4.flops\nann,2BDF\nbob,BDF\n")
    memory.pipe_file("/b/long.csv.gz", gzip.compress(b"student,part,response\neve,flops,2\ndan,flops,3\neve,bytes,1\n"))
    memory.pipe_file("/b/rows.ndjson", b'{"student": "joe", "answers": {}}\nbroken\n')
    found = [(c.source, c.key) for c in find(["memory://b/wide.csv", "memory://b/long.csv.gz", "memory://b/*.ndjson"])]
    assert found == [
        ("memory:///b/wide.csv:2", "ann"),
        ("memory:///b/wide.csv:3", "bob"),
        ("memory:///b/long.csv.gz:3", "dan"),
        ("memory:///b/long.csv.gz:2", "eve"),
        ("memory:///b/rows.ndjson:1", "joe"),
        ("memory:///b/rows.ndjson:2", "rows.ndjson:2"),
    ]


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("memory://b/none.jsonl", "there is no such file"),
        ("memory://b/*.csv", "there is no such file"),
        ("memory://b", "this is a folder; name the files in it, such as memory:///b/*.jsonl"),
        ("memory://b/answers.yaml", "expected are files of rows"),
        ("memory://b/cut.jsonl.gz", "reading was broken off"),
        ("memory://b/roster.tsv", "this table names no students and parts"),
    ],
)
def test_what_a_url_does_not_give_is_told(memory: Any, url: str, complaint: str) -> None:
    memory.pipe_file("/b/answers.yaml", b"answers: {}\n")
    memory.pipe_file("/b/roster.tsv", b"name\nann\n")
    memory.pipe_file("/b/cut.jsonl.gz", gzip.compress(os.urandom(1000))[:500])
    with pytest.raises(SubmissionError, match=r"^memory:///b") as told:
        list(find([url]))
    assert complaint in str(told.value)


@pytest.mark.parametrize("url", ["nope://bucket/class.jsonl", "nope::file://class.jsonl"])
def test_a_scheme_that_nobody_knows_is_told(url: str) -> None:
    with pytest.raises(GraderError, match="this can't be opened"):
        list(find([url]))


def test_a_path_that_is_there_stays_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s3:" / "bucket").mkdir(parents=True)
    write_rows(tmp_path / "s3:" / "bucket" / "class.jsonl", 2)
    assert [c.key for c in find(["s3://bucket/class.jsonl"])] == ["s0000", "s0001"]


def test_credentials_in_a_url_are_not_shown() -> None:
    from grader.sources.remote import named

    class System:
        @staticmethod
        def unstrip_protocol(path: str) -> str:
            return path

    shown = named(System, "https://ann:secret@example.org/class.jsonl?signature=secret")
    assert shown == "https://example.org/class.jsonl"


# --- part files


def test_part_files_say_what_the_export_says_wherever_they_are_made(
    grader: Run, cluster: Cluster, tmp_path: Path
) -> None:
    write_rows(tmp_path / "class.jsonl", 40)
    (tmp_path / "roster.csv").write_text("student,name,email\ns0003,Name 3,three@x.org\ns0039,Name,last@x.org\n")
    given = ("grade", "class.jsonl", "--roster", "roster.csv")
    run = grader(*given, "--parquet", "parts", "--jobs", "2")
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        "      40 graded",
        "      40 submissions; 5 part files written, 0 there already",
    ]
    assert grader(*given, "-o", "out", "--no-reports").returncode == 0
    assert grader("export", "out", "--to", "parquet", "-o", "book.parquet").returncode == 0
    book, rows = parquet.read_table(tmp_path / "book.parquet").to_pylist(), table(tmp_path / "parts")
    assert [{name: row[name] for name in book[0]} for row in rows] == book
    assert rows[0]["source"] == "class.jsonl:1"
    assert rows[0]["times"] == [("lms", "2026-03-01T10:00:00+00:00")]
    assert len(rows[0]["digest"]) == 64
    far = grader(*given, "--parquet", f"file://{tmp_path}/far", "--cluster", cluster.address)
    assert far.stdout == run.stdout, far.stderr
    made = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("parts", "far")]
    assert made[0] == made[1]


def test_a_second_run_makes_only_the_part_files_that_are_missing(grader: Run, tmp_path: Path) -> None:
    write_rows(tmp_path / "class.jsonl", 20)
    url = f"file://{tmp_path}/class.jsonl"
    first = grader("grade", url, "--parquet", "parts")
    assert "3 part files written" in first.stdout, first.stderr
    gone, torn, kept = sorted((tmp_path / "parts").iterdir())
    whole = {path: path.read_bytes() for path in (gone, torn, kept)}
    gone.unlink()
    torn.write_bytes(whole[torn][:-1])
    moment = kept.stat().st_mtime_ns
    again = grader("grade", url, "--parquet", "parts")
    assert again.stdout.splitlines() == [
        "      20 graded",
        "      20 submissions; 2 part files written, 1 there already",
    ]
    assert {path: path.read_bytes() for path in (tmp_path / "parts").iterdir()} == whole
    assert kept.stat().st_mtime_ns == moment


def test_part_files_and_a_store_are_not_written_at_once(grader: Run, tmp_path: Path) -> None:
    write_rows(tmp_path / "class.jsonl", 3)
    for option in (("-o", "out"), ("--pass-mark", "10"), ("--format", "txt")):
        run = grader("grade", "class.jsonl", "--parquet", "parts", *option)
        assert run.returncode == 2
        assert f"leave out {option[0]}" in run.stderr.replace("\n", " ")
    assert not (tmp_path / "parts").exists()


def test_part_files_go_wherever_fsspec_reaches(
    memory: Any, tiny: LoadedCourse, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    from grader.bulk import Settings
    from grader.cli.progress import Quiet
    from grader.folders import folder
    from grader.parts import LocalMaker, chunks, write_parts

    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    memory.pipe_file("/in/class.csv", b"student,fixed.ops\nann,2BDF\nbob,BDF\n")
    tallies = []
    for _ in range(2):
        bundles = (candidate.bundle() for candidate in find(["memory://in/class.csv"]))
        with LocalMaker(tiny, Settings(jobs=1)) as maker:
            tallies.append(write_parts(folder("memory://out/parts"), chunks(bundles, "judged"), maker, Quiet()))
    assert [(tally.statuses, tally.written, tally.there) for tally in tallies] == [
        ({"graded": 2}, 1, 0),
        ({"graded": 2}, 0, 1),
    ]
    (name,) = memory.ls("/out/parts", detail=False)
    rows = parquet.read_table(memory.open(name)).to_pylist()
    assert {row["student"] for row in rows} == {"ann", "bob"}


class Remade:
    """A result that a worker had in its memory when it died, and that another one makes again."""

    status = "lost"

    def result(self) -> str:
        assert self.status == "finished"
        return "made again"


def test_a_result_that_died_with_its_worker_is_waited_for_while_it_is_made_again() -> None:
    pool: Any = ClusterPool.__new__(ClusterPool)
    looks: list[str] = []

    def wait(future: Remade, timeout: float) -> None:
        if len(looks) < 2:
            raise TimeoutError
        future.status = "finished"

    pool._address, pool._threads, pool._heard = "tcp://here", 0, time.monotonic()
    pool._distributed = SimpleNamespace(wait=wait, KilledWorker=KeyError)
    pool._client = SimpleNamespace(status="running", nthreads=lambda: looks.append("") or {"one": 1})
    assert pool._result(Remade()) == "made again"
    assert len(looks) == 2
