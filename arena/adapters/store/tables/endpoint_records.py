"""Records of endpoints: probes, figures, circuit breakers, fingerprints, and daily budgets."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import ForeignKey, String, false
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.terms import JsonObject


class ProbeRow(BaseRow):
    """The result of a probe, as shown to the owner."""

    __tablename__ = "probes"

    id: Mapped[int] = mapped_column(primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), index=True)
    passed: Mapped[bool]
    report: Mapped[JsonObject]
    created_at: Mapped[datetime]


class FiguresRow(BaseRow):
    """Published figures about an endpoint's battles that had ended by `as_of`."""

    __tablename__ = "figures"

    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), primary_key=True)
    as_of: Mapped[datetime]
    payload: Mapped[JsonObject]


class BreakerRow(BaseRow):
    """An open circuit breaker of one process for one endpoint; `seen_at` is the time of the last report.

    Battles and `chats` have separate breakers, with different names of one process.
    """

    __tablename__ = "breakers"

    process: Mapped[str] = mapped_column(String(16), primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), primary_key=True)
    chats: Mapped[bool] = mapped_column(default=False, server_default=false())
    since: Mapped[datetime]
    seen_at: Mapped[datetime]


class FingerprintRow(BaseRow):
    """An endpoint's answers to the fixed prompts; later fingerprints are compared with the first."""

    __tablename__ = "fingerprints"

    id: Mapped[int] = mapped_column(primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), index=True)
    answers: Mapped[JsonObject]
    p_value: Mapped[float | None]
    created_at: Mapped[datetime]


class DailyBudgetRow:
    """An endpoint's calls and tokens of one day (UTC), counted before each call."""

    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    calls: Mapped[int]
    tokens: Mapped[int]


class BudgetRow(DailyBudgetRow, BaseRow):
    """The share of battles."""

    __tablename__ = "budgets"


class ChatBudgetRow(DailyBudgetRow, BaseRow):
    """The share of chats and nightly fingerprint comparisons."""

    __tablename__ = "chat_budgets"


class EndpointUseRow(BaseRow):
    """A use beyond battles that an endpoint's owner allows, with its own cap of calls per day (UTC)."""

    __tablename__ = "endpoint_uses"

    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), primary_key=True)
    use: Mapped[str] = mapped_column(String(16), primary_key=True)
    daily_calls: Mapped[int | None]


class UseCallsRow(BaseRow):
    """The calls of an endpoint for one use on one day (UTC)."""

    __tablename__ = "use_calls"

    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), primary_key=True)
    use: Mapped[str] = mapped_column(String(16), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    calls: Mapped[int]


class SameWeightsRow(BaseRow):
    """The statement of an endpoint's owner that it serves the same weights as another; one row for both orders.

    It counts from `confirmed_at` on.
    """

    __tablename__ = "same_weights"

    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), primary_key=True, index=True)
    stated_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]
