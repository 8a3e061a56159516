"""What crosses HTTP: requests, views and events. Unknown fields are refused.

`BattleView` and `BattleEvent` have no field for an endpoint, provider, vendor id, usage or timing; the names of a
battle exist only in `Reveal`, which is built from a stored vote and from nothing else.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from arena.terms import BattleState, Criterion, EndpointState, Opinion, Outcome, Reason, Side, TurnState


class Wire(BaseModel):
    """A frozen message that knows all its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# Requests


class PromptRequest(Wire):
    prompt: str


class OpenRequest(PromptRequest):
    """The first prompt of a battle; `terms` is the version that its sender accepts."""

    terms: int | None = None


class ChatRequest(OpenRequest):
    """The first prompt of a chat with one or two models of these names."""

    models: list[str]


class VoteRequest(Wire):
    outcome: Outcome


class OpinionRequest(Wire):
    """What is said of the last answers of a chat: on two models as in a battle, on one `good` or `bad`."""

    outcome: Opinion


class Remark(Wire):
    """What a voter says about one answer after the vote."""

    reasons: list[Reason] = []
    stars: dict[Criterion, Annotated[int, Field(ge=1, le=3)]] = {}


class Remarks(Wire):
    """Remarks on one or both sides; what is stored and what is sent."""

    a: Remark | None = None
    b: Remark | None = None


# Battles


class TurnView(Wire):
    """One prompt and what has been shown of its two answers so far."""

    number: int
    prompt: str
    state: TurnState
    generation: int = 0
    answers: dict[Side, str] = {}


class BattleView(Wire):
    """All that a voter may know before the vote."""

    id: str
    state: BattleState
    turns: list[TurnView]
    outcome: Outcome | None = None


class Delta(Wire):
    """The next piece of one side's answer."""

    side: Side
    text: str


class SideDone(Wire):
    side: Side


class TurnReady(Wire):
    number: int


class TurnFailed(Wire):
    code: str
    title: str


class Closing(Wire):
    """The server is going away; come back after `retry_ms` milliseconds."""

    retry_ms: int


BattleEvent = Delta | SideDone | TurnReady | TurnFailed | Closing
"""What a stream carries; the SSE event name is the class name in snake case."""


# Reveal


class Competitor(Wire):
    """The public face of an endpoint."""

    name: str
    owner: str
    licence: str | None = None
    link: str | None = None
    demo: bool = False


class Reveal(Wire):
    """Who was who; exists only after the vote was committed."""

    outcome: Outcome
    a: Competitor
    b: Competitor
    counted: bool
    reason: str | None = None


class ChatTurnView(TurnView):
    """One prompt of a chat, with what was said of its answers."""

    outcome: Opinion | None = None


class ChatView(Wire):
    """A talk with models that were chosen by name; nothing of it is rated."""

    id: str
    state: BattleState
    models: dict[Side, Competitor]
    turns: list[ChatTurnView]


class Crowd(Wire):
    """What was chosen for this pair before, in counted votes, as seen from this battle's sides."""

    a: int = 0
    b: int = 0
    tie: int = 0
    both_bad: int = 0


class ThoughtView(Wire):
    """What the two of one turn thought beside their answers; a side that sent nothing is left out."""

    number: int
    thoughts: dict[Side, str]


class Reasoning(Wire):
    """The reasoning of a voted battle, where the operator shows it."""

    turns: list[ThoughtView]


class ShareView(Wire):
    """The link of a shared battle: `/shared?b=` and this token."""

    token: str
    created_at: datetime


class SharedView(Wire):
    """A voted battle that its voter shows to everybody."""

    turns: list[TurnView]
    reveal: Reveal
    voted_at: datetime


# A voter's own


class MyBattle(Wire):
    """One line of a voter's own history; names and outcome are there once it has its vote."""

    id: str
    state: BattleState
    prompt: str
    turns: int
    created_at: datetime
    outcome: Outcome | None = None
    a: str | None = None
    b: str | None = None
    counted: bool | None = None
    shared: str | None = None


class MyBattles(Wire):
    """A page of history, newest first; `next` is the `before` of the page behind it."""

    battles: list[MyBattle]
    next: str | None = None


class MyChat(Wire):
    """One line of a voter's own chats."""

    id: str
    state: BattleState
    prompt: str
    turns: int
    created_at: datetime
    models: list[str]


class MyChats(Wire):
    """A voter's own chats, newest first."""

    chats: list[MyChat]


class MyModel(Wire):
    """How one model did in the voter's own counted votes; a tie of either kind is half a point."""

    name: str
    battles: int
    wins: int
    ties: int
    losses: int
    both_bad: int
    points: float


class MyBoard(Wire):
    """A voter's personal board; empty until there are `needed` counted votes."""

    votes: int
    needed: int
    rows: list[MyModel]


# Owners and their endpoints


class SignUpRequest(Wire):
    """Who wants to register endpoints; `invitation` is the operator's code, where there is one."""

    name: str
    contact: str
    invitation: str | None = None


class ApiKey(Wire):
    """An owner's key, shown in this answer and never again."""

    key: str


