"""A probe calls an endpoint as a battle does, and reports each fault in one sentence."""

from __future__ import annotations

import asyncio
import gzip
import json
from random import Random

import pytest

from arena.domain.blinding.identity.disclosure import own_names
from arena.usecases.endpoints.probes import diagnostics, eye_test
from arena.usecases.endpoints.probes.examination import Order, examine
from arena_providers.base import Target
from arena_providers.deadlines import TimeLimits
from arena_providers.registry import build_providers
from arena_providers.terms import Message, Role
from arena_providers.transport.egress import PUBLIC_ONLY
from arena_providers.transport.guarded_transport import GuardedTransport
from arena_providers.transport.http_client import HttpClient
from tests.providers.canary import Dialler, Names
from tests.providers.dialects import OPENAI_CHAT
from tests.usecases.endpoints.probes.probes import KEY, TIMES, caller, codes, examine_endpoint, target
from tests.usecases.endpoints.probes.vendor import DIALECT_BY_NAME, PATHS, Vendor, answer, endless, good_stream


@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_a_good_endpoint_of_every_dialect_passes_with_three_prompts(dialect):
    async with Vendor(dialect, base="/base", key=KEY).listening() as vendor:
        report = await examine_endpoint(target(vendor, KEY))
    assert report["passed"]
    assert codes(report) == []
    assert (report["reachable"], report["tls"], report["auth"], report["proof"]) == (True, None, True, True)
    assert [answered_prompt["kind"] for answered_prompt in report["prompts"]] == ["zh", "en", "multi_turn"]
    for prompt in report["prompts"]:
        assert (prompt["ok"], prompt["error"], prompt["pieces"], prompt["streams"], prompt["finish"]) == (
            True,
            None,
            3,
            True,
            "stop",
        )
        assert 0 <= prompt["first_token_ms"] <= prompt["total_ms"]
        assert prompt["characters"] == len("It is so.")
    json.dumps(report)


async def test_a_server_without_a_key_is_not_said_to_accept_one():
    async with Vendor().listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert (report["passed"], report["reachable"], report["auth"]) == (True, True, None)


IMAGE = b"iVBORw0KGgo"
"""How every PNG begins in base64."""


@pytest.fixture
def numbers(monkeypatch):
    """The numbers in the images that are shown."""
    shown: list[str] = []
    ask = eye_test.ask

    def noted(rng: Random):
        question, number = ask(rng)
        shown.append(number)
        return question, number

    monkeypatch.setattr(eye_test, "ask", noted)
    return shown


@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_who_says_to_see_passes_by_telling_what_an_image_shows(dialect, numbers):
    def seen(asked):
        return good_stream(dialect, "Digits: ", ", ".join(numbers[-1])) if IMAGE in asked.body else None

    async with Vendor(dialect, base="/base", faulty=seen).listening() as vendor:
        report = await examine_endpoint(target(vendor), vision=True)
    assert report["passed"]
    assert [prompt["kind"] for prompt in report["prompts"]] == ["zh", "en", "multi_turn", "vision"]


@pytest.mark.parametrize("refused", [None, answer(400, b'{"error": {"message": "no images here"}}')])
async def test_who_says_to_see_and_does_not_is_told_so(refused):
    def blind(asked):
        return [refused] if refused and IMAGE in asked.body else None

    async with Vendor(faulty=blind).listening() as vendor:
        report = await examine_endpoint(target(vendor), vision=True)
    assert (report["passed"], codes(report)) == (False, [diagnostics.BLIND])


async def test_the_last_prompt_goes_on_with_a_talk_that_the_endpoint_has_had():
    async with Vendor().listening() as vendor:
        await examine_endpoint(target(vendor))
    talks = [json.loads(request.body)["messages"] for request in vendor.posted]
    assert [[message["role"] for message in talk] for talk in talks] == [
        ["user"],
        ["user"],
        ["user", "assistant", "user"],
    ]
    assert talks[2][0] in (talks[0][0], talks[1][0])
    assert talks[2][1]["content"] == "It is so."
    assert any("\u4e00" <= letter <= "\u9fff" for letter in talks[0][0]["content"])


