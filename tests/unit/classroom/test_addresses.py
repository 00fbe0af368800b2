"""Whose repository is whose: feedback on one student never goes to another."""

from grader.classroom.addresses import Addresses
from grader.classroom.repositories import Repository


def listed(*logins: str) -> Addresses:
    return Addresses.listed([Repository(name=f"o/hw-{login}", student=login) for login in logins])


def names(found: dict[str, Repository]) -> dict[str, str]:
    return {student: repository.name for student, repository in found.items()}


def test_the_folder_that_was_graded_tells_the_repository_and_else_another_name_does() -> None:
    found = listed("Ann", "ben").of({"1": "ann", "2": "Ben Zoe"}, {"1": {"1", "x"}, "2": {"2", "ben"}})
    assert names(found) == {"1": "o/hw-Ann", "2": "o/hw-ben"}


def test_a_student_who_is_called_as_another_s_login_gets_nothing_of_theirs() -> None:
    aliases = {"1": {"1", "ann"}, "ann": {"ann", "zoe"}, "3": {"3", "ann"}}
    assert names(listed("ann").of({"1": "ann", "ann": "zoe", "3": ""}, aliases)) == {"1": "o/hw-ann"}


def test_what_may_be_of_two_students_is_of_none() -> None:
    assert listed("ann").of({"1": "Ann", "2": "ann"}, {}) == {}
    assert listed("ann").of({"1": "x", "2": "y"}, {"1": {"ann"}, "2": {"ANN"}}) == {}
    assert listed("ann", "ben").of({"1": "x"}, {"1": {"ann", "ben"}}) == {}


def test_without_a_list_only_folders_tell_and_nothing_that_could_leave_the_organisation() -> None:
    found = Addresses.alike("o", "hw").of({"1": "ann", "2": "../x", "3": "", "4": "a/b"}, {"3": {"3"}, "2": {"ben"}})
    assert names(found) == {"1": "o/hw-ann"}
