"""Puts a worker of the tests' own in the place of the real one: a module `grader` on the path before ours, whose
`grader.worker` does what each message says. Nothing of ours runs in it."""

from pathlib import Path

WORKER = """
import json, os, signal, sys, time

def read():
    head = sys.stdin.buffer.read(4)
    return json.loads(sys.stdin.buffer.read(int.from_bytes(head, "big"))) if len(head) == 4 else None

def write(message):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(len(body).to_bytes(4, "big") + body)
    sys.stdout.buffer.flush()

setup = read()
if setup.get("start") == "exit":
    os._exit(7)
if setup.get("start") == "hang":
    time.sleep(600)
write({"error": "the course is broken"} if setup.get("start") == "error" else {"ready": True})
number = 0
while (message := read()) is not None:
    number += 1
    what = message.get("do", "answer")
    if what == "exit":
        os._exit(message.get("code", 0))
    if what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "hang":
        time.sleep(600)
    if what == "nonsense":
        sys.stdout.buffer.write(message["bytes"].encode("latin-1"))
        sys.stdout.buffer.flush()
        time.sleep(message.get("then", 600))
        os._exit(0)
    if what == "sleep":
        time.sleep(message["seconds"])
    if what == "environment":
        write(dict(os.environ))
    elif what == "large":
        write({"text": "x" * message["size"]})
    else:
        write({"saw": message.get("value"), "number": number, "pid": os.getpid(), "megabytes": setup["megabytes"]})
"""


def write_worker(folder: Path) -> Path:
    """The folder to put on PYTHONPATH."""
    package = folder / "grader"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "worker.py").write_text(WORKER, encoding="utf-8")
    return folder
