"""Where a job runs, told by its environment."""

from collections.abc import Mapping
from enum import StrEnum

_CLASSROOM50 = ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG")


class Platform(StrEnum):
    """What runs the job."""

    ACTIONS = "actions"
    CLASSROOM50 = "classroom50"
    GITLAB = "gitlab"
    TERMINAL = "terminal"


def platform(environment: Mapping[str, str]) -> Platform:
    """The platform of this job; a terminal where nothing says otherwise."""
    if all(environment.get(name) for name in _CLASSROOM50):
        return Platform.CLASSROOM50
    if environment.get("GITHUB_ACTIONS") == "true":
        return Platform.ACTIONS
    return Platform.GITLAB if environment.get("GITLAB_CI") else Platform.TERMINAL
