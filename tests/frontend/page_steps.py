"""Steps that lead to every page and state of a page, with a fake arena that has all that pages can show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Page

from arena.domain.schemas.integrity import ObjectionView, VoterAdviceView, VotersView
from arena.domain.schemas.leaderboard import LeaderboardView
from arena.domain.schemas.models import VersionView
from arena.domain.schemas.owners import ProviderView, SignInView
from arena.domain.schemas.shares import ListedBattleView, ReportedShareView
from arena.domain.schemas.votes import CrowdView
from arena.domain.site import SitePage
from arena.domain.terms import Access, EndpointState, Side
from arena.evaluations.usecases.sets.reader import read_set
from arena.evaluations.usecases.sets.shipped import FILES

from .fake_api import NAMES, FakeArena, board
from .fake_chats import MODELS
from .fake_gate import MADE_AT
from .fake_owners import FakeOwners
from .sample_reports import EVALUATIONS, GATE, JUDGES, LABELLERS, PREDICTORS, annotated_items
from .sign_in_steps import show_part, sign_in_operator, sign_in_owner
from .test_battle_page import ask, begin, ready
from .test_images import bring
from .test_operator_page import draft
from .test_receipts import Arena

CATEGORIES = (("code", ""), ("chat", ""), ("writing", ""), ("reasoning", ""), ("", "zh"), ("", "en"), ("code", "zh"))
ANSWER = """**Short answer:** a hash map keeps each key beside its value.

1. Compute the hash of the key.
2. Look into that *bucket* only.

| step | cost |
|---|---:|
| hash | 1 |
| look | 1.2 |

```python
prices = {"tea": 3}
print(prices["tea"])
```
"""
MODEL = "model-c-5b-chat"
QUESTION = "How does a hash map find a value so fast? 它为什么这么快？"
PICTURES: Final = ("intervals", "matrix", "counts", "history", "orders", "scatter")
Step = Callable[[Page, FakeArena], None]
Walk = list[tuple[str, Step]]


def start(page: Page, _: FakeArena) -> None:
    """The first page, before anything is typed."""
    begin(page)


def terms(page: Page, _: FakeArena) -> None:
    """A question that waits for the terms to be accepted."""
    ask(page, QUESTION)
    page.wait_for_selector(".a-agree")


def running(page: Page, fake: FakeArena) -> None:
    """Two models that answer."""
    fake.paused = True
    page.click(".a-agree")
    page.wait_for_selector("html[data-phase=running]")


def battle(page: Page, fake: FakeArena) -> None:
    """Two answers that wait for a vote."""
    fake.paused = False
    ready(page)


def press(selector: str, shown: str) -> Step:
    """A step that clicks a control and waits for an element."""

    def step(page: Page, _: FakeArena) -> None:
        page.locator(selector).first.click()
        page.wait_for_selector(shown)

    return step


def open_shared(page: Page, _: FakeArena) -> None:
    """The shared battle, as everybody with the link sees it."""
    page.goto(page.input_value(".a-share-link"))
    page.wait_for_selector("#reveal-box .a-card")


def ask_and_wait(page: Page) -> None:
    """Ask a question, accept the terms if they are shown, and wait for all answers."""
    ask(page, QUESTION)
    page.locator(".a-agree").or_(page.locator("html[data-phase=ready]")).first.wait_for()
    if page.locator(".a-agree").count():
        page.click(".a-agree")
    page.wait_for_selector("html[data-phase=ready]")


def attach_images(page: Page, _: FakeArena) -> None:
    """A question with the largest number of images, before it is sent."""
    page.goto("/")
    page.wait_for_selector("html[data-phase=empty]")
    bring(page, "paste", count=4)
    page.wait_for_selector("#images .a-image >> nth=3")


def image(page: Page, _: FakeArena) -> None:
    """A question about images, answered."""
    ask_and_wait(page)
    ready(page)


def view(address: str, ready: str = "#board-rows tr") -> Step:
    """A step that opens an address and waits for an element."""

    def step(page: Page, _: FakeArena) -> None:
        page.goto(address)
        page.wait_for_selector(ready)

    return step


def file_on_its_way(page: Page, _: FakeArena) -> None:
    """The progress of reading a file of votes."""
    show_part(page, "votes")
    OWNERS.holds_files = True
    large = b"model_a,model_b" + b"\n" * 2**20
    page.set_input_files("#votes-file", {"name": "votes.csv", "mimeType": "text/csv", "buffer": large})
    page.click("[data-name=votes-look]")
    page.wait_for_selector("#votes-done:not(:empty)")


def votes_of_a_file(page: Page, _: FakeArena) -> None:
    """The preview of a file of votes."""
    OWNERS.holds_files = False
    page.wait_for_selector("#votes-picture")


def set_webhook(page: Page, _: FakeArena) -> None:
    """The owner's webhook with its secret."""
    page.click("#webhook-box summary")
    page.fill("#webhook-webhook", "https://example.com/hook")
    page.click("#webhook [type=submit]")
    page.wait_for_selector("#webhook-secret")


