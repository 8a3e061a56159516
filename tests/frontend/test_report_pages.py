"""The pages of judges and of predictors in a real browser, against the contract."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from arena.evaluations.domain.schemas.evaluation_reports import (
    EXCLUSIONS,
    BaseView,
    CriterionView,
    LeftOutView,
    NeighbourView,
    PositionView,
    SpreadView,
    TotalView,
    UnjudgedView,
)
from arena.evaluations.domain.schemas.figures import FigureView
from arena.evaluations.domain.schemas.judges import JudgesView, LengthView
from arena.evaluations.domain.terms import EvaluationState
from arena_frontend.texts import texts

from .fake_api import FakeArena
from .sample_reports import EVALUATIONS, JUDGES, LABELLERS, PREDICTORS, judge

REPORT = EVALUATIONS[0].report or pytest.fail("the first sample has a report")
TOTALS = [TotalView(model=name, percent=percent) for name, percent in (("model-c", 80.0), ("model-d", 60.0))]


def test_judges_show_agreement_flips_lengths_costs_and_both_orders(page: Page, fake: FakeArena) -> None:
    fake.annotating.judges = JUDGES
    page.goto("/about")
    page.click("#main a[href='/judges']")
    expect(page.locator(".a-eval-lead")).to_have_text("referee · taste agrees with people in 70.0% of the pairs.")
    expect(page.locator("#judges-agreements svg[role=img]")).to_have_attribute("aria-label", "referee · taste: 70.0%")
    steady, flipping = (page.locator("#judges .a-eval").nth(place) for place in range(2))
    expect(steady.locator("dl")).to_contain_text("12.5% (2.5% – 22.5%)")
    expect(steady.locator("dl")).to_contain_text("$0.83")
    expect(steady.get_by_role("region", name="Agreement with the majority of people")).to_contain_text("Writing4070.0%")
    expect(steady.get_by_role("region", name="Answers of different lengths")).to_contain_text("≥ 1002029")
    order = steady.get_by_role("region", name="Its ranking").locator("tbody tr")
    expect(order.first).to_contain_text("12model-c30 / 5 / 5")
    expect(order.first).to_contain_text("1,1201,010")
    expect(steady).to_contain_text("7.50 (7.40 – 7.60)")
    expect(steady).to_contain_text("These ranks use 120 pairs judged by people and 900 more by referee")
    early = steady.get_by_role("region", name="Early ranks from people and this judge").locator("tbody tr")
    expect(early.first).to_contain_text("heron-10.61 (0.56 – 0.66)1–11–2")
    expect(flipping).to_contain_text(
        "always-a changed its verdict with the order of every pair, so all its pairs count as ties."
    )
    expect(flipping).to_contain_text("Not judged by it, as it may favour its own: always-b (same owner).")
    expect(flipping).to_contain_text("People have not judged these pairs")
    expect(page.locator("#judges")).to_contain_text("never judges models of its own family")


@pytest.mark.parametrize(("flips", "pairs", "text"), [(0.1, 40, "✓"), (0.1, 9, "–"), (1.0, 2, "–"), (1.0, 40, "✗")])
def test_few_pairs_or_one_side_always_make_no_judge_usable(
    page: Page, fake: FakeArena, flips: float, pairs: int, text: str
) -> None:
    view = judge("referee", flips)
    view["agreement"] = [{**row, "raw": {**row["raw"], "n": pairs}} for row in view["agreement"]]
    fake.annotating.judges = [JudgesView.model_validate({"evaluation": "taste", "judges": [view]})]
    page.goto("/judges")
    table = page.get_by_role("region", name="Agreement with the majority of people")
    place = table.locator("th[scope=col]").all_text_contents().index("usable (≤ 30 % below, from 10 pairs)")
    expect(table.locator("tbody tr").first.locator("th, td").nth(place)).to_have_text(text)


def test_labellers_of_prompts_are_shown_against_people(page: Page, fake: FakeArena) -> None:
    fake.annotating.labellers = LABELLERS
    page.goto("/judges")
    shown = page.locator("#judges .a-eval")
    expect(shown.locator("h2")).to_have_text("Prompt labellers · capabilities")
    expect(shown).to_contain_text("300 prompts, 600 readings by people")
    expect(shown.get_by_role("region", name="labeller", exact=True)).to_contain_text("people, second reading30086")
    rows = shown.get_by_role("region", name="capabilities/rules/2").first.locator("tbody tr")
    expect(rows.nth(1)).to_have_text("writing5022020")
    expect(rows.last).to_have_text("none101812")


def test_predictors_show_intervals_the_mix_with_its_band_and_how_few_models(page: Page, fake: FakeArena) -> None:
    fake.annotating.predictors = PREDICTORS
    page.goto("/predictors")
    sections = page.locator("#predictors .a-eval")
    titles = ["By capability · taste · exam-1", "All votes", "Code · Chinese", "Forecasts before the first vote"]
    expect(sections.locator("h2")).to_have_text(titles)
    sections = page.locator("#predictors .a-eval:not(:first-child)")
    expect(sections.first).to_contain_text("exam-1: key80.80 (0.59 – 0.90)")
    expect(sections.first).to_contain_text(
        "0.49 exam-1: key (0.00 – 1.00) + 0.51 taste: referee, grades 1 (0.00 – 1.00)"
    )
    expect(sections.first).to_contain_text("Pearson 0.94 (0.89 – 0.99 without one model)")
    expect(sections.first).to_contain_text("Based on only 5 models: exploratory")
    expect(sections.nth(1)).to_contain_text("No mix: only 2 models")
    expect(sections.nth(2)).to_contain_text("They are not scores and appear on no leaderboard")
    expect(sections.nth(2)).to_contain_text("1,050 (980 – 1,120)")


def test_capabilities_show_who_is_first_a_wheel_of_each_measure_and_one_table(page: Page, fake: FakeArena) -> None:
    fake.annotating.predictors = PREDICTORS
    page.goto("/predictors")
    section = page.locator("#predictors .a-eval").first
    expect(section.locator("strong")).to_have_text(
        "model-c is first by CLOSE · model-c is first by OPEN all · model-c is first by CArena"
    )
    expect(section).to_contain_text("won or equal (judge: referee)")
    expect(section.locator("h3")).to_have_text(["CLOSE", "OPEN all"])
    expect(section.locator("svg")).to_have_count(2)
    rows = section.locator("tbody tr")
    expect(rows.first).to_have_text("allCLOSE83.3%50.0%")
    expect(rows.nth(3)).to_have_text("CodeCLOSE83.3%50.0%")
    expect(rows).to_have_count(11)


def test_teams_stand_beside_each_other_in_one_picture(page: Page, fake: FakeArena) -> None:
    fake.annotating.records = EVALUATIONS
    page.goto("/evaluations?name=spring-2026")
    picture = page.locator("#evaluation-teams")
    expect(picture.locator("h3")).to_have_text(["near the mean", "self-consistency"])
    expect(picture.locator("ol").first.locator("li")).to_have_text(["crowd", "model", "on site, without hints"])
    expect(picture.get_by_role("img", name="crowd: 0.71")).to_be_visible()


def test_a_wheel_by_area_is_shown_only_where_some_order_of_the_models_is_sure(page: Page, fake: FakeArena) -> None:
    areas = [
        FigureView(statistic="elo", area=area, model=name, value=995.0 + 5 * place, n=4)
        for place, area in enumerate(("", "Code", "Math", "Writing"))
        for name in ("model-c", "model-d")
    ]
    pair = NeighbourView(first="model-c", second="model-d", difference=3.0, z=0.4, tie=True, more=900)
    for tie, wheels in ((True, 0), (False, 1)):
        changes = {"figures": areas, "neighbours": [pair.model_copy(update={"tie": tie})]}
        report = REPORT.model_copy(update=changes)
        fake.annotating.records = [EVALUATIONS[0].model_copy(update={"report": report, "name": f"wheel-{tie}"})]
        page.goto(f"/evaluations?name=wheel-{tie}")
        expect(page.get_by_role("region", name="Elo by area")).to_have_count(1)
        expect(page.locator("#evaluations .a-spoke")).to_have_count(3 * wheels)


def test_an_area_with_too_few_comparisons_for_elo_has_dashes(page: Page, fake: FakeArena) -> None:
    figures = [
        FigureView(statistic=statistic, area=area, model=name, value=0.5, n=4)
        for statistic, areas in (("elo", ("", "Code")), ("win_rate", ("", "Code", "Math")))
        for area in areas
        for name in ("model-c", "model-d")
    ]
    report = REPORT.model_copy(update={"figures": figures})
    fake.annotating.records = [EVALUATIONS[0].model_copy(update={"name": "few", "report": report})]
    page.goto("/evaluations?name=few")
    line = page.get_by_role("region", name="Elo by area").locator("tbody tr").last
    expect(line.locator("th, td")).to_have_text(["Math", "–", "–"])


def test_a_number_of_ties_is_no_word_on_the_order(page: Page, fake: FakeArena) -> None:
    lengths = [LengthView(least=100, longer=20, tie=3, shorter=9)]
    report = REPORT.model_copy(update={"lengths": lengths})
    fake.annotating.records = [EVALUATIONS[0].model_copy(update={"name": "ties", "report": report})]
    page.goto("/evaluations?name=ties")
    table = page.get_by_role("region", name="How often people prefer the longer of two answers")
    expect(table.locator("th")).to_contain_text(["longer won", "equal"])
    expect(table.locator("tbody td")).to_contain_text(["100", "20", "3", "9"])
    order = page.get_by_role("region", name="Is the order certain?")
    expect(order.locator("th")).to_contain_text(["better", "next", "order"])


def test_a_report_says_nothing_of_a_consensus_that_nobody_had(page: Page, fake: FakeArena) -> None:
    alone = [row.model_copy(update={"judged": 0, "wrong": 0}) for row in REPORT.annotators]
    for name, rows, count in (("alone", alone, 0), ("both", [*alone, *REPORT.annotators], 1)):
        report = REPORT.model_copy(update={"annotators": rows})
        fake.annotating.records = [EVALUATIONS[0].model_copy(update={"report": report, "name": name})]
        page.goto(f"/evaluations?name={name}")
        people = page.get_by_role("region", name="Annotators", exact=True)
        for head in ("with consensus", "against consensus"):
            expect(people.get_by_role("columnheader", name=head)).to_have_count(count)
        if count:
            place = people.locator("th").all_text_contents().index("with consensus")
            expect(people.locator("tbody tr").first.locator("td").nth(place)).to_have_text("–")


@pytest.mark.parametrize(("language", "yes", "no"), [("en", "yes", "no"), ("zh", "是", "否"), ("zh-TW", "是", "否")])
def test_a_column_of_yes_and_no_says_both_in_words(
    page: Page, fake: FakeArena, language: str, yes: str, no: str
) -> None:
    letters = [
        PositionView(model="x", letter=letter, keys=9, chosen=9, share=0.5, low=0.4, high=0.6, preferred=letter == "B")
        for letter in "AB"
    ]
    report = REPORT.model_copy(update={"positions": letters})
    fake.annotating.records = [EVALUATIONS[0].model_copy(update={"name": "words", "report": report})]
    page.goto(f"/evaluations?name=words&lang={language}")
    words = texts(language).table
    for table, column, shown in (
        ("annotators", "doubtful", [no, no, yes]),
        ("board", "elo_settled", [yes, yes, no]),
        ("positions", "preferred", [no, yes]),
    ):
        region = page.get_by_role("region", name=words[f"evaluations.table.{table}"], exact=True)
        heads = region.locator("th").all_text_contents()
        place = heads.index(words[f"evaluations.col.{column}"])
        expect(region.locator(f"tbody td:nth-child({place + 1})")).to_have_text(shown)


REMARKS = {
    "en": "“near the mean”: with fewer than three people per answer, any disagreement counts as wrong for all of them.",
    "zh": "“接近均值”：一条回答不足三人评分时，任何分歧都会算作所有人都错。",
    "zh-TW": "「接近均值」：一則回答不足三人評分時，任何分歧都會算作所有人都錯。",
}


def test_a_remark_on_accuracy_stands_in_the_table_with_the_column_that_it_names(page: Page, fake: FakeArena) -> None:
    for name, accuracy, count in (("none", None, 0), ("some", 0.8, 1)):
        rows = [row.model_copy(update={"accuracy": accuracy}) for row in REPORT.annotators]
        report = REPORT.model_copy(update={"annotators": rows})
        fake.annotating.records = [EVALUATIONS[0].model_copy(update={"report": report, "name": name})]
        for language, remark in REMARKS.items():
            page.goto(f"/evaluations?name={name}&lang={language}")
            told = page.get_by_text(remark, exact=True)
            expect(told).to_have_count(count)
            expect(page.get_by_text(remark.partition("：")[2] or "fewer than three people")).to_have_count(count)
            if count:
                head = remark[1:].partition("」" if language == "zh-TW" else "”")[0]
                table = page.locator("section", has=told).get_by_role("columnheader", name=head)
                expect(table).to_have_count(1)


def test_items_that_no_reviewer_has_judged_are_told_beside_the_annotations(page: Page, fake: FakeArena) -> None:
    for state, text in (
        (EvaluationState.OPEN, "71 of 73 annotations · 2 items waiting for a reviewer"),
        (
            EvaluationState.CLOSED,
            "71 of 73 annotations · 2 items on which people disagreed, without a reviewer's judgement",
        ),
    ):
        facts = {"name": state.value, "state": state, "annotations": 80, "done": 71, "needed": 73, "waiting": 2}
        fake.annotating.records = [EVALUATIONS[0].model_copy(update=facts)]
        page.goto(f"/evaluations?name={state.value}")
        expect(page.locator("#evaluations")).to_contain_text(text)


@pytest.mark.parametrize(
    ("language", "items", "text"),
    [
        ("en", 19, "none: an item comes again after 20 others at the earliest"),
        ("zh", 19, "没有：同一项至少隔 20 项才会再次出现"),
        ("zh-TW", 19, "沒有：同一項至少隔 20 項才會再次出現"),
        ("en", 20, "30%"),
    ],
)
def test_hidden_repeats_that_too_few_items_rule_out_are_none(
    page: Page, fake: FakeArena, language: str, items: int, text: str
) -> None:
    facts = {"name": "few", "state": EvaluationState.CLOSED, "repeats": 0.3, "items": items}
    fake.annotating.records = [EVALUATIONS[0].model_copy(update=facts)]
    page.goto(f"/evaluations?name=few&lang={language}")
    expect(page.locator(".a-eval-how")).to_contain_text(text)


def test_an_evaluation_that_was_never_opened_has_the_annotations_of_its_files_and_needs_none(
    page: Page, fake: FakeArena
) -> None:
    facts = {"name": "of files", "state": EvaluationState.CLOSED, "annotations": 540, "done": 0, "needed": 0}
    fake.annotating.records = [EVALUATIONS[0].model_copy(update=facts)]
    page.goto("/evaluations?name=of files")
    expect(page.locator("#evaluations")).to_contain_text("questions, 540 annotations · ")


def test_a_report_that_is_not_published_is_named_so_and_tells_a_stranger_nothing(page: Page, fake: FakeArena) -> None:
    fake.annotating.records = [
        EVALUATIONS[0].model_copy(update={"report": None, "models": [], "name": state.value, "state": state})
        for state in (EvaluationState.OPEN, EvaluationState.CLOSED)
    ]
    for name, text in (
        ("open", "Models and results are shown once it closes."),
        ("closed", "The report is not published yet."),
        ("hidden", "There is no such evaluation, or its report is not published yet."),
    ):
        page.goto(f"/evaluations?name={name}")
        expect(page.locator("#evaluations .a-empty")).to_contain_text(text)


def test_a_report_in_chinese_names_who_was_not_judged_why_people_were_excluded_and_what_a_tie_is(
    page: Page, fake: FakeArena
) -> None:
    reasons = (*(text.format(share="0.42", answers=12, limit="0.60") for text in EXCLUSIONS.values()), "she left")
    rows = [LeftOutView(label=str(place), reason=reason, annotations=9) for place, reason in enumerate(reasons)]
    report = REPORT.model_copy(update={"left_out": rows, "unjudged": [UnjudgedView(model="abacus-letter")]})
    fake.annotating.records = [EVALUATIONS[0].model_copy(update={"report": report, "name": "class"})]
    page.goto("/evaluations?name=class&lang=zh")
    expect(page.locator("#evaluation-unjudged")).to_have_text("还没有评判：abacus-letter。")
    cells = page.get_by_role("region", name="被剔除者及原因").locator("td:nth-child(2)")
    expect(cells.first).to_have_text("对重复题作答 12 次，自身一致为 0.42，低于 0.60")
    for text in cells.all_text_contents()[:-1]:
        assert not re.search(r"[a-z]{4}", text.replace("TencentLLMEval", "")), text
    expect(cells.last).to_have_text("she left")
    order = page.get_by_role("region", name="名次是否确定？")
    expect(order.locator("tbody tr").first).to_contain_text("确定")
    expect(order.locator("tbody tr").last).to_contain_text("尚不确定")
    expect(page.get_by_text("这里的比例只计分出胜负的比较，不含平局")).to_be_visible()
    expect(page.get_by_role("columnheader", name="A 占比（不计平局）")).to_be_visible()


@pytest.mark.parametrize("name", ["judges", "predictors"])
def test_without_a_report_the_page_says_so(page: Page, name: str) -> None:
    page.goto(f"/{name}")
    expect(page.locator(f"#{name} .a-empty")).to_contain_text("No report")


CUT = """() => [...document.querySelectorAll("caption")].filter((caption) => {
  const text = document.createRange();
  text.selectNodeContents(caption);
  const window = caption.closest(".a-eval-wide").getBoundingClientRect();
  return [...text.getClientRects()].some(({ left, right }) => left < window.left || right > window.right);
}).map((caption) => caption.textContent)"""


def test_a_caption_is_whole_on_a_phone_wherever_its_table_is_scrolled(page: Page, fake: FakeArena) -> None:
    fake.annotating.judges, fake.annotating.labellers = JUDGES, LABELLERS
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/judges?lang=en")
    page.wait_for_selector("caption")
    assert page.evaluate(CUT) == []
    page.evaluate("document.querySelectorAll('.a-eval-wide').forEach((part) => part.scrollTo(80, 0))")
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize(("language", "name", "every"), [("en", "Informativeness", "all"), ("zh", "信息量", "全部")])
def test_criteria_of_the_arena_are_named_in_the_language_of_the_reader(
    page: Page, fake: FakeArena, language: str, name: str, every: str
) -> None:
    means = {"model": "model-c", "form": "", "area": "Math", "mean": 2.5, "most": 3, "scores": 4}
    ends = {"area": "Math", "difference": 1.0, "best": "model-c", "worst": "model-d", "models": 2}
    criteria = [CriterionView.model_validate({**means, "criterion": word}) for word in ("informativeness", "wit")]
    spreads = [SpreadView.model_validate({**ends, "criterion": word}) for word in ("essay informativeness", "")]
    report = REPORT.model_copy(update={"criteria": criteria, "spreads": spreads})
    fake.annotating.records = [EVALUATIONS[0].model_copy(update={"name": "stars", "report": report})]
    page.goto(f"/evaluations?name=stars&lang={language}")
    for cell in (name, "wit", f"essay {name}"):
        expect(page.get_by_role("cell", name=cell, exact=True)).to_have_count(1)
    row = page.get_by_role("row", name="model-c model-d").filter(has=page.get_by_role("cell", name=every, exact=True))
    expect(row).to_have_count(1)


def test_a_report_without_ratings_has_its_picture_of_shares(page: Page, fake: FakeArena) -> None:
    report = REPORT.model_copy(update={"name": "points", "board": [], "totals": TOTALS, "neighbours": []})
    fake.annotating.records = [EVALUATIONS[0].model_copy(update={"name": "points", "report": report})]
    page.goto("/evaluations?name=points")
    expect(page.locator("#evaluation-standings li")).to_have_text(["model-c", "model-d"])


def test_what_nobody_judges_counts_no_annotations_and_equals_are_called_so(page: Page, fake: FakeArena) -> None:
    level = [row.model_copy(update={"percent": 60.0}) for row in TOTALS]
    report = REPORT.model_copy(
        update={"name": "exam", "protocol": "closed", "board": [], "totals": level, "neighbours": []}
    )
    facts = {"name": "exam", "protocol": "closed", "judged": False, "annotations": 0, "needed": 0, "report": report}
    fake.annotating.records = [EVALUATIONS[0].model_copy(update=facts)]
    for address in ("/evaluations", "/evaluations?name=exam"):
        page.goto(address)
        expect(page.locator("#evaluations .a-eval-name + p")).to_have_text(re.compile("^60 questions · "))
    expect(page.locator(".a-eval-lead")).to_have_text("model-c, model-d are equal so far.")


CLOSE = NeighbourView(first="model-c", second="model-d", difference=0.48, z=0.4, tie=True, more=900)


def test_differences_have_the_digits_of_what_they_are_differences_of(page: Page, fake: FakeArena) -> None:
    ends = {"best": "model-c", "worst": "model-d", "models": 2, "criterion": "accuracy", "area": "Math"}
    spreads = [SpreadView.model_validate({**ends, "difference": difference}) for difference in (0.5, 1.667)]
    facts = {"questions": 9, "low": None, "high": None, "rank": 1, "base_rank": 2, "correlation": 0.5}
    base = {"model": "model-c", "base": "model-d", "base_correlation": 0.2, "difference": 0.3, **facts}
    changes = {"spreads": spreads, "bases": [BaseView.model_validate(base)], "neighbours": [CLOSE]}
    tables = ("Where models differ most", "Models beside their bases", "Is the order certain?")
    for name, board, shown in (("points", [], "0.48"), ("ratings", REPORT.board, "0")):
        report = REPORT.model_copy(update={**changes, "board": board, "totals": [] if board else TOTALS})
        fake.annotating.records = [EVALUATIONS[0].model_copy(update={"name": name, "report": report})]
        page.goto(f"/evaluations?name={name}")
        for title, cells in zip(tables, (["0.5", "1.667"], ["0.3"], [shown]), strict=True):
            region = page.get_by_role("region", name=title)
            place = region.locator("th").all_text_contents().index("difference") + 1
            expect(region.locator(f"tbody td:nth-child({place})")).to_have_text(cells)


@pytest.mark.parametrize("language", ["en", "zh", "zh-TW"])
def test_a_heading_speaks_of_intervals_only_where_a_row_has_one(page: Page, fake: FakeArena, language: str) -> None:
    key, words = "evaluations.table.agreement", texts(language).table
    without = [row.model_copy(update={"low": None, "high": None}) for row in REPORT.agreement]
    for name, rows, title in (("with", REPORT.agreement, words[key]), ("without", without, words[f"{key}.plain"])):
        report = REPORT.model_copy(update={"agreement": rows})
        fake.annotating.records = [EVALUATIONS[0].model_copy(update={"name": name, "report": report})]
        page.goto(f"/evaluations?name={name}&lang={language}")
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        expect(page.get_by_role("region", name=title, exact=True)).to_be_visible()


NOTES = {
    "en": ("Differences are between mean scores over all answers", "Two judgements of an answer agree only if"),
    "zh": ("差距是所有回答平均得分率之差", "对同一条回答的两次评判，只有"),
    "zh-TW": ("差距是所有回答平均得分率之差", "對同一則回答的兩次評判，只有"),
}


@pytest.mark.parametrize("language", list(NOTES))
def test_a_report_of_scores_says_what_its_differences_and_its_agreement_are_of(
    page: Page, fake: FakeArena, language: str
) -> None:
    means = {"model": "model-c", "form": "", "area": "", "mean": 2.5, "most": 3, "scores": 4}
    criteria = [CriterionView.model_validate({**means, "criterion": word}) for word in ("accuracy", "logic")]
    scored = {"board": [], "totals": TOTALS, "neighbours": [CLOSE], "criteria": criteria}
    ratings = {"criteria": [], "totals": []}
    words = texts(language).table
    for name, changes, counts in (
        ("stars", scored, (1, 1, 1)),
        ("score", scored | {"criteria": criteria[:1]}, (1, 0, 0)),
        ("ratings", ratings, (0, 0, 0)),
    ):
        report = REPORT.model_copy(update=changes)
        fake.annotating.records = [EVALUATIONS[0].model_copy(update={"name": name, "report": report})]
        page.goto(f"/evaluations?name={name}&lang={language}")
        of_differences, of_agreement = NOTES[language]
        for table, note, count in zip(
            ("neighbours", "areas", "annotators"), (of_differences, of_agreement, of_agreement), counts, strict=True
        ):
            title = page.get_by_role("heading", name=words[f"evaluations.table.{table}"], exact=True)
            section = page.locator("section", has=title)
            expect(section).to_have_count(1)
            expect(section.locator(".a-note", has_text=note)).to_have_count(count)


@pytest.mark.parametrize(
    ("language", "people"),
    [("en", "with 5 or more annotations"), ("zh", "5 条及以上标注的人数"), ("zh-TW", "5 則及以上標註的人數")],
)
def test_teams_say_whom_they_count_and_their_differences_in_per_cent(
    page: Page, fake: FakeArena, language: str, people: str
) -> None:
    pairs = [REPORT.team_pairs[0].model_copy(update={"higher": higher}) for higher in (0.5, -1.0, None)]
    report = REPORT.model_copy(update={"team_pairs": pairs})
    fake.annotating.records = [EVALUATIONS[0].model_copy(update={"name": "teams", "report": report})]
    page.goto(f"/evaluations?name=teams&lang={language}")
    words = texts(language)
    heads = page.get_by_role("region", name=words["evaluations.table.teams"]).locator("th")
    expect(heads.nth(1)).to_have_text(people)
    table = page.get_by_role("region", name=words["evaluations.table.team_pairs"])
    place = table.locator("th").all_text_contents().index(words["evaluations.col.higher"]) + 1
    expect(table.locator(f"tbody td:nth-child({place})")).to_have_text(["50%", "−100%", "–"])


@pytest.mark.parametrize(
    ("needs", "head"),
    [({"more": 900}, "Further annotations needed"), ({"more": None, "more_questions": 16}, "Further questions needed")],
)
def test_what_an_order_still_needs_is_no_total(
    page: Page, fake: FakeArena, needs: dict[str, int | None], head: str
) -> None:
    report = REPORT.model_copy(update={"neighbours": [CLOSE.model_copy(update=needs)]})
    fake.annotating.records = [EVALUATIONS[0].model_copy(update={"report": report, "name": head.split()[1]})]
    page.goto(f"/evaluations?name={head.split()[1]}")
    heads = page.get_by_role("region", name="Is the order certain?").locator("thead th")
    assert head in heads.evaluate_all("(heads) => heads.map((head) => head.innerText)")


PLAIN = """(tables) => {
  const parts = tables.filter((part) => part.scrollWidth > part.clientWidth).map((part) => getComputedStyle(part));
  const fades = (style) => /local.*scroll/.test(style.backgroundAttachment) && style.backgroundImage !== "none";
  return [parts.length, parts.filter((part) => !fades(part)).length];
}"""
"""How many tables go on beyond their frame, and how many of these have no shade there."""


@pytest.mark.parametrize("place", [f"/evaluations?name={EVALUATIONS[0].name}", "/judges", "/predictors"])
def test_a_table_that_is_wider_than_a_phone_has_a_shade_where_it_goes_on(
    page: Page, fake: FakeArena, place: str
) -> None:
    fake.annotating.records, fake.annotating.judges, fake.annotating.predictors = EVALUATIONS, JUDGES, PREDICTORS
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(place)
    wide, plain = page.locator(":is(.a-eval-wide, .a-table)").evaluate_all(PLAIN)
    assert wide > 0
    assert plain == 0
