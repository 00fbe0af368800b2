"""axe-core finds nothing: all rules of WCAG 2.0 to 2.2, A and AA, and its best practices."""

import pytest

from tests.browser.conftest import Open
from tests.browser.made import MAIN, PAGES, Site

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
RUN = """tags => axe.run(document, {runOnly: tags, resultTypes: ["violations"]}).then(found => [
  found.violations.flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html} (${node.failureSummary})`)),
  found.passes.length])"""


LOOKS = {"phone": (360, False), "desk": (1280, False), "phone-dark": (360, True), "desk-dark": (1280, True)}
# what is like another page is looked at in one way only
CASES = [(page, look) for page in PAGES for look in LOOKS if page in MAIN or look == "phone-dark"]


@pytest.mark.parametrize(("page", "look"), CASES)
def test_axe_finds_no_violation(site: Site, show: Open, axe: str, page: str, look: str) -> None:
    width, dark = LOOKS[look]
    opened = show(site.files()[page], dark=dark, width=width)
    opened.ask("() => document.querySelectorAll('details').forEach(folded => { folded.open = true; })")
    opened.page.evaluate(axe)
    violations, passes = opened.ask(RUN, TAGS)
    assert violations == []
    assert passes > 10
