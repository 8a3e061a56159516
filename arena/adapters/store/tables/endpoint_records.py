"""Records of endpoints: probes, figures, circuit breakers and fingerprints."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String, false
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow
from arena.adapters.store.tables.endpoints import EndpointRow


class ProbeRow(BaseRow):
    """The result of a probe, as shown to the owner."""

    __tablename__ = "probes"

    id: Mapped[int] = mapped_column(primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), index=True)
    passed: Mapped[bool]
    report: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]


class FiguresRow(BaseRow):
    """Published figures about an endpoint's battles that had ended by `as_of`."""

    __tablename__ = "figures"

    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id), primary_key=True)
    as_of: Mapped[datetime]
    payload: Mapped[dict[str, Any]]


class BreakerRow(BaseRow):
    """An open circuit breaker of one process for one endpoint; `seen_at` is the time of the last report.

    Battles and `chats` have separate breakers, each with its own name of the process.
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
    answers: Mapped[dict[str, Any]]
    p_value: Mapped[float | None]
    created_at: Mapped[datetime]
