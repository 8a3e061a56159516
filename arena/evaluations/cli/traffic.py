"""Reports of `arena compare --traffic` before it starts: the sample, what was left out, and the price of the calls."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from typing import TYPE_CHECKING, Final

import typer

from arena.cli.context import opened
from arena.cli.model_calls import add_builtin
from arena.cli.terminal.progress import say
from arena.domain.figures import dollars
from arena.domain.text import first_line
from arena.evaluations.usecases.comparison import has_begun
from arena.evaluations.usecases.traffic.second_model import SecondModel, second_model
from arena.settings import Settings
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.evaluations.usecases.comparison import Comparison
    from arena.evaluations.usecases.traffic.traffic_material import Traffic

_ROUTES_SHOWN: Final = 10
_NAME_SHOWN: Final = 60


def say_sample(traffic: Traffic) -> None:
    """Say on standard error how the sample was drawn, and what was left out for which reason."""
    sample, drawing = traffic.sample, traffic.drawing
    counts = sample.counts()
    calls = counts.pop(drawing.model)
    out = Counter(sample.exclusions)
    out.update({f"of {first_line(name, _NAME_SHOWN)} (see --answered-by)": number for name, number in counts.items()})
    out.update({"that ask the same as another": calls - drawing.distinct})
    routes = Counter(first_line(route, _NAME_SHOWN) for _, route in drawing.calls.values())
    shares = f", in proportion: {_counts(routes, ' under ')}" if any(routes) else ""
    model = first_line(drawing.model, _NAME_SHOWN)
    say(f"{amount(sample.calls, 'call')}, of which {drawing.distinct} of {model} can be drawn.")
    say(f"Left out: {_counts(out) or 'none'}.")
    say(f"{amount(len(drawing.calls), 'call is', 'calls are')} drawn by --seed {sample.seed}{shares}.")
    if drawing.personal:
        say(f"Not drawn, since a text seems to have personal data: {_counts(drawing.personal)}.")


def say_calls(comparison: Comparison, name: str, *, ask: bool) -> None:
    """Say on standard error what leaves this machine and at which price; on a terminal go on only if told to.

    Raises:
        Invalid: There is no model of this name, or it may not be asked.
        Conflict: The comparison is open already, or is another one, so that nothing would leave this machine.
        Exit: The person at the terminal said no.
    """
    model, material = _second_model(comparison, name), comparison.material
    price = model.price(material)
    cost = "at a price that its endpoint does not state" if price is None else f"for about {dollars(price)}"
    say(
        f"Nothing leaves this machine but {amount(len(material.questions), 'call')} to {name} ({model.host}), {cost}:"
        " the drawn prompts with their system prompts and parameters."
    )
    if ask and sys.stdin.isatty() and not typer.confirm("Ask them?", default=True, err=True):
        raise typer.Exit(1)


def _second_model(comparison: Comparison, name: str) -> SecondModel:
    settings = Settings()
    with opened(settings) as database:

        async def read() -> SecondModel:
            await add_builtin(database, settings)
            model = await database.read(second_model, name)
            await database.read(has_begun, comparison)
            return model

        return asyncio.run(read())


def _counts(counter: Mapping[str, int], between: str = " ") -> str:
    """The counts with what they count, the largest first; of many the rest together."""
    entries = [(name, count) for name, count in Counter(counter).most_common() if count]
    rest = sum(count for _, count in entries[_ROUTES_SHOWN:])
    parts = [f"{count}{between}{name or 'no route'}" for name, count in entries[:_ROUTES_SHOWN]]
    return ", ".join([*parts, *([f"{rest} more"] if rest else [])])