class SignedUp(ApiKey):
    """A new owner."""

    id: int
    name: str


class PresetView(Wire):
    """A vendor or local server that an endpoint may name instead of dialect and address."""

    name: str
    dialect: str
    base_url: str
    needs_key: bool


class Description(Wire):
    """What an owner says of an endpoint; aliases are names it may call itself by, which the blind test looks for."""

    description_en: str | None = None
    description_zh: str | None = None
    licence: str | None = None
    link: str | None = None
    billions: float | None = None
    open_weights: bool | None = None
    group: str | None = None
    aliases: list[str] = []
    listed: bool = True
    system_prompt: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    daily_calls: int | None = None
    daily_tokens: int | None = None


class RegisterRequest(Description):
    """A new endpoint: a preset, or an address and how it is spoken to."""

    name: str
    wire_model: str
    preset: str | None = None
    dialect: str | None = None
    url: str | None = None
    key: SecretStr | None = None


class ChangeRequest(Description):
    """What is sent changes, null empties; another address, preset, dialect or wire model makes a new version."""

    wire_model: str | None = None
    preset: str | None = None
    dialect: str | None = None
    url: str | None = None

    @property
    def moves(self) -> bool:
        """Whether it may make a new version."""
        return not self.model_fields_set.isdisjoint({"wire_model", "preset", "dialect", "url"})


class KeyRequest(Wire):
    """The key by which the arena is known to an endpoint; it is stored sealed and never given back."""

    key: SecretStr


class EndpointView(Description):
    """An endpoint as its owner and the operator see it; `votes` counts those that enter the ratings."""

    id: int
    name: str
    state: EndpointState
    family: str
    version: int
    dialect: str
    url: str
    wire_model: str
    preset: str | None
    has_key: bool
    key_origin: str | None
    proven: bool
    created_at: datetime
    battles: int
    votes: int


class ChangeView(Wire):
    """One step in the life of an endpoint; `actor` is owner, operator or health."""

    before: EndpointState | None
    after: EndpointState
    actor: str
    reason: str
    at: datetime


class ProbeView(Wire):
    """What came of asking an endpoint as a battle would."""

    at: datetime
    passed: bool
    report: dict[str, Any]


class Percentiles(Wire):
    """Of milliseconds."""

    p50: int
    p95: int


class StatsView(Wire):
    """How an endpoint does: all counted votes, and the newest `calls` answers of its battles.

    `win_rate` is (wins + ties / 2) / votes, as on the board, with its 95 % Wilson interval.
    """

    battles: int
    votes: int
    win_rate: float | None
    win_rate_low: float | None
    win_rate_high: float | None
    calls: int
    error_rate: float | None
    errors: dict[str, int]
    first_token_ms: Percentiles | None
    total_ms: Percentiles | None


class BudgetView(Wire):
    """What was asked today (UTC), and what may be."""

    day: date
    calls: int
    tokens: int
    daily_calls: int | None
    daily_tokens: int | None


class HealthView(Wire):
    """Whether this process calls the endpoint: `open` means that it rests after failures.

    `processes` is how many of all leave it alone, since `since`.
    """

    state: Literal["closed", "open", "half_open"] = "closed"
    since: datetime | None = None
    in_flight: int = 0
    processes: int = 0


class FingerprintView(Wire):
    """The newest comparison of its answers with those at approval."""

    checked_at: datetime
    p_value: float | None
    flagged: bool


class ChallengeView(Wire):
    """Where the owner of a host puts which text, to prove that it is theirs."""

    url: str
    token: str


class EndpointDetail(EndpointView):
    """All that an owner is told of an endpoint; `challenge` until the host is proven."""

    changes: list[ChangeView]
    probes: list[ProbeView]
    stats: StatsView
    budget: BudgetView
    health: HealthView
    fingerprint: FingerprintView | None
    challenge: ChallengeView | None


class StepRequest(Wire):
    """Why the operator leads an endpoint on; its owner reads it."""

    reason: str


class OperatedEndpoint(EndpointDetail):
    """The same for the operator, with whose it is."""

    owner: str


class OwnerView(Wire):
    """An owner as they see themselves."""

    id: int
    name: str
    contact: str | None
    key_made_at: datetime | None
    endpoints: list[EndpointView]


# Models and leaderboard


class ModelView(Competitor):
    """Public facts about one endpoint."""

    open_weights: bool | None = None
    billions: float | None = None
    description_en: str | None = None
    description_zh: str | None = None
    state: EndpointState
    joined_at: datetime


class SnapshotView(Wire):
    """How and from what a leaderboard was computed."""

    id: int
    method: str
    parameters: dict[str, Any]
    seed: int
    code_version: str
    last_vote: int
    last_exclusion: int
    votes: int
    digest: str
    created_at: datetime


