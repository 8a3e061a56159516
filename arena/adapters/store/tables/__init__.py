"""All tables. Races are decided by constraints, not by checks in code; rows of the vote log never change."""

from __future__ import annotations

from arena.adapters.store.tables.base import BaseRow, UtcDateTime
from arena.adapters.store.tables.conversations import (
    BattleRow,
    ChatReplyRow,
    ChatRow,
    ChatTurnRow,
    ChatVoteRow,
    ReplyRow,
    TurnRow,
)
from arena.adapters.store.tables.endpoints import (
    BreakerRow,
    BudgetRow,
    ChangeRow,
    ChatBudgetRow,
    CredentialRow,
    EndpointRow,
    EndpointUseRow,
    FiguresRow,
    FingerprintRow,
    OwnerRow,
    ProbeRow,
    UseCallsRow,
)
from arena.adapters.store.tables.labels import LabelAnswerRow, LabelRow, LabelSampleRow, QuestionRow, QuestionSetRow
from arena.adapters.store.tables.operations import FlagRow, LeaseRow, ReleaseRow, ShareBlockRow, ShareReportRow
from arena.adapters.store.tables.people import ImageBlockRow, ImageRow, NeighbourhoodRow, ShareRow, UploadRow, VoterRow
from arena.adapters.store.tables.snapshots import PairTableRow, PartRow, SnapshotRow
from arena.adapters.store.tables.transparency import CheckpointRow, ImportRow, LeafRow, LogKeyRow, UnloggedVoteRow
from arena.adapters.store.tables.votes import (
    BotCheckRow,
    DecisionRow,
    ExclusionRow,
    GateRunRow,
    ObjectionRow,
    OriginRow,
    RemarkRow,
    VoteRow,
)

__all__ = [
    "BaseRow",
    "BattleRow",
    "BotCheckRow",
    "BreakerRow",
    "BudgetRow",
    "ChangeRow",
    "ChatBudgetRow",
    "ChatReplyRow",
    "ChatRow",
    "ChatTurnRow",
    "ChatVoteRow",
    "CheckpointRow",
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
    "ReplyRow",
    "ShareBlockRow",
    "ShareReportRow",
    "ShareRow",
    "SnapshotRow",
    "TurnRow",
    "UnloggedVoteRow",
    "UploadRow",
    "UseCallsRow",
    "UtcDateTime",
    "VoteRow",
    "VoterRow",
]
