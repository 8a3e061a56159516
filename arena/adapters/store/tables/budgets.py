"""Budgets of endpoints: calls and tokens of a day, and the uses beyond battles that their owners allow."""

from __future__ import annotations

from datetime import date

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow
from arena.adapters.store.tables.endpoints import EndpointRow


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
