"""What owners and the operator are told of an endpoint; no key and no other owner is in it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from arena.endpoints.describing import described
from arena.endpoints.fingerprints import odd
from arena.endpoints.proving import challenge_url
from arena.endpoints.stats import stats
from arena.store import breakers, budgets, endpoints, records, standing
from arena.store.breakers import Opened
from arena.store.tables import CredentialRow, ProbeRow
from arena.wire import (
    BudgetView,
    ChallengeView,
    ChangeView,
    EndpointDetail,
    EndpointView,
    FingerprintView,
    HealthView,
    ProbeView,
)

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.health import Condition
    from arena.store.tables import EndpointRow

PROBES: Final = 20
"""Reports that are shown, the newest first."""


def view(session: Session, row: EndpointRow) -> EndpointView:
    """An endpoint in a list."""
    credential = session.get(CredentialRow, row.id)
    return EndpointView(
        id=row.id,
        name=row.name,
        state=row.state,
        family=row.family or row.name,
        version=row.version,
        dialect=row.dialect,
        url=row.url,
        wire_model=row.wire_model,
        preset=row.preset,
        has_key=credential is not None or row.key_env is not None,
        key_origin=credential.origin if credential else None,
        proven=row.proven_at is not None,
        created_at=row.created_at,
        battles=records.battles(session, row.id),
        votes=records.votes(session, row.id),
        **described(row),
    )


def detail(session: Session, row: EndpointRow, now: datetime, condition: Condition) -> EndpointDetail:
    """Everything about one endpoint; `condition` is how the asked process sees it."""
    calls, tokens = (budgets.of if budgets.capped(row) else records.today)(session, row.id, now.date())
    return EndpointDetail(
        **dict(view(session, row)),
        changes=_changes(session, row.id),
        probes=_probes(session, row.id),
        stats=stats(session, row.id),
        budget=BudgetView(
            day=now.date(),
            calls=calls,
            tokens=tokens,
            daily_calls=row.daily_calls,
            daily_tokens=row.daily_tokens,
        ),
        health=_health(condition, breakers.opened(session, now).get(row.id, Opened()), now),
        fingerprint=_fingerprint(session, row.id),
        challenge=challenge_of(row),
    )


def challenge_of(row: EndpointRow) -> ChallengeView | None:
    """Where the owner puts which text; None once the host is proven, or where nothing is to be proven."""
    if row.proven_at is not None or row.challenge is None:
        return None
    return ChallengeView(url=challenge_url(row.url), token=row.challenge)


def _health(condition: Condition, opened: Opened, now: datetime) -> HealthView:
    here = None if condition.seconds is None else now - timedelta(seconds=condition.seconds)
    return HealthView(
        state=condition.breaker.value,
        since=opened.since or here,
        in_flight=condition.in_flight,
        processes=opened.processes,
    )


def _changes(session: Session, endpoint_id: int) -> list[ChangeView]:
    return [
        ChangeView(
            before=row.before,
            after=row.after,
            actor=row.actor.partition(":")[0],
            reason=row.reason,
            at=row.created_at,
        )
        for row in endpoints.changes(session, endpoint_id)
    ]


def _probes(session: Session, endpoint_id: int) -> list[ProbeView]:
    rows = session.scalars(
        select(ProbeRow).where(ProbeRow.endpoint_id == endpoint_id).order_by(ProbeRow.id.desc()).limit(PROBES)
    )
    return [ProbeView(at=row.created_at, passed=row.passed, report=row.report) for row in rows]


def _fingerprint(session: Session, endpoint_id: int) -> FingerprintView | None:
    """The newest one; flagged if it and the one before are odd, which suspends."""
    rows = standing.fingerprints(session, endpoint_id, 2)
    if not rows:
        return None
    flagged = len(rows) > 1 and all(odd(row.p_value) for row in rows)
    return FingerprintView(checked_at=rows[0].created_at, p_value=rows[0].p_value, flagged=flagged)
