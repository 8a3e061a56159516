"""Handlers of the app: generators and functions over the arena's client, with the API's own words for refusals."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# Gradio gives dictionaries and events without types.

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal

import gradio as gr

from arena.client import (
    ApiProblem,
    ArenaClient,
    BattleEvent,
    BattleView,
    ChatView,
    DeltaEvent,
    Outcome,
    ShownAnswers,
    Side,
)
from arena_gradio.answer_text import closed
from arena_gradio.board import standing
from arena_gradio.texts import AppTexts
from arena_gradio.visitors import Arena, Visit, read_visit

Kind = Literal["battle", "pair", "direct"]
KINDS: Final[tuple[Kind, ...]] = ("battle", "pair", "direct")
Message = dict[str, str]
Columns = list[list[Message]] | list[Message]
"""The messages of both sides, or of the only one."""
Stage = Literal["idle", "running", "ready", "ended"]
"""Stage of a conversation, which decides what can be pressed."""
BUTTONS: Final[dict[str, tuple[Stage, ...]]] = {
    "stop": ("running",),
    "regenerate": ("ready",),
    "skip": ("ready",),
    "new": ("ready", "ended"),
}
"""Stages in which each button can be pressed; votes in the stage `ready`."""


class Unready(Exception):
    """The page lacks something before the arena can be asked; the message is for the visitor."""


class Disagreed(Unready):
    """The terms are not accepted."""


ROUNDS: Final = 40
"""Most times that a stream which has ended is asked for again while its turn still runs."""
RETRY_SECONDS: Final = 0.1
"""Seconds before that."""
ELSEWHERE: Final = ("sign_in_required", "sign_in_refused", "role_required")
"""Problems that a visitor solves on the arena's own pages."""
FAULTS: Final = (ApiProblem, ConnectionError, Unready, ValueError)


