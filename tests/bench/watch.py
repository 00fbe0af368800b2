"""Runs a program and watches it: wall time, CPU time, and the memory of the process and all that it starts."""

import os
import subprocess
import sysconfig
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GRADER = Path(sysconfig.get_path("scripts")) / "grader"
# with it every module would be compiled anew in every process
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Watched:
    """What a run took: seconds, and megabytes of all its processes by the moment (0..1 of the wall time)."""

    code: int
    out: str
    wall: float
    cpu: float
    memory: tuple[tuple[float, float], ...]

    @property
    def peak(self) -> float:
        """The most memory at any one moment, in MB; what processes share is counted once."""
        return max((size for _, size in self.memory), default=0.0)

    def at(self, share: float) -> float:
        """Memory at this share of the wall time: the median of what was sampled around it, in MB."""
        near = sorted(size for moment, size in self.memory if abs(moment - share) <= 0.05)
        return near[len(near) // 2] if near else 0.0


def watch(
    arguments: Sequence[str | Path], *, environment: Mapping[str, str] = ENVIRONMENT, every: float = 0.1
) -> Watched:
    """Run `grader` with these arguments to its end."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(GRADER), *map(str, arguments)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
    )  # fmt: skip
    samples: list[tuple[float, float]] = []
    done = threading.Event()
    sampler = threading.Thread(target=_sample, args=(process.pid, start, samples, done, every))
    sampler.start()
    text = bytearray()
    reader = threading.Thread(target=_drain, args=(process, text.extend))
    reader.start()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    done.set()
    sampler.join()
    reader.join()
    return Watched(
        code=process.returncode,
        out=text.decode("utf-8", "replace"),
        wall=wall,
        cpu=usage.ru_utime + usage.ru_stime,  # with those of all the children that it waited for
        memory=tuple((moment / wall, size) for moment, size in samples),
    )


def _drain(process: "subprocess.Popen[bytes]", keep: Callable[[bytes], object]) -> None:
    assert process.stdout is not None
    with process.stdout as pipe:
        while data := pipe.read1(1 << 16):  # type: ignore[attr-defined]
            keep(data)


def _sample(pid: int, start: float, samples: list[tuple[float, float]], done: threading.Event, every: float) -> None:
    while not done.is_set():
        samples.append((time.perf_counter() - start, sum(map(_megabytes, family(pid)))))
        done.wait(every)


def family(pid: int) -> list[int]:
    """The process and all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found = [pid]
    for member in found:
        found += children.get(member, [])
    return found


def _megabytes(pid: int) -> float:
    """The proportional share of memory that the process has, in MB; 0 if it is gone."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024 / 1e6
    except OSError:
        pass
    return 0.0