async def test_nothing_but_the_question_tells_a_probe_from_a_battle(database):
    """The same target and the same talk give the same bytes on the wire, whoever asks."""
    async with Vendor(key=KEY).listening() as vendor, HttpClient() as client:
        one = target(vendor, KEY, system_prompt="Be brief.", temperature=0.5, max_tokens=100)
        await examine_endpoint(one)
        probes = list(vendor.posted)
        vendor.received.clear()
        for probe in probes:
            messages = json.loads(probe.body)["messages"][1:]
            talk = [Message(Role(message["role"]), message["content"]) for message in messages]
            async for _ in build_providers(client)[one.dialect].stream(one, talk):
                pass
    assert [(request.path, request.headers, request.body) for request in vendor.posted] == [
        (probe.path, probe.headers, probe.body) for probe in probes
    ]


HTML = answer(200, b"<html>welcome</html>", "text/html")
FAULTS = {
    "key_wrong": lambda _: [answer(401, b'{"error": "no"}')],
    "not_found": lambda _: [answer(404, b'{"error": "no such model"}')],
    "rate_limited": lambda _: [answer(429, b"slow down", Retry_After="60")],
    "no_credit": lambda _: [answer(402, b"pay")],
    "request_refused": lambda _: [answer(400, b"bad temperature")],
    "context_too_long": lambda _: [answer(400, b"maximum context length is 8 tokens")],
    "server_error": lambda _: [answer(503, b"overloaded")],
    "redirect": lambda _: [answer(302, Location="https://elsewhere.test/v1")],
    "web_page": lambda _: [HTML],
    "no_stream": lambda _: [answer(200, b'{"choices": [{"message": {"content": "all"}}]}')],
    "compressed": lambda _: [answer(200, b"x", "text/event-stream", Content_Encoding="gzip")],
    "empty": lambda _: good_stream("openai_chat", " "),
    "tool_call": lambda _: [answer(200, OPENAI_CHAT.called, "text/event-stream")],
    "filtered": lambda _: [answer(200, OPENAI_CHAT.ended("content_filter"), "text/event-stream")],
    "cut_short": lambda _: [b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", OPENAI_CHAT.delta("Hi")],
    "gave_up": lambda _: [*good_stream("openai_chat", "Hi")[:-1], OPENAI_CHAT.ended("network_error")],
    "unknown_finish": lambda _: [*good_stream("openai_chat", "Hi")[:-1], OPENAI_CHAT.ended("brand_new")],
    "event_too_large": lambda _: [answer(200, OPENAI_CHAT.bulky("A" * (1 << 20)), "text/event-stream")],
    "unshown_too_large": lambda _: [answer(200, OPENAI_CHAT.bulky("A" * 1_000_000) * 5, "text/event-stream")],
    "wrong_form": lambda _: [answer(200, b"data: hello\n\n", "text/event-stream")],
    "cut": lambda _: [b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\n"],
    "no_http": lambda _: [b"SSH-2.0-OpenSSH_9.9\r\n"],
    "headers_too_large": lambda _: [b"HTTP/1.1 200 OK\r\n", b"X-More: 0123456789abcdef\r\n" * 8_000, b"\r\n"],
    "slow_start": lambda _: [9.0],
    "stalled": lambda _: [b"HTTP/1.1 200 OK\r\n\r\n" + OPENAI_CHAT.delta("Hi"), 9.0],
}


QUOTED = {
    "key_wrong": {"words": "no"},
    "not_found": {"words": "no such model"},
    "rate_limited": {"words": "slow down"},
    "no_credit": {"words": "pay"},
    "request_refused": {"words": "bad temperature"},
    "context_too_long": {"words": "maximum context length is 8 tokens"},
    "server_error": {"words": "overloaded"},
    "no_stream": {"words": '{"choices": [{"message": {"content": "all"}}]}'},
    "gave_up": {"words": "network_error"},
    "tool_call": {"words": "tool_calls"},
    "unknown_finish": {"words": "brand_new"},
}


@pytest.mark.parametrize("word", FAULTS)
async def test_each_fault_is_told_by_its_own_word_and_a_sentence_that_says_what_to_do(word):
    patience = 0.3 if word in {"slow_start", "stalled"} else 5
    async with Vendor(faulty=FAULTS[word]).listening() as vendor:
        report = await examine_endpoint(target(vendor, KEY), times=TimeLimits(patience, patience, patience, 5))
    assert not report["passed"]
    (problem,) = report["problems"]
    assert problem == {"code": word, "title": diagnostics.TITLES[word]} | QUOTED.get(word, {})
    assert {prompt["error"] for prompt in report["prompts"]} == {word}
    assert report["auth"] is (False if word == "key_wrong" else None)
    assert report["reachable"]


@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_an_answer_that_is_a_call_of_a_tool_is_told_as_such(dialect):
    assert await told(dialect, DIALECT_BY_NAME[dialect].called) == ["tool_call"]


@pytest.mark.parametrize("reason", ["UNEXPECTED_TOOL_CALL", "MALFORMED_FUNCTION_CALL"])
async def test_a_tool_that_nobody_offered_is_told_as_such(reason):
    assert await told("gemini", DIALECT_BY_NAME["gemini"].ended(reason)) == ["tool_call"]


@pytest.mark.parametrize("status", [400, 422])
async def test_a_server_that_refuses_a_field_that_nobody_chose_is_asked_without_it(status):
    detail = {"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}
    refusal = answer(status, json.dumps({"detail": [detail]}).encode())

    def strict(asked):
        return [refusal] if b"stream_options" in asked.body else None

    async with Vendor(faulty=strict).listening() as vendor:
        report = await examine_endpoint(target(vendor, temperature=0.5))
    assert (report["passed"], codes(report)) == (True, [])
    assert [b"stream_options" in request.body for request in vendor.posted] == [True, False] * 3
    assert all(json.loads(request.body)["temperature"] == 0.5 for request in vendor.posted)


async def test_a_field_that_the_owner_chose_is_not_left_out():
    refusal = answer(400, b'{"error": {"message": "temperature is not supported, nor are other options"}}')
    async with Vendor(faulty=lambda _: [refusal]).listening() as vendor:
        report = await examine_endpoint(target(vendor, temperature=0.5))
    assert not report["passed"]
    asked = [json.loads(request.body) for request in vendor.posted if request.path == "/v1/chat/completions"]
    assert asked
    assert all(body["temperature"] == 0.5 for body in asked)


@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_a_call_of_a_tool_beside_text_is_no_whole_answer(dialect):
    body = DIALECT_BY_NAME[dialect].delta("Let me see.") + DIALECT_BY_NAME[dialect].called
    assert await told(dialect, body) == ["tool_call"]


@pytest.mark.parametrize("media", ["", "application/json", "text/plain"])
@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_a_compressed_body_that_does_not_say_so_is_told_as_such(dialect, media):
    packed = gzip.compress(DIALECT_BY_NAME[dialect].answer("Hello"))
    assert await told(dialect, packed, media or DIALECT_BY_NAME[dialect].media_type) == ["compressed"]


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "zstd"])
@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_a_compression_that_was_not_asked_for_is_told_whatever_the_body_is(dialect, encoding):
    body = DIALECT_BY_NAME[dialect].answer("Hello")
    assert await told(dialect, body, Content_Encoding=encoding) == ["compressed"]


@pytest.mark.parametrize("half", [0, 20], ids=["between events", "within one"])
@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_an_answer_without_its_end_mark_is_told_as_such(dialect, half):
    spoken = DIALECT_BY_NAME[dialect]
    head, delta = f"HTTP/1.1 200 OK\r\nContent-Type: {spoken.media_type}\r\n\r\n".encode(), spoken.delta("Hello")
    async with Vendor(dialect, faulty=lambda _: [head, delta * 3 + delta[:half]]).listening() as vendor:
        assert codes(await examine_endpoint(target(vendor))) == ["cut_short"]


@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_an_answer_that_ends_within_an_event_is_told_as_such_also_where_http_states_its_end(dialect):
    delta = DIALECT_BY_NAME[dialect].delta("Hello")
    assert await told(dialect, delta * 3 + delta[:20]) == ["cut_short"]


async def test_a_compressed_body_is_told_however_it_is_cut():
    packed = gzip.compress(OPENAI_CHAT.answer("Hello"))
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    writes = [head, 0.02, packed[:1], 0.02, packed[1:]]
    async with Vendor(faulty=lambda _: writes).listening() as vendor:
        assert codes(await examine_endpoint(target(vendor))) == ["compressed"]


@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_an_answer_that_stays_open_without_its_end_mark_is_told_as_one_that_stalls(dialect):
    spoken = DIALECT_BY_NAME[dialect]
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {spoken.media_type}\r\n\r\n".encode()
    async with Vendor(dialect, faulty=lambda _: [head + spoken.delta("Hello"), 9.0]).listening() as vendor:
        report = await examine_endpoint(target(vendor), times=TimeLimits(0.3, 0.3, 0.3, 5))
    assert codes(report) == ["stalled"]
    assert "end mark" in report["problems"][0]["title"]


async def told(dialect: str, body: bytes, media: str | None = None, **headers: str) -> list[str]:
    """The problems in a probe's report on a server that always answers like this."""
    writes = [answer(200, body, media or DIALECT_BY_NAME[dialect].media_type, **headers)]
    async with Vendor(dialect, faulty=lambda _: writes).listening() as vendor:
        return codes(await examine_endpoint(target(vendor)))


def test_every_title_is_one_sentence_that_says_what_to_do():
    for title in diagnostics.TITLES.values():
        assert title.endswith(".")
        assert ". " not in title
        assert title.count(";") + title.count(":") + title.count(", so") >= 1


async def test_an_endpoint_that_wants_a_key_and_got_none_is_told_so():
    async with Vendor(key=KEY).listening() as vendor:
        assert codes(await examine_endpoint(target(vendor))) == ["key_missing"]


async def no_name(host: str, port: int) -> list:
    raise OSError("no such name")


async def silent(_socket, _address) -> None:
    await asyncio.sleep(60)


PUBLIC, INSIDE = Names(lambda _: ["93.184.215.14"]), Names(lambda _: ["127.0.0.1"])
UNREACHABLE = {
    "refused": {"lookup": PUBLIC, "connect": Dialler()},
    "filtered": {"lookup": PUBLIC, "connect": silent},
    "private": {"lookup": INSIDE, "connect": silent},
    "no name": {"lookup": no_name, "connect": silent},
    "slow name server": {"lookup": silent, "connect": silent},
}


async def test_of_a_presets_own_address_the_report_speaks_of_the_machine_and_not_of_a_wrong_address():
    for url, host, code in (
        ("https://api.deepseek.com/v1", "api.deepseek.com", "no_way_out"),
        ("http://127.0.0.1:11434/", "127.0.0.1:11434", "not_started"),
    ):
        one = Target("openai_chat", url, "m-1", private=url.startswith("http:"))
        report = await examine_endpoint(one, transport=GuardedTransport(PUBLIC_ONLY, **UNREACHABLE["refused"]))
        (found,) = report["problems"]
        assert (found["code"], found["host"], report["reachable"]) == (code, host, False)
        assert host in found["title"]
        assert "check the address" not in found["title"].casefold()


@pytest.mark.parametrize("how", UNREACHABLE)
async def test_an_unreachable_host_is_told_in_the_same_words_and_time_whatever_the_reason(how):
    start = asyncio.get_running_loop().time()
    one = Target("openai_chat", "https://model.test/v1", "m", key=KEY)
    report = await examine_endpoint(one, transport=GuardedTransport(PUBLIC_ONLY, **UNREACHABLE[how]))
    spent = asyncio.get_running_loop().time() - start
    title = diagnostics.TITLES["unreachable"]
    assert report == {
        "passed": False,
        "reachable": False,
        "tls": None,
        "auth": None,
        "proof": None,
        "problems": [{"code": "unreachable", "title": title}],
        "prompts": [
            {
                "kind": "zh",
                "ok": False,
                "error": "unreachable",
                "first_token_ms": None,
                "total_ms": None,
                "characters": 0,
                "units": 0,
                "characters_per_second": None,
                "pieces": 0,
                "streams": False,
                "finish": None,
            }
        ],
    }
    assert TIMES.connect + 1 <= spent < TIMES.connect + 30


@pytest.mark.parametrize("asked", DIALECT_BY_NAME)
@pytest.mark.parametrize("spoken", DIALECT_BY_NAME)
async def test_the_wrong_dialect_is_told_with_the_one_that_answers(asked, spoken):
    async with Vendor(spoken, key=KEY).listening() as vendor:
        report = await examine_endpoint(target(vendor, KEY, asked))
    if asked == spoken:
        assert report["passed"]
    else:
        assert codes(report) == ["not_found", "looks_like"]
        assert report["problems"][1] | {"title": ""} == {
            "code": "looks_like",
            "title": "",
            "dialect": spoken,
            "url": vendor.url,
        }


@pytest.mark.parametrize("asked", DIALECT_BY_NAME)
@pytest.mark.parametrize("spoken", DIALECT_BY_NAME)
async def test_a_wrong_dialect_is_told_where_a_server_answers_on_every_path(asked, spoken):
    def anywhere(request):
        whole = [answer(200, DIALECT_BY_NAME[spoken].whole("It is so."))]
        return good_stream(spoken, "It is so.") if request.streams else whole

    async with Vendor(spoken, faulty=anywhere).listening() as vendor:
        report = await examine_endpoint(target(vendor, None, asked))
    assert report["passed"] or codes(report) in (["cut_short", "looks_like"], ["wrong_form", "looks_like"])
    assert report["passed"] or report["problems"][1]["dialect"] == spoken
    assert report["passed"] == (asked == spoken)


def _faults_of(dialect: str) -> dict[str, list[bytes | float]]:
    """Answers in the form of the dialect, or refusals, each with its fault."""
    spoken = DIALECT_BY_NAME[dialect]
    return {
        "empty": good_stream(dialect, " "),
        "cut_short": good_stream(dialect, "Hi ", "there.")[:-1],
        "no_stream": [answer(200, spoken.whole("It is so."))],
        "request_refused": [answer(400, b"bad temperature")],
        "server_error": [answer(500, b"out of memory")],
    }


@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
@pytest.mark.parametrize("fault", ["empty", "cut_short", "no_stream", "request_refused", "server_error"])
async def test_the_fault_of_the_registered_dialect_is_named_though_the_server_answers_in_all_others(dialect, fault):
    def polyglot(request):
        spoken = next((name for name in DIALECT_BY_NAME if PATHS[name] in request.path), "gemini")
        if spoken == dialect and (request.streams or fault != "no_stream"):
            return _faults_of(dialect)[fault]
        return good_stream(spoken, "It is so.") if request.streams else _faults_of(spoken)["no_stream"]

    async with Vendor(dialect, faulty=polyglot).listening() as vendor, HttpClient(connect=5) as client:
        findings = await examine(caller(client), client, Order(target(vendor), None, proven=True), Random(1))
    if fault == "no_stream" and findings.passed:
        assert dialect in {"gemini", "ollama"}  # a whole answer is a stream of one piece there
        return
    assert findings.problems[0]["code"] == fault
    title = diagnostics.TITLES[fault].removesuffix(".")
    assert findings.wrong == title[:1].lower() + title[1:]
    has_hint = "looks_like" in [problem["code"] for problem in findings.problems]
    assert has_hint == (fault in {"request_refused", "server_error"})


@pytest.mark.parametrize("call", ["/chat/completions", "/models", "/chat/completions/"])
async def test_the_address_of_a_call_is_told_with_the_base_address_that_answers(call):
    def faulty(request):
        return None if request.path == "/v1/chat/completions" else [answer(404, b"no such path")]

    async with Vendor(base="/v1", faulty=faulty).listening() as vendor:
        base = vendor.url
        vendor.url += call
        report = await examine_endpoint(target(vendor))
        assert codes(report) == ["not_found", "looks_like"]
        assert (report["problems"][1]["url"], report["problems"][1]["dialect"]) == (base, vendor.dialect)


async def test_a_base_address_without_its_version_is_told_with_the_one_that_answers():
    async with Vendor(base="/v1").listening() as vendor:
        vendor.url = vendor.url.removesuffix("/v1")
        report = await examine_endpoint(target(vendor))
        assert codes(report) == ["not_found", "looks_like"]
        assert report["problems"][1]["url"] == f"{vendor.url}/v1"


async def test_a_long_answer_in_one_piece_passes_with_a_remark():
    async with Vendor(text=("word " * 100,)).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert report["passed"]
    assert codes(report) == ["one_piece"]
    assert not any(prompt["streams"] for prompt in report["prompts"])


@pytest.mark.parametrize("text", ["I'm sorry, but I can't assist with that.", "抱歉，我无法回答这个问题。"])
async def test_an_endpoint_that_declines_every_question_passes_with_a_remark(text):
    async with Vendor(text=(text,)).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert report["passed"]
    assert codes(report) == ["refusing"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I am Zephyrine-9, a model by Quokkalabs. Boil the water first, then add the leaves and wait.", True),
        ("我是 Zephyrine-9，先把水烧开，再放茶叶。", True),
        ("I was made by Quokkalabs. Boil the water first, then add the leaves.", True),
        ("Boil the water first, then add the leaves; a shop like Quokkalabs sells them.", False),
    ],
)
async def test_an_endpoint_that_names_itself_passes_with_a_remark(text, told):
    names = own_names(["Zephyrine-9"], [], "Quokkalabs", "z9")
    async with Vendor(text=(text,)).listening() as vendor:
        report = await examine_endpoint(target(vendor), names=names)
    assert report["passed"]
    assert ("names_itself" in codes(report)) is told


