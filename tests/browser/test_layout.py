"""Pages look as they did: where the landmarks, headings and parts lie, as shares of the page, whatever fonts there are.

With UPDATE_SNAPSHOTS set, what is found becomes the reference. With SCREENSHOTS set to a folder, pictures of the whole
pages are kept there.
"""

import json
import os
import tempfile
from pathlib import Path

import pytest
from filelock import FileLock

from tests.browser.conftest import Open
from tests.browser.made import MAIN, PAGES, Site

REFERENCES = Path(__file__).with_name("layout.json")
LOOKS = {"desk": (1280, False), "dark": (1280, True), "phone": (360, False)}
NEAR = 0.05  # of the width of the window, or of the height of the page
ALIKE = 1.4  # the most that fonts change of the height of a page
# tag and number of each, with left, width, top and height
BOXES = """() => {
  const wide = innerWidth, high = document.documentElement.scrollHeight, count = {}, boxes = {};
  const share = (value, whole) => Math.round(1000 * value / whole) / 1000;
  const names = "header, nav, main, section, article, figure, footer, h1, h2, table";
  for (const e of [...document.querySelectorAll(names)].filter(e => e.checkVisibility())) {
    const box = e.getBoundingClientRect();
    count[e.localName] = (count[e.localName] ?? 0) + 1;
    boxes[`${e.localName} ${count[e.localName]}`] =
      [share(box.left, wide), share(box.width, wide), share(box.top, high), share(box.height, high)];
  }
  return {height: high, boxes: boxes};
}"""


@pytest.mark.parametrize(("page", "look"), [(p, k) for p in PAGES for k in LOOKS if p in MAIN or k != "dark"])
def test_a_page_is_laid_out_as_it_was(site: Site, show: Open, page: str, look: str) -> None:
    width, dark = LOOKS[look]
    opened = show(site.files()[page], width=width, dark=dark)
    if folder := os.environ.get("SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        opened.page.screenshot(path=Path(folder) / f"{page}-{look}.jpg", full_page=True, type="jpeg", quality=80)
    found = opened.ask(BOXES)
    name = f"{page} {'phone' if look == 'phone' else 'desk'}"  # the same in the dark
    if os.environ.get("UPDATE_SNAPSHOTS"):
        _keep(name, found)
    wanted = json.loads(REFERENCES.read_text(encoding="utf-8"))[name]
    assert list(found["boxes"]) == list(wanted["boxes"])
    assert 1 / ALIKE < found["height"] / wanted["height"] < ALIKE
    for box, shares in wanted["boxes"].items():
        assert found["boxes"][box] == pytest.approx(shares, abs=NEAR), box


def _keep(name: str, found: object) -> None:
    with FileLock(Path(tempfile.gettempdir()) / "grader-layout.lock"):  # tests may run side by side
        _put(name, found)


def _put(name: str, found: object) -> None:
    kept = json.loads(REFERENCES.read_text(encoding="utf-8")) if REFERENCES.exists() else {}
    kept[name] = found
    lines = [f'"{key}": {json.dumps(value, separators=(",", ":"))}' for key, value in sorted(kept.items())]
    REFERENCES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
