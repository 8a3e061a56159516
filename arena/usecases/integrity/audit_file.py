"""Audit files: the published form of a week's origins as JSON lines, one for each vote."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from arena_trust.integrity.audits import MERGED
from arena_trust.integrity.cast_votes import DAY, HOUR, UNKNOWN, by_appearance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.published_form import PublishedForm

Labels = Mapping[str, Sequence[str]]
"""The words of language, check, client and first week of a neighbourhood (`since`), by code."""


def audit_lines(form: PublishedForm, labels: Labels, week: int) -> bytes:
    """The lines of a week; voters are numbered within each day, neighbourhoods within the week, by appearance."""
    rows = np.flatnonzero(form.week == week)
    log = form.log.rows(rows)
    columns: dict[str, list[Any]] = {
        "number": log.number.tolist(),
        "day": [datetime.fromtimestamp(second, UTC).date().isoformat() for second in log.second.tolist()],
        "hour": _or_none(form.quiet[rows], log.second % DAY // HOUR),
        "voter": _voters(log),
        "network": _networks(log.network),
        "age": _or_none(np.isnan(log.age), np.nan_to_num(log.age).astype(np.int64)),
        **{name: _words(getattr(log, name), words, form.merged[name]) for name, words in labels.items()},
    }
    values = zip(*columns.values(), strict=True)
    return b"".join(
        json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        for row in values
    )


def _or_none(is_none: NDArray[np.bool_], column: NDArray[np.int64]) -> list[int | None]:
    return [None if absent else value for absent, value in zip(is_none.tolist(), column.tolist(), strict=True)]


def _voters(log: CastVotes) -> list[str]:
    day, number = log.second // DAY, np.zeros(len(log), np.int64)
    for date in np.unique(day):
        number[day == date] = by_appearance(log.voter[day == date]) + 1
    return [str(entry) for entry in number.tolist()]


def _networks(network: NDArray[np.int32]) -> list[str | None]:
    codes = zip(network.tolist(), by_appearance(network).tolist(), strict=True)
    return [None if code == UNKNOWN else str(index + 1) for code, index in codes]


def _words(codes: NDArray[np.int32], words: Sequence[str], merged: int) -> list[str | None]:
    by_code = {UNKNOWN: None, **dict(enumerate(words)), merged: MERGED}
    return [by_code[code] for code in codes.tolist()]