def note(page: Page, _: FakeArena) -> None:
    """The note of a column, opened."""
    page.goto("/leaderboard")
    page.click("[popovertarget=note-bt]")
    page.wait_for_selector("#note-bt:popover-open")


def scroll_board(page: Page, _: FakeArena) -> None:
    """The board scrolled in both directions, where headings, rank and name must stay visible."""
    page.goto("/leaderboard?more=1")
    page.wait_for_selector("#board-rows tr")
    page.evaluate("document.querySelector('#board-rows tr:nth-child(12)').scrollIntoView({block: 'center'})")
    page.evaluate("document.querySelector('#board-scroll').scrollLeft = 180")


def open_help(page: Page, _: FakeArena) -> None:
    """The board with all explanations open."""
    page.goto("/leaderboard?style=1&more=1")
    page.wait_for_selector("#board-rows tr")
    for summary in page.locator(".a-help summary").all():
        summary.click()


def annotate(protocol: str, sides: int) -> Step:
    """An item of an annotator."""

    def step(page: Page, fake: FakeArena) -> None:
        fake.annotating.protocol, fake.annotating.items = protocol, annotated_items(sides)
        fake.annotating.said.clear()
        page.goto("about:blank")
        page.goto("/annotate#secret")
        page.wait_for_selector("#judge:not([hidden])")

    return step


def judge(page: Page, fake: FakeArena) -> None:
    """A judgement that can still be undone."""
    fake.annotating.undo_seconds = 600
    annotate("pairwise", 2)(page, fake)
    for _ in range(3):  # on a phone each answer that has not been in sight is shown first
        page.keyboard.press("1")
        page.wait_for_timeout(400)
        if page.locator("#judge [data-act=undo]").count():
            break
    page.wait_for_selector("#judge [data-act=undo]")


def chat(path: str, sides: int) -> Step:
    """A chat with chosen models, answered."""

    def step(page: Page, _: FakeArena) -> None:
        page.goto(path)
        page.wait_for_selector("html[data-phase=empty]")
        for side, name in zip("ab"[:sides], MODELS, strict=False):
            page.select_option(f"#model_{side}", name)
        ask_and_wait(page)

    return step


def rounds(page: Page, _: FakeArena) -> None:
    """The voter's own battles, with a verified receipt."""
    with TemporaryDirectory() as folder:
        Arena(Path(folder)).receipt()
        page.route("**/log/**", lambda route: route.fulfill(path=folder + urlsplit(route.request.url).path))
        page.route("**/receipt", lambda route: route.fulfill(path=folder + "/api/v1/battles/b/receipt"))
        page.goto("/mine")
        page.locator("[data-act=receipt]").first.click()
        page.wait_for_selector("[data-receipt]")
    page.unroute_all()


def sign_in_as_owner(page: Page, _: FakeArena) -> None:
    """An owner's models."""
    page.goto("/owners")
    sign_in_owner(page, OWNERS)


def operator(page: Page, _: FakeArena) -> None:
    """The operator's page."""
    page.goto("/operator")
    sign_in_operator(page)
    page.wait_for_selector("#operator-count")


def site_page(page: Page, fake: FakeArena) -> None:
    """A page that the operator has published."""
    fake.site_text = "# 隐私\n\n我们不保存姓名。\n\n- 投票\n- 提问"
    default = fake.site
    fake.site = default.model_copy(update={"pages": [SitePage.PRIVACY]})
    view("/privacy", "h2")(page, fake)
    fake.site = default


