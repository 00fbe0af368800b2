"""The pictures of the documentation show what pages look like now, and stand where people look for them."""

import re

import pytest

from grader.course import LoadedCourse
from tests.browser.pictures import FOLDER, kept, pictures
from tests.e2e.conftest import ROOT

LARGEST = 150_000  # bytes


def test_pictures_were_drawn_from_the_pages_as_they_are(packaged: LoadedCourse) -> None:
    now = {picture.name: picture.digest for picture in pictures(packaged)}
    drawn = kept()
    old = sorted(name for name in now.keys() | drawn.keys() if now.get(name) != drawn.get(name))
    if old:
        pytest.fail(f"pages look different from their pictures ({', '.join(old)}): run .ci/pictures", pytrace=False)


def test_each_picture_is_small_and_shown_in_the_light_and_in_the_dark() -> None:
    shown = {
        (document.parent / file).resolve()
        for document in (ROOT / "README.md", *ROOT.glob("*/README.md"))
        for file in re.findall(r'(?:src|srcset)="([^":]+)"', document.read_text(encoding="utf-8"))
    }
    there = {FOLDER / f"{name}{ending}.png" for name in kept() for ending in ("", "-dark")}
    assert shown == there == set(FOLDER.glob("*.png"))
    assert max(picture.stat().st_size for picture in there) < LARGEST
