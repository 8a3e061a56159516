"""Both languages are complete, and a visitor gets the right one."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

import arena_frontend
from arena.domain import errors
from arena.domain.terms import NotCounted, Outcome, Side
from arena.evaluations.domain.schemas.evaluation_reports import EvaluationReportView
from arena.usecases.endpoints.probes.diagnostics import TITLES
from arena.usecases.endpoints.states import SENTENCES
from arena_frontend.bundle import Bundle
from arena_frontend.pages.evaluations.page import TABLES
from arena_frontend.script_texts import table_of
from arena_frontend.texts import FOLDER, LANGUAGES, OWN, negotiate, texts
from arena_providers.registry import WIRE
from arena_trust.integrity.divisions import divisions
from tests.paths import ROOT
from tests.trust.integrity.logs import honest

FRONTEND = Path(arena_frontend.__file__).parent
SOURCES = [path for path in FRONTEND.rglob("*.*") if path.suffix in {".py", ".js", ".html"}]
OPERATORS = {"already_excluded"}
"""Error codes that only owners and operators meet, not on these pages."""
HAN = re.compile(r"[\u4e00-\u9fff]")


def test_there_are_sources_and_sentences_to_look_at() -> None:
    assert {path.suffix for path in SOURCES} == {".py", ".js", ".html"}
    assert len(sentences()) > 50


def subclasses(root: type[errors.ArenaError]) -> set[type[errors.ArenaError]]:
    return {root}.union(*(subclasses(child) for child in root.__subclasses__()))


def test_every_division_that_the_gate_may_find_has_a_text() -> None:
    log = honest()
    log = replace(log, client=log.check)
    parts = [division.name for division in divisions(log)]
    assert len(parts) == 12
    assert all(texts("en")[f"op.gate.division.{part.replace(' ', '_')}"] for part in parts)


def test_every_language_has_the_same_keys_in_the_same_order() -> None:
    keys = {language: list(json.loads((FOLDER / f"{language}.json").read_text("utf-8"))) for language in LANGUAGES}
    for language in LANGUAGES:
        assert keys[language] == keys["en"], language


def test_a_text_has_the_same_blanks_in_every_language() -> None:
    def blanks(key: str) -> set[frozenset[str]]:
        return {frozenset(re.findall(r"\{(\w+)\}", texts(language)[key])) for language in LANGUAGES}

    keys = texts("en").table.keys() - {"ideas", "web.ideas"}
    assert keys
    assert {key: differing for key in keys if len(differing := blanks(key)) > 1} == {}


def test_chinese_texts_are_chinese_and_english_texts_are_not() -> None:
    same = {"lang.code", "lang.name", "board.json", "col.elo", "crowd.part"}
    for key in texts("en").table:
        for language in ("zh", "zh-TW"):
            assert key in same or HAN.search(json.dumps(texts(language).table[key], ensure_ascii=False)), key
        assert not HAN.search(json.dumps(texts("en").table[key], ensure_ascii=False)), key


@pytest.mark.parametrize(("language", "coding"), [("zh", "gb2312"), ("zh-TW", "big5")])
def test_each_chinese_is_written_in_its_own_characters(language: str, coding: str) -> None:
    """GB 2312 has no traditional and Big5 no simplified forms."""
    for text in [json.dumps(texts(language).table, ensure_ascii=False), texts(language).about]:
        foreign = {sign for sign in HAN.findall(text) if not _in(sign, coding)}
        assert foreign - {"榜"} == set()


MAINLAND = "您 添加 匹配 地址 列表 加粗 單個 似然 信息 軟件 網絡 試調 返回 流式 證書 批准 身份 橙子 物件的"
POLITE = "您"


def test_words_of_one_chinese_are_not_those_of_the_other() -> None:
    """Signs can be converted one by one, words cannot; and everybody is addressed in the same way."""
    taiwan = json.dumps(texts("zh-TW").table, ensure_ascii=False) + texts("zh-TW").about
    assert [word for word in MAINLAND.split() if word in taiwan] == []
    assert POLITE not in json.dumps(texts("zh").table, ensure_ascii=False) + texts("zh").about


def _in(sign: str, coding: str) -> bool:
    try:
        return bool(sign.encode(coding))
    except UnicodeEncodeError:
        return False


def blanks(words: str) -> set[str]:
    """The names in braces, in a text of a locale or, with a form behind them, in a sentence of the server."""
    return set(re.findall(r"\{(\w+)", words))


def sentences() -> dict[str, str]:
    """Every sentence that comes from the server as data, by the key of its text in the locales."""
    said = {f"own.reason.{code}": words for code, words in SENTENCES.items()}
    said["own.reason.mute"] += "{problem}"  # which the pages know in their own words
    for error in subclasses(errors.ArenaError):
        details = vars(error).get("details", {})
        said[f"error.{error.code}"] = details.get("", "")
        said |= {f"error.{error.code}.{rule}": words for rule, words in details.items() if rule}
    return {key: words for key, words in said.items() if key.removeprefix("error.") not in OPERATORS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_text_whose_blanks_the_server_fills(language: str) -> None:
    table = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    for key, words in sentences().items():
        assert key in table, key
        assert blanks(table[key]) <= blanks(words), key


READERS = (
    *("adapters/row_files/*.py", "evaluations/usecases/answer_files/*.py", "evaluations/usecases/sets/formats/*.py"),
    *("evaluations/usecases/sets/reader.py", "evaluations/usecases/sets/importer.py"),
)
ACTS = ("drafts", "lifecycle", "revision", "runs", "people/pair_draws")
BY_COMMANDS = ("defusedxml", "error.strerror", "str(refusal)", "can be taken from a column", "No column ")
"""Parts of refusals that a file or an act on the operator's page cannot meet."""


