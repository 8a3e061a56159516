"""The app's API for `gradio_client` and other programs: ask, vote, leaderboard, models."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any, Final

import gradio as gr
from gradio.events import api  # pyright: ignore[reportUnknownVariableType]

from arena.client import Outcome, Side
from arena_gradio.handlers import FAULTS, Unready, frames, sentence
from arena_gradio.texts import AppTexts
from arena_gradio.visitors import is_cookies, is_id

if TYPE_CHECKING:
    from arena_gradio.visitors import Arena

_WORDS: Final = AppTexts("en")
RUNNING: Final = 50
"""Most calls of one kind at once."""


class Api:
    """The calls of the API over an arena; a refusal is an error with the arena's own words."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena

    async def ask(
        self, prompt: str, request: gr.Request, terms: int = 0, battle: str = "", voter: dict[str, str] | None = None
    ) -> AsyncGenerator[dict[str, Any]]:
        """Ask two hidden models, and follow both answers.

        `terms` is the version of the terms that you accept, which the error names without it. Yields `battle`, `voter`,
        and the answers `a` and `b` so far. To go on, hand back `battle` and `voter`.
        """
        _check(battle, voter or {})
        async with self._arena.client({"cookies": voter or {}}, request) as client:
            try:
                if battle:
                    view = await client.ask_next(battle, prompt)
                else:
                    newest = (await client.get_status()).terms
                    if newest and terms != newest:
                        raise Unready(_WORDS("api.terms", terms=newest, page=self._arena.page))
                    view = await client.open_battle(prompt, terms=newest or None)
                async for answers in frames(client.stream_battle(view.id)):
                    texts = {side.value: answers.get(side, "") for side in Side}
                    yield {"battle": view.id, "voter": client.cookies, **texts}
                turn = (await client.get_battle(view.id)).turns[-1]
            except FAULTS as error:
                raise _refusal(error, self._arena) from None
        if turn.state == "failed":
            raise gr.Error(_WORDS("failed"), print_exception=False)
        yield {"battle": view.id, "voter": client.cookies, **{side.value: turn.answers.get(side, "") for side in Side}}

    async def vote(self, battle: str, outcome: str, voter: dict[str, str], request: gr.Request) -> dict[str, Any]:
        """Vote `a`, `b`, `tie` or `both_bad`; returns who was who, and whether the vote counts."""
        if outcome not in list(Outcome):
            raise gr.Error(_WORDS("api.outcome"), print_exception=False)
        _check(battle, voter)
        async with self._arena.client({"cookies": voter}, request) as client:
            try:
                reveal = await client.cast_vote(battle, Outcome(outcome), key=f"{battle} {outcome}")
            except FAULTS as error:
                raise _refusal(error, self._arena) from None
        return reveal.model_dump(mode="json")

    async def leaderboard(self, request: gr.Request, category: str = "", language: str = "") -> dict[str, Any]:
        """Return the newest leaderboard, or its board of one category or language, as the arena's API has it."""
        async with self._arena.client({}, request) as client:
            try:
                board = await client.get_leaderboard(category, language)
            except FAULTS as error:
                raise _refusal(error, self._arena) from None
        return board.model_dump(mode="json")

    async def models(self, request: gr.Request) -> list[dict[str, Any]]:
        """List the models that take part or took part, as the arena's API has them."""
        async with self._arena.client({}, request) as client:
            try:
                models = await client.list_models()
            except FAULTS as error:
                raise _refusal(error, self._arena) from None
        return [model.model_dump(mode="json") for model in models]


def add(arena: Arena) -> None:
    """Add the calls to the app that is being built."""
    calls = Api(arena)
    for name in ("ask", "vote", "leaderboard", "models"):
        api(getattr(calls, name), api_name=name, concurrency_limit=RUNNING)


def _check(battle: object, voter: object) -> None:
    """Refuse what `/ask` cannot have returned."""
    if not (is_id(battle) and is_cookies(voter)):
        raise gr.Error(_WORDS("api.voter"), print_exception=False)


def _refusal(error: Exception, arena: Arena) -> gr.Error:
    return gr.Error(sentence(error, _WORDS, arena), print_exception=False)