@dataclass(frozen=True, slots=True)
class Room:
    """One kind of conversation of the app in one language."""

    arena: Arena
    words: AppTexts
    kind: Kind

    async def begin(
        self,
        prompt: str,
        visit: Visit,
        agreed: bool,  # noqa: FBT001 - Gradio gives positions
        models: list[str] | str | None,
        request: gr.Request,
    ) -> tuple[object, ...]:
        """Ask: open a conversation, or go on with the one that is open.

        Returns the visit, the text of the box, what is wrong, the terms, and the buttons.
        """
        visit = read_visit(visit)
        async with self.arena.client(visit, request) as client:
            try:
                view, terms = await self._ask(client, prompt, visit, models, agreed=agreed)
            except FAULTS as error:
                # A page that was opened while the arena was down has not shown the terms.
                terms = gr.update(visible=True) if isinstance(error, Disagreed) else gr.skip()
                return gr.skip(), prompt, self.sentence(error), terms, *self._unchanged
            visit = {**_unread(visit), "cookies": client.cookies, "agreed": terms, self.kind: view.id}
        return visit, "", "", gr.update(visible=False), *self._buttons("running")

    async def _ask(
        self, client: ArenaClient, prompt: str, visit: Visit, models: list[str] | str | None, *, agreed: bool
    ) -> tuple[BattleView | ChatView, int]:
        """Ask; returns the conversation, and the version of the terms that was accepted for the first question."""
        agreement = visit.get("agreed", 0)
        if visit.get(self.kind) and (view := await self._get(client, visit)).state == "open":
            ask = client.ask_next if self.kind == "battle" else client.ask_chat
            return await ask(view.id, prompt), agreement
        status = await client.get_status()
        if status.terms and not agreed:
            raise Disagreed(self.words("agree.first"))
        terms = status.terms or None
        if self.kind == "battle":
            return await client.open_battle(prompt, terms=terms), status.terms
        names = [models] if isinstance(models, str) else models or []
        if len(names) != (2 if self.kind == "pair" else 1):
            raise Unready(self.words("models.two" if self.kind == "pair" else "models.one"))
        return await client.open_chat(prompt, names, terms=terms), status.terms

    async def show(self, visit: Visit, request: gr.Request) -> AsyncIterator[Columns]:
        """Yield both columns of the open conversation together, and again with each frame of its stream."""
        visit = read_visit(visit)
        if not visit.get(self.kind):
            yield self._columns(None, {})
            return
        async with self.arena.client(visit, request) as client:
            with suppress(*FAULTS):  # `settle` says what is wrong
                for _ in range(ROUNDS):
                    view = await self._get(client, visit)
                    yield self._columns(view, {})
                    if view.turns[-1].state != "running":
                        return
                    follow = client.stream_battle if self.kind == "battle" else client.stream_chat
                    async for answers in frames(follow(view.id)):
                        yield self._columns(view, answers)
                    await asyncio.sleep(RETRY_SECONDS)  # what was said last is stored in a moment

    async def resume(self, visit: Visit, request: gr.Request) -> tuple[object, ...]:
        """Say how the conversation stands that was open when the page was opened, as `settle` does.

        Without one nothing changes, since its visitor may have asked meanwhile.
        """
        if read_visit(visit).get(self.kind):
            return await self.settle(_unread(read_visit(visit)), request)
        return gr.skip(), gr.skip(), gr.skip(), *self._unchanged

    async def show_again(self, visit: Visit, request: gr.Request) -> AsyncIterator[object]:
        """Yield the columns as `show` does, and without an open conversation nothing."""
        if not read_visit(visit).get(self.kind):
            yield [gr.skip() for _ in self.sides] if len(self.sides) > 1 else gr.skip()
            return
        async for columns in self.show(visit, request):
            yield columns

    async def settle(self, visit: Visit, request: gr.Request) -> tuple[object, ...]:
        """Say how the open conversation stands now.

        Where that is not to be had, votes are open only on answers that this page has shown to their end.

        Returns the visit, the notice, what there is after the vote, and the buttons.
        """
        visit = read_visit(visit)
        if not visit.get(self.kind):
            return gr.skip(), "", "", *self._buttons("idle")
        async with self.arena.client(visit, request) as client:
            try:
                view = await self._get(client, visit)
                after = await self._after(client, view)
            except FAULTS as error:
                if isinstance(error, ApiProblem) and error.problem.status == 404:  # another voter's, or deleted
                    return {**visit, self.kind: ""}, self.sentence(error), "", *self._buttons("idle")
                return gr.skip(), self.sentence(error), "", *self._buttons("ready" if "turn" in visit else "ended")
        last = view.turns[-1]
        stage: Stage = "running" if last.state == "running" else "ready" if view.state == "open" else "ended"
        visit = {**visit, "turn": last.number, "generation": last.generation} if self.kind == "battle" else visit
        return visit, self._notice(view, stage), after, *self._buttons(stage)

    def _notice(self, view: BattleView | ChatView, stage: Stage) -> str:
        if view.turns[-1].state == "failed":
            return self.words("failed" if self.kind == "battle" else "failed.chat")
        if self.kind != "battle":
            return self.words("not.rated")
        return {"running": self.words("running"), "ready": self.words("ready")}.get(
            stage, "" if view.state == "voted" else self.words("void")
        )

    def act(self, verb: str) -> Callable[[Visit, gr.Request], Awaitable[tuple[object, ...]]]:
        """Return the handler that stops, regenerates or skips; it returns the visit, what is wrong, and the buttons."""

        async def handle(visit: Visit, request: gr.Request) -> tuple[object, ...]:
            visit = read_visit(visit)
            conversation = visit.get(self.kind, "")
            async with self.arena.client(visit, request) as client:
                try:
                    await (client.act(conversation, verb) if self.kind == "battle" else client.stop_chat(conversation))
                except FAULTS as error:
                    return gr.skip(), self.sentence(error), *self._unchanged
            buttons = self._buttons("running") if verb == "regenerate" else self._unchanged
            visits: dict[str, Visit] = {"skip": {**visit, self.kind: ""}, "regenerate": _unread(visit)}
            return visits[verb] if verb in visits else gr.skip(), "", *buttons

        return handle

    def vote(self, outcome: Outcome) -> Callable[[Visit, gr.Request], Awaitable[str]]:
        """Return the handler that votes on the answers that the page shows; it returns what is wrong."""

        async def handle(visit: Visit, request: gr.Request) -> str:
            visit = read_visit(visit)
            battle = visit.get("battle", "")
            shown = ShownAnswers(turn=visit.get("turn"), generation=visit.get("generation"))
            async with self.arena.client(visit, request) as client:
                try:
                    await client.cast_vote(battle, outcome, key=f"{battle} {outcome.value}", shown=shown)
                except FAULTS as error:
                    return self.sentence(error)
            return ""

        return handle

    async def leave(self, visit: Visit) -> tuple[object, ...]:
        """Begin anew: forget which conversation is open."""
        return {**read_visit(visit), self.kind: ""}, "", *self._unchanged

    async def _after(self, client: ArenaClient, view: BattleView | ChatView) -> str:
        """The Markdown of the reveal, once a battle is voted."""
        if view.state != "voted":
            return ""
        reveal, board = await client.get_reveal(view.id), await client.get_leaderboard()
        lines = [f"### {self.words(f'chose.{reveal.outcome.value}')}"]
        for side in Side:
            model = reveal.a if side is Side.A else reveal.b
            name, owner = closed(model.name), closed(self.words.owner(model.owner))
            line = self.words("revealed", side=self.words(f"side.{side.value}"), name=name, owner=owner)
            place = standing(model.name, board, self.words)
            lines.append(f"{line} · {place} · [{self.words('model.page')}]({self.arena.model_page(model.name)})")
        counted = self.words("counted") if reveal.counted else self.words.named("not", reveal.reason or "other")
        there = [self.words("there", page=self.arena.page)] if reveal.reason == "bot_check" else []
        return "\n\n".join([*lines, counted, *there])

    async def _get(self, client: ArenaClient, visit: Visit) -> BattleView | ChatView:
        conversation = visit.get(self.kind, "")
        return await (client.get_battle if self.kind == "battle" else client.get_chat)(conversation)

    def _columns(self, view: BattleView | ChatView | None, answers: dict[Side, str]) -> Columns:
        """The messages of each side; `answers` are those of the last turn as far as its stream has come."""
        columns: dict[Side, list[Message]] = {side: [] for side in self.sides}
        for turn in view.turns if view else []:
            texts = answers if answers and turn is view.turns[-1] else turn.answers  # pyright: ignore[reportOptionalMemberAccess]
            for side, messages in columns.items():
                messages.append({"role": "user", "content": closed(turn.prompt)})
                if text := texts.get(side):
                    messages.append({"role": "assistant", "content": closed(text)})
                if side in turn.cut:  # apart from the answer, which may have been cut amid code
                    messages.append({"role": "assistant", "content": f"*{self.words('cut')}*"})
        shown = list(columns.values())
        return shown if len(shown) > 1 else shown[0]  # Gradio takes no list of one

    @property
    def sides(self) -> tuple[Side, ...]:
        """The columns of this room."""
        return (Side.A,) if self.kind == "direct" else tuple(Side)

    def _buttons(self, stage: Stage) -> list[object]:
        votes = [stage == "ready" for _ in Outcome] if self.kind == "battle" else []
        return [gr.update(interactive=on) for on in (*(stage in BUTTONS[name] for name in self.buttons), *votes)]

    @property
    def _unchanged(self) -> list[object]:
        """The buttons as they are."""
        return [gr.skip() for _ in self._buttons("idle")]

    @property
    def buttons(self) -> tuple[str, ...]:
        """Names of the buttons of this room besides send and the votes."""
        return tuple(BUTTONS) if self.kind == "battle" else ("stop", "new")

    def sentence(self, error: Exception) -> str:
        """One sentence on what is wrong, for whoever asked: the API's own words where it has answered."""
        return sentence(error, self.words, self.arena)


