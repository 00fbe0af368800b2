"""What GitHub's runner, GitHub Classroom's reporter and Classroom 50 make of what a job says: oracles."""

import re
from typing import Any

REGISTERED = {
    "error", "warning", "notice", "debug", "group", "endgroup", "echo", "add-mask", "add-matcher", "remove-matcher",
    "add-path", "set-env", "set-output", "save-state", "stop-commands", "internal-set-repo-path",
}  # fmt: skip
ESCAPES = (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))

Command = tuple[str, dict[str, str], str]


def unescaped(text: str, *, data: bool = False) -> str:
    for code, char in ESCAPES[2 if data else 0 :]:
        text = text.replace(code, char)
    return text


def command(line: str, names: set[str] = REGISTERED) -> Command | None:
    """The command in a line of the log: `::name ...::data` at its beginning, else `##[name ...]data` anywhere."""
    trimmed = line.lstrip()
    if trimmed.startswith("::") and "::" in trimmed[2:]:
        head, _, data = trimmed[2:].partition("::")
        if found := _command(head, data, ",", names):
            return found
    _, sign, rest = line.partition("##[")
    head, closing, data = rest.partition("]")
    return _command(head, data, ";", names) if sign and closing else None


def _command(head: str, data: str, separator: str, names: set[str]) -> Command | None:
    name, _, rest = head.partition(" ")
    if name.lower() not in {each.lower() for each in names}:
        return None
    pairs = (pair.strip().partition("=") for pair in rest.split(separator) if pair.strip())
    return name, {key: unescaped(value) for key, _, value in pairs}, unescaped(data, data=True)


def commands(log: str, *, honour_stop: bool = True) -> list[Command]:
    """The commands of a whole log, those between `stop-commands` and its token left out."""
    found: list[Command] = []
    token = ""
    for line in re.split(r"\r\n|\n|\r", log):
        one = command(line, {token} if token else REGISTERED)
        if one is None:
            continue
        if token:
            token = ""
        elif one[0] == "stop-commands" and honour_stop:
            token = one[2]
        found.append(one)
    assert not token, "commands are never switched on again"
    return found


def outputs(text: str) -> dict[str, str]:
    """The outputs in a file of `name=value` and `name<<delimiter` lines."""
    found: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        name, equals, value = line.partition("=")
        if "<<" in line and (not equals or line.index("<<") < line.index("=")):
            name, _, delimiter = line.partition("<<")
            block = []
            for each in lines:
                if each == delimiter:
                    break
                block.append(each)
            value = "\n".join(block)
        else:
            assert equals, line
        found[name] = value
    return found


def reported(result: dict[str, Any]) -> tuple[float, float, float]:
    """What the reporter shows of a result: points in its table, points in its annotation, and out of how many."""
    tests = result["tests"]
    passed = sum(test["status"] == "pass" for test in tests)
    assert result["status"] in ("pass", "fail", "error")
    for test in tests:
        assert set(test) == {"name", "status", "score", "message", "test_code", "filename", "line_no"}
        assert test["status"] in ("pass", "fail", "error")
        assert type(test["score"]) is int
        assert (test["line_no"], test["test_code"]) == (0, "")
        assert test["name"]
        assert test["name"].isprintable()
    assert type(result["max_score"]) is int
    return passed / len(tests) * result["max_score"], sum(test["score"] for test in tests), result["max_score"]


_KEYS = {
    "schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release", "review",
    "datetime", "score", "max-score", "tests",
}  # fmt: skip


def refused_by_classroom50(result: dict[str, Any]) -> str:
    """Why Classroom 50 would refuse a result; "" for one that it takes."""
    if not _KEYS <= set(result) <= _KEYS | {"graded_at", "submitted_by"}:
        return "keys"
    if result["schema"] != "classroom50/result/v1" or result["assignment_type"] not in ("individual", "group", "team"):
        return "schema"
    texts = ("classroom", "assignment", "owner", "submission", "commit", "release", "review")
    if not all(isinstance(result[key], str) and result[key] for key in texts):
        return "texts"
    if not re.match(r"submit/", result["submission"]):
        return "tag"
    times = [result["datetime"], *([result["graded_at"]] if "graded_at" in result else [])]
    if not all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", time) for time in times):
        return "times"
    if not all(_scores(each) for each in (result, *result["tests"])):
        return "scores"
    if not all(isinstance(test.get("test-name"), str) and type(test.get("passed")) is bool for test in result["tests"]):
        return "tests"
    whole = tuple(sum(test[key] for test in result["tests"]) for key in ("score", "max-score"))
    return "" if whole == (result["score"], result["max-score"]) else "sum"


def _scores(each: dict[str, Any]) -> bool:
    score, most = each.get("score"), each.get("max-score")
    return type(score) is int and type(most) is int and 0 <= score <= most
