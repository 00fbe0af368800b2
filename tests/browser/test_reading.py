"""Pages in a browser as people use it: on a phone and a desk, with the keyboard, on paper, in the dark."""

import pytest

from tests.browser.conftest import Open
from tests.browser.made import MAIN, PAGES, Site

# what Tab has to reach, in order: everything that can be acted on, and boxes that scroll
STOPS = """() => [...document.querySelectorAll(
  "a[href], button, input, select, textarea, summary, [tabindex='0']")].filter(
  e => !e.disabled && e.checkVisibility({contentVisibilityAuto: true}) &&
  !e.closest("details:not([open]) > :not(summary)")).map((e, i) => (e.dataset.stop = i, i))"""
# where the focus is: the stop, whether its outline shows, and whether something lies over it or it is out of sight
FOCUS = """() => {
  const e = document.activeElement, style = getComputedStyle(e);
  const box = e.getClientRects()[0] || e.getBoundingClientRect();
  const x = box.left + box.width / 2, y = box.top + box.height / 2, top = document.elementFromPoint(x, y);
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  return {stop: e.dataset.stop === undefined ? -1 : +e.dataset.stop, html: e.outerHTML.slice(0, 120), outlined,
          seen: top !== null && (e.contains(top) || top.contains(e)), scrolls: e.scrollWidth > e.clientWidth};
}"""
# texts whose contrast with what lies behind them is below 4.5, or 3 for large ones (WCAG 2.2, 1.4.3)
FAINT = """() => {
  const parse = c => { const n = c.match(/[\\d.]+/g).map(Number); return [n[0], n[1], n[2], n[3] ?? 1]; };
  const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const channel = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = c => .2126 * channel(c[0]) + .7152 * channel(c[1]) + .0722 * channel(c[2]);
  const behind = e => {
    const layers = [];
    for (; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const faint = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; node = walker.nextNode();) {
    const e = node.parentElement, style = getComputedStyle(e), size = parseFloat(style.fontSize);
    if (!node.data.trim() || e.closest("style, script, .sr")) continue;
    if (!e.checkVisibility({visibilityProperty: true})) continue;
    const back = behind(e), ink = over(parse(e.namespaceURI.endsWith("svg") ? style.fill : style.color), back);
    const [low, high] = [light(back), light(ink)].sort((a, b) => a - b);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if ((high + .05) / (low + .05) < (large ? 3 : 4.5)) faint.push(node.data.trim().slice(0, 60));
  }
  return faint;
}"""


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_wider_than_a_narrow_phone(site: Site, show: Open, page: str) -> None:
    opened = show(site.files()[page], width=320)
    assert opened.ask("() => document.documentElement.scrollWidth") <= 320
    assert opened.page.inner_text("h1")


@pytest.mark.parametrize("page", MAIN)
def test_the_keyboard_reaches_everything_in_order_and_shows_where_it_is(site: Site, show: Open, page: str) -> None:
    opened = show(site.files()[page])
    stops = opened.ask(STOPS)[:120]
    reached = []
    while len(reached) < len(stops):
        opened.page.keyboard.press("Tab")
        focus = opened.ask(FOCUS)
        if focus["stop"] < 0 and focus["scrolls"]:
            continue  # browsers let people scroll boxes by keyboard
        assert focus["stop"] == len(reached), focus["html"]
        assert focus["outlined"], focus["html"]
        assert focus["seen"], focus["html"]
        reached.append(focus["stop"])
    assert reached == stops
    opened.page.keyboard.press("Shift+Tab")
    assert opened.ask(FOCUS)["stop"] == len(stops) - 2


@pytest.mark.parametrize("page", MAIN)
def test_the_first_stop_leads_past_the_overview(site: Site, show: Open, page: str) -> None:
    opened = show(site.files()[page])
    opened.page.keyboard.press("Tab")
    target = opened.ask("() => document.activeElement.getAttribute('href')")
    assert target
    assert target.startswith("#")
    opened.page.keyboard.press("Enter")
    assert opened.ask("target => document.querySelector(target).closest('main') !== null", target)
    opened.page.keyboard.press("Tab")
    assert opened.ask("() => document.activeElement.closest('main') !== null")


def test_what_is_folded_opens_and_closes_with_the_keyboard(site: Site, show: Open) -> None:
    page = show(site.files()["partly"]).page
    folded = page.locator("details").first
    shown = folded.locator("> :not(summary)").first
    folded.locator("summary").focus()
    for opened in (True, False):
        page.keyboard.press("Enter")
        assert shown.is_visible() is opened


@pytest.mark.parametrize("page", PAGES)
def test_paper_has_dark_text_on_white_and_what_is_folded(site: Site, show: Open, page: str) -> None:
    opened = show(site.files()[page], dark=True, media="print", width=720)
    assert opened.ask(FAINT) == []
    assert opened.ask("() => document.documentElement.scrollWidth") <= 720
    folded = "() => [...document.querySelectorAll('.step')].map(e => e.getBoundingClientRect().height)"
    assert all(height > 10 for height in opened.ask(folded))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_labels_of_drawings_stand_out_from_the_page(site: Site, show: Open, dark: bool) -> None:
    opened = show(site.files()["partly"], dark=dark)  # axe-core can't tell what lies behind the text of a drawing
    assert opened.ask("() => document.querySelectorAll('svg text').length") > 5
    assert opened.ask(FAINT) == []


def test_the_class_page_says_the_same_without_scripts(site: Site, show: Open) -> None:
    with_scripts, without = (show(site.files()["class"], scripts=scripts).page for scripts in (True, False))
    students = "#students tbody tr"
    assert without.locator(students).count() == with_scripts.locator(students).count() == 8
    assert without.locator(students).all_inner_texts() == with_scripts.locator(students).all_inner_texts()
    assert without.locator("input, button").count() == 0


def test_the_table_of_students_is_searched_and_sorted(site: Site, show: Open) -> None:
    page = show(site.files()["class"]).page
    rows = page.locator("#students tbody tr:visible")
    page.get_by_label("Search").fill("SEED corr")
    assert [text.split()[0] for text in rows.all_inner_texts()] == ["seed_corrected"]
    assert page.get_by_role("status").inner_text() == "1 of 8"
    page.get_by_label("Search").fill("")
    points = page.get_by_role("button", name="Points")
    found = []
    for _ in range(2):
        points.press("Enter")
        found.append(
            [int(text) for text in rows.locator("[data-value]").evaluate_all("es => es.map(e => e.dataset.value)")]
        )
    assert found[0] == sorted(found[0])
    assert found[1] == found[0][::-1] != found[0]
    assert page.locator("#students [aria-sort]").get_attribute("aria-sort") == "descending"
