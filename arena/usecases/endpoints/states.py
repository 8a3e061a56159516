"""States of an endpoint: the allowed transitions, their reasons, and the dated row that records each."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from arena.adapters.store import endpoint_states, endpoints
from arena.adapters.store.engine.transactions import write_transaction
from arena.adapters.store.tables.endpoints import ChangeRow, EndpointRow
from arena.domain.errors import ChangedMeanwhile, ModelNotFound, Param, WrongState, filled
from arena.domain.terms import EndpointState
from arena.domain.text import one_line

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


LIMIT: Final = 200
"""Maximum characters of a reason."""

SENTENCES: Final[Mapping[str, str]] = {
    "registered": "registered",
    "to_be_probed": "to be probed",
    "added": "added by the operator",
    "builtin": "by the setting for built-in models",
    "by_operator": "by the operator",
    "by_owner": "by its owner",
    "passed": "passed its probe",
    "name_held": "passed its probe; a well-known name waits for the operator's confirmation",
    "failed": "failed its probe: {problem}",
    "by_command": "by command",
    "approved": "approved by the operator",
    "approved_automatically": "approved automatically",
    "listed": "listed by its owner",
    "unlisted": "taken off the board",
    "settled": "listed: it has {votes} counted votes",
    "changed": "changed {fields}",
    "asked": "asked to change {fields}",
    "changes_approved": "changes approved",
    "changes_refused": "changes refused",
    "next_version": "next version of {name}",
    "succession": "{name} is its next version, and takes its place when approved",
    "replaced": "replaced by {name}",
    "still_paused": "paused as {name} was, which it replaces",
    "another_model": "another model seems to answer: twice p < {limit} against the answers of its approval",
    "mute": "all of its first {calls} calls failed: {why}",
    "mute_before": "all of its first {calls} calls failed: {error}; by now it answers",
    "unknown_finish": "{calls} answers ended for a reason that the arena does not know: {word}",
    "failing": "{share:.1%} of the last {calls} calls failed, more than {most:.0%}; most often with {error}",
}
"""Sentences by code; the pages' locales have them, with the same parameters, as `own.reason.CODE`."""


@dataclass(frozen=True, slots=True)
class StateReason:
    """An English sentence with its code and parameters; a reason typed by a person has neither."""

    text: str
    code: str | None = None
    params: Mapping[str, Param] = field(default_factory=dict[str, Param])


def because(code: str, **params: Param) -> StateReason:
    """The reason of this code with these parameters."""
    return StateReason(filled(SENTENCES[code], params), code, params)


OWNER: Final = "owner"
OPERATOR: Final = "operator"
HEALTH: Final = "health"
ARENA: Final = "arena"
"""Actor of steps that follow from settings."""


class Action(StrEnum):
    """An action of an actor on an endpoint's state."""

    REGISTER = "register"
    PROBE = "probe"
    SUCCEED = "succeed"
    FAIL = "fail"
    APPROVE = "approve"
    PAUSE = "pause"
    RESUME = "resume"
    SUSPEND = "suspend"
    RETIRE = "retire"
    REPLACE = "replace"


_NEW: Final = None
_JOINING: Final = frozenset({EndpointState.DRAFT, EndpointState.PROBING, EndpointState.PENDING})
_APPROVED: Final = frozenset({EndpointState.ACTIVE, EndpointState.PAUSED})
_LIVING: Final = _JOINING | _APPROVED | {EndpointState.SUSPENDED}

TRANSITIONS: Final[Mapping[tuple[Action, str], tuple[AbstractSet[EndpointState | None], EndpointState]]] = {
    (Action.REGISTER, OWNER): ({_NEW}, EndpointState.DRAFT),
    (Action.REGISTER, OPERATOR): ({_NEW, EndpointState.IMPORTED}, EndpointState.ACTIVE),
    (Action.REGISTER, ARENA): ({_NEW}, EndpointState.ACTIVE),
    (Action.PROBE, OWNER): (_LIVING - _APPROVED - {EndpointState.PROBING}, EndpointState.PROBING),
    (Action.SUCCEED, HEALTH): ({EndpointState.PROBING}, EndpointState.PENDING),
    (Action.FAIL, HEALTH): ({EndpointState.PROBING}, EndpointState.DRAFT),
    (Action.APPROVE, OPERATOR): ({EndpointState.PENDING}, EndpointState.ACTIVE),
    (Action.PAUSE, OWNER): ({EndpointState.ACTIVE}, EndpointState.PAUSED),
    (Action.PAUSE, OPERATOR): ({EndpointState.ACTIVE}, EndpointState.PAUSED),
    (Action.RESUME, OWNER): ({EndpointState.PAUSED}, EndpointState.ACTIVE),
    (Action.RESUME, OPERATOR): (
        {EndpointState.PAUSED, EndpointState.SUSPENDED, EndpointState.RETIRED},
        EndpointState.ACTIVE,
    ),
    (Action.RESUME, ARENA): (_JOINING | {EndpointState.RETIRED}, EndpointState.ACTIVE),
    (Action.SUSPEND, OPERATOR): (_JOINING | _APPROVED, EndpointState.SUSPENDED),
    (Action.SUSPEND, HEALTH): ({EndpointState.ACTIVE}, EndpointState.SUSPENDED),
    (Action.RETIRE, OWNER): (_LIVING, EndpointState.RETIRED),
    (Action.RETIRE, OPERATOR): (_LIVING, EndpointState.RETIRED),
    (Action.RETIRE, ARENA): ({EndpointState.ACTIVE}, EndpointState.RETIRED),
    (Action.REPLACE, OWNER): (_LIVING, EndpointState.RETIRED),
    (Action.REPLACE, OPERATOR): (_LIVING, EndpointState.RETIRED),
}
"""All transitions: an action and an actor, the states from which it is allowed, and the state that follows.

Its owner may resume a paused endpoint, so only an approved one may be paused.
"""
_ACTION_TO: Final = {
    EndpointState.PAUSED: Action.PAUSE,
    EndpointState.ACTIVE: Action.RESUME,
    EndpointState.SUSPENDED: Action.SUSPEND,
    EndpointState.RETIRED: Action.RETIRE,
}
_REFUSALS: Final = {Action.APPROVE: "approved", Action.PROBE: "probe", Action.REPLACE: "next_version"}
_REFUSALS_BY_STATE: Final = {
    (OWNER, EndpointState.RETIRED): "retired",
    (OWNER, EndpointState.SUSPENDED): "suspended",
    (OPERATOR, EndpointState.IMPORTED): "imported",
    (OPERATOR, EndpointState.PENDING): "approve",
}
"""Rule of the refusal: by action, else by actor and state, else `step`."""


