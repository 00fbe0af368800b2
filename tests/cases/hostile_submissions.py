"""What careless and hostile students hand in: each case fills one student's folder. Nothing here may cost anyone else.

`statuses` are those that the submission may end with. `graded` stands where the file is odd and yet can be read: its
answers are then marked like any others.
"""

import io
import os
import socket
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

GOOD = "answers:\n  q4-batched-matmul:\n    flops: 2BDF\n    leading: 2\n"
CANARY = "PWNED"  # a file of this name anywhere means that something was executed


@dataclass(frozen=True)
class Hostile:
    """One case: `make` fills the folder, which exists and is empty. `folder` is its name where that is the attack."""

    name: str
    make: Callable[[Path], object]
    statuses: tuple[str, ...]
    folder: bytes = b""


def _body(name: str, data: bytes | str, *statuses: str, file: str = "answers.yaml") -> Hostile:
    content = data.encode() if isinstance(data, str) else data
    return Hostile(name, lambda folder: (folder / file).write_bytes(content), statuses or ("unreadable",))


def _bodies() -> Iterator[Hostile]:
    """Files of answers that are none, or that ask for more than reading."""
    yield _body("empty file", "", "missing")
    yield _body("only a comment", "# q4: 2BDF\n", "missing")
    yield _body("a list at the top", "- 243\n- 2*B\n")
    yield _body("one word", "done\n")
    yield _body("two documents", GOOD + "---\n" + GOOD, "graded", "unreadable")
    yield _body("duplicate keys", GOOD + "    flops: 4BDF\n", "graded")
    yield _body("tabs", GOOD.replace("    ", "\t\t"), "graded", "unreadable")
    yield _body("nested answers", GOOD.replace("2BDF", "{value: {value: 2BDF}}"), "graded")
    yield _body("marks for oneself", GOOD + "score: 100\nmax_score: 100\nstatus: correct\npoints: 30\n", "graded")
    yield _body("an id that is a path", "student: ../../../../tmp/other\n" + GOOD, "graded")
    yield _body("an id that is markup", "student: <script>alert(1)</script>\n" + GOOD, "graded")
    yield _body("key that is a list", "? [a, b]\n: 1\n", "graded", "unreadable")
    yield _body("merge key", "base: &b {q1: 1}\nanswers:\n  <<: *b\n", "graded", "unreadable")
    yield _body("billion laughs", _laughs(), "graded", "unreadable")
    yield _body("alias of itself", "a: &a [*a]\n", "graded", "unreadable", "missing")
    yield _body("deep brackets", "a: " + "[" * 1000 + "]" * 1000, "graded", "unreadable")
    yield _body("brackets never closed", "[" * 20_000)
    yield _body("a flood of dashes", "- " * 20_000 + "a")
    yield _body("200,000 keys", "".join(f"k{i}: 1\n" for i in range(200_000)))
    yield _body("many keys in few bytes", "".join(f"k{i}: 1\n" for i in range(6_000)))
    yield _body("a number of 60,000 binary digits", "q4:\n  flops: 0b" + "1" * 60_000, "graded")
    yield _body("sexagesimal digits without end", "q4:\n  flops: " + ":".join(["59"] * 2000), "graded")
    yield _body("a tag that runs a command", f'q4:\n  flops: !!python/object/apply:os.system ["touch {CANARY}"]\n',
                "graded", "unreadable")  # fmt: skip
    yield _body("a tag that names a function", "q4:\n  flops: !!python/name:os.system\n", "graded", "unreadable")
    yield _body("binary tag", "q4:\n  flops: !!binary aGVsbG8=\n", "graded", "unreadable")
    yield _body("tag of a wrong value", 'q4:\n  flops: !!int "12x"\n  bytes: !!timestamp x\n', "graded", "unreadable")
    yield _body("include", "q4:\n  flops: !include /etc/passwd\n", "graded", "unreadable")
    yield _body("a directive of another version", "%YAML 9.9\n---\n" + GOOD, "graded", "unreadable")
    code = f"__import__('os').system('touch {CANARY}')"
    yield _body("Python in the answers", f"q4:\n  flops: {code}\n  bytes: '{{{{7*7}}}}'\n", "graded")
    yield _body("powers of powers", "q4:\n  flops: 9^9^9^9\n  bytes: factorial(10^7)\n  leading: 1e400\n", "graded")
    yield _body("a bracket 5,000 deep", "q4:\n  flops: " + "(" * 5_000 + "B" + ")" * 5_000 + "\n", "graded")
    yield _body("a sum of 10,000 terms", "q4:\n  flops: " + "+".join(["B"] * 10_000) + "\n", "graded")
    yield _body("terminal and browser", 'q4:\n  flops: "\\e[31m\\e]0;x\\a<img src=x onerror=alert(1)>"\n', "graded")


