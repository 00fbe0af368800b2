"""Makes grading go wrong for students with telling names; put on PYTHONPATH by the tests, nothing of it is shipped.

hang, abort, hog (4 GiB), kill, recursion, memory, exit, interrupt: what happens to a student whose name begins so.
slow: grading takes 20 ms more. If there is a file `log` beside this one, the names of all that are graded go there.
"""

import os
import signal
import sys
import time
from importlib.machinery import PathFinder

LOG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "log")


def _hang():
    while True:
        pass


def _hog():
    return [b"x" * (64 << 20) for _ in range(64)]


def _raise(error):
    raise error


FAULTS = {
    "hang": _hang,
    "abort": os.abort,
    "hog": _hog,
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "recursion": lambda: _raise(RecursionError("too deep")),
    "memory": lambda: _raise(MemoryError()),
    "exit": lambda: sys.exit(0),
    "interrupt": lambda: _raise(KeyboardInterrupt()),
    "slow": lambda: time.sleep(0.02),
}


def _note(student):
    if os.path.exists(LOG):
        descriptor = os.open(LOG, os.O_WRONLY | os.O_APPEND)
        os.write(descriptor, f"{student}\n".encode())
        os.close(descriptor)


def _spoiled(method):
    def spoiled(self, submission, *rest, **named):
        _note(submission.student)
        for name, fault in FAULTS.items():
            if submission.student.startswith(name):
                fault()
        return method(self, submission, *rest, **named)

    return spoiled


class _Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "grader.grading":
            return None
        spec = PathFinder.find_spec(name, path, target)
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            # `examined` is a generator in front of which nothing happens before its first step; `matched` comes first
            module.Grader.matched = _spoiled(module.Grader.matched)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, _Finder)
