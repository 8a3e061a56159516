"""Views of an endpoint for its owner and the operator, without keys and other owners."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from arena.adapters.store import budgets, endpoint_states, endpoints, track_records
from arena.adapters.store.conversations import CHATS, KINDS
from arena.adapters.store.endpoint_states import Opened
from arena.adapters.store.tables.endpoint_records import ProbeRow
from arena.adapters.store.tables.endpoints import CredentialRow
from arena.domain.fingerprint import odd
from arena.domain.schemas.endpoints import (
    BudgetView,
    ChallengeView,
    ChangeView,
    EndpointView,
    FingerprintView,
    HealthView,
    NewerVersionView,
    OwnedEndpointView,
    ProbeView,
    UseView,
)
from arena.domain.terms import EndpointState, JsonObject, Use
from arena.usecases.endpoints.definition import described
from arena.usecases.endpoints.figures import measured, published, stats
from arena.usecases.endpoints.probes.probe_calls import challenge_url
from arena.usecases.endpoints.same_weights import statements

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from arena.adapters.breaker import Condition
    from arena.adapters.store.tables.endpoints import ChangeRow, EndpointRow
    from arena.usecases.endpoints.figures import Figures

PROBES: Final = 20
"""Number of probe reports in a view."""


def view(
    session: Session, row: EndpointRow, figures: Figures | None = None, keyless: Collection[int] = ()
) -> EndpointView:
    """An endpoint in a list; `figures` are those of its battles, by default the published ones.

    `keyless` are the endpoints without a key, as `Keys.lost` finds them.
    """
    credential, figures = session.get(CredentialRow, row.id), figures or published(session, row.id)
    state = endpoints.shown_state(session, row, keyless)
    return EndpointView.from_row(
        row,
        **facts(row, credential.origin if credential else None),
        state=state,
        joins_paused=endpoints.joins_paused(session, row),
        keyless=is_keyless(row, keyless),
        on_standby=is_on_standby(row, state, keyless),
        battles=figures.battles,
        counted_until=figures.as_of,
        votes=track_records.count_votes(session, row.id),
    )


def is_keyless(row: EndpointRow, keyless: Collection[int]) -> bool:
    """Whether only the want of a key keeps an endpoint out of battles."""
    return row.state is EndpointState.ACTIVE and row.id in keyless


def is_on_standby(row: EndpointRow, state: EndpointState, keyless: Collection[int]) -> bool:
    """Return whether an endpoint has the public `state` paused for the setting of practice models alone."""
    return row.state is not state and not is_keyless(row, keyless)


def remarks(probe: ProbeRow | None) -> list[JsonObject]:
    """The problems that a probe found though it was passed."""
    return probe.report["problems"] if probe and probe.passed else []


def facts(row: EndpointRow, key_origin: str | None) -> JsonObject:
    """The fields of a view that the row has under other names or not for all; `key_origin` is that of a stored key."""
    return {
        "family": row.family or row.name,
        "has_key": key_origin is not None or row.key_env is not None,
        "key_origin": key_origin,
        "proven": row.proven_at is not None,
        "pending": row.pending or {},
        **described(row),
    }


def detail(
    session: Session,
    row: EndpointRow,
    now: datetime,
    condition: Condition,
    keyless: Collection[int] = (),
    *,
    live: bool = False,
) -> OwnedEndpointView:
    """Everything about one endpoint; `condition` is that of its breaker in this process.

    Its owner, who may also vote, sees the current state of chats and the published figures of battles; the operator
    sees the current state of both (`live`). `keyless` are the endpoints without a key, as `Keys.lost` finds them.
    """
    figures = measured(session, row.id, now) if live else published(session, row.id)
    calls, tokens = _usage(session, row, figures, now.date(), live=live)
    credential = session.get(CredentialRow, row.id)
    return OwnedEndpointView(
        **dict(view(session, row, figures, keyless)),
        changes=_changes(session, row.id),
        last_move=move_view(endpoint_states.last_move(session, row.id)),
        newer=_newer(session, row),
        probes=probe_results(session, row.id),
        stats=stats(session, row.id, figures),
        budget=BudgetView(
            day=now.date(),
            calls=calls,
            tokens=tokens,
            daily_calls=row.daily_calls,
            daily_tokens=row.daily_tokens,
        ),
        health=health(
            condition, endpoint_states.open_breakers(session, now, chats=not live).get(row.id, Opened()), now
        ),
        fingerprint=_fingerprint(session, row.id),
        uses=_uses(session, row, now.date()),
        challenge=challenge_of(row),
        same_as=statements(session, row.id),
        key_stored_at=credential.created_at if credential else None,
    )


def _usage(session: Session, row: EndpointRow, figures: Figures, day: date, *, live: bool) -> tuple[int, int]:
    """Calls and tokens of one day, in battles and chats; those of battles are published ones unless `live`."""
    capped = budgets.capped(row)
    usage = [
        budgets.of(session, row.id, day, kind.share)
        if capped
        else track_records.usage_on_day(session, row.id, day, kind)
        for kind in (KINDS if live else (CHATS,))
    ]
    calls, tokens = zip(*usage, *(() if live else (figures.on(day),)), strict=True)
    return sum(calls), sum(tokens)


def _uses(session: Session, row: EndpointRow, day: date) -> list[UseView]:
    caps = {use.use: use.daily_calls for use in budgets.uses(session, row.id)}
    calls = budgets.use_calls(session, row.id, day)
    return [
        UseView(
            use=use,
            allowed=budgets.is_allowed(session, row, use),
            daily_calls=caps.get(use),
            calls=calls.get(use, 0),
        )
        for use in Use
    ]


def challenge_of(row: EndpointRow) -> ChallengeView | None:
    """The challenge for the owner; None if the host is proven or needs no proof."""
    if row.proven_at is not None or row.challenge is None:
        return None
    return ChallengeView(url=challenge_url(row.url), token=row.challenge)


def health(condition: Condition, opened: Opened, now: datetime) -> HealthView:
    """The state of the breaker in this process, and in how many it is open."""
    since = None if condition.seconds is None else now - timedelta(seconds=condition.seconds)
    return HealthView(
        state=condition.breaker.value,
        since=opened.since or since,
        in_flight=condition.in_flight,
        processes=opened.processes,
    )


def _changes(session: Session, endpoint_id: int) -> list[ChangeView]:
    return [change_view(row) for row in endpoint_states.state_changes(session, endpoint_id)]


def change_view(row: ChangeRow) -> ChangeView:
    """A state change without the name of its actor."""
    return ChangeView.from_row(row, actor=row.actor.partition(":")[0], at=row.created_at)


def _newer(session: Session, row: EndpointRow) -> NewerVersionView | None:
    newer = endpoints.newer_version(session, row)
    return NewerVersionView(id=newer.id, name=newer.name) if newer else None


def move_view(row: ChangeRow | None) -> ChangeView | None:
    """The change that brought an endpoint into its state, if it is known."""
    return change_view(row) if row else None


def probe_results(session: Session, endpoint_id: int) -> list[ProbeView]:
    """The newest probes of an endpoint, newest first."""
    rows = session.scalars(
        select(ProbeRow).where(ProbeRow.endpoint_id == endpoint_id).order_by(ProbeRow.id.desc()).limit(PROBES)
    )
    return [ProbeView.from_row(row, at=row.created_at) for row in rows]


def _fingerprint(session: Session, endpoint_id: int) -> FingerprintView | None:
    """The newest fingerprint; flagged if it and the one before are odd, which suspends the endpoint."""
    rows = track_records.fingerprints(session, endpoint_id, 2)
    if not rows:
        return None
    flagged = len(rows) > 1 and all(odd(row.p_value) for row in rows)
    return FingerprintView(checked_at=rows[0].created_at, p_value=rows[0].p_value, flagged=flagged)