def _laughs() -> str:
    rows = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    rows += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    return "\n".join(rows)


def _encodings() -> Iterator[Hostile]:
    yield _body("byte order mark", "\ufeff" + GOOD, "graded")
    yield _body("CRLF", GOOD.replace("\n", "\r\n"), "graded")
    yield _body("old Western code page", b"student: Jos\xe9\n" + GOOD.encode(), "graded", "unreadable")
    yield _body("NUL", b"q4:\n  flops: 1\x00\n")
    yield _body("UTF-16 with a mark", GOOD.encode("utf-16"), "graded")
    yield _body("UTF-16 without a mark", GOOD.encode("utf-16-le"))
    yield _body("overlong UTF-8", b"q4:\n  flops: \xc0\xaf\n", "graded", "unreadable")
    yield _body("gzip", b"\x1f\x8b\x08\x00" + b"x" * 100)
    yield _body("a zip of that name", b"PK\x03\x04" + b"x" * 100)
    yield _body("random bytes", bytes((i * 97 + 13) % 251 for i in range(4_000)))
    yield _body("full-width colons", "q4：\n  flops：2BDF\n", "graded", "unreadable")
    yield _body("half a surrogate pair", '{"answers": {"q4": {"flops": "\\ud800"}}}', "graded", file="answers.json")
    numbers = '{"q4": {"flops": NaN, "bytes": 1e999, "leading": ' + "9" * 5000 + "}}"
    yield _body("JSON with NaN and big numbers", numbers, "graded", file="answers.json")
    yield _body("JSON 100,000 deep", '{"a":' * 100_000, file="answers.json")


def _kinds() -> Iterator[Hostile]:
    """What stands where a file of answers is due and is none."""

    def linked(target: str) -> Callable[[Path], object]:
        return lambda folder: (folder / "answers.yaml").symlink_to(target)

    yield Hostile("a pipe", lambda folder: os.mkfifo(folder / "answers.yaml"), ("unreadable",))
    for target in ("/dev/zero", "/dev/urandom", "/proc/self/environ", "/etc/passwd", "/dev/stdin", "answers.yaml"):
        yield Hostile(f"a link to {target}", linked(target), ("unreadable",))
    yield Hostile("a folder of that name", lambda folder: (folder / "answers.yaml").mkdir(), ("unreadable",))
    yield Hostile("10 GiB of nothing", _sparse, ("unreadable",))
    yield Hostile("a socket", _socket, ("unreadable",))
    yield Hostile("a link to the root folder beside the answers", _with_link, ("graded",))
    yield Hostile("a hard link", _hard_link, ("graded",))
    yield Hostile("an empty folder", lambda _: None, ("missing",))
    yield Hostile("two candidates", _two_files, ("duplicate",))
    yield Hostile("a table that is a pipe", _piped_table, ("graded",))


def _sparse(folder: Path) -> None:
    with (folder / "answers.yaml").open("wb") as file:
        file.truncate(10 << 30)


def _socket(folder: Path) -> None:
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(folder)  # the path of a socket may not be long
        with closing(socket.socket(socket.AF_UNIX)) as end:
            end.bind("answers.yaml")
    finally:
        os.fchdir(here)
        os.close(here)


def _with_link(folder: Path) -> None:
    (folder / "sub").symlink_to("/")
    (folder / "answers.yaml").write_text(GOOD)


def _hard_link(folder: Path) -> None:
    (folder / "notes.txt").write_text(GOOD)
    os.link(folder / "notes.txt", folder / "answers.yaml")


def _two_files(folder: Path) -> None:
    (folder / "a.yaml").write_text(GOOD)
    (folder / "b.yaml").write_text(GOOD)


def _piped_table(folder: Path) -> None:
    (folder / "answers.yaml").write_text(GOOD + "  q3:\n    plot: plot.csv\n")
    os.mkfifo(folder / "plot.csv")


