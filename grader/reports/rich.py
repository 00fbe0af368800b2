"""What authors write for students, a subset of Markdown: paragraphs, lists, code, emphasis and links."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from grader.reports.markup import Md, md_block, md_code, md_inert, md_text, paragraphs, visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

_MOST_TEXTS = 1024  # of a course's authors, that are kept as markup: each stands in the reports of all students
_MARKED = re.compile(r"[`*\[\\&]|(?<!\w)_|_(?!\w)|^\s*(?:[-+]|\d{1,9}[.)]|~~~)(?:\s|$)", re.M)


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # slow to import, and most texts have no markup

    reader = MarkdownIt("zero", {"html": False})
    reader.enable(["list", "fence", "backticks", "emphasis", "link", "escape", "entity"])
    reader.validateLink = lambda url: url.lower().startswith(("http://", "https://"))  # type: ignore[method-assign]
    reader.core.ruler.push("real_links", _real_links)
    return reader


def _real_links(state: "StateCore") -> None:
    """A link to nowhere, `[text]()`, is its text."""
    for token in state.tokens:
        kept, dead = [], False
        for child in token.children or ():
            dead = not child.attrs.get("href") if child.type == "link_open" else dead
            if not (dead and child.type in ("link_open", "link_close")):
                kept.append(child)
        token.children = kept if token.children else token.children


@lru_cache(maxsize=_MOST_TEXTS)
def html_rich(text: str) -> Markup:
    """An author's text, a subset of Markdown, as HTML blocks; HTML in it is shown literally."""
    text = visible(text.expandtabs(4))
    if _MARKED.search(text):
        return Markup(_markdown().render(text).strip())  # noqa: S704 - HTML is disabled in the reader
    return Markup("\n").join(Markup("<p>{}</p>").format(paragraph) for paragraph in paragraphs(text))


@lru_cache(maxsize=_MOST_TEXTS)
def md_rich(text: str, indent: int = 0) -> Md:
    """An author's text, the same subset, as Markdown in which nothing else acts; `indent` from line two on."""
    text = visible(text.expandtabs(4))
    if _MARKED.search(text):
        blocks = _md_blocks(_markdown().parse(text))
    else:
        blocks = [md_text(paragraph) for paragraph in paragraphs(text)]
    return Md("\n\n".join(blocks).replace("\n", "\n" + " " * indent).replace("\n" + " " * indent + "\n", "\n\n"))


def _md_blocks(tokens: Sequence["Token"]) -> list[str]:
    blocks: list[str] = []
    depth, marker = 0, ""
    for token in tokens:
        if token.type == "list_item_open":
            marker = f"{token.info}{token.markup} " if token.info else "- "
            depth += len(marker)
        elif token.type == "list_item_close":
            depth -= 2 if not token.info and token.markup in "-+*" else len(token.info) + 2
        elif token.type in {"inline", "fence"}:
            body = _md_inlines(token.children or []) if token.type == "inline" else md_block(token.content)
            margin = " " * (depth - len(marker)) + marker
            blocks.append(margin + body.replace("\n", "\n" + " " * depth))
            marker = ""
    return blocks


def _md_inlines(tokens: Iterable["Token"]) -> str:
    marks = {"em_open": "*", "em_close": "*", "strong_open": "**", "strong_close": "**", "link_open": "["}
    out: list[str] = []
    target = ""
    for token in tokens:
        if token.type in {"text", "text_special"}:
            out.append(md_inert(re.sub(r"\s*\n\s*", " ", token.content)))
        elif token.type == "code_inline":
            out.append(md_code(token.content))
        elif token.type == "hardbreak":
            out.append(" ")
        elif token.type == "link_close":
            out.append(f"](<{target}>)")
        else:
            out.append(marks.get(token.type, ""))
            target = str(token.attrs.get("href", target)).replace("<", "%3C").replace(">", "%3E")
    return "".join(out)
