"""The operator's settings as every page shows them: name, mark, announcement, languages, colour, and links to pages."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from arena.domain.site import nearest
from arena.domain.terms import Access
from arena_frontend.texts import LANGUAGES, Texts

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from arena.domain.schemas.site import SiteView
    from arena_frontend.api_reader import ApiReader, App

Translated = tuple[tuple[str, str], ...]
"""A text by language."""


@dataclass(frozen=True, slots=True)
class Branding:
    """The operator's settings; an empty value means the arena's own words and looks.

    `mark` is the address of an image, `ideas` are prompts by language, and `pages` those that are published. `access`
    says who may take part, `gradio` whether `/gradio` leads to the Gradio app.
    """

    name: str = ""
    mark: str = ""
    announcement: Translated = ()
    languages: tuple[str, ...] = LANGUAGES
    accent: str = ""
    ideas: tuple[tuple[str, tuple[str, ...]], ...] = ()
    pages: tuple[str, ...] = ()
    access: Access = Access.PUBLIC
    gradio: bool = False
    words: dict[str, Texts] = field(default_factory=dict[str, Texts], compare=False, repr=False)

    def announced(self, language: str) -> str:
        """The announcement in a language, or else in English, or else in the first that it has."""
        texts = dict(self.announcement)
        return texts.get(nearest(list(texts), language), "")

    def renamed(self, words: Texts) -> Texts:
        """The texts of a language with the operator's name and prompt ideas in place of the arena's own."""
        if not self.name and not self.ideas:
            return words
        if words.language not in self.words:
            self.words[words.language] = Texts(words.language, words.table | self._named(words))
        return self.words[words.language]

    def _named(self, words: Texts) -> dict[str, object]:
        keys = [key for key in words.table if key == "brand" or key.startswith("title.")]
        replaced: dict[str, object] = {key: words[key].replace(words["brand"], self.name) for key in keys if self.name}
        if prompts := dict(self.ideas).get(words.language):
            replaced["ideas"] = [[words["ideas.own"], *prompts]]
        return replaced

    @property
    def colours(self) -> str:
        """The address of the style sheet with the operator's colour, or an empty string."""
        digest = hashlib.sha256(self.accent.encode()).hexdigest()[:8]
        return f"/api/v1/site/colours.css?v={digest}" if self.accent else ""


PLAIN: Final = Branding()
"""The branding of an arena whose operator has set nothing."""


class BrandingReader:
    """Reads the operator's settings; while they cannot be read the last ones stay.

    `gradio` is whether `/gradio` leads to the Gradio app; pages of an arena for members do not lead there.
    """

    def __init__(self, reader: ApiReader, *, gradio: bool = False) -> None:
        self._reader = reader
        self._gradio = gradio
        self._newest = replace(PLAIN, gradio=gradio)
        self._tag: str = ""

    async def read(self, app: App | None) -> Branding:
        """Return the branding; `app` is the application whose API has the settings, None before its start."""
        if app is None:
            return self._newest
        answer = await self._reader.read(app, "/site", _site())
        if not answer.refused and answer.tag != self._tag:
            newest = branding_of(answer.view)
            # The app has no way to sign in.
            is_open = self._gradio and newest.access is Access.PUBLIC
            self._newest, self._tag = replace(newest, gradio=is_open), answer.tag
        return self._newest


def branding_of(view: SiteView) -> Branding:
    """The branding that a view of the API describes."""
    return Branding(
        name=view.name,
        mark=view.mark,
        announcement=tuple(view.announcement.items()),
        languages=tuple(view.languages) or LANGUAGES,
        accent=view.accent,
        ideas=tuple((language, tuple(prompts)) for language, prompts in view.ideas.items()),
        pages=tuple(page.value for page in view.pages),
        access=view.access,
    )


@cache
def _site() -> TypeAdapter[SiteView]:
    # The first pages need not wait for it.
    from pydantic import TypeAdapter

    from arena.domain.schemas.site import SiteView

    return TypeAdapter(SiteView)
