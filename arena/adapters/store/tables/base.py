"""The declarative base of all tables, with column types and a naming convention for constraints."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from sqlalchemy import JSON, BigInteger, Date, DateTime, Dialect, Enum, Integer, LargeBinary, MetaData, TypeDecorator
from sqlalchemy.orm import DeclarativeBase

from arena.domain.terms import (
    BattleKind,
    BattleState,
    BotVerdict,
    Client,
    EndpointState,
    JsonObject,
    NotCounted,
    Opinion,
    Outcome,
    PairingRule,
    Side,
    TurnState,
)
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from enum import StrEnum


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime, stored in UTC, which is restored on reading since SQLite drops time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored datetime needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def word(kind: type[StrEnum]) -> Enum:
    """A column type for the values of an enumeration, with a constraint."""
    return Enum(
        kind,
        native_enum=False,
        create_constraint=True,
        length=24,
        name=kind.__name__.lower(),
        values_callable=lambda members: [member.value for member in members],  # pyright: ignore[reportUnknownLambdaType, reportUnknownMemberType, reportUnknownVariableType]
    )


BIG = BigInteger().with_variant(Integer, "sqlite")  # SQLite autoincrements INTEGER columns only


class BaseRow(DeclarativeBase):
    """The base class of all rows, with a naming convention for constraints."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it from the class
        datetime: UtcDateTime,
        date: Date,
        bytes: LargeBinary,
        JsonObject: JSON,
        list[str]: JSON,
        list[int]: JSON,
        BattleKind: word(BattleKind),
        BattleState: word(BattleState),
        BotVerdict: word(BotVerdict),
        Client: word(Client),
        TurnState: word(TurnState),
        EndpointState: word(EndpointState),
        Finish: word(Finish),
        NotCounted: word(NotCounted),
        Opinion: word(Opinion),
        Outcome: word(Outcome),
        PairingRule: word(PairingRule),
        Side: word(Side),
        dict[str, int]: JSON,
    }
