"""The part of an endpoint that only describes it, between its row and the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from arena.wire import Description

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.store.tables import EndpointRow

FIELDS: Final = tuple(Description.model_fields)
_COLUMNS: Final = {field: "group_name" if field == "group" else field for field in FIELDS}


def described(row: EndpointRow) -> dict[str, Any]:
    """What the row says."""
    return {field: getattr(row, column) for field, column in _COLUMNS.items()}


def describe(row: EndpointRow, fields: Mapping[str, Any]) -> None:
    """Write those of `fields` that describe into the row."""
    for field in fields.keys() & _COLUMNS.keys():
        setattr(row, _COLUMNS[field], fields[field])
