"""The text of an answer's bytes: the same whether events are parsed or recognised as repetitions."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_providers.answer_reader import EVENT_COUNT, LEARNINGS, AnswerReader, EventPattern
from arena_providers.base import Target
from arena_providers.dialects.anthropic import _MessagesAnswer
from arena_providers.dialects.openai_chat import _ChatAnswer
from arena_providers.errors import BadReply, ProviderError
from arena_providers.presets import quirks_of
from arena_providers.transport.sse import EventParser

QUIRKS = quirks_of(Target("openai_chat", "http://127.0.0.1/v1", "m"))
ODD = [
    b": ping\n\n",
    b"id: 7\n\n",
    b'data: {"choices":[{"delta":{"content":"x","reasoning":"hm"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n',
    b'data: {"content":"y","choices":[{"delta":{"content":"x"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":["x"]}}]}\n\n',
    b'data: {"choices":[{"index":1,"delta":{"content":"x"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"x"}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}\r\n\r\n',
    b'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}\n\n',
    b'data: {"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"x","text":"y"}}\n\n',
    b'data: {"type":"content_block_delta","delta":{"type":"input_json_delta","text":""}}\n\n',
    b'data: {"error":"broken"}\n\n',
    b"data: [DONE]\n\n",
]
"""Events that must be parsed."""


def chat(text: str, **dumps) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return b"data: " + json.dumps({"id": "1", "choices": [choice], "usage": None}, **dumps).encode() + b"\n\n"


def block(text: str, **dumps) -> bytes:
    said = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
    return b"event: content_block_delta\ndata: " + json.dumps(said, **dumps).encode() + b"\n\n"


def text_of(reader: AnswerReader, data: bytes) -> str:
    texts: list[str] = []
    reader.read(data, texts)
    return "".join(texts)


def answers():
    return {chat: _ChatAnswer(None, QUIRKS), block: _MessagesAnswer(None)}


def outcome(read, pieces, answer) -> tuple[object, ...]:
    """The text, the failure if there is one, and what the answer keeps."""
    texts, failure = [], None
    try:
        for piece in pieces:
            read(piece, texts)
    except ProviderError as error:
        failure = str(error)
    return "".join(texts), failure, answer.closed, answer.usage, answer.called, str(answer.thoughts)


def parsed(pieces, answer) -> tuple[object, ...]:
    parser = EventParser()

    def read(piece, texts):
        for event in parser.feed(piece):
            texts.append(answer.take(event))

    return outcome(read, pieces, answer)


TEXTS = st.text(st.sampled_from('ab "\\\n\r\0<é汉🙂\u2028\x7f{}:,'), max_size=6)
FORMS = st.sampled_from([{}, {"separators": (",", ":")}, {"ensure_ascii": False}])


@pytest.mark.parametrize("event", [chat, block])
@given(data=st.data())
def test_repetitions_mean_what_parsing_them_says(event, data):
    form = data.draw(FORMS)
    said = [event("begin", **form)] + [
        data.draw(st.sampled_from(ODD)) if odd else event(data.draw(TEXTS), **form)
        for odd in data.draw(st.lists(st.sampled_from([False] * 9 + [True]), max_size=20))
    ]
    if data.draw(st.booleans()):
        said = [
            piece[:40] + b"\xff" + piece[40:] if len(piece) > 80 and not data.draw(st.integers(0, 9)) else piece
            for piece in said
        ]
    frames, wire = [], b"".join(said)
    if data.draw(st.booleans()):
        cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
        frames = [wire[i:j] for i, j in zip([0, *cuts], [*cuts, len(wire)], strict=True)]
    else:
        size = data.draw(st.integers(1, 4))
        frames = [b"".join(said[i : i + size]) for i in range(0, len(said), size)]
    plain, quick = answers()[event], answers()[event]
    assert outcome(AnswerReader(quick, EventParser()).read, frames, quick) == parsed(frames, plain)


@pytest.mark.parametrize("event", [chat, block])
def test_events_that_repeat_an_earlier_one_are_not_parsed(event, monkeypatch):
    answer = answers()[event]
    reader = AnswerReader(answer, EventParser())
    assert text_of(reader, event("one ")) == "one "
    monkeypatch.setattr(EventParser, "feed", None)
    assert text_of(reader, event("two ") + event("three") + event("🙂", ensure_ascii=False)) == "two three🙂"


def test_reasoning_between_tags_is_held_back_before_anything_is_recognised():
    answer = answers()[chat]
    reader = AnswerReader(answer, EventParser())
    frames = [chat("<thi"), chat("nk>"), chat("deep"), chat("</think>"), chat("Hi"), chat(" you")]
    assert outcome(reader.read, frames, answer)[0] == "Hi you"
    assert str(answer.thoughts) == "deep"


def test_events_that_are_recognised_count_towards_the_limit():
    answer = answers()[chat]
    reader, hundred = AnswerReader(answer, EventParser()), chat("x") * 100
    for _ in range(EVENT_COUNT // 100):
        assert text_of(reader, hundred) == "x" * 100
    with pytest.raises(BadReply, match="events"):
        reader.read(hundred, [])


@pytest.mark.parametrize(("events", "recognised"), [(LEARNINGS, True), (LEARNINGS + 1, False)])
def test_a_server_that_never_repeats_itself_is_soon_no_longer_learnt_from(events, recognised):
    pattern, parser, data = EventPattern(), EventParser(), b""
    for number in range(events):
        data = chat("x").replace(b'"1"', b'"%d"' % number)
        for event in parser.feed(data):
            pattern.learn(event, "content", "x")
    assert (pattern.split(data) == ["x"]) == recognised
