"""Lines do not depend on the chunking, and none exceeds the limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_providers.dialects.ollama import LineParser
from arena_providers.errors import BadReply
from arena_providers.transport.sse import LINE_LIMIT


def lines(*chunks: bytes) -> list[str]:
    parser = LineParser()
    found = [line for chunk in chunks for line in parser.feed(chunk)]
    return [line.data for line in [*found, *parser.end()]]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"", []),
        (b'{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']),
        (b'{"a":1}\r\n\r\n \n{"b":2}', ['{"a":1}', '{"b":2}']),
        ('{"a":"\u2028\u0085"}\n'.encode(), ['{"a":"\u2028\u0085"}']),
        (b'"\xff"\n', ['"\ufffd"']),
    ],
)
def test_lines_end_with_line_feeds_only_and_empty_ones_say_nothing(stream, expected):
    assert lines(stream) == expected


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=6)), st.data())
def test_lines_do_not_depend_on_the_cuts(texts, draw):
    stream = "\n".join(texts).encode()
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(stream)), max_size=9)))
    assert lines(*(stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True))) == lines(stream)


def test_a_line_beyond_the_limit_is_a_bad_reply_after_those_before_it():
    taken = LineParser().feed(b"x" * LINE_LIMIT + b"\n" + b"x" * (LINE_LIMIT + 1))
    assert next(taken).data == "x" * LINE_LIMIT
    with pytest.raises(BadReply, match="larger than 1 MiB"):
        next(taken)
