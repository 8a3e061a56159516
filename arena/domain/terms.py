"""The arena's vocabulary as plain values, without dependencies; every floor may use it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from datetime import date

JsonObject = dict[str, Any]
"""A JSON object from the database or from outside; code that reads it checks its values."""
UNNAMED_OWNER: Final = "unknown"
"""Name of the owner of models that were added without one."""
PROMPT_LIMIT: Final = 12_000
"""Longest prompt in characters, after trimming."""
TURN_LIMIT: Final = 20
"""Most prompts in one battle."""
REGENERATE_LIMIT: Final = 3
"""Most regenerations of the answers of one turn."""
IMAGE_LIMIT: Final = 4
"""Most images in one conversation."""
LEFT_OPEN: Final = timedelta(days=1)
"""Age after which a battle without a vote counts as abandoned and a chat takes no further prompt."""
LANGUAGES: Final = (
    *("ar", "de", "en", "es", "fr", "hi", "id", "it", "ja"),
    *("ko", "nl", "pl", "pt", "ru", "th", "tr", "vi", "zh"),
)
"""Languages of prompts that are detected, by ISO 639-1."""


class Side(StrEnum):
    """One of the two sides of a conversation; code iterates `for side in Side`."""

    A = "a"
    B = "b"

    # Every frame looks up sides in dictionaries, and the default hash of an enumeration is slower Python code.
    __hash__ = str.__hash__

    @property
    def other(self) -> Side:
        """The opposite side."""
        return Side.B if self is Side.A else Side.A


class Outcome(StrEnum):
    """A voter's choice, stored as this word; only `arena_rating` converts it to a score."""

    A = "a"
    B = "b"
    TIE = "tie"
    BOTH_BAD = "both_bad"

    @property
    def mirrored(self) -> Outcome:
        """The same choice with the sides exchanged."""
        return {Outcome.A: Outcome.B, Outcome.B: Outcome.A}.get(self, self)


class Opinion(StrEnum):
    """A judgement of the answers of a chat; never rated. The last two are for a chat with one model."""

    A = "a"
    B = "b"
    TIE = "tie"
    BOTH_BAD = "both_bad"
    GOOD = "good"
    BAD = "bad"


class BattleKind(StrEnum):
    """The kind of a battle: answers that are read, or web pages that are run."""

    TEXT = "text"
    WEB_PAGE = "web_page"


class BattleState(StrEnum):
    """State of a battle; only an open one can change."""

    OPEN = "open"
    VOTED = "voted"
    ABANDONED = "abandoned"
    VOID = "void"


class TurnState(StrEnum):
    """State of one prompt and its two answers."""

    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"


class EndpointState(StrEnum):
    """State of an endpoint: `draft → probing → pending → active ⇄ paused → retired`.

    Only active ones are drawn. Health checks or the operator suspend one; imported ones come from imported votes.
    """

    DRAFT = "draft"
    PROBING = "probing"
    PENDING = "pending"
    ACTIVE = "active"
    PAUSED = "paused"
    SUSPENDED = "suspended"
    RETIRED = "retired"
    IMPORTED = "imported"


class Use(StrEnum):
    """A use of an endpoint beyond battles."""

    EVALUATIONS = "evaluations"
    JUDGING = "judging"
    LABELLING = "labelling"


class Part(StrEnum):
    """A part of the service that the operator can close while the rest continues."""

    BATTLES = "battles"
    CHATS = "chats"
    VOTING = "voting"
    REGISTRATION = "registration"


class Access(StrEnum):
    """Access to the arena: everybody may do everything, only members may vote, or only members may see anything."""

    PUBLIC = "public"
    MEMBERS_VOTE = "members-vote"
    MEMBERS = "members"


class NotCounted(StrEnum):
    """Reason why a vote is stored but does not enter the ratings; `WEB_PAGE` enters those of web pages only."""

    IDENTITY_TOLD = "identity_told"
    IDENTITY_ASKED = "identity_asked"
    STOPPED = "stopped"
    TOO_FAST = "too_fast"
    NEIGHBOURHOOD_LIMIT = "neighbourhood_limit"
    BOT_CHECK = "bot_check"
    REPEATED = "repeated"
    WEB_PAGE = "web_page"


class PairingRule(StrEnum):
    """Preference for pairs: all equally, those of similar rating, or those whose votes say most about ranks."""

    UNIFORM = "uniform"
    NEAR = "near"
    RANK = "rank"


class BotVerdict(StrEnum):
    """The result of a voter's bot check on one day; `UNKNOWN` means not checked, or an error of the check."""

    PASS = "pass"  # noqa: S105 - a verdict
    FAIL = "fail"
    UNKNOWN = "unknown"


class Client(StrEnum):
    """The kind of client that sent a vote, by its request headers."""

    DESKTOP = "desktop"
    PHONE = "phone"
    PROGRAM = "program"


class Reason(StrEnum):
    """A remark that a voter may make about one answer after the vote."""

    USEFUL = "useful"
    COMPLETE = "complete"
    CREATIVE = "creative"
    CLEAR = "clear"
    WRONG = "wrong"
    SHALLOW = "shallow"
    IGNORED = "ignored"


class Criterion(StrEnum):
    """The five criteria of LLMEval, which a voter may rate with one to three stars after the vote."""

    ACCURACY = "accuracy"
    INFORMATIVENESS = "informativeness"
    FLUENCY = "fluency"
    LOGIC = "logic"
    HARMLESSNESS = "harmlessness"


@dataclass(frozen=True, slots=True)
class Voter:
    """An anonymous person: a keyed hash that identifies them, and the address of the request.

    A `member` has signed in; limits by address count each member alone, since a whole school may share one network.
    """

    key: str
    address: str
    member: bool = False


class Neighbourhood(NamedTuple):
    """A /24 or /48 network on one day (UTC), as a keyed digest that reveals neither the address nor other days."""

    day: date
    digest: str


class Format(StrEnum):
    """File formats of vote logs."""

    ARENA = "arena"
    CHATBOT_ARENA = "chatbot-arena"
    OPEN_WEBUI = "open-webui"
    CSV = "csv"


class QuestionFormat(StrEnum):
    """File formats of question sets."""

    ARENA = "arena"
    TENCENT = "tencent"
    LLMEVAL2 = "llmeval2"
    MT_BENCH = "mt-bench"
    ARENA_HARD = "arena-hard"
    ALIGNBENCH = "alignbench"
    CMMLU = "cmmlu"
    HUMANRANKEVAL = "humanrankeval"
    CSV = "csv"
    TEXT = "text"
