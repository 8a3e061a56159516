"""Calls of LiteLLM, of Open WebUI and of rows of messages are read; what cannot be used has its reason."""

from __future__ import annotations

import codecs
import csv
import json
import re
from typing import Any, cast

import pytest

from arena.adapters.row_files.rows import Unusable
from arena.domain.errors import Invalid
from arena.domain.schemas.questions import FACT_LIMIT
from arena.evaluations.usecases.traffic.logged_calls import UNNAMED, CallExclusion
from arena.evaluations.usecases.traffic.traffic_reader import ROWS, read_calls
from tests.evaluations.usecases.traffic.logs import chat, row, spend_row, write

IMAGE = [{"type": "text", "text": "What?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]
ASKED = [{"role": "user", "content": "Why?"}]
CUT = "x... (litellm_truncated skipped 9 chars. Increase the limit) ...y"


def read(path, rows) -> list[Any]:
    return list(read_calls(write(path / "log.jsonl", rows)))


@pytest.mark.parametrize("form", ["lines", "array", "csv", "csv of texts"])
def test_the_table_of_litellm_is_read_in_each_export(tmp_path, form):
    rows = [spend_row("Why?"), spend_row("Who?", spend=0.0, cache_hit="True", request_tags=[])]
    path = tmp_path / f"spend.{'csv' if form.startswith('csv') else 'json'}"
    if form.startswith("csv"):
        cells = [{name: json.dumps(v) if isinstance(v, dict | list) else v for name, v in row.items()} for row in rows]
        if form == "csv of texts":
            cells = [{name: json.dumps(v) if str(v)[:1] in "{[" else v for name, v in row.items()} for row in cells]
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(cells[0]))
            writer.writeheader()
            writer.writerows(cells)
    else:
        path.write_text(json.dumps(rows) if form == "array" else "\n".join(map(json.dumps, rows)))
    first, second = cast("list[Any]", read_calls(path))
    assert (first.model, first.route, first.system_prompt) == ("gpt-4o", "support", "Answer briefly.")
    assert [message.text for message in first.messages] == ["Why?"]
    assert (first.answer, first.temperature, first.max_tokens) == ("Said to Why?", 0.3, 50)
    assert (first.expense.sent, first.expense.tokens, first.expense.milliseconds) == (10, 30, 425)
    assert first.expense.cost == 0.000225
    assert (second.route, second.expense.cost, second.expense.milliseconds) == ("smart", None, None)


def test_payloads_of_callbacks_are_read(tmp_path):
    fields = spend_row("Why?")
    del fields["spend"], fields["proxy_server_request"]
    fields |= {
        "response_cost": 0.01,
        "startTime": 1795880238.1,
        "endTime": 1795880239.1,
        "model_parameters": {"temperature": 0.7, "max_completion_tokens": 9},
        "messages": [{"role": "user", "content": "Why?"}],
    }
    (call,) = read(tmp_path, [fields])
    assert (call.temperature, call.max_tokens, call.expense.cost, call.expense.milliseconds) == (0.7, 9, 0.01, 1000)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"status": "failure"}, CallExclusion.FAILED),
        ({"call_type": "aembedding"}, CallExclusion.NO_CHAT),
        ({"proxy_server_request": {}}, CallExclusion.NO_TEXT),
        ({"response": {}}, CallExclusion.NO_TEXT),
        ({"request": {"messages": [{"role": "user", "content": "redacted-by-litellm"}]}}, CallExclusion.NO_TEXT),
        ({"request": {"messages": [{"role": "user", "content": CUT}]}}, CallExclusion.CUT),
        ({"request": {"messages": [{"role": "user", "content": IMAGE}]}}, CallExclusion.PARTS),
        ({"request": {"tools": [{"type": "function"}]}}, CallExclusion.TOOLS),
        ({"request": {"response_format": {"type": "json_object"}}}, CallExclusion.PARAMETERS),
        ({"request": {"n": 2}}, CallExclusion.PARAMETERS),
        ({"request": {"stop": ["x"]}}, CallExclusion.PARAMETERS),
        ({"request": {"temperature": "hot"}}, CallExclusion.VALUES),
        ({"request": {"temperature": 2.5}}, CallExclusion.VALUES),
        ({"request": {"top_p": [0.5]}}, CallExclusion.VALUES),
        ({"request": {"top_p": True}}, CallExclusion.VALUES),
        ({"request": {"max_tokens": 2.5}}, CallExclusion.VALUES),
        ({"request": {"max_tokens": "NaN"}}, CallExclusion.VALUES),
        ({"request": {"max_tokens": -1}}, CallExclusion.VALUES),
        ({"request": {"messages": [*ASKED, {"role": "system", "content": "Now."}, *ASKED]}}, CallExclusion.SYSTEM),
        ({"request": {"messages": [*ASKED, {"role": "developer", "content": "Now."}]}}, CallExclusion.SYSTEM),
        ({"request": {"messages": [{"role": "critic", "content": "Bad."}, *ASKED]}}, CallExclusion.ROLES),
        ({"request": {"messages": [*ASKED, {"role": "assistant", "content": "So."}]}}, CallExclusion.END),
        ({"request": {"messages": [{"role": "user", "content": "x" * 200_000}]}}, CallExclusion.LONG),
    ],
)
def test_a_call_that_cannot_be_asked_again_has_its_reason(tmp_path, fields, reason):
    excluded, call = read(tmp_path, [spend_row("Why?", **fields), spend_row("Who?")])
    assert isinstance(excluded, Unusable)
    assert str(excluded) == reason
    assert call.answer == "Said to Who?"