def refusals() -> list[ast.Call]:
    """Calls that make a refusal of a file with questions or answers, or of an act on an evaluation."""
    paths = [*READERS, *(f"evaluations/usecases/{name}.py" for name in ACTS)]
    trees = [ast.parse(path.read_text("utf-8")) for name in paths for path in (ROOT / "arena").glob(name)]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {"Invalid", "Conflict", "Unusable", "UnknownFormat"}
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in names]


def test_every_refusal_of_a_file_or_an_act_of_an_evaluation_has_a_rule_by_which_the_page_says_it() -> None:
    found = refusals()
    assert len(found) > 50
    for call in found:
        ruled = {keyword.arg for keyword in call.keywords} & {"rule", None}
        assert ruled or any(part in ast.unparse(call) for part in BY_COMMANDS), ast.unparse(call)
        rules = [keyword.value.value for keyword in call.keywords if isinstance(keyword.value, ast.Constant)]
        if "Unusable" in ast.unparse(call.func) and "rule" in ruled and rules:
            assert f"op.row.{rules[0]}" in texts("en").table, rules


def test_no_text_is_left_of_a_code_that_has_gone() -> None:
    ours = ("error.", "own.reason.")
    on_pages_alone = {"error.operator_off", "error.network"}
    assert {key for key in texts("en").table if key.startswith(ours)} - on_pages_alone <= set(sentences())


