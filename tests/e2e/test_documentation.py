"""The READMEs say what is so: commands print what is shown, links lead somewhere, tables name every field."""

import ast
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from grader import __all__ as public_names
from grader import compare, grade, load_course, results
from grader.cli import commands
from grader.comparison import Comparison
from tests.e2e.conftest import ROOT, Run

FOLDERS = (".", ".github", "grader", "exercises", "reference", "submissions_example")
DOCUMENTS = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.md"))]
SHELL_DOCUMENTS = [ROOT / "README.md", ROOT / "grader/README.md"]
MANUAL = (ROOT / "grader/README.md").read_text(encoding="utf-8")


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """The language and the content of each fenced block."""
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield found[1], found[2]


def section(title: str) -> str:
    """The manual's text under a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", MANUAL, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def rows(title: str) -> list[list[str]]:
    """The cells of the rows of the table in a section, its head left out."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    assert lines[2:], title
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def code(cell: str) -> list[str]:
    """The texts in back-ticks."""
    return re.findall(r"`([^`]+)`", cell)


CONTEXT = click.Context(commands)


# --- commands ---------------------------------------------------------------------------------------------------------


def test_the_two_set_up_commands_are_one_line_each() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    commands_of_readme = [line for line in lines if line.startswith("python3 -m venv ")]
    assert len(commands_of_readme) == 2
    assert commands_of_readme[0].endswith("grader grade submissions_example -o reports")
    assert commands_of_readme[1].endswith("-m pytest -n auto")


def as_shown(expected: str, output: str) -> bool:
    """Whether the output is what is shown; a line of three dots stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n" for line in expected.splitlines()
    )
    return re.fullmatch(pattern, output) is not None


def shown_commands(text: str) -> Iterator[tuple[str, str]]:
    """Commands with the output that is shown below each, and files to write ("", path and content)."""
    for language, content in blocks(text):
        if language == "yaml" and (found := re.match(r"# (\w+\.yaml)\n", content)):
            yield "", f"{found[1]}\n{content}"
        yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", content, re.MULTILINE)


@pytest.mark.skipif(os.name == "nt", reason="the commands are written for a POSIX shell")
@pytest.mark.parametrize("document", SHELL_DOCUMENTS, ids=named)
def test_commands_print_what_is_shown(document: Path, grader: Run, tmp_path: Path) -> None:
    for folder in ("submissions_example", "exercises"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    ran = 0
    for command, shown in shown_commands(document.read_text(encoding="utf-8")):
        if not command:
            name, content = shown.split("\n", 1)
            (tmp_path / name).write_text(content, encoding="utf-8")
            continue
        program, *arguments = shlex.split(command)
        assert program == "grader"
        run = grader(*arguments)
        assert run.returncode in (0, 1), (command, run.stderr)
        if not as_shown(shown, run.stdout):
            pytest.fail(f"$ {command}\n{run.stdout}", pytrace=False)
        ran += 1
    assert ran >= 5


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_verbs_and_options_that_are_named_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    found = re.findall(r"(?:^ {4}|^\$ |`|- run: |bin/)grader (\w+)([^`\n]*)", text, re.MULTILINE)
    for verb, rest in found:
        command = commands.get_command(CONTEXT, verb)
        if isinstance(command, click.Group) and rest:
            command = command.get_command(CONTEXT, rest.split()[0])
        assert command, f"grader {verb}{rest}"
        options = {name for p in command.params if isinstance(p, click.Option) for name in (*p.opts, "--help")}
        for option in re.findall(r"(?<=\s)--?[a-z][a-z-]*", rest):
            assert option in options, f"grader {verb}{rest}"


def test_every_verb_and_every_level_is_documented() -> None:
    assert set(re.findall(r"^### (\w+): ", MANUAL, re.MULTILINE)) == set(commands.list_commands(CONTEXT))
    assert [level for row in rows("What students see") for level in code(row[0])] == [*results.Reveal]
    assert [verdict for row in rows("Verdicts and points") for verdict in code(row[0])] == [*results.Verdict]


def test_the_worked_example_of_an_exercise_is_sound_with_its_mistake(grader: Run, course: Path) -> None:
    text = (ROOT / "exercises/README.md").read_text(encoding="utf-8")
    model, parts, mistakes = (content for language, content in blocks(text) if language == "yaml")
    (example,) = re.findall(r"the example `(\{.*?\})` now holds", text)
    (slip,) = re.findall(r"here it is `([\w-]+)`", text)
    first, second = re.findall(r"^ +examples:\n", parts, re.MULTILINE)
    assert first == second
    parts = parts.replace(first, f"{first}      - {example}\n", 1)
    parts, count = re.subn(r"(2BDF / 2BD .*?incorrect)\}", rf"\1, mistake: {slip}}}", parts)
    assert count == 1
    (course / "new.yaml").write_text(model + parts + mistakes, encoding="utf-8")
    name = re.match(r"id: (\S+)", model)
    assert name
    listing = (course / "course.yaml").read_text(encoding="utf-8").replace("exercises: [", f"exercises: [{name[1]}, ")
    (course / "course.yaml").write_text(listing, encoding="utf-8")
    run = grader("lint", course / "new.yaml")
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.endswith("no faults\n")


# --- links ------------------------------------------------------------------------------------------------------------


def anchors(path: Path) -> set[str]:
    """The anchors that a page's headings have."""
    titles = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_links_lead_to_files_and_headings(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"(?<!`)\]\(([^)\s]+)\)", text):
        if link.startswith("https://"):
            continue
        place, _, anchor = unquote(link).partition("#")
        target = document.parent / place if place else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


