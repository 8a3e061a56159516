"""The event stream parser: the standard's rules, and the same events wherever the reads were cut."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_providers.errors import BadReply
from arena_providers.transport.sse import EVENT_LIMIT, LINE_LIMIT, Event, EventParser


def parse(*reads: bytes) -> list[Event | str]:
    """All events, followed by "bad" if the parser raised."""
    parser = EventParser()
    found: list[Event | str] = []
    try:
        for read in reads:
            found.extend(parser.feed(read))
    except BadReply:
        found.append("bad")
    return found


def data(*texts: str) -> list[Event]:
    return [Event(text) for text in texts]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_every_line_end_of_the_standard_ends_a_line(end):
    stream = f"data: one{end}{end}event: note{end}data: two{end}data:  three{end}{end}"
    assert parse(stream.encode()) == [Event("one"), Event("two\n three", "note")]


def test_an_event_carries_the_last_id_that_the_stream_has_named():
    stream = b"id: 1\ndata: one\n\ndata: two\n\nid: 2\0\ndata: three\n\nid\ndata: four\n\n"
    assert [event.id for event in parse(stream) if isinstance(event, Event)] == ["1", "1", "1", ""]


def test_a_reader_of_long_events_sets_limits_of_its_own():
    text = "x" * (EVENT_LIMIT + 1)
    parser = EventParser(line_limit=2 * LINE_LIMIT, event_limit=2 * EVENT_LIMIT)
    assert list(parser.feed(f"data: {text}\n\n".encode())) == data(text)


def test_a_carriage_return_and_its_line_feed_in_two_reads_are_one_line_end():
    assert parse(b"data: one\r", b"\ndata: two\r", b"\n\r", b"\n") == data("one\ntwo")


def test_an_empty_read_between_carriage_return_and_line_feed_changes_nothing():
    assert parse(b"data: one\r", b"", b"\n", b"\r\n") == data("one")


def test_comments_unknown_fields_and_retries_are_passed_over():
    assert parse(b": ping\n\nretry: 10\nfoo: bar\ndata\n:\ndata:x\n\n") == data("\nx")


def test_an_event_without_data_is_not_dispatched():
    assert parse(b"event: ping\n\ndata: one\n\n") == data("one")


def test_a_byte_order_mark_is_dropped_at_the_start_only():
    mark = b"\xef\xbb\xbf"
    assert parse(mark[:1], mark[1:] + b"data: one\n\n", mark + b"data: two\n\n") == data("one")


def test_separators_of_unicode_are_data_and_no_line_ends():
    text = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg"
    assert parse(f"data: {text}\n\n".encode()) == data(text)


def test_a_character_split_over_reads_arrives_whole():
    stream = "data: 汉字🙂\n\n".encode()
    assert parse(*(stream[i : i + 1] for i in range(len(stream)))) == data("汉字🙂")


def test_bad_bytes_become_replacement_characters():
    assert parse(b"data: \xff\xe6\xb1\n\ndata: \xed\xa0\x80\n\n") == data("\ufffd\ufffd", "\ufffd\ufffd\ufffd")


@pytest.mark.parametrize("end", ["", "\n", "\r", "\r\n"])
def test_an_event_without_a_blank_line_after_it_comes_at_the_end_of_the_stream_only(end):
    parser = EventParser()
    assert list(parser.feed(f"data: one\n\nevent: x\ndata: two{end}".encode())) == data("one")
    assert list(parser.end()) == [Event("two", "x")]


@pytest.mark.parametrize("rest", [b"", b": ping", b"event: x", b"data", b"dat"])
def test_a_stream_that_ends_between_events_brings_none_at_its_end(rest):
    parser = EventParser()
    assert list(parser.feed(b"data: one\n\n" + rest)) == data("one")
    assert [event.data for event in parser.end() if event.data] == []


def test_a_stream_of_one_unended_line_is_an_event_at_its_end():
    parser = EventParser()
    assert list(parser.feed(b"\xef\xbb\xbfdata: one")) == []
    assert list(parser.end()) == data("one")


@pytest.mark.parametrize("size", [1, 1000, 1 << 20])
def test_an_oversize_line_is_refused_after_the_events_before_it(size):
    stream = b"data: one\n\n" + b"x" * (LINE_LIMIT + 1)
    assert parse(*(stream[i : i + size] for i in range(0, len(stream), size))) == [Event("one"), "bad"]


def test_a_line_of_the_full_length_is_taken():
    stream = b"data: " + b"x" * (LINE_LIMIT - 6)
    assert parse(stream + b"\n\n") == data("x" * (LINE_LIMIT - 6))


def test_an_event_of_endless_lines_is_refused():
    line = b"data: " + b"x" * 1000 + b"\n"
    assert parse(line * (EVENT_LIMIT // 1000 + 1) + b"\n") == ["bad"]


@pytest.mark.parametrize("line", [b"data: ", "data: 🙂".encode(), b"event: ", b"id: ", b": "])
def test_a_stream_that_withholds_the_end_of_an_event_is_held_within_the_limit(line):
    parser, held = EventParser(), 0
    tracemalloc.start()
    try:
        with suppress(BadReply):
            for _ in range(4 * EVENT_LIMIT // 65_536):
                assert list(parser.feed(line + b"x" * 65_000 + b"\n" + line + b"x" * 530)) == []
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert held < 1.5 * EVENT_LIMIT


@pytest.mark.parametrize("line", [b"data\n", b"data:x\n", b"data: ab\n", b"data: abcdefgh\n"])
def test_an_event_of_very_many_short_lines_is_held_within_the_limit(line):
    parser = EventParser()
    tracemalloc.start()
    try:
        with suppress(BadReply):
            for _ in range(64):
                assert list(parser.feed(line * 10_000)) == []
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert held < 2 * EVENT_LIMIT


def by_the_book(stream: bytes) -> list[Event]:
    """Reference implementation of the standard's algorithm, on the whole stream at once."""
    text = stream.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    events, buffer, name = [], [], ""
    for line in text.split("\n")[:-1]:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if buffer:
                events.append(Event("\n".join(buffer), name or "message"))
            buffer, name = [], ""
        elif field == "data":
            buffer.append(value)
        elif field == "event":
            name = value
    return events


PIECES = st.one_of(
    st.sampled_from(
        [b"\n", b"\r", b"\r\n", b"\n\n", b"data:", b"data: ", b"event: x", b":", b"id", b"\xef\xbb\xbf", b" "]
    ),
    st.text(max_size=6).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from(["汉".encode()[:2], "🙂".encode()[:3], "🙂".encode()[3:], b"\xff", "\u2028".encode(), b"\x00"]),
    st.binary(max_size=4),
)


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=30).map(b"".join), st.data())
def test_events_follow_the_standard_for_every_chunking(stream, draw):
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    reads = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    expected = by_the_book(stream)
    assert parse(stream) == expected
    assert parse(*reads) == expected
    assert parse(*(stream[i : i + 1] for i in range(len(stream)))) == expected
