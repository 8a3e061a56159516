"""All tables. Races are decided by constraints, not by checks in code; rows of the vote log never change."""

from __future__ import annotations

from arena.adapters.store.tables.base import BIG, Table, UtcDateTime
from arena.adapters.store.tables.battles import BattleRow, ReplyRow, TurnRow
from arena.adapters.store.tables.chats import ChatReplyRow, ChatRow, ChatTurnRow, ChatVoteRow
from arena.adapters.store.tables.conversations import Conversation, Reply, Turn
from arena.adapters.store.tables.endpoints import (
    BreakerRow,
    Budget,
    BudgetRow,
    ChangeRow,
    ChatBudgetRow,
    CredentialRow,
    EndpointRow,
    EndpointUseRow,
    FiguresRow,
    FingerprintRow,
    ProbeRow,
    UseCallsRow,
)
from arena.adapters.store.tables.images import ImageBlockRow, ImageRow, UploadRow
from arena.adapters.store.tables.integrity import BotCheckRow, DecisionRow, GateRunRow, ObjectionRow, OriginRow
from arena.adapters.store.tables.label_samples import LabelSampleRow
from arena.adapters.store.tables.labels import LabelAnswerRow, LabelRow
from arena.adapters.store.tables.operations import FlagRow, LeaseRow
from arena.adapters.store.tables.owners import OwnerRow
from arena.adapters.store.tables.questions import QuestionRow, QuestionSetRow
from arena.adapters.store.tables.releases import ReleaseRow
from arena.adapters.store.tables.snapshots import PairTableRow, PartRow, SnapshotRow
from arena.adapters.store.tables.takedowns import ShareBlockRow, ShareReportRow
from arena.adapters.store.tables.transparency import CheckpointRow, ImportRow, LeafRow, LogKeyRow, UnloggedVoteRow
from arena.adapters.store.tables.voters import NeighbourhoodRow, ShareRow, VoterRow
from arena.adapters.store.tables.votes import ExclusionRow, RemarkRow, VoteRow

__all__ = [
    "BIG",
    "BattleRow",
    "BotCheckRow",
    "BreakerRow",
    "Budget",
    "BudgetRow",
    "ChangeRow",
    "ChatBudgetRow",
    "ChatReplyRow",
    "ChatRow",
    "ChatTurnRow",
    "ChatVoteRow",
    "CheckpointRow",
    "Conversation",
    "CredentialRow",
    "DecisionRow",
    "EndpointRow",
    "EndpointUseRow",
    "ExclusionRow",
    "FiguresRow",
    "FingerprintRow",
    "FlagRow",
    "GateRunRow",
    "ImageBlockRow",
    "ImageRow",
    "ImportRow",
    "LabelAnswerRow",
    "LabelRow",
    "LabelSampleRow",
    "LeafRow",
    "LeaseRow",
    "LogKeyRow",
    "NeighbourhoodRow",
    "ObjectionRow",
    "OriginRow",
    "OwnerRow",
    "PairTableRow",
    "PartRow",
    "ProbeRow",
    "QuestionRow",
    "QuestionSetRow",
    "ReleaseRow",
    "RemarkRow",
    "Reply",
    "ReplyRow",
    "ShareBlockRow",
    "ShareReportRow",
    "ShareRow",
    "SnapshotRow",
    "Table",
    "Turn",
    "TurnRow",
    "UnloggedVoteRow",
    "UploadRow",
    "UseCallsRow",
    "UtcDateTime",
    "VoteRow",
    "VoterRow",
]
