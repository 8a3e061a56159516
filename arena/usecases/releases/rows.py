"""Rows of a release, in the form of the 140k release of human preferences: one voted battle each.

Names of people and battles are pseudonyms under the salt of the release, and the rows are in the order of the latter.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from arena.domain.labels.categories import Category
from arena.domain.privacy.keyed_digest import keyed_digest
from arena.domain.terms import JsonObject, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.privacy.crowds import Traits
    from arena.usecases.releases.conversations import Conversation, Turn

_PSEUDONYM: Final = 32
WINNERS: Final = {Outcome.A: "model_a", Outcome.B: "model_b", Outcome.TIE: "tie", Outcome.BOTH_BAD: "both_bad"}

Row = JsonObject


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """Pseudonyms of battles and people, which differ between releases."""

    salt: bytes

    def of_battle(self, battle: str) -> str:
        """The name of a battle."""
        return self._name("battle", battle)

    def of_person(self, person: str) -> str:
        """The name of a voter."""
        return self._name("person", person)

    def _name(self, kind: str, key: str) -> str:
        return keyed_digest(self.salt, f"{kind} {key}")[:_PSEUDONYM]


def rows(conversations: Sequence[tuple[Conversation, Traits]], salt: bytes) -> list[Row]:
    """All rows, in the order of their ids."""
    names = Pseudonyms(salt)
    return sorted((_row(entry, traits, names) for entry, traits in conversations), key=itemgetter("id"))


def first_moment(period: str) -> datetime:
    """The start (UTC) of an ISO day, week, month or year."""
    if "W" in period:
        day = date.fromisocalendar(int(period[:4]), int(period[6:]), 1)
    else:
        day = date.fromisoformat(f"{period}-01-01"[:10])
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _row(conversation: Conversation, traits: Traits, names: Pseudonyms) -> Row:
    return {
        "id": names.of_battle(conversation.battle),
        "model_a": conversation.a,
        "model_b": conversation.b,
        "winner": WINNERS[conversation.outcome],
        "evaluation_session_id": names.of_person(conversation.person),
        "evaluation_order": 1,
        "conversation_a": _side([(turn.prompt, turn.a) for turn in conversation.turns]),
        "conversation_b": _side([(turn.prompt, turn.b) for turn in conversation.turns]),
        "full_conversation": [_messages(turn) for turn in conversation.turns],
        "category_tag": {"capability": traits.category},
        "language": traits.language,
        "is_code": traits.category == Category.CODE,
        "timestamp": first_moment(traits.period),
        "period": traits.period,
        "voter_days": traits.age,
    }


def _side(turns: Sequence[tuple[str, str]]) -> list[Row]:
    return [_message(role, text) for turn in turns for role, text in zip(("user", "assistant"), turn, strict=True)]


def _messages(turn: Turn) -> Row:
    return {
        "user": _message("user", turn.prompt),
        "model_side_a": _message("assistant", turn.a),
        "model_side_b": _message("assistant", turn.b),
    }


def _message(role: str, text: str) -> Row:
    return {"role": role, "content": [{"type": "text", "text": text, "image": None, "mimeType": None}]}
