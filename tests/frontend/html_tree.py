"""Pages of the fake arena read without a browser, as element trees."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser
from xml.etree.ElementTree import Element, TreeBuilder

from fastapi import FastAPI

from arena_frontend.api_reader import ask

from .fake_api import FakeArena, create

VOID = {"meta", "link", "input", "br", "hr", "img"}


class _Parser(HTMLParser):
    """Builds a tree; an unclosed element is an error."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = TreeBuilder()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tree.start(tag, {name: value or "" for name, value in attrs})
        self.open.append(tag)
        if tag in VOID:
            self.handle_endtag(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another element"
        self.tree.end(tag)

    def handle_data(self, data):
        if self.open:
            self.tree.data(data)


def parse(html: str) -> Element:
    parser = _Parser()
    parser.feed(html)
    assert parser.open == []
    return parser.tree.close()


def text(element: Element | None) -> str:
    assert element is not None
    return " ".join("".join(element.itertext()).split())


@dataclass
class PageAnswer:
    """The answer to a request, and its page as a tree."""

    status: int
    headers: dict[str, str]
    html: str

    @property
    def tree(self) -> Element:
        return parse(self.html)

    def texts(self, path: str) -> list[str]:
        return [text(element) for element in self.tree.findall(path)]

    def text(self, path: str) -> str:
        return text(self.tree.find(path))


@dataclass
class Reader:
    """Reads pages without running scripts."""

    fake: FakeArena
    app: FastAPI

    async def get(self, address: str) -> PageAnswer:
        status, headers, body = await ask(self.app, address)
        return PageAnswer(status, headers, body.decode())


def reader(fake: FakeArena, pages) -> Reader:
    app = create(fake)
    app.mount("/", pages)
    return Reader(fake, app)
