"""The operator's settings of the site, their pages, and the file that carries both to another arena."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field, JsonValue

from arena.domain.schemas.base import Wire, documented
from arena.domain.site import PAGE_LIMIT, PromptCheck, SitePage

Tag = Literal[
    "",
    "h2",
    "h3",
    "h4",
    "p",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "code",
    "strong",
    "em",
    "del",
    "a",
    "hr",
    "br",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
]


class ProseView(Wire):
    """An element of a page with what is in it, or a text, which has no `tag`; only a link has an `href`."""

    tag: Tag = ""
    text: str = ""
    href: str = ""
    children: list[ProseView] = Field(default_factory=list["ProseView"])


class SiteView(Wire):
    """The operator's settings as every page shows them; empty where the arena's own words and looks stay.

    `mark` is the address of an image, `announcement` and `ideas` are by language, and `pages` are those that are
    published.
    """

    name: str = ""
    mark: str = ""
    announcement: dict[str, str] = Field(default_factory=dict[str, str])
    languages: list[str] = Field(default_factory=list[str])
    accent: str = ""
    ideas: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    pages: list[SitePage] = Field(default_factory=list[SitePage])


class SitePageView(Wire):
    """A published page of the operator in one language; `languages` are all that it has."""

    page: SitePage
    language: str
    languages: list[str]
    version: int
    published_at: datetime
    blocks: list[ProseView]


class SiteChangeRequest(Wire):
    """Changes of the site; what is missing stays, and an empty value takes a setting back.

    `mark` is a PNG, JPEG or WebP image in base64. `pages` are Markdown by page and language: all languages of a page at
    once, which is its next version, and none to withdraw it.
    """

    name: str | None = None
    mark: str | None = None
    announcement: dict[str, str] | None = None
    languages: list[str] | None = None
    prompt_checks: PromptCheck | None = None
    accent: str | None = None
    ideas: dict[str, list[str]] | None = None
    pages: dict[SitePage, dict[str, str]] | None = None


class SiteFileView(Wire):
    """The whole site as one file, which another arena can import."""

    format: Literal["arena-site"] = "arena-site"
    version: int = 1
    name: str = ""
    mark: str = ""
    announcement: dict[str, str] = Field(default_factory=dict[str, str])
    languages: list[str] = Field(default_factory=list[str])
    prompt_checks: PromptCheck = PromptCheck.OFF
    accent: str = ""
    ideas: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    pages: dict[SitePage, dict[str, str]] = Field(default_factory=dict[SitePage, dict[str, str]])


class PublishedPageView(Wire):
    """One version of a page, for the operator; without languages it was withdrawn."""

    page: SitePage
    version: int
    languages: list[str]
    published_at: datetime


class OperatedSiteView(Wire):
    """The site as its operator edits it.

    `drafts` are texts to begin with, by page and language, which nobody else sees; `history` are all published
    versions, newest first. `imprint_missing` says that the arena is open to others and has no imprint.
    """

    site: SiteFileView
    drafts: dict[SitePage, dict[str, str]]
    history: list[PublishedPageView]
    imprint_missing: bool


class ProseRequest(Wire):
    """Markdown that the operator wants to see as a page."""

    text: str = documented(maxLength=PAGE_LIMIT)


SiteDocument = dict[str, JsonValue]
"""A file of a site as it comes, before its version and fields are checked."""
