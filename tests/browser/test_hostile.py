"""What students may type stays text: pages have the elements and attributes that templates wrote, and no other."""

from grader.reports.markup import one_line, visible
from tests.browser.conftest import Open
from tests.browser.made import Site, hostile_texts

# Every element with its attributes, with their values where they could act, of this page and of its twin: where they
# differ. And what no page of ours has: handlers, ways out, and anything but mathematics in mathematics.
COMPARED = """html => {
  const acts = /^(class|id|href|src|style|role|type|name|content|http-equiv|on.*)$/;
  const told = a => acts.test(a.name) ? `${a.name}=${JSON.stringify(a.value)}` : a.name;
  const skeleton = root => [...root.querySelectorAll("*")].map(e =>
    `${e.localName} ${[...e.attributes].map(told).sort()} ${e.localName === "script" ? e.textContent : ""}`);
  const [here, twin] = [document, new DOMParser().parseFromString(html, "text/html")].map(skeleton);
  const foreign = [...document.querySelectorAll("*")].filter(element =>
    [...element.attributes].some(a => a.name.startsWith("on") || /^\\s*(javascript|data|vbscript):/i.test(a.value))
    || ["iframe", "object", "embed", "img", "form", "base", "link"].includes(element.localName)
    || (element.closest("math") && element.namespaceURI !== "http://www.w3.org/1998/Math/MathML"));
  const at = here.findIndex((line, i) => line !== twin[i]);
  return [here.length === twin.length && at < 0 ? "" : `${here[at]} / ${twin[at]}`, foreign.map(e => e.outerHTML)];
}"""


def test_a_page_has_the_same_elements_and_attributes_as_with_harmless_text(site: Site, show: Open) -> None:
    index = site.hostile / "index.html"
    opened, still = show(index), show(index, scripts=False)
    seen = set()
    for file, twin in site.twins():
        if file.stem == "class":
            opened.go(file)  # its script adds elements of its own
            still.go(file)
            strange = still.ask(COMPARED, twin)
        else:  # read and run as it would be, in a third of the time
            opened.page.set_content(file.read_text(encoding="utf-8"))
            strange = opened.ask(COMPARED, twin)
        assert strange == ["", []], file.name
        seen.add(file)
    assert len(seen) == len(hostile_texts()) + len(hostile_texts("html")) + 2


def test_what_was_typed_is_shown_and_nothing_of_it_is_worked_out(site: Site, show: Open) -> None:
    opened = show(site.hostile / "index.html")
    text = opened.page.inner_text("main")
    for typed in hostile_texts():
        assert one_line(typed) in text or visible(typed) in text
