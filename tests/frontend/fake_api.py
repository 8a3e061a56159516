"""A fake of the voters' API in memory; a test sets its answers, pace and failures.

With it tests show what the pages do for every event and error, without a database or a model. `test_real_arena.py`
shows the same pages with the real API.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, cast

from fastapi import FastAPI, Header, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from arena.api.answer_html import AnswerFormat, with_html
from arena.domain import errors
from arena.domain.schemas.battles import BattleView, OpenRequest, PromptRequest, TurnView, UploadView
from arena.domain.schemas.leaderboard import LeaderboardRowView, LeaderboardView, NewestView, PairView, SnapshotView
from arena.domain.schemas.owners import SignInView
from arena.domain.schemas.problems import ProblemView
from arena.domain.schemas.questions import QuestionView
from arena.domain.schemas.shares import ReportRequest, SharedView, ShareView
from arena.domain.schemas.site import SitePageView, SiteView
from arena.domain.schemas.vote_files import PublicFilesView
from arena.domain.schemas.voters import BotCheckView, MyBattlesView, MyBattleView, MyBoardView, MyModelView
from arena.domain.schemas.votes import CompetitorView, CrowdView, ReasoningView, RemarksView, RevealView, VoteRequest
from arena.domain.site import SitePage
from arena.domain.terms import BattleKind, BattleState, BotVerdict, NotCounted, Opinion, Outcome, Side, TurnState
from arena.usecases.battles.block_feed import BlockFeed
from arena.usecases.battles.web_pages import PagePlace
from arena.usecases.operated_site.prose import prose

from . import fake_chats, fake_evaluations, fake_pages, fake_questions
from .fake_board import BoardData, install
from .fake_evaluations import Annotating
from .stand_in import StandIn, with_cached_routes

NAMES = {Side.A: "Quiet Heron", Side.B: "Loud Magpie"}
OWNERS = {Side.A: "A Labs", Side.B: "B Labs"}
CHUNK = 24


@dataclass
class Turn:
    number: int
    prompt: str
    answers: dict[Side, str]
    state: TurnState = TurnState.RUNNING
    generation: int = 0
    images: list[str] = field(default_factory=list)
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    stop: bool = False
    failure: str | None = None

    def shown(self, until: int | None = None) -> dict[Side, str]:
        deltas = [data for name, data in self.events[:until] if name == "delta"]
        return {s: "".join(data["text"] for data in deltas if data["side"] == s) for s in self.answers}

    def next_kind(self, at: int) -> str:
        """The kind of the event at a place; empty if it has not come yet."""
        return self.events[at][0] if at < len(self.events) else ""

    async def blocks(self, feed: BlockFeed, until: int, seen: dict[Side, int]) -> list[tuple[str, dict[str, Any]]]:
        """What a reader of HTML gets at an event, who has `seen` so many characters of each side."""
        shown, name = self.shown(until), self.events[until - 1][0]
        whole = {side for side in shown if len(shown[side]) == len(self.answers[side]) or name.startswith("turn_")}
        await feed.catch_up(lambda: (shown, whole))
        events: list[tuple[str, dict[str, Any]]] = []
        for side in shown:
            if piece := feed.event(side, seen[side]):
                seen[side] = piece[0]
                events.append(("blocks", piece[1].model_dump(mode="json", by_alias=True)))
        return events


@dataclass
class Battle:
    id: str
    turns: list[Turn]
    sides: tuple[Side, ...] = tuple(Side)
    state: BattleState = BattleState.OPEN
    outcome: Outcome | None = None
    stopped: bool = False
    cut: tuple[Side, ...] = ()
    kind: BattleKind = BattleKind.TEXT

    def view(self) -> BattleView:
        turns = [
            TurnView(
                number=t.number,
                prompt=t.prompt,
                images=t.images,
                state=t.state,
                generation=t.generation,
                answers=t.shown(),
                failure=t.failure,
                stopped=t.stop,
                cut=list(self.cut) if self.state is BattleState.VOTED else [],
            )
            for t in self.turns
        ]
        return BattleView(id=self.id, state=self.state, kind=self.kind, turns=turns, outcome=self.outcome)

    def shared(self) -> SharedView:
        turns = [turn.model_copy(update={"images": []}) for turn in self.view().turns]
        images = sum(len(turn.images) for turn in self.turns)
        return SharedView(turns=turns, kind=self.kind, images=images, reveal=self.reveal(), voted_at=datetime.now(UTC))

    def reveal(self) -> RevealView:
        assert self.outcome
        faces = {
            s: CompetitorView(
                name=NAMES[s], owner=OWNERS[s], licence="MIT", link="https://example.org/", demo=s is Side.B
            )
            for s in Side
        }
        reason = "stopped" if self.stopped else "web_page" if self.kind is BattleKind.WEB_PAGE else None
        return RevealView(outcome=self.outcome, a=faces[Side.A], b=faces[Side.B], counted=reason is None, reason=reason)


@dataclass
class FakeArena:
    """Settings of a test, and the state behind the routes."""

    answers: dict[Side, str] = field(default_factory=lambda: {s: f"Answer of side {s}. " * 12 for s in Side})
    pace: float = 0.03
    excluded: str | None = None
    blind: tuple[str, ...] = ()
    building: int = 0
    closed: list[str] = field(default_factory=list)
    first_wait: float = 0.1
    paused: bool = False
    cuts: int = 0
    followers: int = 0
    fail_turn: bool = False
    failed: tuple[Side, ...] = ()
    refuse: errors.ArenaError | None = None
    endpoints: int = 6
    board: LeaderboardView | None = None
    board_data: BoardData = field(default_factory=BoardData)
    sets: dict[str, list[QuestionView]] = field(default_factory=dict)
    annotating: Annotating = field(default_factory=Annotating)
    battles: dict[str, Battle] = field(default_factory=dict)
    votes: list[tuple[str, str | None, Outcome]] = field(default_factory=list)
    seen: list[dict[Side, str]] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    opened: int = 0
    terms: int = 0
    practice: bool = False
    mixed: bool = False
    accepted: set[int] = field(default_factory=set)
    crowd: CrowdView = field(default_factory=CrowdView)
    reasoning: ReasoningView = field(default_factory=lambda: ReasoningView(turns=[]))
    remarks: dict[str, RemarksView] = field(default_factory=dict)
    shares: dict[str, str] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)
    unlistable: bool = False
    reports: list[tuple[str, str]] = field(default_factory=list)
    chats: dict[str, list[str]] = field(default_factory=dict)
    vision: bool = True
    images: dict[str, bytes] = field(default_factory=dict)
    framed: list[PagePlace] = field(default_factory=list)
    is_secure: bool = True
    refuse_image: errors.ArenaError | None = None
    opinions: dict[tuple[str, int], Opinion] = field(default_factory=dict)
    door: SignInView | None = None
    site: SiteView = field(default_factory=SiteView)
    site_text: str = "# We"
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def admit(self, terms: int | None) -> None:
        """Admit a first prompt, or raise the error that the test has set."""
        if self.refuse:
            raise self.refuse
        if terms is not None:
            self.accepted.add(terms)
        if self.terms and self.terms not in self.accepted:
            raise errors.TermsNotAccepted(self.terms)

    def open(self, battle_id: str, request: PromptRequest, sides: tuple[Side, ...] = tuple(Side)) -> Battle:
        battle = self.battles[battle_id] = Battle(battle_id, [], sides)
        self.start(battle, request)
        return battle

    def start(self, battle: Battle, request: PromptRequest, generation: int = 0) -> None:
        answers = {side: self.answers[side] for side in battle.sides}
        turn = Turn(len(battle.turns) + 1, request.prompt, answers, generation=generation, images=request.images)
        battle.turns.append(turn)
        task = asyncio.get_running_loop().create_task(self.run(battle, turn))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def run(self, battle: Battle, turn: Turn) -> None:
        await asyncio.sleep(self.first_wait)
        longest = max(map(len, turn.answers.values()))
        for at in range(0, longest, CHUNK):
            for side in turn.answers:
                text = turn.answers[side][at : at + CHUNK]
                if text:
                    turn.events.append(("delta", {"side": side, "text": text}))
                    if at + CHUNK >= len(turn.answers[side]):
                        turn.events.append(("side_done", {"side": side}))
            if self.fail_turn and at > 2 * CHUNK:
                turn.state, battle.state = TurnState.FAILED, BattleState.VOID
                end = {"code": "turn_failed", "title": "This round could not be completed."}
                turn.events.append(("turn_failed", end | ({"failed": self.failed} if self.failed else {})))
                return
            if turn.stop:
                battle.stopped = True
                break
            await asyncio.sleep(self.pace)
        while self.paused:
            await asyncio.sleep(0.01)
        turn.state = TurnState.READY
        turn.events.append(("turn_ready", {"number": turn.number}))

    def stream(self, battle: Battle, last_event_id: str | None, form: str = "text") -> Response:
        turn = battle.turns[-1]
        position = last_event_id.split(".") if last_event_id else []
        same = position[:2] == [str(turn.number), str(turn.generation)]
        after = int(position[2]) if same else 0
        if turn.state is not TurnState.RUNNING and after >= len(turn.events):
            return Response(status_code=204)
        return StreamingResponse(self.count(self.follow(turn, after, form)), media_type="text/event-stream")

    async def count(self, events: AsyncIterator[str]) -> AsyncIterator[str]:
        """Count the readers of a stream while it lasts."""
        self.followers += 1
        try:
            async for event in events:
                yield event
        finally:
            self.followers -= 1

    async def follow(self, turn: Turn, after: int, form: str) -> AsyncIterator[str]:
        at, cuts, feed = after, self.cuts, BlockFeed()
        seen = {side: len(turn.shown(after)[side]) for side in turn.answers}
        while cuts == self.cuts:
            while at < len(turn.events):
                name, data = turn.events[at]
                at += 1
                if self.pace == 0 and form == "html" and name == "delta" == turn.next_kind(at):
                    continue  # one frame of all that is there, as the arena sends it
                events = await turn.blocks(feed, at, seen) if form == "html" else []
                if form == "text" or name != "delta":
                    events.append((name, data))
                for kind, content in events:
                    yield f"id: {turn.number}.{turn.generation}.{at}\nevent: {kind}\ndata: {json.dumps(content)}\n\n"
                if name in {"turn_ready", "turn_failed"}:
                    return
            await asyncio.sleep(0.01)


def problem(error: errors.ArenaError, reveal: RevealView | None = None) -> Response:
    body = ProblemView(
        title=error.title,
        status=error.status,
        code=error.code,
        detail=error.detail,
        params=error.params or None,
        retry_after=error.retry_after,
        reveal=reveal,
        terms=error.terms if isinstance(error, errors.TermsNotAccepted) else None,
    ).model_dump(mode="json", exclude_none=True)
    return JSONResponse(body, status_code=error.status, media_type="application/problem+json")


@with_cached_routes
def create(app: FastAPI, fake: FakeArena) -> None:  # noqa: C901, PLR0915 - one closure per route of the contract
    @app.exception_handler(errors.ArenaError)
    async def _(_request: Request, error: Exception) -> Response:
        assert isinstance(error, errors.ArenaError)
        return problem(error)

    def find(battle_id: str) -> Battle:
        if battle_id not in fake.battles:
            raise errors.BattleNotFound
        return fake.battles[battle_id]

    @app.post("/api/v1/battles", status_code=201)
    async def open_battle(request: OpenRequest, response: Response) -> BattleView:
        fake.admit(request.terms)
        fake.opened += 1
        battle = fake.open(secrets.token_urlsafe(16), request)
        battle.kind = request.kind
        response.set_cookie("arena_voter", "someone", httponly=True, samesite="lax")
        return battle.view()

    @app.get("/api/v1/bot-check")
    async def bot_check() -> BotCheckView:
        return BotCheckView(mode="observe", verdict=BotVerdict.PASS)

    @app.get("/api/v1/battles/{battle_id}")
    async def read(battle_id: str, form: AnswerFormat = "text") -> BattleView:
        view = find(battle_id).view()
        return view.model_copy(update={"turns": await with_html(view.turns, form)})

    @app.get("/api/v1/battles/{battle_id}/stream")
    async def stream(
        battle_id: str, last_event_id: Annotated[str | None, Header()] = None, form: AnswerFormat = "text"
    ) -> Response:
        return fake.stream(find(battle_id), last_event_id, form)

    @app.post("/api/v1/battles/{battle_id}/turns")
    async def more(battle_id: str, request: PromptRequest) -> BattleView:
        battle = find(battle_id)
        fake.start(battle, request)
        return battle.view()

    @app.post("/api/v1/battles/{battle_id}/regenerate")
    async def regenerate(battle_id: str) -> BattleView:
        battle = find(battle_id)
        old = battle.turns.pop()
        fake.start(battle, PromptRequest(prompt=old.prompt, images=old.images), old.generation + 1)
        return battle.view()

    @app.post("/api/v1/battles/{battle_id}/stop")
    async def stop(battle_id: str) -> BattleView:
        battle = find(battle_id)
        battle.turns[-1].stop = True
        return battle.view()

    @app.post("/api/v1/battles/{battle_id}/skip")
    async def skip(battle_id: str) -> BattleView:
        battle = find(battle_id)
        battle.state = BattleState.ABANDONED
        fake.skipped.append(battle.id)
        return battle.view()

    @app.post("/api/v1/battles/{battle_id}/vote")
    async def vote(
        battle_id: str, request: VoteRequest, idempotency_key: Annotated[str | None, Header()] = None
    ) -> Any:
        battle = find(battle_id)
        if battle.state is BattleState.VOTED:
            return problem(errors.AlreadyVoted(battle.reveal()), battle.reveal())
        if battle.turns[-1].state is not TurnState.READY:
            raise errors.TurnNotReady
        if not request.are(battle.turns[-1].number, battle.turns[-1].generation):
            raise errors.AnswersChanged
        battle.state, battle.outcome = BattleState.VOTED, request.outcome
        fake.votes.append((battle.id, idempotency_key, request.outcome))
        fake.seen.append(request.seen)
        return battle.reveal()

    @app.get("/api/v1/battles/{battle_id}/reveal")
    async def reveal(battle_id: str) -> RevealView:
        battle = find(battle_id)
        if battle.state is not BattleState.VOTED:
            raise errors.NotVoted
        return battle.reveal().model_copy(update={"shared": battle_id in fake.shares})

    @app.get("/api/v1/battles/{battle_id}/crowd")
    async def crowd(battle_id: str) -> CrowdView:
        if find(battle_id).state is not BattleState.VOTED:
            raise errors.NotVoted
        return fake.crowd

    @app.get("/api/v1/site")
    async def site() -> SiteView:
        return fake.site

    @app.get("/api/v1/files")
    async def public_files() -> PublicFilesView:
        return PublicFilesView()

    @app.get("/api/v1/site/pages/{page}")
    async def site_page(page: SitePage, language: str = "en") -> SitePageView:
        if page not in fake.site.pages:
            raise errors.NotFound
        blocks = list(prose(fake.site_text))
        at = datetime(2026, 1, 2, tzinfo=UTC)
        return SitePageView(page=page, language=language, languages=["en"], version=1, published_at=at, blocks=blocks)

    @app.get("/api/v1/sign-in")
    async def sign_in() -> SignInView:
        if fake.door is None:
            raise errors.NotFound
        return fake.door

    @app.get("/api/v1/battles/{battle_id}/reasoning")
    async def reasoning(battle_id: str) -> ReasoningView:
        if find(battle_id).state is not BattleState.VOTED:
            raise errors.NotVoted
        return fake.reasoning

    @app.get("/api/v1/battles/{battle_id}/remarks")
    async def remarked(battle_id: str) -> RemarksView:
        return fake.remarks.get(battle_id, RemarksView())

    @app.post("/api/v1/battles/{battle_id}/remarks")
    async def remarks(battle_id: str, content: RemarksView) -> RemarksView:
        if fake.remarks.setdefault(battle_id, content) != content:
            raise errors.AlreadyRemarked
        return content

    @app.post("/api/v1/battles/{battle_id}/share")
    async def share(battle_id: str) -> ShareView:
        token = fake.shares.setdefault(battle_id, secrets.token_urlsafe(16))
        return ShareView(token=token, created_at=datetime.now(UTC), listed=battle_id in fake.listed)

    @app.delete("/api/v1/battles/{battle_id}/share", status_code=204)
    async def withdraw(battle_id: str) -> None:
        fake.shares.pop(battle_id, None)
        fake.listed.discard(battle_id)

    @app.put("/api/v1/battles/{battle_id}/share/listing")
    async def put_on_list(battle_id: str) -> ShareView:
        if fake.unlistable:
            raise errors.NotListable
        fake.listed.add(battle_id)
        return await share(battle_id)

    @app.delete("/api/v1/battles/{battle_id}/share/listing")
    async def take_off_list(battle_id: str) -> ShareView:
        fake.listed.discard(battle_id)
        return await share(battle_id)

    @app.get("/api/v1/shared/{token}")
    async def shared(token: str, form: AnswerFormat = "text") -> SharedView:
        for battle_id, shared_token in fake.shares.items():
            if shared_token == token:
                view = find(battle_id).shared()
                return view.model_copy(update={"turns": await with_html(view.turns, form)})
        raise errors.BattleNotFound

    @app.post("/api/v1/shared/{token}/report", status_code=204)
    async def report(token: str, content: ReportRequest) -> None:
        if token not in fake.shares.values():
            raise errors.BattleNotFound
        fake.reports.append((token, content.reason))

    @app.get("/api/v1/me/battles")
    async def history(before: str | None = None, limit: int = 20) -> MyBattlesView:
        battles = [battle for battle in fake.battles.values() if battle.id not in fake.chats][::-1]
        start = [battle.id for battle in battles].index(before) + 1 if before else 0
        page = battles[start : start + limit]
        behind = page[-1].id if start + limit < len(battles) else None
        return MyBattlesView(battles=[mine(battle) for battle in page], next=behind)

    def mine(battle: Battle) -> MyBattleView:
        names = battle.reveal() if battle.state is BattleState.VOTED else None
        return MyBattleView(
            id=battle.id,
            state=battle.state,
            prompt=battle.turns[0].prompt[:200],
            turns=len(battle.turns),
            created_at=datetime.now(UTC),
            outcome=battle.outcome,
            a=names.a.name if names else None,
            b=names.b.name if names else None,
            counted=names.counted and fake.excluded is None if names else None,
            reason=NotCounted(names.reason) if names and names.reason else None,
            excluded=fake.excluded if names else None,
            shared=fake.shares.get(battle.id),
            listed=battle.id in fake.listed,
        )

    @app.get("/api/v1/me/board")
    async def my_board() -> MyBoardView:
        row = MyModelView(name=NAMES[Side.A], battles=10, wins=6, ties=2, losses=1, both_bad=1, points=7.5)
        return MyBoardView(votes=len(fake.votes), needed=10, rows=[row] if len(fake.votes) >= 10 else [])

    @app.delete("/api/v1/me", status_code=204)
    async def forget() -> None:
        fake.battles.clear()
        fake.accepted.clear()

    @app.get("/api/v1/status")
    async def status() -> dict[str, Any]:
        if fake.building:
            fake.building -= 1
            raise errors.StoreUnavailable(retry_after=1)
        return {
            "endpoints": fake.endpoints,
            "votes": len(fake.votes),
            "accepting": True,
            "closed": fake.closed,
            "terms": fake.terms,
            "board": fake.board is not None,
            "practice": fake.practice,
            "mixed": fake.mixed,
            "vision": fake.vision,
            "vision_endpoints": fake.endpoints if fake.vision else 0,
        }

    @app.post("/api/v1/images", status_code=201)
    async def upload(request: Request) -> UploadView:
        if fake.refuse_image:
            raise fake.refuse_image
        number = f"image-{len(fake.images) + 1}"
        fake.images[number] = await request.body()
        return UploadView(id=number)

    @app.get("/api/v1/images/{image_id}")
    async def show(image_id: str) -> Response:
        if image_id not in fake.images:
            raise errors.ImageNotFound
        return Response(fake.images[image_id], media_type="image/png")

    install(app, cast("BoardData", StandIn(lambda: fake.board_data)), lambda: fake.board)
    fake_chats.install(app, fake)
    fake_pages.install(app, fake)
    fake_questions.install(app, lambda: fake.sets)
    fake_evaluations.install(app, cast("Annotating", StandIn(lambda: fake.annotating)))

    @app.get("/api/v1/leaderboard/newest")
    async def newest() -> NewestView:
        number = fake.board.snapshot.id if fake.board and fake.board.snapshot else 0
        return NewestView(snapshot=number, tables=number)


def board(size: int = 8, number: int = 1, votes: int = 4200) -> LeaderboardView:
    """A plausible leaderboard of `size` models."""
    names = [f"model-{chr(97 + i)}-{(i * 7) % 9}b-chat" for i in range(size)]
    names[0] = f"heron-{number}"
    rows = [_row(i, names[i], size) for i in range(size)]
    pairs = [_pair(names[i], names[j], i, j) for i in range(size) for j in range(i + 1, size)]
    snapshot = SnapshotView(
        id=number,
        method="elo-shuffled+bt",
        parameters={
            "elo": {"init": 1000.0, "k": 4.0, "base": 10.0, "scale": 400.0, "orders": 1000},
            "prior": 0.1,
            "level": 0.95,
            "anchor": None,
            "unlisted": [],
        },
        seed=7,
        code_version="0.1.0",
        last_vote=votes,
        last_exclusion=0,
        votes=votes,
        digest="9f2c" * 16,
        created_at=datetime.now(UTC),
    )
    return LeaderboardView(snapshot=snapshot, rows=rows, pairs=pairs)


def _row(i: int, name: str, size: int) -> LeaderboardRowView:
    strength = 1180 - i * 360 / size
    half = 14 + (i * 5) % 17
    won, drawn, lost, bad = 300 - i * 20, 80, 120 + i * 14, 30
    played = won + drawn + lost + bad
    return LeaderboardRowView(
        name=name,
        owner=["Heron Labs", "Open Collective", "示例研究院"][i % 3],
        licence="Apache-2.0",
        link="https://example.org/m" if i % 2 else None,
        demo=i % 4 == 3,
        rank=i + 1,
        rank_low=max(1, i),
        rank_high=min(size, i + 2),
        elo=strength - 4,
        elo_error=0.3,
        order_spread=9.5 + i,
        bt=strength,
        bt_low=strength - half,
        bt_high=strength + half,
        bt_independent_low=strength - 0.6 * half,
        bt_independent_high=strength + 0.6 * half,
        design_effect=2.8,
        points=won + drawn / 2,
        points_per_battle=(won + drawn / 2) / played,
        win_rate=(won + drawn / 2) / played,
        carena_rate=(won + drawn) / played,
        battles=played,
        wins=won,
        draws=drawn,
        losses=lost,
        both_bad=bad,
    )


def _pair(a: str, b: str, i: int, j: int) -> PairView:
    wins = 30 + (j - i) * 4
    losses = max(2, 26 - (j - i) * 3)
    decided = wins + losses
    return PairView(
        a=a, b=b, battles=decided + 9, a_wins=wins, b_wins=losses, ties=6, both_bad=3, fraction=wins / decided
    )