def sign_in(page: Page, fake: FakeArena) -> None:
    """The sign-in page of an arena for members, after a refused sign-in."""
    providers = [ProviderView(name="example", title="Heron Labs")]
    fake.door = SignInView(access=Access.MEMBERS, member=False, providers=providers)
    view("/sign-in?error=sign_in_refused.domain", ".a-ways .a-act")(page, fake)
    fake.door = None


def picture(name: str) -> tuple[str, Step]:
    return name, press(f"#tab-{name}", f"#chart-{name} :is(li, td, svg)")


SECOND: Final = ("second answer", press("#switch [data-side=b]", "#pair[data-facing=b]"))
"""A step for phones, which show one answer at a time."""
TWO_ANSWERS: Final = frozenset({"before the vote", "side by side, answered"})
"""States after which it comes: a tap votes only when both answers have been in sight."""
BATTLE: Final[Walk] = [
    ("battle", start),
    ("terms", terms),
    ("running", running),
    ("before the vote", battle),
    ("after the vote", press("#vote_a", ".a-crowd-bar")),
    ("remarks", press(".a-remarks summary", ".a-save")),
    ("link", press("[data-act=share]", ".a-share-link")),
    ("shared", open_shared),
    ("mine", rounds),
    ("forget", press("#mine-forget summary", "#mine-forget[open] [data-act=forget]")),
]
CHATS: Final[Walk] = [
    ("chat", view("/direct", "#prompt textarea")),
    ("direct, answered", chat("/direct", 1)),
    ("direct, judged", press("#vote_good", "#vote_good[aria-pressed=true]")),
    ("side_by_side", view("/side-by-side", "#prompt textarea")),
    ("side by side, answered", chat("/side-by-side", 2)),
    ("side by side, judged", press("#vote_a", "#vote_a[aria-pressed=true]")),
    ("images held", attach_images),
    ("image", image),
]
ANNOTATOR: Final[Walk] = [
    ("annotate", view("/annotate", "#annotate-lead")),
    ("pair", annotate("pairwise", 2)),
    ("said", judge),
    ("stars", annotate("stars", 1)),
]
BOARD: Final[Walk] = [
    ("leaderboard", note),
    ("scrolled", scroll_board),
    ("method", press("#board-method summary", "#board-how > *")),
    ("help", open_help),
    *map(picture, PICTURES),
    ("category", view("/leaderboard?category=code")),
    ("ranked by points", view("/leaderboard?by=points")),
    ("ranked by nothing", view("/leaderboard?by=99", "#board h2")),
    ("overview", view("/boards", "#overview-table")),
    ("embed", view("/embed", "main li")),
    ("embed in the dark", view("/embed?theme=dark&rows=3", "main li")),
    ("no board", view("/leaderboard?category=safety", "#board h2")),
    ("nothing", view("/leaderboard?q=nobody", "#board-none:not(:empty)")),
    ("model", view(f"/model?name={MODEL}", "#model h1")),
    ("pair", view(f"/pairs?x={MODEL}&y={NAMES[Side.A]}", "#pair .a-verdict")),
    ("choice of a pair", view("/pairs", "#pair h1")),
]
READING: Final[Walk] = [
    ("integrity", view("/integrity", "#integrity tbody tr")),
    ("questions", view("/questions", ".a-set-question")),
    ("evaluations", view("/evaluations", ".a-eval-list")),
    ("evaluation", view("/evaluations?name=spring-2026", ".a-eval")),
    ("open evaluation", view("/evaluations?name=class of 2026", ".a-eval-how")),
    ("judges", view("/judges", "#judges .a-eval")),
    ("predictors", view("/predictors", "#predictors .a-eval")),
    ("about", view("/about", "#foot")),
    ("sign_in", sign_in),
    ("files", view("/files", "#files a")),
    ("site_page", site_page),
    ("no such page", view("/no-such-page", ".a-page .a-act")),
]
PUBLIC: Final = {"battle": BATTLE, "chats": CHATS, "annotator": ANNOTATOR, "board": BOARD, "reading": READING}
"""Walks through all public pages and their states; each step starts from the previous one."""
OWNER: Final[Walk] = [
    ("owners", view("/owners", "#foot")),
    ("models", sign_in_as_owner),
    ("form", press("#register-new", "#register")),
    ("wrong form", press("#register button[type=submit]", "#register [aria-invalid=true]")),
    ("models again", press(".a-back a", "#account")),
    ("webhook", set_webhook),
    ("model of an owner", press("#endpoint-list a", "#endpoint-state")),
    ("change of a model", press("#change-box summary", "#change-box [open]")),
    ("question of a step", press("[data-name=retire]", "dialog[open]")),
]
OPERATOR: Final[Walk] = [
    ("operator", operator),
    ("evaluations of an operator", press(".a-parts-of [href='#evaluations']", "#evaluations-set")),
    ("site of an operator", press(".a-parts-of [href='#site']", "#operator-page-text")),
    ("file on its way", file_on_its_way),
    ("votes of a file", votes_of_a_file),
    ("models of an operator", press(".a-parts-of [href='#models']", "#operator-rows button")),
    ("question of a step", press("#operator-rows [data-name=suspend]", "dialog[open]")),
]
OWNERS: Final = FakeOwners()
"""The fake API of owners and operators for these walks."""