# --- Python and JSON --------------------------------------------------------------------------------------------------


def test_documented_signatures_are_those_of_the_code() -> None:
    documented = {
        function.name: ast.unparse(function)
        for language, content in blocks(MANUAL)
        if language == "python"
        for function in ast.walk(ast.parse(content))
        if isinstance(function, ast.FunctionDef)
    }
    assert set(documented) == {name for name in public_names if not name.startswith("_")}
    for function in (compare, grade, load_course):
        (source,) = ast.parse(inspect.getsource(function)).body
        assert isinstance(source, ast.FunctionDef)
        source.body = [ast.Expr(ast.Constant(...))]
        assert documented[source.name] == ast.unparse(source)


def test_python_examples_give_what_is_shown(tmp_path: Path, cache: Path) -> None:
    answers = next(content for _, content in blocks(MANUAL) if content.startswith("# answers.yaml"))
    (tmp_path / "answers.yaml").write_text(answers, encoding="utf-8")
    assert MANUAL.count(">>> ") >= 8
    code = "import doctest, sys; sys.exit(doctest.testfile(sys.argv[1], module_relative=False).failed)"
    run = subprocess.run(
        [sys.executable, "-c", code, str(ROOT / "grader/README.md")],
        cwd=tmp_path, env={**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONUTF8": "1"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(
    "name",
    [
        "Gradebook",
        "Result",
        "ExerciseResult",
        "PartResult",
        "Override",
        "Lateness",
        "Explanation",
        "Plot",
        "Series",
        "NumberLine",
    ],
)
def test_documented_result_fields_are_those_of_the_code(name: str) -> None:
    documented = [field for row in rows(name) for field in code(row[0])]
    assert sorted(documented) == sorted(field.name for field in fields(getattr(results, name)))


def test_documented_fields_of_a_comparison_are_those_of_the_code() -> None:
    public = {field.name for field in fields(Comparison)}
    public |= {name for name, value in vars(Comparison).items() if isinstance(value, property)}
    assert {name for row in rows("Comparison") for name in code(row[0])} == public


# --- the answer language ----------------------------------------------------------------------------------------------

NAMES = ("B", "D", "F", "T_math", "lambda")


def alike(title: str, kind: str, **options: object) -> None:
    """Each spelling in a row means what the row's first one means."""
    for row in rows(title):
        first, *others = code(row[1])
        for spelling in others:
            found = compare(spelling, first, type=kind, symbols=NAMES, **options)  # type: ignore[arg-type]
            assert found.verdict == "correct", (first, spelling, found.message or found.read_as)


@pytest.mark.parametrize("title", ["Formulas", "Numbers"])
def test_spellings_of_a_formula_mean_the_same(title: str) -> None:
    alike(title, "expression")


def test_spellings_of_a_quantity_mean_the_same() -> None:
    alike("Quantities", "quantity")


def test_spellings_of_a_bound_mean_the_same() -> None:
    for row in rows("Bounds"):
        for spelling in code(row[1]):
            assert compare(spelling, "B > 243", type="threshold", symbols=NAMES).verdict == "correct", spelling


def test_what_is_said_to_be_refused_is_invalid_and_says_why() -> None:
    for typed, _ in rows("What is refused"):
        found = compare(code(typed)[0], "2BDF", symbols=NAMES)
        assert found.verdict == "invalid", typed
        assert found.message
