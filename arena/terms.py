"""The words of the arena as plain values; every floor may use them, they use nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

PROMPT_LIMIT: Final = 12_000
"""Longest prompt in characters, after trimming."""
TURN_LIMIT: Final = 20
"""Most prompts in one battle."""
REGENERATE_LIMIT: Final = 3
"""How often the answers of one turn may be asked again."""


class Side(StrEnum):
    """One of the two hidden places; code iterates `for side in Side`."""

    A = "a"
    B = "b"

    @property
    def other(self) -> Side:
        """The opposite place."""
        return Side.B if self is Side.A else Side.A


class Outcome(StrEnum):
    """What a voter said; stored as this word, scored only inside `arena.rating`."""

    A = "a"
    B = "b"
    TIE = "tie"
    BOTH_BAD = "both_bad"


class Opinion(StrEnum):
    """What is said of the answers of a chat; no rating reads it. The last two are for a chat with one model."""

    A = "a"
    B = "b"
    TIE = "tie"
    BOTH_BAD = "both_bad"
    GOOD = "good"
    BAD = "bad"


class BattleState(StrEnum):
    """Where a battle stands; only an open one can change."""

    OPEN = "open"
    VOTED = "voted"
    ABANDONED = "abandoned"
    VOID = "void"


class TurnState(StrEnum):
    """Where one prompt and its two answers stand."""

    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"


class Finish(StrEnum):
    """Why an answer ended; `STOPPED` means that the voter pressed stop."""

    STOP = "stop"
    LENGTH = "length"
    FILTER = "filter"
    STOPPED = "stopped"


class EndpointState(StrEnum):
    """How far an endpoint has come; only an active one is drawn, and an imported one is known from votes only.

    `draft → probing → pending → active ⇄ paused → retired`; health or the operator suspends.
    """

    DRAFT = "draft"
    PROBING = "probing"
    PENDING = "pending"
    ACTIVE = "active"
    PAUSED = "paused"
    SUSPENDED = "suspended"
    RETIRED = "retired"
    IMPORTED = "imported"


class Part(StrEnum):
    """What an operator can close while the rest goes on."""

    BATTLES = "battles"
    CHATS = "chats"
    VOTING = "voting"
    REGISTRATION = "registration"


class NotCounted(StrEnum):
    """Why a vote is kept but does not enter the ratings."""

    IDENTITY_TOLD = "identity_told"
    IDENTITY_ASKED = "identity_asked"
    STOPPED = "stopped"


class Reason(StrEnum):
    """What a voter may say about one answer after the vote."""

    USEFUL = "useful"
    COMPLETE = "complete"
    CREATIVE = "creative"
    CLEAR = "clear"
    WRONG = "wrong"
    SHALLOW = "shallow"
    IGNORED = "ignored"


class Criterion(StrEnum):
    """The five criteria of LLMEval, which a voter may mark with one to three stars after the vote."""

    ACCURACY = "accuracy"
    INFORMATIVENESS = "informativeness"
    FLUENCY = "fluency"
    LOGIC = "logic"
    HARMLESSNESS = "harmlessness"


class Role(StrEnum):
    """Who speaks in a conversation."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance of a conversation as an endpoint receives it."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Voter:
    """An anonymous person: the keyed hash that stands for one, and the address the request came from."""

    key: str
    address: str
