"""What is written into workflow files is a name that means itself there, or is refused."""

from collections.abc import Callable

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.classroom import names
from grader.classroom.files import rendered
from grader.errors import SpecError

NEAR = st.text(alphabet="aZ09._-/@:#'\"{}$\\ \n\t*&!|>%é", max_size=30)


def staffs_workflow(**changed: str) -> object:
    """The staff's workflow with these values, read as YAML 1.1 has it."""
    values = {"org": "o", "prefix": "p", "requirement": "r", "secret_env": "", **changed}
    return yaml.safe_load(rendered("staff/grade.yml", **values))


@settings(max_examples=50)
@given(NEAR)
@pytest.mark.parametrize(("name", "place"), [("org", "ORG"), ("prefix", "PREFIX")])
def test_a_name_is_refused_or_comes_through_as_it_is(name: str, place: str, text: str) -> None:
    checked = names.organisation if name == "org" else names.prefix
    try:
        made = staffs_workflow(**{name: checked(text)})
    except SpecError:
        return
    plain = staffs_workflow()
    assert isinstance(made, dict)
    assert isinstance(plain, dict)
    assert made["env"].pop(place) == text
    plain["env"].pop(place)
    assert made == plain


@pytest.mark.parametrize("text", ["1e3", "0x10", "no", "null", "007", "a.b_c-"])
def test_a_prefix_that_yaml_would_take_for_something_else_stays_a_text(text: str) -> None:
    made = staffs_workflow(prefix=names.prefix(text))
    assert isinstance(made, dict)
    assert made["env"]["PREFIX"] == text


@settings(max_examples=50)
@given(NEAR)
def test_an_action_is_refused_or_comes_through_as_it_is(text: str) -> None:
    try:
        action = names.action(text)
    except SpecError:
        return
    assert str(action) == text
    values = dict.fromkeys(("classroom", "course_folder", "only"), "")
    made = yaml.safe_load(rendered("student/autograde.yml", **values, action=action))
    assert made["jobs"]["feedback"]["steps"][1]["uses"] == text


def test_an_action_is_what_pip_installs_too() -> None:
    action = names.action("my-org/roofline-grader@v1.2")
    assert action.requirement == "roofline-grader @ https://github.com/my-org/roofline-grader/archive/v1.2.zip"


@pytest.mark.parametrize(
    ("read", "text", "what"),
    [
        (names.action, "my-org/grader", "OWNER/REPO@REF is expected"),
        (names.action, "my-org/grader@", "OWNER/REPO@REF is expected"),
        (names.action, "./grader@v1", "OWNER/REPO@REF is expected"),
        (names.action, "o/r@../x", "OWNER/REPO@REF is expected"),
        (names.organisation, "my org", "the name of an organisation is expected"),
        (names.prefix, "a/b", "the beginning of the repositories' names is expected"),
        (names.slug, "Rooflines 1", "the folder is named as the assignment is"),
    ],
)
def test_what_is_no_name_is_refused_with_what_is_expected(read: Callable[[str], object], text: str, what: str) -> None:
    with pytest.raises(SpecError, match=what):
        read(text)
