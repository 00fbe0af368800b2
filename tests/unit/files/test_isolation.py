"""Reading what students hand in runs nothing of it, opens nothing else, and stays light."""

import json
import subprocess
import sys
from pathlib import Path

import yaml

CASES = Path(__file__).parents[2] / "cases"
ROOT = Path(__file__).parents[3]

WATCHED = """
import json, sys
from grader.submission import read_answers
from grader.errors import SubmissionError
texts = json.load(sys.stdin)
def read():
    for text in texts:
        for name in ("a.yaml", "a.json", "a.toml", "a.csv", "a.md", "a.ipynb", "a.txt"):
            try:
                read_answers(text, name)
            except SubmissionError:
                pass
read()  # once, so that everything is imported
events = []
BAD = ("exec", "compile", "import", "open", "os.", "subprocess.", "socket.", "ctypes.", "pickle.", "shutil.")
sys.addaudithook(lambda event, args: events.append(event) if event.startswith(BAD) else None)
read()
print(json.dumps(sorted(set(events))))
"""

LIGHT = """
import sys
import grader.sources.folder
before = {name.partition(".")[0] for name in sys.modules}
print(sorted(before & {"pydantic", "yaml", "sympy", "numpy", "jinja2", "click"}))
"""


def run(code: str, data: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=data,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_no_text_in_an_answer_file_runs_opens_or_imports_anything() -> None:
    lines = yaml.safe_load((CASES / "files_lines.yaml").read_text("utf-8"))
    documents = yaml.safe_load((CASES / "files_documents.yaml").read_text("utf-8"))
    texts = [f"answers:\n  q:\n    {case['line']}\n" for case in lines]
    texts += [case["text"] if "text" in case else case["json"] for case in documents]
    texts += [
        "q: !!python/object/apply:os.system ['true']\n",
        "q: !!python/object/new:type {args: [x, !!python/tuple [], {}]}\n",
        "q: !!python/name:os.system\nr: !!python/module:os\n",
        "__import__('os').system('true'): 1\n",
        "q: {{7*7}}\nr: ${HOME}\ns: $(true)\n",
    ]
    assert json.loads(run(WATCHED, json.dumps(texts))) == []


def test_sources_are_imported_without_what_they_may_not_need() -> None:
    assert run(LIGHT) == "[]"