def _archives() -> Iterator[Hostile]:
    """A folder that holds an archive in place of the answers; its members may go nowhere."""
    refused = ("unreadable", "missing", "graded", "duplicate")
    yield _archive("zip slip", [(f"../../{CANARY}", GOOD), ("../answers.yaml", GOOD)], *refused)
    yield _archive("absolute path", [(f"/tmp/{CANARY}", GOOD)], *refused)
    yield _archive("two members of one name", [("answers.yaml", GOOD), ("answers.yaml", GOOD)], *refused)
    yield _archive("control characters in a name", [("a\nb\x1b[2J.yaml", GOOD)], *refused)
    yield _archive("a bomb", [("answers.yaml", "\0" * (64 << 20))], *refused)
    yield _archive("10,000 members", [(f"{i}.txt", "") for i in range(10_000)], *refused)
    yield Hostile("a link in an archive", _zipped_link, refused)
    yield Hostile("a broken archive", lambda f: (f / "s.zip").write_bytes(b"PK\x03\x04" + b"garbage" * 50), refused)
    yield Hostile("an archive in an archive", _nested, refused)


def _archive(name: str, members: list[tuple[str, str]], *statuses: str) -> Hostile:
    def make(folder: Path) -> None:
        with zipfile.ZipFile(folder / "s.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for member, text in members:
                # a member may be there twice; the usual warning of that is no news here
                archive.NameToInfo.pop(member, None)
                archive.writestr(member, text)

    return Hostile(name, make, statuses)


def _zipped_link(folder: Path) -> None:
    with zipfile.ZipFile(folder / "s.zip", "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc")
        archive.writestr("link/passwd", GOOD)


def _nested(folder: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("answers.yaml", GOOD)
    with zipfile.ZipFile(folder / "s.zip", "w") as archive:
        archive.writestr("inner.zip", inner.getvalue())


_NAMES = (
    b"a\nb", b"a\tb\x1b[31m", b"\xff\xfe\x80", b"x..%2f..%2fevil", b"$(touch PWNED)", b"`touch PWNED`",
    b"<img src=x onerror=alert(1)>", b"{{7*7}}", b"CON", b"aux", b"-rf", b"--help", b"=cmd|' !A0", b"x..\\..\\evil",
    b"trailing. ", b"n" * 255, "José".encode(), "Jose\u0301".encode(), "\u202egnp.exe".encode(), b"::error::x",
    b"%s%n{0}", b"NULL", b"index.html", b"results.json",
)  # fmt: skip


def _names() -> Iterator[Hostile]:
    """Good answers in a folder with a bad name."""
    for name in _NAMES:
        yield Hostile(f"the name {name!r}", lambda f: (f / "answers.yaml").write_text(GOOD), ("graded",), name)


def _forged() -> Iterator[Hostile]:
    """Files that a grader might pick up by mistake."""
    code = f'open("{CANARY}", "w")\n'

    def beside(**files: str) -> Callable[[Path], object]:
        def make(folder: Path) -> None:
            (folder / "answers.yaml").write_text(GOOD)
            for name, text in files.items():
                path = folder / name.replace("__", "/").replace("_yaml", ".yaml").replace("_py", ".py")
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)

        return make

    yield Hostile(
        "a module of the grader's own imports", beside(yaml_py=code, json_py=code, grader_py=code), ("graded",)
    )
    yield Hostile("code that the interpreter runs", beside(sitecustomize_py=code, usercustomize_py=code), ("graded",))
    yield Hostile("a course of one's own", beside(course_yaml="id: own\n", mistakes_yaml="x: 1\n"), ("graded",))
    yield Hostile("exercises of one's own", beside(exercises__q1_yaml="solution: 0\n"), ("graded",))
    yield Hostile("results of one's own", _forged_results, ("graded",))


def _forged_results(folder: Path) -> None:
    (folder / "answers.yaml").write_text(GOOD)
    (folder / "results.json").write_text('{"results": [{"student": "x", "points": 100}]}')
    (folder / "grades.sqlite").write_bytes(b"SQLite format 3\0" + b"\0" * 500)


HOSTILE: tuple[Hostile, ...] = (*_bodies(), *_encodings(), *_kinds(), *_archives(), *_names(), *_forged())


def place(case: Hostile, folder: Path, student: str) -> bytes:
    """Make the case below `folder`, as `student` unless its own name is the attack; the name of its folder."""
    name = case.folder or student.encode()
    own = os.path.join(os.fsencode(folder), name)
    os.makedirs(own)
    case.make(Path(os.fsdecode(own)))
    return name