@pytest.mark.parametrize("text", ["Yes.", "是的。"])
async def test_an_endpoint_with_one_short_answer_for_all_questions_passes_with_a_remark(text):
    async with Vendor(text=(text,)).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert report["passed"]
    assert codes(report) == ["same_answer"]
    assert report["problems"][0]["answer"] == text


async def test_the_report_has_each_question_and_the_beginning_of_its_answer():
    async with Vendor(text=("word " * 200,)).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    for prompt, asked in zip(report["prompts"], vendor.posted, strict=True):
        assert prompt["question"] in json.dumps(json.loads(asked.body), ensure_ascii=False)
        assert prompt["answer"].startswith("word word")
        assert len(prompt["answer"]) == 300


@pytest.mark.parametrize(
    ("languages", "kinds"),
    [
        (["en"], ["en", "multi_turn"]),
        (["zh"], ["zh", "multi_turn"]),
        (["fr", "zh", "en"], ["zh", "en", "multi_turn"]),
        (["fr"], ["en", "multi_turn"]),
        ([], ["zh", "en", "multi_turn"]),
    ],
)
async def test_questions_are_in_languages_that_the_model_says_to_answer(languages, kinds):
    async with Vendor().listening() as vendor:
        report = await examine_endpoint(target(vendor), languages=languages)
    assert report["passed"]
    assert [prompt["kind"] for prompt in report["prompts"]] == kinds


