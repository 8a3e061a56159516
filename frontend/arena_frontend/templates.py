"""The templates of pages: Jinja2 with escaping on, the texts of a language, and figures in its format."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from arena.domain.figures import dollars
from arena.domain.terms import Access
from arena_frontend import figures
from arena_frontend.branding import PLAIN, Branding
from arena_frontend.markup import ICONS, bar, foot, preview
from arena_frontend.owner_marks import colour, initials
from arena_frontend.script_texts import script_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.bundle import Bundle
    from arena_frontend.contents import Content
    from arena_frontend.texts import Texts

HERE: Final = Path(__file__).parent


def render(content: Content, words: Texts, page: str, bundle: Bundle, address: str, branding: Branding = PLAIN) -> str:
    """Render a page in the language of `words`; `address` is the arena's public address or empty."""
    name = content.name or page
    words = branding.renamed(words).on(name)
    variables = content.values(words)
    title = variables["title"] if "title" in variables else words[f"title.{name}"]
    description = variables.get("description", words["description"])
    values = {
        "page": page,
        "words": words,
        "t": words.fill,
        "prefix": bundle.prefix,
        "mark": f"data:image/svg+xml,{quote(bundle.text('mark.svg'))}",
        "title": title,
        "description": description,
        "bar": Markup(bar(words, name, branding)),  # noqa: S704 - made of escaped texts
        "foot": Markup(foot(words, branding)),  # noqa: S704
        "preview": Markup(_preview(variables, title, description, address, bundle)),  # noqa: S704
        "colours": branding.colours,
        "gradio": branding.gradio,
        "invites": branding.access is Access.MEMBERS_VOTE,
        "icons": {name: Markup(icon) for name, icon in ICONS.items()},  # noqa: S704
        "scripts": bundle.scripts(page),
        "script_texts": Markup(script_texts(words, page, bundle)),  # noqa: S704
    }
    if taken := (variables.keys() & values.keys()) - {"title", "description"}:
        raise ValueError(f"{content.template} names what every page has: {sorted(taken)}")
    return _environment().get_template(content.template).render({**values, **variables})


def _preview(variables: Mapping[str, object], title: str, description: str, address: str, bundle: Bundle) -> str:
    """The tags for link previews; a page may have a title and a picture of its own there."""
    picture = f"{address}{variables['preview_picture']}" if "preview_picture" in variables else ""
    shown = str(variables.get("preview_title", title))
    return preview(shown, description, address + bundle.prefix, picture=picture, hidden="hidden" in variables)


@cache
def _environment() -> Environment:
    """The environment of all pages; a name that a template does not know is an error."""
    environment = Environment(
        loader=FileSystemLoader([HERE / "pages", HERE / "conversation", HERE / "shared"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = {name: getattr(figures, name) for name in figures.FORMATS}
    filters |= {"dollars": dollars, "initials": initials, "colour": colour, "json": json.dumps}
    environment.filters.update(filters)  # pyright: ignore[reportUnknownMemberType] - their type is not given
    return environment