def test_each_answer_of_a_chat_is_a_call_with_what_stood_before_it(tmp_path):
    answers = ("Hi.", '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> x\n</details>\nFine.')
    path = tmp_path / "chats.json"
    path.write_text(json.dumps([chat(("Hello?", answers[0]), ("How are you?", answers[1]))]))
    first, second = cast("list[Any]", read_calls(path))
    assert (first.model, first.route, first.system_prompt, first.temperature) == ("llama3:8b", "home", "Be kind.", 0.5)
    assert [(message.role, message.text) for message in second.messages] == [
        ("user", "Hello?"),
        ("assistant", "Hi."),
        ("user", "How are you?"),
    ]
    assert second.answer == "Fine."
    assert (second.expense.sent, second.expense.tokens, second.expense.milliseconds) == (12, 46, 2500)


def test_chats_with_tools_files_and_faults_are_left_out_and_branches_are_not_mixed(tmp_path):
    entry = chat(("Hello?", "Hi."))
    messages = entry["chat"]["history"]["messages"]
    messages["a1"] = messages["a0"] | {"id": "a1", "content": "Another."}
    messages["a2"] = messages["a0"] | {"id": "a2", "content": '<details type="tool_calls">x</details>'}
    messages["a3"] = messages["a0"] | {"id": "a3", "error": {"content": "gone"}}
    messages["a4"] = messages["a0"] | {"id": "a4", "sources": [{"source": {}}]}
    messages["a5"] = messages["a0"] | {"id": "a5", "parentId": "a5"}
    calls = read(tmp_path, [entry])
    assert [call.answer for call in calls[:2]] == ["Hi.", "Another."]
    reasons = [CallExclusion.TOOLS, CallExclusion.FAILED, CallExclusion.PARTS, CallExclusion.BRANCH]
    assert [str(call) for call in calls[2:]] == reasons


@pytest.mark.parametrize("parent", ["deleted", "u2", "a2", 3])
def test_answers_of_a_chat_whose_earlier_messages_are_deleted_or_go_round_are_left_out(tmp_path, parent):
    entry = chat(("Hello?", "Hi."), ("Why?", "So."), ("Who?", "You."))
    entry["chat"]["history"]["messages"]["u1"]["parentId"] = parent
    first, *others = read(tmp_path, [entry])
    assert (first.answer, [str(call) for call in others]) == ("Hi.", [CallExclusion.BRANCH] * 2)


