"""Traffic becomes a comparison: the second model is asked the same, and the log's costs stand beside its own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from arena.adapters.store import endpoints
from arena.domain.errors import Invalid
from arena.evaluations.cli.traffic import say_sample
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases import configurations
from arena.evaluations.usecases.comparison import Comparison, open_comparison
from arena.evaluations.usecases.reports.verdicts import ModelExpenses
from arena.evaluations.usecases.traffic.second_model import second_model
from arena.evaluations.usecases.traffic.traffic_material import read_traffic
from tests.conftest import NAMES, add_endpoints
from tests.evaluations.usecases.populated import caller
from tests.evaluations.usecases.traffic.logs import row, spend_row, write

FILES = Path(__file__).parent / "files"
"""Rows that a proxy of LiteLLM 1.110.2 wrote for its table and its callback, with mock answers; some columns left out.
The CSV is what PostgreSQL 18's `COPY` writes of these rows in the table that LiteLLM's own migrations made (litellm-
proxy-extras 0.4.110). It was asked chats with tags, a system prompt, tools, JSON, an image, a long text, a stream, an
embedding, and Claude in Anthropic's form.
"""


@pytest.mark.parametrize(
    ("file", "calls"),
    [("litellm_spend_logs.jsonl", 5), ("litellm_spend_logs.csv", 5), ("litellm_payloads.jsonl", 3)],
)
def test_rows_that_litellm_itself_has_written_are_read(file, calls):
    traffic = read_traffic(FILES / file, "x", against="y")
    assert traffic.drawing.model.endswith("gpt-4o")
    assert len(traffic.material.questions) == calls
    assert not any(str(reason).startswith("that are no rows") for reason in traffic.sample.exclusions)
    claude = next(name for name in traffic.sample.models if "claude" in name)
    (first, second) = read_traffic(FILES / file, "x", against="y", model=claude).material.questions
    assert first.request
    assert [message.text for message in first.request.messages] == ["Greet me in French.", "Salut.", "More formally."]
    assert second.request
    assert second.request.messages[-1].text == "Hello there."


def comparison(tmp_path, rows, against=NAMES[0], **options):
    material = read_traffic(write(tmp_path / "log.jsonl", rows), "taste", against=against, **options).material
    return Comparison("taste", material, [against])


async def test_the_second_model_is_asked_the_same_with_system_prompt_and_parameters(database, scripted, tmp_path):
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello?"},
        {"role": "assistant", "content": "Hi."},
        {"role": "user", "content": "How are you?"},
    ]
    await database.write(add_endpoints)
    rows = [row("x", messages=messages, temperature=0.25, max_tokens=99)]
    result = await open_comparison(caller(database, scripted), comparison(tmp_path, rows))
    assert (result.models, result.items, len(result.links)) == ([NAMES[0], "dear"], 1, 3)
    ((_, asked),) = scripted.asked
    assert [(message.role, message.content) for message in asked] == [
        ("user", "Hello?"),
        ("assistant", "Hi."),
        ("user", "How are you?"),
    ]
    answers = await database.read(stored.answers, 1)
    settings = next(answer.settings for answer in answers if answer.settings)
    assert (settings["system_prompt"], settings["temperature"], settings["max_tokens"]) == ("Be brief.", 0.25, 99)


async def test_a_configuration_keeps_its_own_settings_and_its_template(database, scripted, tmp_path):
    await database.write(add_endpoints)
    settings = {"max_tokens": 7, "template": "Kindly: {prompt}"}
    await configurations.put(database, "kind", NAMES[0], settings, caller(database, scripted).now())
    rows = [row("Why?", max_tokens=99, temperature=0.5)]
    await open_comparison(caller(database, scripted), comparison(tmp_path, rows, "kind"))
    ((_, asked),) = scripted.asked
    assert asked[0].content == "Kindly: Why?"
    answers = await database.read(stored.answers, 1)
    facts = next(answer.settings for answer in answers if answer.settings)
    assert (facts["max_tokens"], facts["temperature"]) == (7, 0.5)


async def test_costs_times_and_days_of_the_log_count_in_the_verdict(database, scripted, tmp_path):
    await database.write(add_endpoints)
    rows = [spend_row(f"Question {n}?") for n in range(3)]
    await open_comparison(caller(database, scripted), comparison(tmp_path, rows))
    expenses = ModelExpenses()
    for answer in await database.read(stored.answers, 1):
        if "cost" in answer.settings:
            expenses.add(answer)
    assert list(expenses.cost.values()) == [0.000225] * 3
    assert list(expenses.seconds.values()) == [0.425] * 3
    assert {day.isoformat() for day in expenses.days} == {"2026-11-28"}


async def test_the_price_of_the_calls_is_told_before_them_by_the_prices_of_the_endpoint(database, scripted, tmp_path):
    rows = [spend_row(f"Question {n}?") for n in range(3)]
    await database.write(add_endpoints)
    material = comparison(tmp_path, rows).material
    assert (await database.read(second_model, NAMES[0])).price(material) is None

    def price(session):
        endpoint = endpoints.by_name(session, NAMES[0])
        endpoint.price_in, endpoint.price_out = 0.0, 2.0

    await database.write(price)
    model = await database.read(second_model, NAMES[0])
    assert model.price(material) == pytest.approx(3 * 20 * 2.0 / 1e6)
    with pytest.raises(Invalid, match="There is no endpoint 'nobody'"):
        await database.read(second_model, "nobody")


def test_people_are_shown_the_conversation_and_routes_are_areas_of_the_report(tmp_path):
    system = [{"role": "system", "content": "x" * 3_000}]
    asked = {"role": "user", "content": "Why?"}
    rows = [row("Who?", tags=["a", "b"]), row("", messages=[*system, asked], route="r")]
    first, second = comparison(tmp_path, rows).material.questions
    assert (first.turns, first.area, second.area) == (["Who?"], "a", "r")
    assert second.turns == [f"system: {'x' * 1_000}…\n\nuser: Why?"]


def test_a_logged_model_of_the_same_name_is_told_apart_and_the_one_with_most_calls_is_taken(tmp_path):
    rows = [row("a?"), row("b?"), row("c?", model="other")]
    path = write(tmp_path / "log.jsonl", rows)
    assert read_traffic(path, "x", against="dear").material.models == ["dear (logged)"]
    assert read_traffic(path, "x", against="y", model="other").material.models == ["other"]
    with pytest.raises(Invalid, match="no call of 'third' can be used; there are: dear, other"):
        read_traffic(path, "x", against="y", model="third")
    with pytest.raises(Invalid, match="no call can be used: 2 with tools"):
        read_traffic(write(path, [row("q", tools=[{}])] * 2), "x", against="y")


def test_all_is_counted(tmp_path):
    mail = row("mail bob@example.org")
    rows = [row("a?"), row("A?"), row("b?", model="other"), row("c?", tools=[{}]), mail, row("d?")]
    traffic = read_traffic(write(tmp_path / "log.jsonl", rows), "x", against="y")
    sample, drawing = traffic.sample, traffic.drawing
    assert (sample.calls, sample.counts(), drawing.distinct) == (6, {"dear": 4, "other": 1}, 3)
    assert (sample.exclusions, drawing.personal) == (Counter({"with tools": 1}), Counter({"email": 1}))
    assert [question.turns for question in traffic.material.questions] == [["a?"], ["d?"]]


def test_no_name_or_number_of_a_log_is_refused_by_the_set(tmp_path):
    rows = [
        row(f"{n}?", route=f"{letter}\n{letter * 500}", model="\ud800\0") for n, letter in enumerate("a\0\x1b\ud800")
    ]
    material = read_traffic(write(tmp_path / "log.jsonl", rows), "x", against="y").material
    assert (len(material.questions), material.models) == (4, ["\ufffd"])
    assert all(question.area is None or question.area.isprintable() for question in material.questions)


@pytest.mark.parametrize("name", ["\x1b[2J\x07m", "a\nb", "n" * 5_000, "\u202em"])
def test_names_of_a_log_are_short_lines_without_controls_on_the_terminal(tmp_path, capsys, name):
    rows = [row(f"{n}?", model=name if n else f"{name}2", route=f"{name}{n}") for n in range(3)]
    path = write(tmp_path / "log.jsonl", rows)
    say_sample(read_traffic(path, "x", against="y"))
    with pytest.raises(Invalid) as refusal:
        read_traffic(path, "x", against="y", model=f"3{name}")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    for line in (*lines, str(refusal.value).replace(str(tmp_path), "")):
        assert line.isprintable()
        assert len(line) < 400
