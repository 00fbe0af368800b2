"""A real browser, and the pages that it shows. `.ci/browser` installs what these tests need and runs them.

The variable GRADER_CHROMIUM has the path of a Chromium or Chrome. Without it, or without its driver or axe-core, tests
are skipped and say so.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.made import Site, make

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

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
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("dialog", self._refuse)

    def _refuse(self, dialog: Any) -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def go(self, file: Path) -> None:
        """Look at a file."""
        self.files.add(file.as_uri())
        self.page.goto(file.as_uri())

    def kept_quiet(self) -> None:
        """AssertionError unless the files were all that was asked for, and nothing was said."""
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


@pytest.fixture
def show(browser: "Browser") -> Iterator[Open]:
    """A function that opens a file as people look at it. Whatever it is, it asks for nothing else and says nothing."""
    contexts: list[BrowserContext] = []
    shown: list[Opened] = []

    def look(
        file: Path, *, width: int = 1280, dark: bool = False, scripts: bool = True, media: str = "screen"
    ) -> Opened:
        context = browser.new_context(
            viewport={"width": width, "height": 800 if width > 600 else 740},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        opened = Opened(context.new_page())
        opened.watch()
        opened.page.emulate_media(media=media)
        opened.go(file)
        shown.append(opened)
        return opened

    yield look
    for opened in shown:
        opened.kept_quiet()
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def site(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The pages, made once by the program."""
    return make(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    if not AXE.is_file():
        pytest.skip("no axe-core: .ci/browser fetches it with npm")
    return AXE.read_text(encoding="utf-8")
