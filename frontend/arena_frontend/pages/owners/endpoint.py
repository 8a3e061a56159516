"""Values of an endpoint's view: its next step, what waits for the operator, and the parts of a report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import TypeAdapter

from arena.domain.schemas.endpoints import ChangeView, OwnedEndpointView, ProbeView
from arena.domain.terms import EndpointState
from arena_frontend.figures import plain, whole
from arena_frontend.pages.sentences import error_kind, fault, pending_changes, reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from arena_frontend.texts import Texts

ENDPOINT: Final = TypeAdapter(OwnedEndpointView)
_NEWLY: Final = ("url", "wire_model", "preset", "dialect")
_PARAMETERS: Final = ("system_prompt", "temperature", "top_p", "max_tokens")
_NO_REASONS: Final = frozenset({"by_owner", "by_operator", "by_command"})
_LATE: Final = frozenset({"stalled", "too_slow", "too_long"})
"""Faults of an answer that the arena has stopped reading."""
Dated = TypeVar("Dated", ChangeView, ProbeView)


def endpoint_values(endpoint: OwnedEndpointView) -> dict[str, Any]:
    """Return the values of its template."""
    now = endpoint.model_dump(mode="json")
    approval = any(change.after is EndpointState.ACTIVE for change in endpoint.changes)
    return {
        "endpoint": endpoint,
        "view": {name: _short(value) for name, value in (now | endpoint.pending).items()},
        "version_fields": (*_NEWLY, *_PARAMETERS) if approval else _NEWLY,
        "approval": approval,
        "busy": endpoint.state is EndpointState.PROBING,
        "next": _next(endpoint, approval=approval),
        "why": _why(endpoint),
        "before": json.dumps({name: now[name] for name in endpoint.pending}),
        "probes": _newest_first(endpoint.probes),
        "changes": _newest_first(endpoint.changes),
        "pending_changes": pending_changes,
        "fault": fault,
        "error_kind": error_kind,
        "reason": reason,
        "prompt_facts": prompt_facts,
    }


def prompt_facts(words: Texts, prompt: Mapping[str, Any]) -> list[str]:
    """Say what a test found of one prompt, as far as it was found."""
    first, total, speed = (prompt.get(name) for name in ("first_token_ms", "total_ms", "characters_per_second"))
    if prompt.get("error") and first is None:  # how long nothing took says nothing
        return [words["own.prompt.failed"]]
    times = (("first", first), ("total", total))
    facts = [words.fill(f"own.prompt.{name}", time=_seconds(words, time)) for name, time in times if time is not None]
    if speed is not None:
        facts.append(words.fill("own.prompt.speed", count=whole(speed)))
    if pieces := prompt.get("pieces"):
        facts.append(
            words.fill("own.prompt.streams" if prompt.get("streams") else "own.prompt.whole", count=whole(pieces))
        )
    if finish := prompt.get("finish"):
        facts.append(words[f"own.finish.{finish}"])
    if error := prompt.get("error"):
        facts.append(words["own.prompt.late" if error in _LATE else "own.prompt.broken"])
    return facts


def _seconds(words: Texts, milliseconds: float) -> str:
    if milliseconds < 10:
        return words["own.seconds.least"]
    return words.fill("own.seconds", count=plain(milliseconds / 1000, 2))


def _next(endpoint: OwnedEndpointView, *, approval: bool) -> str:
    """The key of the next step; only the operator resumes an endpoint that the operator suspended."""
    move = endpoint.last_move
    if move and move.actor == "operator" and endpoint.state is EndpointState.SUSPENDED:
        return "stopped"
    if move and move.actor == "operator" and endpoint.state is EndpointState.PAUSED:
        return "paused.with_version" if move.code == "still_paused" else "paused.operator"
    if endpoint.state is EndpointState.RETIRED and not approval:
        return "retired.new"
    prompts = _newest_first(endpoint.probes)[0].report.get("prompts") if endpoint.probes else None
    answers = prompts and all(prompt["ok"] for prompt in prompts)
    return "prove" if endpoint.state is EndpointState.DRAFT and endpoint.challenge and answers else endpoint.state


def _why(endpoint: OwnedEndpointView) -> ChangeView | None:
    """The change that paused or suspended it, if that has a reason besides who did it."""
    move = endpoint.last_move if endpoint.state in (EndpointState.PAUSED, EndpointState.SUSPENDED) else None
    return move if move and move.code not in _NO_REASONS else None


def _newest_first(dated: Sequence[Dated]) -> list[Dated]:
    return sorted(dated, key=_place, reverse=True)


def _place(one: ChangeView | ProbeView) -> tuple[datetime, int]:
    """The time, and the number of a change, since an act may make several at once."""
    return one.at, one.number if isinstance(one, ChangeView) else 0


def _short(value: object) -> object:
    """A number as a person writes it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
