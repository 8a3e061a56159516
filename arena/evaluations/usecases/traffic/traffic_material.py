"""Material of a comparison from traffic: sampled calls as questions that carry what was asked, with their answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

from arena.adapters.row_files.rows import Unusable, shown
from arena.domain.errors import Invalid
from arena.domain.schemas.questions import NAME_LIMIT, ModelRequestView, QuestionView, RequestMessageView
from arena.domain.text import first_line
from arena.evaluations.usecases.answer_files.material import Material, MaterialAnswer
from arena.evaluations.usecases.sets.reader import facts_of_set
from arena.evaluations.usecases.traffic.call_sample import CallSample, SampleDraw
from arena.evaluations.usecases.traffic.logged_calls import LoggedCall, name_of
from arena.evaluations.usecases.traffic.traffic_reader import read_calls

SIZE: Final = 200
"""Calls in a sample, unless another number is given."""
MAX_SIZE: Final = 2_000
"""Largest sample, whose texts are kept in memory."""
SEED: Final = 1
_NAMES_SHOWN: Final = 3
"""Models that are named, those with the most calls."""
_LOGGED: Final = " (logged)"
_LAST_SECOND: Final = 4_102_444_800
"""The end of the year 2099; later times are milliseconds or damaged."""
_SYSTEM_SHOWN: Final = 1_000
"""Most characters of a system prompt that people are shown."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """A sample of a log as material, with the counts of both readings."""

    material: Material
    sample: CallSample
    drawing: SampleDraw


def read_traffic(
    path: Path, name: str, *, against: str, size: int = SIZE, seed: int = SEED, model: str | None = None
) -> Traffic:
    """Read a log twice: once for the sample, once for its texts; `model` is the one with the most calls unless given.

    Raises:
        Invalid: The file cannot be read, has no call that can be used, or none of this model.
    """
    sample = CallSample(size, seed)
    for call in read_calls(path):
        sample.add(call)
    drawing = SampleDraw(sample, _chosen_model(path, sample, model))
    for place, call in enumerate(islice(read_calls(path), drawing.last + 1)):
        if not isinstance(call, Unusable):
            drawing.add(place, call)
    if not drawing.calls:
        raise Invalid(f"{path}: each call that was drawn has personal data.")
    title = _title(drawing.model, against)
    questions = [_question(place, *entry) for place, entry in drawing.calls.items()]
    calls = (call for call, _ in drawing.calls.values())
    answers = [_answer(question.id, title, call) for question, call in zip(questions, calls, strict=True)]
    return Traffic(Material(facts_of_set({"name": name}, questions, path), questions, answers, []), sample, drawing)


def _chosen_model(path: Path, sample: CallSample, model: str | None) -> str:
    counts = sample.counts()
    if not counts:
        reasons = "; ".join(f"{count} {reason}" for reason, count in sample.exclusions.most_common())
        raise Invalid(f"{path}: no call can be used{f': {reasons}' if reasons else ', since there is none'}.")
    if model is not None and name_of(model) not in counts:
        names = sorted(counts, key=counts.__getitem__, reverse=True)
        listed = ", ".join(first_line(entry, NAME_LIMIT) for entry in names[:_NAMES_SHOWN])
        more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
        raise Invalid(f"{path}: no call of {shown(model)} can be used; there are: {listed}{more}.")
    return name_of(model) if model is not None else max(counts, key=counts.__getitem__)


def _title(model: str, against: str) -> str:
    """The name of the logged model in the comparison, where it is another than that of the second model."""
    name = first_line(model, NAME_LIMIT - len(_LOGGED))
    return f"{name}{_LOGGED}" if name == against else name


def _question(place: int, call: LoggedCall, route: str) -> QuestionView:
    """The question of a call: what people are shown, and what the model was asked."""
    return QuestionView(
        id=f"call-{place + 1}",
        turns=[_shown(call)],
        area=first_line(route, NAME_LIMIT) or None,
        request=ModelRequestView(
            system_prompt=call.system_prompt,
            messages=[RequestMessageView(role=message.role, text=message.text) for message in call.messages],
            temperature=call.temperature,
            top_p=call.top_p,
            max_tokens=call.max_tokens,
        ),
    )


def _shown(call: LoggedCall) -> str:
    """The user's message alone, or the whole conversation with roles; of a long system prompt its beginning."""
    if len(call.messages) == 1 and call.system_prompt is None:
        return call.messages[0].text
    system = call.system_prompt or ""
    lines = [f"system: {system[:_SYSTEM_SHOWN]}{'…' if len(system) > _SYSTEM_SHOWN else ''}"] if system else []
    return "\n\n".join([*lines, *(f"{message.role}: {message.text}" for message in call.messages)])


def _answer(question: str, model: str, call: LoggedCall) -> MaterialAnswer:
    """The logged answer, with what it took."""
    took = call.expense
    at = None if took.at is None or took.at > _LAST_SECOND else datetime.fromtimestamp(took.at, UTC)
    facts: dict[str, Any] = {"sent": took.sent, "tokens": took.tokens, "milliseconds": took.milliseconds}
    return MaterialAnswer(question, model, [call.answer], **facts, cost=took.cost, asked_at=at)
