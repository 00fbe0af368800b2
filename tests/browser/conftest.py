"""A real browser, and the pages that it shows. `.ci/browser` installs what these tests need and runs them.

The variable GRADER_CHROMIUM has the path of a Chromium or Chrome. Without it, or without its driver or axe-core, tests
are skipped and say so.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock

from tests.browser.made import Site, make

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

VARIABLE = "GRADER_CHROMIUM"
AXE = Path(sys.prefix) / "browser/node_modules/axe-core/axe.min.js"
QUIET = (  # nothing that a browser does by itself: no look-ups, no updates, no first-run pages
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
PATIENCE = 20_000  # milliseconds for anything that a browser is asked to do


@dataclass
class Opened:
    """A page as somebody looks at it, and what it did that no page of ours may do."""

    page: "Page"
    files: set[str] = field(default_factory=set)
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Keep everything that the page asks for, says and shows by itself."""
        for event, kept in self._events().items():
            self.page.on(event, kept)

    def _events(self) -> dict[str, Callable[[Any], None]]:
        return {"request": self._asked, "console": self._told, "pageerror": self._failed, "dialog": self._refuse}

    def _asked(self, request: Any) -> None:
        self.requests.append(request.url)

    def _told(self, message: Any) -> None:
        self.said.append(f"{message.type}: {message.text}")

    def _failed(self, error: Any) -> None:
        self.said.append(f"error: {error}")

    def _refuse(self, dialog: Any) -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def go(self, file: Path) -> None:
        """Look at a file."""
        self.files.add(file.as_uri())
        self.page.goto(file.as_uri())

    def leave(self) -> None:
        """Look no more; AssertionError unless the files were all that was asked for, and nothing was said."""
        for event, kept in self._events().items():
            self.page.remove_listener(event, kept)
        assert {url.partition("#")[0] for url in self.requests} == self.files
        assert self.said == []

    def ask(self, script: str, value: object = None) -> Any:
        """What a function in JavaScript gives."""
        return self.page.evaluate(script, value)


Open = Callable[..., Opened]


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """One browser for all tests."""
    path = os.environ.get(VARIABLE, "")
    if not path:
        pytest.skip(f"no browser: {VARIABLE} is not set; .ci/browser sets it and runs these tests")
    sync_api = pytest.importorskip("playwright.sync_api", reason="no driver: pip install -e '.[browser]'")
    with sync_api.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=list(QUIET), timeout=60_000)
        yield started
        started.close()


@pytest.fixture(scope="session")
def windows(browser: "Browser") -> "Callable[[bool], Page]":
    """A window where scripts run, and one where they don't; a new one for each look would take most of the time."""

    @cache
    def window(scripts: bool) -> "Page":
        context = browser.new_context(java_script_enabled=scripts)
        context.set_default_timeout(PATIENCE)
        return context.new_page()

    return window


@pytest.fixture
def show(windows: "Callable[[bool], Page]") -> Iterator[Open]:
    """A function that opens a file as people look at it. Whatever it is, it asks for nothing else and says nothing."""
    shown: list[Opened] = []

    def look(
        file: Path, *, width: int = 1280, dark: bool = False, scripts: bool = True, media: str = "screen"
    ) -> Opened:
        opened = Opened(windows(scripts))
        opened.page.set_viewport_size({"width": width, "height": 800})
        opened.page.emulate_media(media=media, color_scheme="dark" if dark else "light")
        opened.watch()
        shown.append(opened)
        opened.go(file)
        return opened

    yield look
    for opened in shown:
        opened.leave()


@pytest.fixture(scope="session")
def site(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The pages, made once by the program for all workers of pytest."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site"
    with FileLock(f"{folder}.lock"):
        return make(folder)


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    if not AXE.is_file():
        pytest.skip("no axe-core: .ci/browser fetches it with npm")
    return AXE.read_text(encoding="utf-8")
