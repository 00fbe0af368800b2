"""A stand-in for `gh`: the requests that the grader makes, answered from a file, and written down.

Beside it stand hub.json (the repositories and all that was said in them), hub.git (one branch for each repository) and
log, a line a call. `faults` in the file says which answers are to go wrong, `kill` after how many more writes the
caller is killed: when GitHub has done what was asked, and before it could say so.
"""

import json
import os
import sys


def main(here, arguments, given):
    """The exit code and what is said on the two streams; `given` reads the input."""
    with open(os.path.join(here, "hub.json"), encoding="utf-8") as file:
        hub = json.load(file)
    if arguments[:2] == ["repo", "clone"]:
        return clone(here, hub, arguments[2:4], arguments[5:])
    method = arguments[arguments.index("--method") + 1]
    path = next(text for text in arguments[1:] if text.partition("/")[0] in ("user", "orgs", "repos"))
    note(here, f"{method} {path}")
    body = json.loads(given()) if "--input" in arguments else None
    left = sum(fault["times"] for fault in hub["faults"])
    status, headers, data = answer(hub, method, path, body)
    if (body is not None and status < 300) or left != sum(fault["times"] for fault in hub["faults"]):
        with open(os.path.join(here, "hub.json.new"), "w", encoding="utf-8") as file:
            json.dump(hub, file)
        os.replace(os.path.join(here, "hub.json.new"), os.path.join(here, "hub.json"))
        if status < 300 and hub["kill"] is not None and hub["kill"] <= 0:
            os.kill(os.getppid(), 9)
    return reply(status, headers, data)


def note(here, line):
    with open(os.path.join(here, "log"), "a", encoding="utf-8") as file:
        file.write(line + "\n")


def reply(status, headers, data):
    if status == 0:
        return 1, "", "error connecting to api.github.com\n"
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    told = f"gh: {data.get('message')} (HTTP {status})\n" if status >= 400 else ""
    return int(status >= 400), f"HTTP/2.0 {status} Whatever\n{head}\r\n{json.dumps(data)}", told


def clone(here, hub, places, flags):
    name, folder = places
    note(here, f"clone {name} {' '.join(flags)}")
    repository = hub["repositories"].get(name, {"unreachable": True})
    if repository.get("unreachable"):
        return 1, "", f"fatal: could not read from https://x:ghp_secret@github.com/{name}.git\n"
    branch = [] if repository.get("empty") else ["--branch", name.partition("/")[2]]
    source = os.path.join(here, "empty.git" if repository.get("empty") else "hub.git")
    return os.execvp("git", ["git", "clone", "-q", *flags, *branch, f"file://{source}", folder])


def answer(hub, method, path, body):
    for fault in hub["faults"]:
        if fault["times"] > 0 and fault["match"] in f"{method} {path}":
            fault["times"] -= 1
            return fault["status"], fault.get("headers", {}), {"message": fault.get("message", "no")}
    where, _, asked = path.partition("?")
    query = dict(pair.split("=") for pair in asked.split("&") if pair)
    parts = where.split("/")
    if parts == ["user"]:
        return 200, {}, {"login": hub["login"]}
    if parts[0] == "orgs":
        return page([{"name": n.partition("/")[2], **r} for n, r in hub["repositories"].items()], query)
    name, rest = "/".join(parts[1:3]), parts[3:]
    repository = hub["repositories"].get(name)
    if repository is None or repository.get("unreachable"):
        return 404, {}, {"message": "Not Found"}
    if body is not None and repository.get("archived"):
        return 403, {"x-ratelimit-remaining": "4000"}, {"message": "Repository was archived so is read-only."}
    if body is not None and hub["kill"] is not None:
        hub["kill"] -= 1
    return inside(hub, repository, rest, query, body)


def page(items, query):
    size, number = int(query.get("per_page", 30)), int(query.get("page", 1))
    more = {"Link": '<https://api.github.com/x>; rel="next"'} if len(items) > size * number else {}
    return 200, more, items[size * (number - 1) : size * number]


def inside(hub, repository, rest, query, body):  # noqa: C901 - a case for each path
    user = {"login": hub["login"]}
    issues, comments = repository["issues"], repository["comments"]
    match rest:
        case []:
            return 200, {}, repository
        case ["activity"]:
            return 200, {}, [{"after": repository["head"], "timestamp": repository["head_pushed_at"]}]
        case ["releases", "tags", tag]:
            found = [
                release for release in repository.get("releases", []) if release["tag_name"] == tag.replace("%2F", "/")
            ]
            return (200, {}, found[0]) if found else (404, {}, {"message": "Not Found"})
        case ["issues"] if body is None:
            return page(issues, query)
        case ["issues"]:
            issues.append({"number": len(issues) + 1, "user": user, "state": "open", **body})
            return 201, {}, issues[-1]
        case ["issues", "comments"]:
            return page(comments, query)
        case ["issues", "comments", which]:
            for comment in comments:
                if comment["id"] == int(which):
                    comment.update(body or {})
                    return 200, {}, comment
            return 404, {}, {"message": "Not Found"}
        case ["issues", thread, "comments"] if body is None:
            return page([c for c in comments if c["thread"] == int(thread)], query)
        case ["issues", thread, "comments"]:
            hub["last"] = hub.get("last", 100) + 1
            comments.append({"id": hub["last"], "thread": int(thread), "user": user, **body})
            return 201, {}, comments[-1]
        case ["commits", commit, "statuses"]:
            return page([s for s in reversed(repository["statuses"]) if s["commit"] == commit], query)
        case ["statuses", commit]:
            if commit not in repository["commits"]:
                return 422, {}, {"message": f"No commit found for SHA: {commit}"}
            repository["statuses"].append({"commit": commit, "creator": user, **body})
            return 201, {}, repository["statuses"][-1]
    return 404, {}, {"message": "Not Found"}


if __name__ == "__main__":
    code, out, err = main(os.path.dirname(os.path.abspath(__file__)), sys.argv[1:], sys.stdin.read)
    sys.stdout.write(out)
    sys.stderr.write(err)
    sys.exit(code)