class LeaderboardRow(Wire):
    """One competitor's line.

    Ratings are in Elo points; `elo_error` is the standard error of the mean over orders,
    `order_spread` the standard deviation over orders; `bt_low` and `bt_high` bound a 95 % interval.
    """

    name: str
    owner: str
    licence: str | None = None
    link: str | None = None
    demo: bool = False
    open_weights: bool | None = None
    billions: float | None = None
    rank: int
    rank_low: int
    rank_high: int
    elo: float
    elo_error: float
    order_spread: float
    bt: float | None
    bt_low: float | None
    bt_high: float | None
    component: int = 0
    points: float
    points_per_battle: float
    win_rate: float
    carena_rate: float
    battles: int
    wins: int
    draws: int
    losses: int
    both_bad: int


class PairRow(Wire):
    """The record of two competitors against each other; `fraction` is a's share of the decided battles."""

    a: str
    b: str
    battles: int
    a_wins: int
    b_wins: int
    ties: int
    both_bad: int
    fraction: float | None


class Standings(Wire):
    """The numbers of one leaderboard; what a snapshot stores and its digest covers."""

    rows: list[LeaderboardRow]
    pairs: list[PairRow]


class BoardView(Wire):
    """A board that can be asked for: of one category, of one language, or of both; empty words stand for all."""

    category: str = ""
    language: str = ""
    votes: int
    digest: str


class LeaderboardView(Standings):
    """The newest snapshot as the public sees it, or its board of one category or language; `boards` names them all.

    `beside` names the other tables that can be asked for.
    """

    snapshot: SnapshotView
    category: str = ""
    language: str = ""
    boards: list[BoardView] = []
    beside: list[Literal["style", "orders"]] = []


class FeatureRow(Wire):
    """How much voters like one feature of style, in log-odds per root mean square (`spread`) of its differences."""

    name: str
    coefficient: float
    error: float
    spread: float


class StyleRow(Wire):
    """Bradley-Terry of one competitor with the style of the answers held equal, and plainly, on the same votes."""

    name: str
    component: int
    rank: int
    rank_low: int
    rank_high: int
    bt: float
    bt_low: float
    bt_high: float
    plain: float
    plain_rank: int


class StyleStandings(Wire):
    """The style-controlled fit of all votes whose answers were measured; `dropped` features never differed."""

    votes: int
    features: list[FeatureRow]
    dropped: list[str]
    rows: list[StyleRow]


class StyleView(StyleStandings):
    """The style-controlled fit of the newest snapshot that has one."""

    snapshot: SnapshotView


class OrderRow(Wire):
    """How far the order of the votes moves one competitor.

    `rank_share` are the shares of the orders in which it had the ranks from `rank_best` to `rank_worst`; the other two
    ranks do not depend on the order.
    """

    name: str
    component: int
    mean: float
    spread: float
    low: float
    high: float
    rank_best: int
    rank_worst: int
    rank_share: list[float]
    points_rank: int
    bt_rank: int


class PathRow(Wire):
    """Ratings and ranks of one competitor after each window of the log; null before its first battle."""

    name: str
    elo: list[float | None]
    points: list[float | None]
    bt: list[float | None]
    elo_rank: list[int | None]
    points_rank: list[int | None]
    bt_rank: list[int | None]


class OrdersStandings(Wire):
    """Order-sensitivity: over `orders` random orders, and along the log at the votes `ends`."""

    votes: int
    orders: int
    rows: list[OrderRow]
    ends: list[int]
    paths: list[PathRow]


class OrdersView(OrdersStandings):
    """The order-sensitivity of the newest snapshot that has it."""

    snapshot: SnapshotView


class Moment(Wire):
    """One leaderboard in the course of time."""

    snapshot: int
    votes: int
    created_at: datetime


class Course(Wire):
    """Ratings of one competitor at each moment; null where it was not on the board."""

    name: str
    elo: list[float | None]
    bt: list[float | None]
    rank: list[int | None]


class HistoryView(Wire):
    """Ratings over time from the kept snapshots, oldest first."""

    moments: list[Moment]
    courses: list[Course]


class MethodView(Wire):
    """How the newest leaderboard was computed: from which votes, and which were left out for what reason."""

    snapshot: SnapshotView
    log: int
    left_out: dict[str, int]
    boards: list[BoardView]


class Standing(Wire):
    """One competitor's line on one board."""

    category: str = ""
    language: str = ""
    row: LeaderboardRow


class Meeting(Wire):
    """A competitor's record against one opponent."""

    opponent: str
    battles: int
    wins: int
    losses: int
    ties: int
    both_bad: int


class ModelRecord(ModelView):
    """Public facts about one endpoint, and how it has done; `failed` of its last `answered` answers did not come."""

    standings: list[Standing]
    meetings: list[Meeting]
    answered: int
    failed: int


class Snapshot(Wire):
    """Tells open pages that a newer leaderboard exists."""

    id: int


class StatusView(Wire):
    """What a page needs to know before anything is asked."""

    endpoints: int
    votes: int
    accepting: bool
    terms: int = 0
    """The version of the terms to accept; 0 if there is none."""
    board: bool = True
    """Whether a leaderboard has been computed."""


class Problem(Wire):
    """An error as RFC 9457 problem details."""

    type: Literal["about:blank"] = "about:blank"
    title: str
    status: int
    code: str
    detail: str | None = None
    retry_after: int | None = None
    reveal: Reveal | None = None
    terms: int | None = None
