"""Contents of pages of the server: a template and the values that it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena_frontend.texts import Texts


@dataclass(frozen=True)
class Content:
    """The template of a page, a function that computes its values for a reader's texts, and its status.

    `key` is the address without what does not change the page; None for a page that is not kept for other readers.
    `caching` says so to browsers and proxies.
    `name` is that of the page in texts and in the navigation, where it is not that of its folder.
    `location` is where a redirect leads.
    `policy` is its own Content-Security-Policy, if it has one; a page with `is_framing` shows web pages by models.
    """

    template: str
    values: Callable[[Texts], Mapping[str, Any]]
    status: HTTPStatus = HTTPStatus.OK
    key: str | None = ""
    caching: str = "no-cache"
    name: str = ""
    location: str = ""
    policy: str = ""
    is_framing: bool = False
