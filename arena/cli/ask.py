"""`arena ask`: try a running arena from a terminal."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.columns import Columns
from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from arena.cli.terminal.tables import owner_text
from arena.client import ApiProblem, ArenaClient, ShownAnswers
from arena.domain.errors import Invalid, Unavailable
from arena.domain.schemas.battles import DeltaEvent, TurnFailedEvent
from arena.domain.terms import NotCounted, Outcome, Side

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from arena.domain.schemas.battles import BattleEvent

_REASONS: Final[Mapping[str, str]] = {
    NotCounted.IDENTITY_TOLD: "an answer gave away who wrote it.",
    NotCounted.IDENTITY_ASKED: "the question asked the models who they are.",
    NotCounted.STOPPED: "the answers were stopped before the end.",
    NotCounted.TOO_FAST: "it came too soon after the answers to have read them.",
    NotCounted.NEIGHBOURHOOD_LIMIT: "your network has reached today's limit (UTC).",
    NotCounted.BOT_CHECK: "it needs a bot check, which only a browser can do.",
    NotCounted.REPEATED: "you asked these two models the same question before.",
    NotCounted.WEB_PAGE: "it counts on the web page board.",
}
"""Why a vote is kept and not counted."""
_NAMES = "Name of a model to chat with; twice for two side by side. Without it the arena draws two for a battle."


def ask(
    prompt: str,
    url: Annotated[str, typer.Option(help="Address of the arena.")] = "http://127.0.0.1:8000",
    model: Annotated[list[str] | None, typer.Option(help=_NAMES)] = None,
    vote: Annotated[Outcome | None, typer.Option(help="Vote with it; on a terminal you are asked for one.")] = None,
) -> None:
    """Send a prompt to a running arena, show the answers as they arrive, and vote."""
    if model and vote:
        raise Invalid("A chat has no vote: leave out --vote or --model.")
    try:
        asyncio.run(_chat(url, prompt, model) if model else _battle(url, prompt, vote))
    except (ConnectionError, ApiProblem) as error:
        raise Unavailable(f"{url}: {error}") from None
    except ValueError:
        raise Unavailable(f"{url} does not answer as an arena does.") from None


async def _chat(url: str, prompt: str, models: list[str]) -> None:
    async with ArenaClient(url) as client:
        chat = await client.open_chat(prompt, models)
        await _show(client.stream_chat(chat.id), {side: model.name for side, model in chat.models.items()})


async def _battle(url: str, prompt: str, outcome: Outcome | None) -> None:
    async with ArenaClient(url) as client:
        battle = await client.open_battle(prompt)
        await _show(client.stream_battle(battle.id), {side: side.value.upper() for side in Side})
        choice = outcome or _ask_outcome()
        if choice is not None:
            shown = ShownAnswers(turn=battle.turns[-1].number, generation=battle.turns[-1].generation)
            reveal = await client.cast_vote(battle.id, choice, shown=shown)
            for name, model in (("A", reveal.a), ("B", reveal.b)):
                print(f"{name}: {_printable(model.name)} by {_printable(owner_text(model.owner))}")
            print("Your vote counts." if reveal.counted else _note(reveal.reason))


def _note(reason: str | None) -> str:
    """A sentence on a vote that is not counted, without a reason that only an arena of another version knows."""
    why = _REASONS.get(reason or "")
    return f"Your vote is kept and not counted: {why}" if why else "Your vote is kept and not counted."


async def _show(events: AsyncIterator[BattleEvent], titles: dict[Side, str]) -> None:
    """Show the answers in panels beside each other as they grow; without a terminal, once they have ended.

    Raises:
        Unavailable: The turn has failed.
    """
    answers, failure = dict.fromkeys(titles, ""), ""
    with Live(console=Console(), auto_refresh=False) as live:
        async for event in events:
            if isinstance(event, TurnFailedEvent):
                failure = _failure(event, titles)  # raised after the stream, which must be read to its end
            if isinstance(event, DeltaEvent):
                answers[event.side] += _printable(event.text)
                width = live.console.width // len(titles) - 1
                # Without fold Rich would cut lines without spaces, such as Chinese ones.
                texts = {side: Text(answer, overflow="fold") for side, answer in answers.items()}
                panels = [Panel(texts[side], title=Text(name), width=width) for side, name in titles.items()]
                live.update(Columns(panels, padding=0), refresh=True)
    if failure:
        raise Unavailable(failure)
    if not live.console.is_terminal:
        print()


def _failure(event: TurnFailedEvent, titles: Mapping[Side, str]) -> str:
    """A sentence on a turn that failed, with the names of the models that did where these are known."""
    names = ", ".join(_printable(titles[side]) for side in event.failed)
    return f"{names} could not answer, so this chat has ended." if names else event.title


def _ask_outcome() -> Outcome | None:
    """Ask for an outcome; return None without a terminal, or for an empty line."""
    if not sys.stdin.isatty():
        return None
    choices = [outcome.value for outcome in Outcome]
    while word := typer.prompt(f"Your vote ({', '.join(choices)}, empty for none)", default="", show_default=False):
        if word in choices:
            return Outcome(word)
    return None


def _printable(text: str) -> str:
    """Text without control characters, by which an answer could control the terminal."""
    return "".join(character for character in text if character == "\n" or character.isprintable())
