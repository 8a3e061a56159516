"""What a person feels while parts of the owners' and the operator's page are fetched again: focus, text and errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, FilePayload, Page, Route, expect

from arena.api.http.problems import problem
from arena.domain import errors
from arena.domain.reasons import STOPS
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.schemas.evaluations import EvaluationProgressView, EvaluationView

from .fake_owners import OPERATOR_KEY, FakeOwners, now
from .resting import WINDOW
from .serving import EMPTY, SharedServer
from .sign_in_steps import show_part, sign_in_operator, sign_in_owner

pytestmark = pytest.mark.owners
HOME = "**/operator/part?view=&*"
ACTIVE = "document.activeElement.dataset.name ?? document.activeElement.id"


@pytest.fixture(scope="module")
def clocked(browser: Browser, door: SharedServer) -> Iterator[BrowserContext]:
    """The context of these tests: a fake clock stays in it, which each of them sets anew."""
    with browser.new_context(locale="en-US", base_url=door.address, viewport=WINDOW) as clocked:
        clocked.new_page().goto(EMPTY)
        yield clocked


@pytest.fixture
def context(clocked: BrowserContext, address: str) -> Iterator[BrowserContext]:
    yield clocked
    clocked.clear_cookies()
    clocked.pages[0].evaluate("localStorage.clear()")


@pytest.fixture
def heron(owners: FakeOwners) -> dict[str, Any]:
    return owners.begin(name="Heron", url="https://h.example/v1", wire_model="heron")


def operate(page: Page, part: str = "models") -> Page:
    page.clock.install()
    page.goto("/operator")
    sign_in_operator(page)
    page.wait_for_selector("#operator-count")
    show_part(page, part)
    return page


def open_evaluations(page: Page, language: str) -> None:
    page.goto(f"/operator?lang={language}")
    sign_in_operator(page)
    show_part(page, "evaluations")


def own(page: Page, owners: FakeOwners) -> Page:
    page.goto("/owners")
    sign_in_owner(page, owners)
    return page


def again(page: Page) -> None:
    """Have the page fetch its view again, as it does by itself."""
    with page.expect_response(HOME) as answer:
        page.clock.fast_forward("00:06")
    answer.value.finished()
    page.evaluate("new Promise((done) => requestAnimationFrame(done))")


def evaluation(name: str, **facts: Any) -> EvaluationView:
    counts: dict[str, Any] = {"questions": 3, "items": 0, "annotations": 0, "needed": 0, "per_item": 3, "overlap": 0}
    kinds = {"state": "draft", "protocol": "pairwise", "design": "all", "public": False, "digest": None}
    limits = {"repeats": 0.02, "least_consistency": None, "least_right": None}
    given = {"name": name, "created_at": now(), "closed_at": None, **counts, **kinds, **limits, **facts}
    return EvaluationView.model_validate(given)


def progress(name: str, **facts: Any) -> EvaluationProgressView:
    return EvaluationProgressView.model_validate({**dict(evaluation(name)), "set": f"{name} 1", "models": [], **facts})


def unanswered(*problems: dict[str, str]) -> dict[str, Any]:
    """A model whose answers to both questions failed."""
    facts = {"name": "Heron", "answered": 0, "failed": 2, "faults": {"bad_credentials": 2}, "endpoint": True}
    return {**facts, "problems": list(problems)}


def refuse(route: Route, method: str) -> None:
    """Refuse an act; what the page only reads goes on to the arena."""
    if route.request.method == method:
        busy(route)
    else:
        route.continue_()


def busy(route: Route) -> None:
    problem = errors.ShuttingDown()
    route.fulfill(status=problem.status, json={"code": problem.code, "title": problem.title})


def test_an_act_is_shown_at_once_though_its_row_was_fetched_again_while_it_was_asked_about(
    page: Page, owners: FakeOwners, heron: dict[str, Any]
) -> None:
    operate(page)
    page.click("#operated-1 [data-name=suspend]")
    heron["health"] = {"state": "closed", "since": None, "in_flight": 3}
    again(page)
    expect(page.locator("#operated-1")).to_contain_text("3 running")
    page.click("dialog [data-name=confirm]")
    expect(page.locator("#operated-1 .a-state")).to_have_text("Suspended")


def test_the_focus_stays_on_a_button_over_its_act_its_question_and_a_row_that_is_fetched_again(
    page: Page, owners: FakeOwners, heron: dict[str, Any]
) -> None:
    operate(page)
    page.locator("#operated-1 [data-name=vision]").press("Enter")
    heron["health"] = {"state": "closed", "since": None, "in_flight": 3}
    again(page)
    page.locator("dialog [data-name=cancel]").press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate(ACTIVE) == "vision"
    page.keyboard.press("Enter")
    page.locator("dialog [data-name=confirm]").press("Enter")
    expect(page.locator("#operated-1")).to_contain_text("reads images")
    expect(page.locator("#operated-1 [data-name=vision]")).to_be_focused()


def test_the_focus_stays_on_the_button_of_a_form_and_a_second_press_sends_nothing(
    page: Page, owners: FakeOwners, heron: dict[str, Any]
) -> None:
    own(page, owners)
    page.goto("/owners#endpoint-1")
    sent: list[Route] = []
    page.route("**/uses/judging", lambda route: sent.append(route))  # noqa: PLW0108 - it writes to it
    save = page.locator("#use-judging [type=submit]")
    save.press("Enter")
    expect(save).to_be_disabled()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(save).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("#use-judging-daily_calls").press("Enter")
    sent[0].continue_()
    expect(page.locator("#use-judging .a-saved")).to_have_text("Saved.")
    assert len(sent) == 1
    expect(save).to_be_enabled()


def test_a_page_that_reaches_the_arena_again_says_no_more_that_it_cannot(page: Page, heron: dict[str, Any]) -> None:
    operate(page)
    page.route(HOME, busy, times=1)
    again(page)
    expect(page.locator("#operator-wrong")).to_be_visible()
    again(page)
    expect(page.locator("#operator-wrong")).to_be_hidden()


def test_the_error_of_an_act_is_still_there_when_the_page_has_asked_again(
    page: Page, owners: FakeOwners, heron: dict[str, Any]
) -> None:
    operate(page)
    owners.refuse = errors.ChangedMeanwhile()
    page.click("#operated-1 [data-name=approve]")
    expect(page.locator("#operator-wrong")).to_be_visible()
    again(page)
    expect(page.locator("#operator-wrong")).to_be_visible()


def test_a_part_that_could_not_be_fetched_at_first_is_fetched_later(page: Page) -> None:
    page.route("**/operator/part?view=site*", busy, times=1)
    operate(page, "site")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#operator-site-part")).to_have_count(0)
    page.clock.fast_forward("00:06")
    expect(page.locator("#operator-site-part")).to_be_visible()


@pytest.mark.parametrize(("act", "state"), [("approve", "pending"), ("resume", "suspended"), ("suspend", "active")])
def test_an_act_on_a_model_is_shown_by_the_form_of_an_evaluation_and_what_is_typed_there_stays(
    page: Page, owners: FakeOwners, heron: dict[str, Any], act: str, state: str
) -> None:
    owners.move(heron, state, "for the test", "operator")
    magpie = owners.begin(name="Magpie", url="https://m.example/v1", wire_model="magpie")
    magpie["uses"][0]["allowed"] = True
    owners.move(magpie, "active", "for the test", "operator")
    operate(page, "evaluations")
    candidate = page.locator(".a-candidate", has_text="Heron")
    expect(candidate).to_have_count(int(state == "active"))
    page.fill("#draft-content", "What is 17 + 25?")
    page.check("[data-model=Magpie]")
    show_part(page, "models")
    page.click(f"[data-name={act}][aria-label*=Heron]")
    if act == "suspend":
        page.fill("#confirm-text", "It is down")
        page.click("[data-name=confirm]")
    show_part(page, "evaluations")
    expect(candidate).to_have_count(int(state != "active"))
    expect(page.locator("[data-model=Magpie]")).to_be_checked()
    expect(page.locator("#draft-content")).to_have_value("What is 17 + 25?")


@pytest.mark.parametrize("comes_back", ["the part", "the browser's tab"])
def test_the_form_of_an_evaluation_shows_permissions_as_they_are_when_whoever_looks_comes_back(
    page: Page, owners: FakeOwners, heron: dict[str, Any], comes_back: str
) -> None:
    owners.move(heron, "active", "for the test", "operator")
    operate(page, "evaluations")
    box = page.locator("[data-model=Heron]")
    expect(box).to_be_disabled()
    page.fill("#draft-content", "What is 17 + 25?")
    for allowed in (True, False):
        heron["uses"][0]["allowed"] = allowed
        if comes_back == "the part":
            show_part(page, "models")
            show_part(page, "evaluations")
        else:
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(box).to_be_enabled(enabled=allowed)
    expect(page.locator("#draft-content")).to_have_value("What is 17 + 25?")


@pytest.mark.parametrize("language", ["en", "zh", "zh-TW"])
def test_a_configuration_is_shown_with_the_name_of_its_model(
    page: Page, owners: FakeOwners, heron: dict[str, Any], language: str
) -> None:
    name = "terse (Heron)"
    heron["uses"][0]["allowed"] = True
    owners.configured = {"Heron": ["terse"]}
    owners.move(heron, "active", "for the test", "operator")
    terse = {"name": "terse", "model": "Heron", "answered": 0, "failed": 0, "faults": {}, "endpoint": True}
    owners.evaluations = [progress("taste", models=[terse], needed=3, openable=True)]
    open_evaluations(page, language)
    expect(page.locator(".a-candidate")).to_have_text(["Heron", name])
    expect(page.locator("[data-model=terse]")).to_be_enabled()
    expect(page.locator("[data-run=taste] li")).to_contain_text(name)
    page.click("[data-name=open-taste]")
    expect(page.locator("dialog p").first).to_contain_text(f"{name} 3")


def test_limits_that_are_being_typed_stay_when_another_evaluation_comes(page: Page, owners: FakeOwners) -> None:
    owners.evaluations = [evaluation("taste")]
    operate(page, "evaluations")
    typed = page.locator("[data-evaluation=taste] [name=least_right]")
    typed.fill("0.4")
    owners.evaluations = [evaluation("a new one"), evaluation("taste", state="open")]
    answer = {"duplicates": [{"line": 5, "repeats": 1}], "refused": ["pasted.txt, line 7: prompt: missing", "… 3"]}
    answer["refused_rows"] = [
        {"line": 7, "reason": "prompt: missing", "params": {"rule": "missing", "column": "prompt"}}
    ]
    page.route("**/operator/evaluations", lambda route: route.fulfill(status=201, json=answer))
    page.fill("#draft-name", "a new one")
    page.click("#draft [type=submit]")
    expect(page.locator("[data-view=draft] #draft-refused li")).to_have_text(
        ["Left out: line 5, the same as line 1.", "Left out: line 7: “question” is empty", "… 3"]
    )
    expect(page.locator("[data-evaluation]")).to_have_count(2)
    expect(page.locator("[data-evaluation=taste]")).to_contain_text("open ·")
    expect(typed).to_have_value("0.4")


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"rule": "missing", "column": "题目"}, "“题目”为空"),
        ({"rule": "longest", "column": "area", "limit": 80}, "“领域”超过 80 个字符"),
        ({"rule": "cells", "count": 3, "heads": 4}, "有 3 个单元格，而首行有 4 个"),
        ({"rule": "letter", "value": "'Z'", "last": "D"}, "答案 'Z' 不是 A 到 D 中的任何一个"),
        (None, "not known here"),
    ],
)
def test_the_reason_of_a_refused_row_is_in_the_language_of_the_page(
    page: Page, owners: FakeOwners, params: dict[str, Any] | None, text: str
) -> None:
    open_evaluations(page, "zh")
    rows = [{"line": 2, "reason": "not known here", "params": params}]
    made = {"duplicates": [], "refused": ["a.xlsx, line 2: not known here"], "refused_rows": rows}
    in_problem = {f"row_{name}": value for name, value in (params or {}).items()}
    facts = {"rule": "no_usable_row", "line": 2, "reason": "not known here", **in_problem}
    problem = {"title": "no", "status": 422, "code": "invalid", "detail": "a.xlsx: no", "params": facts}
    answers = iter([(201, made), (422, problem)])

    def answer(route: Route) -> None:
        status, body = next(answers)
        route.fulfill(status=status, json=body)

    page.route("**/operator/evaluations", answer)
    page.fill("#draft-name", "class")
    page.click("#draft [type=submit]")
    expect(page.locator("#draft-refused li")).to_have_text(f"已跳过第 2 行：{text}")
    page.fill("#draft-name", "class")
    page.click("#draft [type=submit]")
    expect(page.locator("#draft-wrong")).to_have_text(f"没有一行含有可用的题目。第 2 行：{text}")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Line 2: it has no options. Not used: 'Option 1', 'Option 2'."),
        ("zh", "第 2 行：没有选项。没有用到的列：'Option 1'、'Option 2'。"),
        ("zh-TW", "第 2 列：沒有選項。沒有用到的欄：'Option 1'、'Option 2'。"),
    ],
)
def test_the_columns_that_were_not_used_are_told_where_no_question_is_left(
    page: Page, owners: FakeOwners, language: str, text: str
) -> None:
    open_evaluations(page, language)
    facts = {"rule": "no_row_of_columns", "line": 2, "reason": "no options", "row_rule": "no_options"}
    problem = {"title": "no", "status": 422, "code": "invalid", "detail": "a.csv: no"}
    params = facts | {"names": ["'Option 1'", "'Option 2'"]}
    page.route("**/operator/evaluations", lambda route: route.fulfill(status=422, json=problem | {"params": params}))
    page.fill("#draft-name", "class")
    page.click("#draft [type=submit]")
    expect(page.locator("#draft-wrong")).to_contain_text(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "more than 3 megabytes. Import a larger file with the command `arena questions import`"),
        ("zh", "题目超过 3 MB。更大的文件请用命令 `arena questions import` 导入"),
        ("zh-TW", "題目超過 3 MB。更大的檔案請用指令 `arena questions import` 匯入"),
    ],
)
@pytest.mark.parametrize("is_file", [True, False])
def test_a_draft_that_is_too_large_is_never_sent(
    page: Page, owners: FakeOwners, language: str, text: str, *, is_file: bool
) -> None:
    open_evaluations(page, language)
    sent = list[str]()
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.fill("#draft-name", "class")
    long = "x" * (3 * 2**20)
    if is_file:
        file = FilePayload(name="a.csv", mimeType="text/csv", buffer=long.encode())
        page.set_input_files("#draft-file", file)
    else:
        page.fill("#draft-content", long)
    page.click("#draft [type=submit]")
    expect(page.locator("#draft-wrong")).to_contain_text(text)
    assert not [url for url in sent if url.endswith("/operator/evaluations")]


@pytest.mark.parametrize(
    ("refusal", "text"),
    [
        (errors.Invalid("g.csv: not UTF-8", rule="file_coding"), "文件不是 UTF-8 编码"),
        (errors.Conflict(rule="evaluation_taken", name="class"), "已经有名为 class 的评测。"),
        (errors.Invalid(rule="model_state", name="Heron", state="paused"), "Heron 现在不能回答（已暂停）。"),
    ],
    ids=str,
)
def test_a_refused_file_or_act_is_told_in_the_language_of_the_page(
    page: Page, refusal: errors.ArenaError, text: str
) -> None:
    open_evaluations(page, "zh")
    answer = bytes(problem(refusal).body)
    page.route("**/operator/evaluations", lambda route: route.fulfill(status=refusal.status, body=answer))
    page.fill("#draft-name", "class")
    page.click("#draft [type=submit]")
    expect(page.locator("#draft-wrong")).to_contain_text(text)


def test_a_closed_evaluation_without_a_report_has_a_button_that_publishes_it(page: Page, owners: FakeOwners) -> None:
    owners.evaluations = [evaluation("taste", state="closed")]
    page.route("**/operator/evaluations/taste/close", lambda route: route.fulfill(status=200, json={}))
    operate(page, "evaluations")
    row = page.locator("[data-run=taste]")
    expect(row.get_by_role("link")).to_have_count(0)
    with page.expect_response("**/operator/evaluations/taste/close") as sent:
        row.get_by_role("button", name="Publish the report").click()
    assert sent.value.request.post_data_json == {"publish": True}


@pytest.mark.parametrize("works", [True, False])
def test_while_a_report_is_made_the_page_says_so_and_the_rules_can_no_longer_be_set(
    page: Page, owners: FakeOwners, *, works: bool
) -> None:
    owners.evaluations = [evaluation("taste", state="open", annotations=12, done=9, needed=9)]
    held: list[Route] = []
    page.route("**/operator/evaluations/taste/close", lambda route: held.append(route))  # noqa: PLW0108 - it writes to it
    operate(page, "evaluations")
    rules, status = page.locator("[data-evaluation=taste]"), page.locator("#run-taste-status")
    expect(rules).to_be_visible()
    page.click("[data-name=close-taste]")
    expect(page.locator("dialog")).to_contain_text("This cannot be undone")
    with page.expect_request("**/operator/evaluations/taste/close"):
        page.click("[data-name=confirm]")
    owners.evaluations = [evaluation("taste", state="closed")]
    page.clock.fast_forward("01:00")
    expect(status).to_have_text("The report on taste is being made. This can take a while.")
    expect(rules).to_be_hidden()
    expect(page.locator("[data-name=close-taste]")).to_have_attribute("aria-disabled", "true")
    if works:
        held[0].fulfill(status=200, json={})
        expect(page.locator("#run-taste-links")).to_be_attached()
    else:
        owners.evaluations = [evaluation("taste", state="open", annotations=12, done=9, needed=9)]
        busy(held[0])
        expect(page.locator("#run-taste-wrong")).to_be_visible()
    expect(status).to_be_hidden()
    expect(rules).to_have_count(0 if works else 1)
    expect(page.locator("[data-name=close-taste]:not([aria-disabled])")).to_have_count(0 if works else 1)


@pytest.mark.parametrize(
    ("act", "method", "state", "facts"),
    [
        ("open", "POST", "draft", {"openable": True}),
        ("ask", "POST", "draft", {"models": [unanswered()]}),
        ("stop", "DELETE", "draft", {"running": True}),
        ("delete", "DELETE", "draft", {"deletable": True}),
        ("invite", "POST", "open", {"done": 0, "needed": 9}),
        ("close", "POST", "open", {"annotations": 12, "done": 9, "needed": 9}),
        ("publish", "POST", "closed", {}),
    ],
)
def test_an_act_on_an_evaluation_is_answered_beside_it_and_not_below_the_list(
    page: Page, owners: FakeOwners, act: str, method: str, state: str, facts: dict[str, Any]
) -> None:
    view = progress("taste", state=state, **facts) if state == "draft" else evaluation("taste", state=state, **facts)
    owners.evaluations = [evaluation("first"), view, *(evaluation(f"class {number}") for number in range(9))]
    page.route("**/operator/evaluations/taste*", lambda route: refuse(route, method))
    page.route("**/operator/evaluations/taste/**", lambda route: refuse(route, method))
    operate(page, "evaluations")
    button = page.locator(f"[data-name={act}-taste]")
    button.click()
    if page.locator("dialog").count():
        page.click("[data-name=confirm]")
    wrong = page.locator("[data-run=taste] .a-wrong:visible")
    expect(wrong).to_contain_text("The arena is restarting")
    again(page)
    expect(wrong).to_be_in_viewport()
    assert abs(wrong.bounding_box()["y"] - button.bounding_box()["y"]) < 200  # type: ignore[index] - both are visible


@pytest.mark.parametrize(
    ("language", "text", "again"),
    [
        ("en", "The server rejects the key (401 or 403).", "“Ask the models” asks again what failed."),
        ("zh", "服务拒绝了密钥", "“让模型回答”会重新提问失败的题目。"),
    ],
)
def test_a_model_whose_answers_failed_says_why_as_its_test_would_and_how_to_ask_again(
    page: Page, owners: FakeOwners, language: str, text: str, again: str
) -> None:
    problem = {"code": "key_wrong", "title": "A sentence of the server."}
    owners.evaluations = [progress("taste", models=[unanswered(problem)], needed=3)]
    open_evaluations(page, language)
    row = page.locator("[data-run=taste]")
    expect(row).to_contain_text(text)
    expect(row).to_contain_text(again)


def test_an_open_evaluation_gives_no_advice_on_answers_that_cannot_change(page: Page, owners: FakeOwners) -> None:
    problem = {"code": "server_error", "title": "The server failed by itself (5xx); look into its log and try again."}
    owners.evaluations = [
        progress(state, state=state, models=[unanswered(problem)], needed=3) for state in ("draft", "open")
    ]
    open_evaluations(page, "en")
    expect(page.locator("[data-run=draft]")).to_contain_text("try again")
    expect(page.locator("[data-run=open]")).to_contain_text("2 failed")
    expect(page.locator("[data-run=open]")).not_to_contain_text("try again")


def test_why_a_run_stopped_asking_a_model_is_told_in_the_language_of_the_page(page: Page, owners: FakeOwners) -> None:
    figures = {"state": "paused", "use": "evaluations", "limit": 10, "error": "empty"}
    names = [f"Heron {rule}" for rule in STOPS]
    models = [
        {**unanswered(), "name": name, "stopped": sentence.format(**figures)}
        for name, sentence in zip(names, STOPS.values(), strict=True)
    ]
    owners.evaluations = [progress("taste", models=models, needed=3)]
    open_evaluations(page, "zh")
    lines = page.locator("[data-run=taste] li")
    expect(lines.first).to_contain_text("未提问：已暂停")
    expect(lines.nth(3)).to_contain_text("连续失败 10 次后停止")
    said = [text.rpartition(" · ")[2].replace("UTC", "").replace("empty", "") for text in lines.all_text_contents()]
    assert len(said) == len(STOPS)
    assert not re.search("[a-z]{3}", "".join(said)), said


def test_links_of_one_evaluation_stay_while_people_are_invited_to_another(page: Page, owners: FakeOwners) -> None:
    owners.evaluations = [evaluation(name, state="open", needed=9) for name in ("taste", "class")]
    picture = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    people = [{"annotator": "1", "link": "https://arena.example/annotate#x", "qr": picture}]
    page.route("**/annotators", lambda route: route.fulfill(status=201, json=people))
    operate(page, "evaluations")
    for count, name in enumerate(("taste", "class", "taste"), start=1):
        page.click(f"[data-name=invite-{name}]")
        page.click("[data-name=confirm]")
        expect(page.locator(".a-invitation")).to_have_count(count)
    again(page)
    expect(page.locator("[data-run=taste] .a-invitation")).to_have_count(2)
    expect(page.locator("[data-run=class] h3")).to_have_text("Links for class")


@pytest.mark.parametrize(
    ("language", "text", "label"),
    [
        ("en", "71 of 73 annotations · 2 items waiting for a reviewer", "Invite a reviewer"),
        ("zh", "标注 71/73 · 2 项等待复核者评判", "邀请复核者"),
        ("zh-TW", "標註 71/73 · 2 項等待複核者評判", "邀請複核者"),
    ],
)
def test_items_that_wait_for_a_reviewer_are_told_and_one_is_invited_beside_them(
    page: Page, owners: FakeOwners, language: str, text: str, label: str
) -> None:
    owners.evaluations = [
        progress("taste", state="open", annotations=80, done=71, needed=73, waiting=2),
        progress("class", state="open", annotations=80, done=71, needed=72),
    ]
    page.route("**/annotators", lambda route: route.fulfill(status=201, json=[]))
    open_evaluations(page, language)
    row = page.locator("[data-run=taste]")
    expect(row).to_contain_text(text)
    expect(page.locator("[data-name=review-class]")).to_have_count(0)
    page.click("[data-name=close-taste]")
    expect(page.locator("dialog")).to_contain_text(text)
    page.click("dialog [data-name=cancel]")
    button = row.locator("[data-name=review-taste]")
    expect(button).to_have_text(label)
    button.click()
    expect(page.locator("#confirm-text")).to_have_value("1")
    with page.expect_response("**/annotators") as sent:
        page.click("[data-name=confirm]")
    said = sent.value.request.post_data_json
    assert {name: said[name] for name in ("number", "reviewer")} == {"number": 1, "reviewer": True}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "4 answers are missing: Heron 3, Egret 1. People judge everything else, and answers cannot change "),
        ("zh", "还缺 4 个回答：Heron 3、Egret 1。其余的照常评判"),
        ("zh-TW", "還缺 4 個回答：Heron 3、Egret 1。其餘的照常評判"),
    ],
)
def test_opening_names_the_models_whose_answers_are_missing(
    page: Page, owners: FakeOwners, language: str, text: str
) -> None:
    other = {"name": "Egret", "answered": 2, "failed": 1, "faults": {"server": 1}, "endpoint": True}
    whole = {"name": "Tern", "answered": 3, "failed": 0, "faults": {}, "endpoint": True}
    owners.evaluations = [progress("taste", models=[unanswered(), other, whole], needed=3, openable=True)]
    open_evaluations(page, language)
    page.click("[data-name=open-taste]")
    expect(page.locator("dialog p").first).to_contain_text(text)


def test_opening_without_answers_that_come_from_a_file_is_asked_about(page: Page, owners: FakeOwners) -> None:
    filed = {"name": "Gull", "answered": 2, "failed": 0, "faults": {}, "endpoint": False}
    whole = {"name": "Tern", "answered": 3, "failed": 0, "faults": {}, "endpoint": True}
    owners.evaluations = [progress("taste", models=[filed, whole], needed=3, openable=True)]
    page.route("**/operator/evaluations/taste/open", lambda route: route.fulfill(status=200, json={}))
    open_evaluations(page, "en")
    expect(page.locator("[data-name=ask-taste]")).to_have_count(0)
    page.click("[data-name=open-taste]")
    expect(page.locator("dialog p").first).to_contain_text("1 answer is missing: Gull 1.")
    with page.expect_response("**/operator/evaluations/taste/open") as answered:
        page.click("[data-name=confirm]")
    assert answered.value.request.post_data_json == {"partial": True}


def test_the_dialogs_of_an_evaluation_call_it_none_of_the_models(page: Page, owners: FakeOwners) -> None:
    owners.evaluations = [evaluation("taste", state="open", annotations=9, done=1, needed=9)]
    open_evaluations(page, "zh")
    page.click("[data-name=invite-taste]")
    expect(page.locator("dialog h2")).to_have_text("评测 taste：邀请评判者")
    page.click("dialog [data-name=cancel]")
    page.click("[data-name=close-taste]")
    expect(page.locator("dialog h2")).to_have_text("评测 taste：结束并发布")
    expect(page.locator("dialog p").first).to_contain_text("还有回答或标注没有完成，目前有标注 1/9。报告将")


@pytest.mark.parametrize(
    ("language", "done", "text"),
    [
        ("en", 9, "still missing; there are 5 of 6 answers. The report"),
        ("en", 8, "still missing; there are 5 of 6 answers, 8 of 9 annotations. The report"),
        ("zh", 9, "还有回答或标注没有完成，目前有回答 5/6。报告将"),
        ("zh-TW", 8, "目前有回答 5/6、標註 8/9。報告將"),
    ],
)
def test_the_question_before_a_close_counts_what_is_missing_and_nothing_else(
    page: Page, owners: FakeOwners, language: str, done: int, text: str
) -> None:
    models = [{**unanswered(), "name": name, "answered": answered} for name, answered in (("Heron", 3), ("Ibis", 2))]
    owners.evaluations = [progress("taste", state="open", models=models, annotations=12, done=done, needed=9)]
    open_evaluations(page, language)
    page.click("[data-name=close-taste]")
    expect(page.locator("dialog p").first).to_contain_text(text)
    page.route("**/operator/evaluations/taste/close", lambda route: route.fulfill(status=200, json={}))
    with page.expect_response("**/operator/evaluations/taste/close") as sent:
        page.click("[data-name=confirm]")
    assert sent.value.request.post_data_json == {"publish": True, "incomplete": True}


def test_a_draft_that_lacks_lines_of_its_file_says_so_at_once_and_is_deleted_beside_that(
    page: Page, owners: FakeOwners
) -> None:
    rows = [{"line": 2, "reason": "question: missing", "params": {"rule": "missing", "column": "question"}}]
    made = {"name": "x/1", "duplicates": [], "refused": ["a.csv, line 2: question: missing"], "refused_rows": rows}
    problem = {
        "title": "no",
        "status": 422,
        "code": "invalid",
        "detail": "b.csv: not UTF-8",
        "params": {"rule": "utf_8"},
    }
    answers = iter([(201, made), (201, made), (422, problem)])

    def answer(route: Route) -> None:
        status, body = next(answers)
        route.fulfill(status=status, json=body)

    sent: list[str] = []
    page.route("**/operator/evaluations", answer)
    page.route(
        "**/operator/evaluations/x%2F1", lambda route: (sent.append(route.request.method), route.fulfill(status=204))
    )
    operate(page, "evaluations")
    page.fill("#draft-name", "x/1")
    page.click("#draft [type=submit]")
    box = page.locator("#draft-left-out")
    expect(box).to_contain_text("x/1 was created without these lines.")
    expect(box.locator("li")).to_have_text("Left out: line 2: “question” is empty")
    expect(page.locator("#draft .a-saved")).to_have_text("Created. See below.")
    page.click("[data-name=delete-left-out]")
    expect(box).to_have_text("x/1 is deleted. Its name is free again.")
    expect(page.locator("#draft .a-saved")).to_have_text("")
    assert sent == ["DELETE"]
    for said in (True, False):
        page.click("#draft [type=submit]")
        expect(box.locator("li")).to_have_count(int(said))
    expect(page.locator("#draft-wrong")).to_be_visible()


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["from here to the end of the file (2 lines)", "from here to line 9 (6 lines)"]),
        ("zh", ["从这里到文件末尾（共 2 行）", "从这里到第 9 行（共 6 行）"]),
        ("zh-TW", ["從這裡到檔案末尾（共 2 行）", "從這裡到第 9 行（共 6 行）"]),
    ],
)
def test_all_lines_that_an_open_quotation_mark_takes_are_told(
    page: Page, owners: FakeOwners, language: str, texts: list[str]
) -> None:
    params = [{"rule": "quote", "count": 2}, {"rule": "csv_lines", "count": 6, "last": 9}]
    rows = [{"line": 4, "reason": "not CSV", "params": each} for each in params]
    made = {"name": "x", "duplicates": [], "refused": ["a.csv, line 4: not CSV"] * 2, "refused_rows": rows}
    page.route("**/operator/evaluations", lambda route: route.fulfill(status=201, json=made))
    open_evaluations(page, language)
    page.fill("#draft-name", "x")
    page.click("#draft [type=submit]")
    expect(page.locator("#draft-left-out li")).to_contain_text(texts)


def test_typed_questions_are_not_left_out_for_a_file(page: Page) -> None:
    sent: list[str] = []
    page.route("**/operator/evaluations", lambda route: (sent.append(route.request.method), route.abort()))
    operate(page, "evaluations")
    page.fill("#draft-name", "taste")
    page.fill("#draft [name=content]", "Which is the best?")
    page.set_input_files("#draft-file", {"name": "a.csv", "mimeType": "text/csv", "buffer": b"question\nwhy?\n"})
    page.click("#draft [type=submit]")
    expect(page.locator("#draft-wrong")).to_have_text("There are a file and typed questions: send one of the two.")
    assert sent == []


def test_a_name_that_is_taken_is_told_as_the_server_explains_it(page: Page) -> None:
    refused = bytes(problem(errors.Conflict("There is an evaluation taste already.")).body)
    page.route("**/operator/evaluations", lambda route: route.fulfill(status=409, body=refused))
    operate(page, "evaluations")
    page.fill("#draft-name", "taste")
    page.click("#draft [type=submit]")
    expect(page.locator("#draft")).to_contain_text("There is an evaluation taste already.")


def test_a_limit_is_any_number_of_its_range(page: Page, owners: FakeOwners) -> None:
    owners.evaluations = [evaluation("taste", least_right=0.33)]
    operate(page, "evaluations")
    page.click("[data-evaluation=taste] [type=submit]")
    expect(page.locator("[data-evaluation=taste] .a-saved")).to_have_text("Saved.")
    assert owners.evaluations[0].least_right == 0.33


def test_a_page_that_could_not_be_opened_is_said_and_no_other_text_is_published_as_it(page: Page) -> None:
    operate(page, "site")
    page.wait_for_selector("#operator-page-text")
    page.route("**/operator/part?view=page*", busy, times=1)
    page.select_option("#operator-page", "privacy")
    expect(page.locator("#operator-page-unopened")).to_be_visible()
    assert page.locator("#operator-page-text-of").evaluate("(place) => place.inert")
    page.select_option("#operator-page", "terms")
    expect(page.locator("#operator-page-unopened")).to_be_hidden()
    assert not page.locator("#operator-page-text-of").evaluate("(place) => place.inert")


def test_nothing_is_said_to_be_saved_while_whoever_has_signed_in_waits(page: Page, owners: FakeOwners) -> None:
    owners.signed_up = True
    waits: list[Route] = []
    page.route("**/owners/part*", lambda route: waits.append(route))  # noqa: PLW0108 - it writes to it
    page.goto("/owners")
    page.fill("#signin-api_key", owners.key)
    with page.expect_request("**/owners/part*"):
        page.press("#signin-api_key", "Enter")
    expect(page.locator("#signin")).to_have_attribute("aria-busy", "true")
    assert page.inner_text("#signin .a-saved") == ""
    waits[0].continue_()
    expect(page.locator("#account")).to_be_visible()


def test_the_focus_stays_on_a_switch_whose_words_change_as_it_is_pressed(page: Page) -> None:
    operate(page)
    switch = page.locator("[data-name=part-chats]")
    switch.press("Enter")
    page.locator("dialog [data-name=confirm]").press("Enter")
    expect(page.locator("[data-part=chats][data-closed=true]")).to_be_visible()
    expect(switch).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=chats][data-closed=false]")).to_be_visible()
    expect(switch).to_be_focused()


def test_a_page_that_could_not_be_opened_opens_by_itself_once_the_arena_answers(page: Page) -> None:
    page.clock.install()
    page.route(HOME, busy, times=2)
    page.goto("/operator")
    page.fill("#operator-in-operator_key", OPERATOR_KEY)
    page.press("#operator-in-operator_key", "Enter")
    retry = page.locator("[data-act=again]")
    retry.focus()
    again(page)
    expect(retry).to_be_focused()
    expect(page.locator("#operator > .a-wrong")).to_be_visible()
    again(page)
    expect(page.locator("#operator-count")).to_be_visible()
    expect(retry).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "few", "many"),
    [
        ("en", "3 questions have the same text as another one (lines 2, 4, and 7).", "lines 2, 3, 4"),
        ("zh", "有 3 道题与另一道题文字相同（第 2、4和7 行）。", "第 2、3、4"),
        ("zh-TW", "有 3 道題與另一道題文字相同（第 2、4和7 行）。", "第 2、3、4"),
    ],
)
def test_questions_of_one_text_are_named_beside_what_was_read(
    page: Page, owners: FakeOwners, language: str, few: str, many: str
) -> None:
    bodies = [
        {"name": "x", "duplicates": [], "refused": [], "refused_rows": [], "same_text": lines}
        for lines in ([2, 4, 7], list(range(2, 99)), [])
    ]
    bodies.append(bodies[0] | {"duplicates": [{"line": 5, "repeats": 1}]})
    answers = iter(bodies)
    page.route("**/operator/evaluations", lambda route: route.fulfill(status=201, json=next(answers)))
    open_evaluations(page, language)
    page.fill("#draft-name", "x")
    box = page.locator("#draft-left-out")
    for text, warnings in ((few, 0), (many, 0), ("", 0), (few, 1)):
        page.click("#draft [type=submit]")
        expect(box.locator(".a-hint")).to_contain_text([text] if text else [])
        expect(box.locator(".a-warn")).to_have_count(warnings)


QUESTION = {"id": "a", "turns": ["Who?", "Why?"], "area": "Light", "reference": "x" * 300}
QUIZ = {"id": "b", "turns": ["How many?"], "category": "Sums", "options": ["3", "4"], "key": "B"}


@pytest.mark.parametrize(
    ("language", "unused", "multiple", "version"),
    [
        (
            "en",
            "Not used: the columns Remarks and Seen.",
            "1 question is multiple choice.",
            "version 2 of the set class",
        ),
        ("zh", "没有用到的列：Remarks和Seen。", "其中 1 道是选择题。", "题集 class 的第 2 版"),
        ("zh-TW", "沒有用到的欄：Remarks和Seen。", "其中 1 道是選擇題。", "題集 class 的第 2 版"),
    ],
)
def test_what_was_read_of_a_file_is_shown_and_what_was_not_is_named(
    page: Page, language: str, unused: str, multiple: str, version: str
) -> None:
    made = {"name": "class", "set": "class 2", "duplicates": [], "refused": [], "refused_rows": [], "judged": True}
    facts = {"unused": ["Remarks", "Seen"], "multiple_choice": 1, "beginning": [question(QUESTION), question(QUIZ)]}
    page.route("**/operator/evaluations", lambda route: route.fulfill(status=201, json=made | facts))
    open_evaluations(page, language)
    page.fill("#draft-name", "class")
    page.click("#draft [type=submit]")
    box = page.locator("#draft-left-out")
    expect(box.locator("li")).to_contain_text([unused, multiple])
    expect(box.locator(".a-hint")).to_contain_text(version)
    first, second = box.locator("tbody tr").all()
    expect(first.locator("td")).to_have_text(["Who?Why?", "Light", f"{'x' * 200}…"])
    expect(second.locator("td")).to_have_text(["How many?A. 3B. 4", "Sums", "B"])
    page.route("**/operator/evaluations/class", lambda route: route.fulfill(status=204))
    page.click("[data-name=delete-left-out]")
    expect(box.locator("tbody")).to_have_count(0)


def test_nothing_is_said_of_a_set_that_is_new_and_of_choices_that_are_scored_by_their_key(page: Page) -> None:
    made = {"name": "class", "set": "class 1", "duplicates": [], "refused": [], "refused_rows": [], "judged": False}
    facts = {"multiple_choice": 1, "beginning": [question(QUIZ)]}
    page.route("**/operator/evaluations", lambda route: route.fulfill(status=201, json=made | facts))
    operate(page, "evaluations")
    page.fill("#draft-name", "class")
    page.click("#draft [type=submit]")
    box = page.locator("#draft-left-out")
    expect(box.locator("tbody tr")).to_have_count(1)
    expect(box.locator(".a-hint, .a-warn")).to_have_count(0)


def question(facts: dict[str, Any]) -> dict[str, Any]:
    return QuestionView.model_validate(facts).model_dump(mode="json")


def test_neither_way_to_give_questions_is_called_optional(page: Page) -> None:
    operate(page, "evaluations")
    for name in ("content", "file"):
        expect(page.locator(f"label[for=draft-{name}] small")).to_have_count(0)


def test_an_evaluation_that_nobody_judges_is_closed_once_the_models_have_answered(
    page: Page, owners: FakeOwners
) -> None:
    model = {"name": "Heron", "answered": 0, "failed": 0, "faults": {}, "endpoint": True, "tokens": 0, "cost": None}
    facts = {"protocol": "closed", "judged": False, "questions": 2}
    owners.evaluations = [progress("quiz", **facts, models=[model]), evaluation("taste")]
    operate(page, "evaluations")
    row = page.locator("[data-run=quiz]")
    expect(row).to_contain_text("quiz scored without people Heron: 0 of 2 answered")
    expect(row.locator("[data-name=close-quiz], [data-name=open-quiz]")).to_have_count(0)
    expect(page.locator("[data-evaluation]")).to_have_count(1)
    for answered, text in ((1, "Some questions have no answer yet. The report"), (2, "The report")):
        owners.evaluations = [progress("quiz", **facts, models=[model | {"answered": answered}])]
        again(page)
        row.locator("[data-name=close-quiz]").click()
        expect(page.locator("dialog p").first).to_have_text(re.compile(f"^{text}"))
        page.click("dialog [data-name=cancel]")