@pytest.mark.parametrize("field", ["answer", "response", "output", "completion"])
def test_rows_of_messages_have_the_answer_in_a_field_or_as_the_last_message(tmp_path, field):
    fields = row("Why?", route="r1", top_p=0.9)
    apart = {**fields, field: fields.pop("answer")}
    last = {**fields, "messages": [*fields["messages"], {"role": "assistant", "content": "An answer."}]}
    whole = {**fields, "response": {"choices": [{"message": {"role": "assistant", "content": "An answer."}}]}}
    calls = read(tmp_path, [apart, last, whole])
    assert {(call.answer, call.route, call.top_p, call.messages[0].text) for call in calls} == {
        ("An answer.", "r1", 0.9, "Why?")
    }


HOSTILE = [
    *({"messages": value, "answer": "x"} for value in (None, 3, "text", [], [3], [None], {"role": "user"}, [[]])),
    *(row("q", value) for value in (None, 3, [], {}, [3], {"choices": 3}, {"choices": []}, "\u2060", "\ud800")),
    *({"messages": [{"role": role, "content": "q"}], "answer": "a"} for role in (None, 3, [], "tool", "assistant")),
    *(row("q", tags=value, usage=value, parameters=value, model=value) for value in (3, [], ["x", 3], {"a": []}, "x")),
    *(spend_row("q", **{name: value}) for name in spend_row("q") for value in (None, 3, "{", [], {}, "NaN")),
    *({"chat": value} for value in (None, 3, {}, {"history": 3}, {"history": {"messages": {"a": 3}}})),
]


def test_no_row_of_any_form_stops_the_reading(tmp_path):
    for number, entry in enumerate(HOSTILE):
        first = chat(("a", "b")) if "chat" in entry else spend_row("q") if "call_type" in entry else row("q")
        path = tmp_path / f"{number}.jsonl"
        path.write_text(f"{json.dumps(first)}\n{json.dumps(entry)}\nno json\n")
        *_, last = read_calls(path)
        assert str(last) == CallExclusion.DAMAGED


def test_another_file_is_named_with_its_fields_and_the_formats_that_are_read(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps([{"prompt": "p", "completion": "c"}]))
    with pytest.raises(Invalid, match=r"its fields are: 'prompt', 'completion'\. Read are LiteLLM's .* Open WebUI"):
        list(read_calls(tmp_path / "x.json"))
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(Invalid, match="it has no rows"):
        list(read_calls(tmp_path / "empty.jsonl"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{\n  "messages": []\n}\n{\n}\n', "its first row is no JSON object on one line. Read are"),
        (b"[1]\n[2]\n", "its first row is no JSON object on one line. Read are"),
        (json.dumps(row("Why?")).encode("utf-16-le"), "UTF-16 without its mark; save it as UTF-8"),
        (json.dumps(row("Why?")).encode("utf-16-be"), "UTF-16 without its mark; save it as UTF-8"),
        (b"[]", "it has no rows"),
    ],
)
def test_a_file_without_rows_of_objects_is_refused_in_words_for_what_it_is(tmp_path, content, said):
    (tmp_path / "log.jsonl").write_bytes(content)
    with pytest.raises(Invalid, match=re.escape(said)):
        list(read_calls(tmp_path / "log.jsonl"))


def test_messages_as_a_text_of_json_and_answers_as_choices_are_read(tmp_path):
    choices = [{"message": {"role": "assistant", "content": "42"}, "finish_reason": "stop"}]
    entry = row("Why?", answer=None, choices=choices)
    texts = {**row("Why?", answer="42"), "messages": json.dumps(entry["messages"])}
    for call in cast("list[Any]", list(read_calls(write(tmp_path / "log.jsonl", [entry, texts])))):
        assert ([message.text for message in call.messages], call.answer) == (["Why?"], "42")


def test_a_line_of_many_megabytes_is_left_out_and_counted_and_the_others_are_read(tmp_path):
    rows = [row("One?"), row("x" * (ROWS.size + 9)), row("Two?")]
    first, huge, last = read_calls(write(tmp_path / "log.jsonl", rows))
    assert str(huge) == CallExclusion.HUGE
    assert [call.messages[0].text for call in cast("list[Any]", [first, last])] == ["One?", "Two?"]


def test_parameters_are_read_as_numbers_or_their_texts(tmp_path):
    entries = [row("Why?", temperature=t, top_p=p, max_tokens=m) for t, p, m in (("0.7", "0.5", "9"), (0.7, 0.5, 9.0))]
    calls = read(tmp_path, entries)
    assert [(call.temperature, call.top_p, call.max_tokens) for call in calls] == [(0.7, 0.5, 9)] * 2


