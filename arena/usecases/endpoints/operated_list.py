"""The operator's list of all endpoints, by grouped queries: as many for a thousand endpoints as for two."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.adapters.store import endpoint_states, endpoints, track_records
from arena.adapters.store.endpoint_states import Opened
from arena.domain.fingerprint import odd
from arena.domain.schemas.endpoints import FingerprintView, OperatedSummaryView, ProbeView
from arena.domain.terms import EndpointState
from arena.usecases.endpoints import definition, views
from arena.usecases.endpoints.figures import Figures, all_published, slow_ones, stats_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.breaker import Condition
    from arena.adapters.store.tables.endpoint_records import ProbeRow
    from arena.adapters.store.tables.endpoints import ChangeRow, EndpointRow
    from arena.adapters.store.votes import VoteCounts
    from arena.calls.targets import Keys
    from arena.domain.terms import Outcome


def summaries(
    session: Session, now: datetime, condition: Callable[[int], Condition], counts: VoteCounts, keys: Keys
) -> list[OperatedSummaryView]:
    """All endpoints by name; `condition` is that of a breaker in this process, `counts` is advanced."""
    rows = endpoints.list_all(session)
    sources = _Sources.read(session, rows, now, counts, keys)
    return [sources.view(row, condition(row.id), now) for row in rows]


def _family(row: EndpointRow) -> tuple[int, str]:
    """The key that all versions of a model have."""
    return row.owner_id, row.family or row.name


@dataclass(frozen=True, slots=True)
class _Sources:
    """Sources of the views, by endpoint."""

    keyless: Collection[int]
    states: Mapping[int, EndpointState]
    origins: Mapping[int, str]
    figures: Mapping[int, Figures]
    outcomes: Mapping[int, Counter[Outcome]]
    changes: Mapping[int, ChangeRow]
    moves: Mapping[int, ChangeRow]
    probes: Mapping[int, ProbeRow]
    opened: Mapping[int, Opened]
    fingerprints: Mapping[int, tuple[datetime, float | None, float | None]]
    slow: Mapping[int, bool]
    shares: Mapping[int, float]
    paused: Collection[tuple[int, str]]

    @classmethod
    def read(
        cls, session: Session, rows: Sequence[EndpointRow], now: datetime, counts: VoteCounts, keys: Keys
    ) -> _Sources:
        """Read all of them, with one query for each."""
        keyless = keys.lost(session)
        return cls(
            keyless,
            endpoints.shown_states(rows, keyless),
            endpoints.key_origins(session),
            all_published(session),
            counts.advance(session),
            endpoint_states.newest_changes(session),
            endpoint_states.last_moves(session),
            endpoint_states.newest_probes(session),
            endpoint_states.open_breakers(session, now, chats=False),
            track_records.newest_fingerprints(session),
            slow_ones(session),
            definition.shares_in_others(session, rows),
            {_family(row) for row in rows if row.state is EndpointState.PAUSED},
        )

    def view(self, row: EndpointRow, condition: Condition, now: datetime) -> OperatedSummaryView:
        """The view of one endpoint."""
        number, probe, change = row.id, self.probes.get(row.id), self.changes.get(row.id)
        figures, outcomes = self.figures.get(number, Figures()), self.outcomes.get(number, Counter["Outcome"]())
        is_new = row.state in endpoints.NEW_STATES
        return OperatedSummaryView.from_row(
            row,
            **views.facts(row, self.origins.get(number)),
            state=self.states[number],
            joins_paused=is_new and _family(row) in self.paused,
            keyless=views.is_keyless(row, self.keyless),
            on_standby=views.is_on_standby(row, self.states[number], self.keyless),
            battles=figures.battles,
            counted_until=figures.as_of,
            votes=outcomes.total(),
            changes=[views.change_view(change)] if change else [],
            last_move=views.move_view(self.moves.get(number)),
            probes=[ProbeView.from_row(probe, at=probe.created_at)] if probe and is_new else [],
            stats=stats_of(outcomes, figures, slow=self.slow.get(number)),
            health=views.health(condition, self.opened.get(number, Opened()), now),
            fingerprint=self._fingerprint(number),
            owner=row.owner.name,
            revision=change.number if change else 0,
            warnings=definition.warnings(row),
            share_in_others=self.shares.get(number),
            remarks=views.remarks(probe),
        )

    def _fingerprint(self, number: int) -> FingerprintView | None:
        if number not in self.fingerprints:
            return None
        moment, last, earlier = self.fingerprints[number]
        return FingerprintView(checked_at=moment, p_value=last, flagged=odd(last) and odd(earlier))
