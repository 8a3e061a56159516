"""Checks of a streamed answer: whether the stream loses text, and whether its pieces repeat the text so far."""

from __future__ import annotations

import logging
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from arena.calls.stream import ANSWER_LIMIT
from arena.domain.blinding.units import units_of
from arena.usecases.endpoints.probes.probe_calls import ask
from arena_providers.base import WholeProvider
from arena_providers.errors import ProviderError
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.calls.caller import Caller
    from arena.usecases.endpoints.probes.probe_calls import Tried
    from arena_providers.base import Target

log = logging.getLogger(__name__)

_WHOLE_UNITS: Final = 12
"""Fewest units of a whole answer to compare with: about three words."""
_RATIO: Final = 4
"""A streamed answer that is so many times shorter than a whole one has lost text; answers differ by less."""
_PIECES: Final = 3
_SHORT: Final = 40
"""Most characters of an answer that cannot suit several questions."""
_LONGEST_PIECE: Final = 40
"""Most characters of a first piece that is looked for in a text whose pieces arrived together."""
_SEARCHED: Final = 2_000
"""Characters of the text that are searched."""


async def loses_text(caller: Caller, target: Target, tried: Sequence[Tried]) -> bool:
    """Whether the shortest streamed answer is much shorter than an answer without streaming, also when asked again.

    One more call for most endpoints; False where the dialect or the server has no answers without streaming.
    """
    provider = caller.providers[target.dialect]
    complete = [trial for trial in tried if trial.ok and trial.finish is Finish.STOP]
    if not complete or not isinstance(provider, WholeProvider):
        return False
    shortest = min(complete, key=lambda trial: units_of(trial.text))
    try:
        units = units_of(await provider.whole(target, shortest.messages))
    except ProviderError as error:
        log.info("no answer without streaming to compare with (%s): %s", target.dialect, error)
        return False
    if units < max(_WHOLE_UNITS, _RATIO * units_of(shortest.text)):
        return False
    again = await ask(caller, shortest.kind, target, shortest.messages)
    return again.ok and again.finish is Finish.STOP and units >= _RATIO * units_of(again.text)


async def answers_whole(caller: Caller, target: Target, trial: Tried) -> bool:
    """Whether the server answers in the registered dialect when it is asked for no stream."""
    provider = caller.providers[target.dialect]
    if not isinstance(provider, WholeProvider):
        return False
    try:
        return bool((await provider.whole(target, trial.messages)).strip())
    except ProviderError:
        return False


def only_answer(tried: Sequence[Tried]) -> str:
    """The text of all answers, if it is short and the same for all questions; empty if they differ."""
    texts = {trial.text.strip() for trial in tried}
    text = texts.pop() if len(tried) > 1 and len(texts) == 1 else ""
    return text if len(text) <= _SHORT else ""


def states_no_reason(tried: Sequence[Tried]) -> bool:
    """Whether answers came, and none stated a reason for its end."""
    reasons = [trial.has_reason for trial in tried if trial.ok]
    return False in reasons and True not in reasons


def is_cut(answer: Tried) -> bool:
    """Whether an answer had more text than readers see."""
    return answer.ok and len(answer.text) >= ANSWER_LIMIT


def is_at_limit(answer: Tried) -> bool:
    """Whether the server cut an answer at its maximum length."""
    return answer.ok and answer.finish is Finish.LENGTH and not is_cut(answer)


def is_cumulative(answer: Tried) -> bool:
    """Whether each piece of an answer begins with all of the one before, also where several arrived at once."""
    if _grows(answer.texts):
        return True
    text = answer.text[:_SEARCHED]
    lengths = range(1, min(_LONGEST_PIECE, len(text) // _PIECES) + 1)
    # The last part may be cut.
    return any(_grows(_split_at(text, text[:length])[:-1]) for length in lengths)


def _split_at(text: str, beginning: str) -> list[str]:
    """The parts of a text that start with this beginning of it."""
    starts = [match.start() for match in re.finditer(re.escape(beginning), text)]
    return [text[start:end] for start, end in pairwise([*starts, len(text)])]


def _grows(pieces: Sequence[str]) -> bool:
    growing = (len(earlier) < len(later) and later.startswith(earlier) for earlier, later in pairwise(pieces))
    return len(pieces) >= _PIECES and all(growing)