HUGE = [1e300, 10**25, 2**31, "9" * 30, 10**400, -1, "NaN"]
"""Numbers that no column takes."""


@pytest.mark.parametrize("number", HUGE)
def test_a_number_that_no_database_takes_is_unknown_and_the_call_is_kept(tmp_path, number):
    usage = {"prompt_tokens": number, "completion_tokens": 2}
    conversation = chat(("Why?", "So."))
    usage_of_ollama = {"prompt_eval_count": number, "eval_count": 2, "total_duration": 1e300}
    conversation["chat"]["history"]["messages"]["a0"]["usage"] = usage_of_ollama
    entries = [
        row("Why?", milliseconds=number, cost=1e300, usage=usage, created=number),
        spend_row("Why?", prompt_tokens=number, endTime=1e300, spend=1e300),
        conversation,
    ]
    for place, entry in enumerate(entries):
        path = write(tmp_path / f"{place}.jsonl", [entry])
        (call,) = cast("list[Any]", read_calls(path))
        took = call.expense
        assert (took.sent, took.tokens, took.milliseconds, took.cost) == (None,) * 4


NAMES = {
    "a\0b": "ab",
    "\ud800": "\ufffd",
    "\x1b[31mred\x1b[0m": "[31mred [0m",
    "two\nlines\u2028here": "two lines here",
    "\u202edear\u200b": "dear",
    "\ue000x": "x",
    "": "",
    "\0 \u2060": "",
}
"""Names of a file, and what is read of them."""


@pytest.mark.parametrize(("name", "expected"), NAMES.items())
def test_names_of_routes_and_models_are_one_line_that_databases_and_terminals_take(tmp_path, name, expected):
    entries = [row("Why?", route=name, model=name), spend_row("Why?", request_tags=[name], model_group="", model=name)]
    for place, entry in enumerate(entries):
        (call,) = cast("list[Any]", read_calls(write(tmp_path / f"{place}.jsonl", [entry])))
        assert (call.route, call.model) == (expected, expected or UNNAMED)
    conversation = chat(("Why?", "So."))
    conversation["chat"]["tags"] = [name]
    (call,) = read(tmp_path, [conversation])
    assert call.route == expected
    (call,) = read(tmp_path, [row("Why?", route=5_000 * "r", model=5_000 * "m")])
    assert max(len(call.route), len(call.model)) <= FACT_LIMIT


CHAT = json.dumps(row("Why?"))
FAULTS = {
    "header": (b"call_type,model,prompt_tokens,response\n", "it has no rows"),
    "other-header": (b"a,b\n", "it has no rows"),
    "array": (b"[]", "it has no rows"),
    "utf-32-le": (codecs.BOM_UTF32_LE + CHAT.encode("utf-32-le"), "UTF-32; save it as UTF-8"),
    "utf-32-be": (codecs.BOM_UTF32_BE + CHAT.encode("utf-32-be"), "UTF-32; save it as UTF-8"),
    "utf-16": (codecs.BOM_UTF16_LE + CHAT.encode("utf-16-le"), "UTF-16; save it as UTF-8"),
    "cut": (f"[{CHAT},\n{CHAT[:-5]}".encode(), "line 2: not valid JSON, or the file ends here"),
    "open": (f"[{CHAT}".encode(), "line 1: the file ends in the middle of the array"),
    "deep": (f"[{CHAT},{'[' * 100_000}".encode(), "line 1: nested too deeply"),
    "column": (b'"a"b,c\n', "is not CSV"),
}
"""Files that cannot be read, and what is said of them after their names."""


@pytest.mark.parametrize("name", FAULTS)
def test_each_refusal_names_the_file_once_and_its_fault(tmp_path, name):
    content, fault = FAULTS[name]
    path = tmp_path / f"{name}.log"
    path.write_bytes(content)
    with pytest.raises(Invalid) as refusal:
        list(read_calls(path))
    text = str(refusal.value)
    assert text.startswith(str(path))
    assert text.count(str(path)) == 1
    assert fault in text
