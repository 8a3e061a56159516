"""The operator's settings of the site, their pages, and the file for another arena with both."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field, JsonValue

from arena.domain.schemas.base import Wire, documented
from arena.domain.site import PAGE_LIMIT, PromptCheck, SitePage
from arena.domain.terms import Access

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
    """An element of a page with its children, or a text, which has no `tag`; only a link has an `href`."""

    tag: Tag = ""
    text: str = ""
    href: str = ""
    children: list[ProseView] = Field(default_factory=list["ProseView"])


class SiteView(Wire):
    """The operator's settings that pages show; empty ones mean the arena's defaults.

    `mark` is the URL of an image, `announcement` and `ideas` are by language, and `pages` are the published ones;
    `access` says who may take part.
    """

    name: str = ""
    mark: str = ""
    announcement: dict[str, str] = Field(default_factory=dict[str, str])
    languages: list[str] = Field(default_factory=list[str])
    accent: str = ""
    ideas: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    pages: list[SitePage] = Field(default_factory=list[SitePage])
    access: Access = Access.PUBLIC


class SitePageView(Wire):
    """A published page of the operator in one of its `languages`."""

    page: SitePage
    language: str
    languages: list[str]
    version: int
    published_at: datetime
    blocks: list[ProseView]


class SiteChangeRequest(Wire):
    """Changes of the site; what is missing stays, and an empty value restores the default.

    `mark` is a PNG, JPEG or WebP image in base64. `pages` is Markdown by page and language; languages that are missing
    in a page, an announcement or ideas stay as they are, an empty text removes one, and an empty table all.
    `versions` are those that the editor has seen, by key such as `name` or `imprint.en`: the change is refused if a
    key that it edits has another version by now. A key without one is set whatever it was.
    """

    name: str | None = None
    mark: str | None = None
    announcement: dict[str, str] | None = None
    languages: list[str] | None = None
    prompt_checks: PromptCheck | None = None
    accent: str | None = None
    ideas: dict[str, list[str]] | None = None
    pages: dict[SitePage, dict[str, str]] | None = None
    versions: dict[str, str] | None = None


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
    """The site for its operator.

    `drafts` are templates by page and language, visible to the operator only; `history` has all published versions,
    newest first. `imprint_missing`: others can reach the arena, and it has no imprint. `versions` are those of all that
    can be edited, for a change of it.
    """

    site: SiteFileView
    drafts: dict[SitePage, dict[str, str]]
    history: list[PublishedPageView]
    imprint_missing: bool
    versions: dict[str, str]


class ProseRequest(Wire):
    """Markdown for a preview."""

    text: str = documented(maxLength=PAGE_LIMIT)


SiteDocument = dict[str, JsonValue]
"""A file of a site before its version and fields are checked."""