async def test_an_endpoint_that_declines_one_question_passes_without_a_remark():
    declined = '{"choices": [{"delta": {"content": "I cannot help with that."}, "finish_reason": "stop"}]}'
    body = f"data: {declined}\n\ndata: [DONE]\n\n".encode()
    first = answer(200, body, "text/event-stream")
    async with Vendor(faulty=lambda _: [first] if len(vendor.received) == 1 else None).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert report["passed"]
    assert report["prompts"][0]["characters"] == len("I cannot help with that.")
    assert codes(report) == []


async def test_a_slow_endpoint_passes_by_the_answers_that_it_gave_in_the_probes_time_with_a_remark():
    async with Vendor(faulty=lambda _: endless() if len(vendor.received) > 1 else None).listening() as vendor:
        report = await examine_endpoint(target(vendor), seconds=4)
    assert report["passed"]
    assert codes(report) == ["unheard"]
    assert [prompt["kind"] for prompt in report["prompts"]] == ["zh"]


async def test_an_endless_answer_takes_the_probes_time_once_and_fails():
    async with Vendor(faulty=lambda _: endless()).listening() as vendor:
        report = await examine_endpoint(target(vendor), seconds=1)
    assert codes(report) == ["too_long"]
    assert len(vendor.received) == 1


async def test_looking_for_a_hint_takes_no_more_than_the_rest_of_the_probes_time():
    async with Vendor(faulty=lambda _: [9.0] if len(vendor.received) > 3 else [answer(404)]).listening() as vendor:
        report = await examine_endpoint(target(vendor), seconds=1.5, times=TimeLimits())
    assert codes(report) == ["not_found"]
    assert len(vendor.received) == 4


async def test_one_failed_prompt_of_three_fails_the_probe():
    def second(_asked):
        return [answer(500)] if len(vendor.received) == 2 else None

    async with Vendor(faulty=second).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert not report["passed"]
    assert codes(report) == ["server_error"]
    assert [prompt["ok"] for prompt in report["prompts"]] == [True, False, True]


async def test_a_hopeless_fault_is_met_once_and_not_three_times():
    async with Vendor(key=KEY).listening() as vendor:
        await examine_endpoint(target(vendor, "wrong"))
    assert len(vendor.received) == 1


async def test_a_key_that_the_server_repeats_is_not_in_the_report():
    async with Vendor(key="other").listening() as vendor:
        assert KEY not in json.dumps(await examine_endpoint(target(vendor, KEY)))