def _unread(visit: Visit) -> Visit:
    """The visit of a page that has not shown the answers of its battle to their end."""
    return {name: value for name, value in visit.items() if name not in {"turn", "generation"}}


def sentence(error: Exception, words: AppTexts, arena: Arena) -> str:
    """One sentence on what is wrong; the API's own words where it has answered."""
    if isinstance(error, ApiProblem):
        problem = error.problem
        if problem.code == "no_problem_details":
            return words("foreign", url=arena.url)
        wait = f" {words('again', seconds=problem.retry_after)}" if problem.retry_after else ""
        there = f" {words('there', page=arena.page)}" if problem.code in ELSEWHERE else ""
        return f"{problem.detail or problem.title}{wait}{there}"
    if isinstance(error, Unready):
        return str(error)
    return words("down" if isinstance(error, ConnectionError) else "foreign", url=arena.url)


async def frames(events: AsyncIterator[BattleEvent]) -> AsyncIterator[dict[Side, str]]:
    """Yield the answers so far, once for all events that have arrived together."""
    answers: dict[Side, str] = {}
    news, ended = asyncio.Event(), asyncio.Event()

    async def read() -> None:
        try:
            async for event in events:
                if isinstance(event, DeltaEvent):
                    answers[event.side] = answers.get(event.side, "") + event.text
                    news.set()
        finally:
            ended.set()
            news.set()

    reading = asyncio.create_task(read())
    try:
        while not ended.is_set():
            await news.wait()
            news.clear()
            yield dict(answers)
        await reading
    finally:
        reading.cancel()
