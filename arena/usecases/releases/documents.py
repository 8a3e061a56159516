"""The documents of a release: its votes without texts, a card for people, and Croissant metadata for programs."""

from __future__ import annotations

import json
from datetime import timedelta
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from arena.adapters.store.releases import BEGINNING
from arena.domain.terms import JsonObject, Outcome
from arena.usecases.releases.rows import WINNERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from arena.adapters.store.releases import Period
    from arena.usecases.releases.rows import Row

_BOTH_BAD: Final = {WINNERS[Outcome.BOTH_BAD]: "tie (bothbad)"}
_TEMPLATES: Final = files("arena.usecases.releases") / "templates"
_COLUMNS: Final = {
    "id": ("sc:Text", "Name of the battle in this release."),
    "model_a": ("sc:Text", "Model on the left."),
    "model_b": ("sc:Text", "Model on the right."),
    "winner": ("sc:Text", "model_a, model_b, tie or both_bad."),
    "evaluation_session_id": ("sc:Text", "Name of the voter in this release."),
    "language": ("sc:Text", "Language of the first prompt."),
    "is_code": ("sc:Boolean", "Whether the first prompt asks for code."),
    "timestamp": ("sc:DateTime", "Beginning of the period (UTC)."),
    "period": ("sc:Text", "Day, week, month or year of the vote."),
    "voter_days": ("sc:Integer", "Least number of earlier days on which the voter had voted."),
}
"""Type and meaning of the flat columns of `arena.parquet`."""


def votes(rows: Iterable[Row]) -> bytes:
    """A line for each vote without texts, in the form of Chatbot Arena's battles, which `arena rank` reads."""
    return b"".join(json.dumps(_vote(row), ensure_ascii=False).encode() + b"\n" for row in rows)


def _vote(row: Row) -> JsonObject:
    return {
        "question_id": row["id"],
        "model_a": row["model_a"],
        "model_b": row["model_b"],
        "winner": _BOTH_BAD.get(row["winner"], row["winner"]),
        "judge": row["evaluation_session_id"],
        "turn": len(row["full_conversation"]),
        "anony": True,
        "language": row["language"],
        "tstamp": row["timestamp"].timestamp(),
    }


def card(name: str, rows: Sequence[Row], removed: Mapping[str, int], licence: str, period: Period) -> str:
    """The card of a release in Markdown."""
    template = (_TEMPLATES / "card.md").read_text("utf-8")
    models = {row[side] for row in rows for side in ("model_a", "model_b")}
    return template.format(
        name=name,
        licence=licence,
        languages="".join(f"- {entry}\n" for entry in sorted({row["language"] for row in rows if row["language"]})),
        conversations=len(rows),
        people=len({row["evaluation_session_id"] for row in rows}),
        models=len(models),
        period=_days(period),
        removed="".join(f"| {reason} | {count} |\n" for reason, count in removed.items()),
    )


def _days(period: Period) -> str:
    last = (period.until - timedelta(days=1)).date()
    return f"up to {last}" if period.since == BEGINNING else f"from {period.since.date()} to {last}"


def croissant(name: str, digests: Mapping[str, str], licence: str, day: date) -> str:
    """The metadata of a release in the Croissant format, version 1.0."""
    document = json.loads((_TEMPLATES / "croissant.json").read_text("utf-8"))
    document |= {"name": f"arena-{name}", "license": licence, "datePublished": day.isoformat(), "version": "1.0.0"}
    document["distribution"] = [_file(digest, digests[digest]) for digest in sorted(digests)]
    document["recordSet"] = [_record_set()]
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _file(name: str, digest: str) -> dict[str, str]:
    kind = "application/x-parquet" if name.endswith(".parquet") else "application/jsonlines"
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "encodingFormat": kind,
        "sha256": digest,
    }


def _record_set() -> dict[str, object]:
    return {
        "@type": "cr:RecordSet",
        "@id": "battles",
        "name": "battles",
        "description": "One voted battle per record.",
        "field": [_field(name, kind, meaning) for name, (kind, meaning) in _COLUMNS.items()],
    }


def _field(name: str, kind: str, meaning: str) -> dict[str, object]:
    return {
        "@type": "cr:Field",
        "@id": f"battles/{name}",
        "name": name,
        "description": meaning,
        "dataType": kind,
        "source": {"fileObject": {"@id": "arena.parquet"}, "extract": {"column": name}},
    }
