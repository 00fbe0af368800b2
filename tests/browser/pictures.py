"""The pictures of the documentation: which page each shows, and how it is drawn. `.ci/pictures` draws them all.

`.github/pictures.json` keeps what each picture was drawn from, so that `tests/e2e/test_pictures.py` tells without a
browser that a page looks different by now.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from grader import grade, load_course
from grader.class_report import of_gradebook
from grader.course import LoadedCourse
from grader.reports.class_page import class_page
from grader.reports.render import render
from grader.results import Reveal
from grader.reveal import student_view
from tests.bench.class_files import jsonl
from tests.bench.classes import ClassMaker

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github"
KEPT = FOLDER / "pictures.json"
COLOURS = 128  # enough for text and lines; a quarter of the bytes of a full picture
SHARPNESS = 1.5  # dots for each of CSS's
WINDOW = {"width": 820, "height": 600}
STUDENTS = 40  # in the class
MARGIN = 12  # above and below what is drawn


@dataclass(frozen=True)
class Picture:
    """A page with what is drawn of it: from the top of the element `first` to the bottom of `last` (CSS selectors).

    `name` is the file, without `-dark` and `.png`; `unfolded` is opened before.
    """

    name: str
    html: str
    first: str
    last: str
    unfolded: str = ""

    @property
    def digest(self) -> str:
        """What is drawn, in short."""
        text = f"{self.first} {self.last} {self.unfolded} {self.html}"
        return blake2b(text.encode("utf-8"), digest_size=16).hexdigest()


def pictures(course: LoadedCourse) -> Iterator[Picture]:
    """All pictures, as they have to be now; `course` is the packaged one."""
    squared = _page(course, "b_squared", "q4-batched-matmul", Reveal.MISTAKE)
    rooflines = _page(course, "partly", "q3-roofline-plot", Reveal.FULL)
    yield Picture("report", squared, "header", "#part-1-2", unfolded="#part-1-1 details")
    yield Picture("plot", rooflines, "#part-1-1 figure", "#part-1-1 figcaption")
    yield Picture("class", _class_page(course), "header", ".figures tbody:nth-of-type(1)")


def _page(course: LoadedCourse, example: str, exercise: str, reveal: Reveal) -> str:
    """One exercise of an example's page."""
    book = grade([ROOT / "submissions_example" / example], course, reveal=reveal)
    (result,) = book.results
    (only,) = (e for e in result.exercises if e.id == exercise)
    result = replace(
        result,
        student="s1024",
        source="answers.yaml",
        exercises=(only,),
        points=only.points,
        max_points=only.max_points,
    )
    return render(student_view(result, reveal), "html", course_title=book.title)


def _class_page(course: LoadedCourse) -> str:
    """The page of a class that is made up; it says the same whatever version made it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "class.jsonl"
        jsonl(ClassMaker(plots=False, course=course).students(STUDENTS, seed=1), file)
        book = grade([file], course)
    results = tuple(replace(result, source="class.jsonl") for result in book.results)
    return class_page(of_gradebook(replace(book, results=results, grader="")), "html")


def kept() -> dict[str, str]:
    """What the pictures that are there were drawn from, by name."""
    return json.loads(KEPT.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def draw(picture: Picture, browser: Any, folder: Path) -> None:
    """Draw a picture, in the light and in the dark."""
    page = folder / f"{picture.name}.html"
    page.write_text(picture.html, encoding="utf-8")
    for scheme, ending in (("light", ""), ("dark", "-dark")):
        view = browser.new_page(viewport=WINDOW, device_scale_factor=SHARPNESS, color_scheme=scheme)
        view.goto(page.as_uri())
        if picture.unfolded:
            view.locator(picture.unfolded).evaluate_all("folds => folds.forEach(fold => { fold.open = true; })")
        top = view.locator(picture.first).bounding_box()["y"] - MARGIN
        end = view.locator(picture.last).bounding_box()
        clip = {"x": 0, "y": max(top, 0), "width": WINDOW["width"], "height": end["y"] + end["height"] + MARGIN - top}
        shot = folder / f"{picture.name}{ending}.png"
        view.screenshot(path=shot, full_page=True, clip=clip)
        view.close()
        _shrink(shot, FOLDER / shot.name)


def _shrink(shot: Path, target: Path) -> None:
    from PIL import Image

    image = Image.open(shot).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    image.save(target, optimize=True)
    print(f"Written: {target.relative_to(ROOT)} ({target.stat().st_size // 1024} KB)")


def main() -> None:
    """Draw all pictures and keep what they were drawn from."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=os.environ["GRADER_CHROMIUM"], args=["--hide-scrollbars"])
        made = list(pictures(load_course()))
        for picture in made:
            draw(picture, browser, Path(folder))
        browser.close()
    KEPT.write_text(json.dumps({p.name: p.digest for p in made}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