@dataclass(frozen=True, slots=True)
class Step:
    """Actor, reason and time of a step; `actor` is `operator`, `health`, `arena`, or `owner:` and a number.

    A person's reason is a text, one of the arena's a `StateReason`.
    """

    actor: str
    why: StateReason | str
    now: datetime

    @property
    def kind(self) -> str:
        """Kind of the actor, as in `TRANSITIONS`."""
        return self.actor.partition(":")[0]

    @property
    def reason(self) -> StateReason:
        """The reason, with code and parameters if it has any."""
        return StateReason(self.why) if isinstance(self.why, str) else self.why


def operator_step(code: str, reason: str | None, now: datetime, **params: Param) -> Step:
    """A step of the operator, for a typed reason, or if that is None, for the reason of this code."""
    return Step(OPERATOR, because(code, **params) if reason is None else reason, now)


def move(session: Session, row: EndpointRow, action: Action, step: Step) -> None:
    """Change the state of a new or known endpoint and record the step; all changes of states go through here.

    Raises:
        WrongState: The actor may not do this from the endpoint's state.
    """
    before = row.state if row.id else None
    origins, after = TRANSITIONS.get((action, step.kind), (frozenset[EndpointState | None](), None))
    if after is None or before not in origins:
        raise _refusal(row, action, step, after)
    if step.kind == OWNER and action in {Action.PROBE, Action.REPLACE}:
        check_not_barred(session, row)
    row.state = after
    record(session, row, step, before)


def lead_to(session: Session, row: EndpointRow, after: EndpointState, step: Step) -> bool:
    """Pause, resume, suspend or retire an endpoint; returns False if it is in that state already.

    Raises:
        WrongState: The actor may not do this from the endpoint's state.
    """
    if row.state is after:
        return False
    move(session, row, _ACTION_TO[after], step)
    return True


def record(session: Session, row: EndpointRow, step: Step, before: EndpointState | None) -> None:
    """Store a dated row of a step, or of a change without a change of state."""
    session.flush()
    session.add(
        ChangeRow(
            endpoint_id=row.id,
            before=before,
            after=row.state,
            actor=step.actor,
            reason=step.reason.text[:LIMIT],
            code=step.reason.code,
            params=dict(step.reason.params) or None,
            created_at=step.now,
        )
    )


def _refusal(row: EndpointRow, action: Action, step: Step, after: EndpointState | None) -> WrongState:
    rule = _REFUSALS.get(action) or _REFUSALS_BY_STATE.get((step.kind, row.state), "step")
    return WrongState(rule=rule, name=row.name, state=row.state, after=after or action)


def check_not_barred(session: Session, row: EndpointRow) -> None:
    """Check that an endpoint is not suspended by the operator, which its owner cannot undo.

    Raises:
        WrongState: The operator has suspended it.
    """
    if row.state is not EndpointState.SUSPENDED:
        return
    suspension = endpoint_states.last_move(session, row.id)
    if suspension is None or suspension.actor != HEALTH:
        raise WrongState(rule="operator")


def check_seen(session: Session, endpoint_id: int, revision: int | None) -> None:
    """Check that an endpoint has not changed since `revision`, if that is not None.

    Raises:
        ChangedMeanwhile: It has changed.
    """
    if revision is not None and revision != endpoint_states.revision(session, endpoint_id):
        raise ChangedMeanwhile


@write_transaction
def set_state(
    session: Session,
    name: str,
    state: EndpointState,
    step: Step,
    keyless: Collection[int] = (),
    *,
    must_change: bool = False,
) -> None:
    """Pause, resume, suspend or retire an endpoint by name; `keyless` are the endpoints without a key.

    It is idempotent, or with `must_change` an error in the state already, so that no act is recorded that did nothing.

    Raises:
        Invalid: The reason does not fit.
        ModelNotFound: No endpoint has this name.
        WrongState: The actor may not bring it from its state to `state`, a setting or a missing key pauses it, or it
            has to change and is in that state already.
    """
    one_line("reason", step.reason.text, LIMIT)
    row = endpoints.by_name(session, name)
    if row is None:
        raise ModelNotFound(f"No endpoint is named {name!r}.")
    row = endpoints.locked(session, row.id) or row
    if lead_to(session, row, state, step):
        return
    if endpoints.shown_state(session, row, keyless) is not state:
        raise WrongState(rule="keyless" if row.id in keyless else "standby", name=row.name)
    if must_change:
        raise WrongState(rule="already", name=row.name, state=state)