def test_no_script_reads_english_sentences() -> None:
    """A regular expression with a space in it would."""
    for path in FRONTEND.rglob("*.js"):
        assert not re.search(r"/\^?[a-z]+ [^/\n]*/[a-z]*[.,;)]", path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize(("language", "words"), [("zh", "预计"), ("zh-TW", "預計")])
def test_a_forecast_of_a_pair_is_written_as_one(language: str, words: str) -> None:
    forecasts = {key for key, text in texts("en").table.items() if key.startswith("pair.") and "xpected" in str(text)}
    assert len(forecasts) >= 5
    assert {key for key in forecasts if words not in texts(language).table[key]} == set()


def test_every_outcome_and_reason_of_votes_has_words() -> None:
    table = texts("en").table
    for fault in TITLES:
        assert f"own.problem.{fault}" in table
    for reason in NotCounted:
        assert f"reveal.not.{reason}" in table
    for outcome in Outcome:
        assert f"vote.{outcome}" in table
        assert f"reveal.chose.{outcome}" in table


def test_every_dialect_has_a_title() -> None:
    assert {f"own.dialect.{dialect}" for dialect in WIRE} <= texts("en").table.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_table_of_a_report_and_each_of_its_columns_has_a_heading(language: str) -> None:
    fields = EvaluationReportView.model_fields
    rows = [get_args(fields[table].annotation)[0] for table in TABLES]
    headings = {f"table.{table}" for table in TABLES} | {f"col.{name}" for row in rows for name in row.model_fields}
    assert len(headings) > 60
    assert {f"evaluations.{heading}" for heading in headings} - texts(language).table.keys() == set()


def test_every_key_that_the_pages_name_exists_and_no_text_is_idle() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    table = {key.rpartition(":")[2] for key in texts("en").table}
    named = set(re.findall(r"""(?:\bt\(|words\[|other\[|raw\()\s*["']([a-z_.]+)["']""", source))
    stems = {name for name in named if name.endswith(".")} | set(re.findall(r"`([a-z_]+(?:\.[a-z_]+)*\.)\$\{", source))
    stems |= {f"{name}." for name in re.findall(r"""named\("([a-z_.]+)\"""", source)}
    paths = {"arena_frontend.pages.", "arena_frontend.documents.", "pages.", "about."}
    stems |= set(re.findall(r"""f["']([a-z_]+(?:\.[a-z_]+)*\.)\{""", source)) - paths
    assert {name for name in named if not name.endswith(".")} <= table
    assert all(any(key.startswith(stem) for key in table) for stem in stems)
    spelled = set(re.findall(r"""["'`]([a-z_]+(?:\.[a-z_]+)*)["'`]""", source))
    heads = {
        "own",
        "op",
        "not_ready",
        "not_found",
        "sets",
        "evaluations",
        "judges",
        "predictors",
        "mine",
        "gradio_starting",
    }
    built = {f"{prefix}.{part}" for prefix in heads for part in ("title", "lead")}
    known = spelled | built
    assert {key for key in table - known if not any(key.startswith(stem) for stem in stems)} == set()


def test_a_page_carries_the_texts_that_its_scripts_name_or_begin_and_no_others(tmp_path: Path) -> None:
    script = 'import "./texts.js"; t("vote.a"); t("prompt.again"); t(`own.kind.${x}`); const WORDS = ["own.state"];'
    for name, source in {"shell.js": "", "texts.js": "", "direct.js": script}.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    table = table_of(texts("en"), "direct", Bundle.load(tmp_path))
    assert {key.rpartition(".")[0] for key in table} == {"vote", "prompt", "own.kind", "own.state"}
    assert "vote.b" not in table
    assert table["prompt.again"] == texts("en").table["chat:prompt.again"]


def test_a_page_has_its_own_words_only_in_the_place_of_others() -> None:
    for key in texts("en").table:
        start, colon, word = key.rpartition(":")
        assert not colon or (word in texts("en").table and any(start + colon in own for own in OWN.values()))


def test_scripts_and_pages_contain_no_words_of_their_own() -> None:
    for path in SOURCES:
        assert not HAN.search(path.read_text(encoding="utf-8")), path


def test_there_are_three_ideas_for_each_of_the_ten_capabilities() -> None:
    for language in LANGUAGES:
        ideas = texts(language).table["ideas"]
        assert [len(set(prompts)) for _, *prompts in ideas] == [3] * 10
        assert len({title for title, *_ in ideas}) == 10


def test_the_about_page_says_of_ranks_what_the_board_says() -> None:
    counts = {"en": "number of models proved better", "zh": "已证明更好的模型数", "zh-TW": "已證明更好的模型數"}
    for language, count in counts.items():
        assert count in texts(language)["how.rank"]
        assert count in texts(language).about


RULES = {
    NotCounted.IDENTITY_TOLD: ("an answer gives away who wrote it", "回答透露了模型身份", "回答透露了模型身分"),
    NotCounted.IDENTITY_ASKED: ("the question asks for that", "问题就是在询问身份", "問題就是在詢問身分"),
    NotCounted.STOPPED: ("you stop the answers early", "提前停止回答", "提前停止回答"),
    NotCounted.TOO_FAST: ("before the shorter answer can be read", "比读完较短回答还快", "比讀完較短回答還快"),
    NotCounted.NEIGHBOURHOOD_LIMIT: (
        "your network has reached its limit",
        "同一网络当天超出上限",
        "同一網路當天超出上限",
    ),
    NotCounted.BOT_CHECK: ("not finished the day's bot check", "当天的人机检查", "當天的人機檢查"),
    NotCounted.REPEATED: (
        "the same two models the same question",
        "向同样的两个模型问过同一个问题",
        "向同樣的兩個模型問過同一個問題",
    ),
    NotCounted.WEB_PAGE: ("web pages counts on their board alone", "只计入网页的榜单", "只計入網頁的榜單"),
}
"""What the about page says of each reason why a vote does not count, in each language."""


@pytest.mark.parametrize("reason", NotCounted)
def test_the_about_page_has_each_reason_why_a_vote_does_not_count(reason: NotCounted) -> None:
    for language, said in zip(("en", "zh", "zh-TW"), RULES[reason], strict=True):
        (rule,) = re.findall(r"^3\. .*$", texts(language).about, re.MULTILINE)
        assert said in rule


def test_the_about_page_has_the_outcomes_in_the_words_of_the_buttons() -> None:
    for language in LANGUAGES:
        (rule,) = re.findall(r"^2\. .*$", texts(language).about, re.MULTILINE)
        for side in Side:
            assert texts(language)[f"vote.{side.value}"] in rule


def test_brackets_of_the_formulae_are_as_high_as_letters_and_not_as_fractions_beside_them() -> None:
    for language in LANGUAGES:
        brackets = re.findall(r"<mo([^>]*)>[()]</mo>", texts(language).about)
        assert brackets
        assert set(brackets) == {' stretchy="false"'}


def test_the_about_page_has_the_same_parts() -> None:
    heads = [re.findall(r"^(#+|<h2 id=\"\w+\">)", texts(language).about, re.MULTILINE) for language in LANGUAGES]
    assert heads[0] == heads[1] == heads[2]
    formulae = [re.findall(r"<math[^>]*>", texts(language).about) for language in LANGUAGES]
    assert formulae[0] == formulae[1] == formulae[2]


@pytest.mark.parametrize(
    ("query", "cookie", "accept", "language"),
    [
        (None, None, "", "en"),
        (None, None, "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        (None, None, "zh-Hans-CN", "zh"),
        (None, None, "zh-Hans-HK", "zh"),
        (None, None, "zh-TW,zh;q=0.9", "zh-TW"),
        (None, None, "zh-Hant", "zh-TW"),
        (None, None, "zh-HK,en", "zh-TW"),
        ("zh-TW", "zh", "zh", "zh-TW"),
        (None, "zh-TW", "zh", "zh-TW"),
        (None, None, "fr-FR,fr;q=0.9,zh;q=0.2", "zh"),
        (None, None, "en;q=0.3, zh;q=0.7", "zh"),
        (None, None, "zh;q=0, en;q=0.1", "en"),
        (None, None, "de,fr", "en"),
        (None, "zh", "en", "zh"),
        ("en", "zh", "zh", "en"),
        (None, "xx", "zh", "zh"),
        (None, None, "en;q=nonsense, zh", "zh"),
    ],
)
def test_a_visitor_gets_the_language_asked_for(
    query: str | None, cookie: str | None, accept: str, language: str
) -> None:
    assert negotiate(query=query, cookie=cookie, accept=accept) == language