def arena() -> FakeArena:
    """A fake arena with all that pages can show."""
    fake = FakeArena(pace=0, first_wait=0, terms=1, crowd=CrowdView(a=5, b=3, tie=2))
    fake.answers = {side: ANSWER * (1 + n) for n, side in enumerate(Side)}
    whole = LeaderboardView.model_validate_json(
        board(14).model_dump_json().replace("heron-1", NAMES[Side.A]).replace("model-e-1b-chat", NAMES[Side.B])
    )
    rows = [row.model_copy(update={"battles": 12 if n % 9 == 7 else row.battles}) for n, row in enumerate(whole.rows)]
    fake.board = fake.board_data.add(whole.model_copy(update={"rows": rows}), *CATEGORIES)
    fake.board_data.facts = {
        row.name: {
            "open_weights": n % 3 > 0,
            "billions": 1.5 * (n + 1) if n % 5 else None,
            "context_tokens": 32_768 << n % 4,
            "price_in": 0.08 * (25 - n),
            "price_out": 0.31 * (25 - n),
            "energy": 0.2 + n / 10 if n % 2 else None,
        }
        for n, row in enumerate(whole.rows)
        if n % 7 != 3
    }
    fake.board_data.examples = [ListedBattleView(token=name, question=QUESTION) for name in ("one", "two", "three")]
    fields = {"state": EndpointState.ACTIVE, "joined_at": datetime(2026, 10, 1, tzinfo=UTC)}
    fake.board_data.versions = {
        MODEL: [VersionView(name=name, version=2 - n, **fields) for n, name in enumerate((MODEL, "model-c"))]
    }
    fake.board_data.styled, fake.board_data.moments, fake.board_data.gate = True, 5, GATE
    fake.annotating.judges, fake.annotating.predictors = JUDGES, PREDICTORS
    fake.annotating.labellers, fake.annotating.records = LABELLERS, EVALUATIONS
    fake.sets = {path.stem: read_set([path], {}).questions for path in FILES}
    return fake


def owners() -> FakeOwners:
    """The owners' fake with two models and content for each part of the operator's page."""
    OWNERS.signed_up = True
    OWNERS.begin(name="Heron", url="https://h.example/v1", wire_model="heron")
    OWNERS.move(OWNERS.begin(name="Magpie", url="https://m.example/v1", wire_model="magpie"), "active", "approved")
    for reason in ("pooled", "confirmed"):
        OWNERS.gate.decide(reason, 0.25)
    OWNERS.gate.objections.append(ObjectionView(number=1, endpoint="Heron", text="A class voted.", created_at=MADE_AT))
    OWNERS.gate.voters = VotersView(
        tested=1_200, rows=[VoterAdviceView(first=4_711, votes=31, improbable=0.000001, one_sided=0.5)]
    )
    link = "AbC-_9"
    share = ReportedShareView(token=link, prompt=QUESTION, reports={"private": 2, "other": 1}, created_at=MADE_AT)
    OWNERS.reported.append(share)
    OWNERS.evaluations = [draft()]
    OWNERS.do("site_changed", "accent, imprint, mark")
    OWNERS.do("site_changed", "announcement.zh")
    OWNERS.do("part_closed", "battles")
    return OWNERS
