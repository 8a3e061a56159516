"""One loop receives every answer: of a battle, of a probe and of a call outside battles."""

import asyncio

import pytest

from arena.calls import stream
from arena.calls.stream import ReceivedAnswer, receive
from arena_providers.base import Chunk, Usage
from arena_providers.deadlines import TimeLimits
from arena_providers.errors import BadReply, EndpointUnavailable
from arena_providers.terms import Finish


class Source:
    """Streams chunks, then fails if it has an error, and knows whether it was closed."""

    def __init__(self, *chunks: Chunk, error: Exception | None = None) -> None:
        self.chunks, self.error, self.closed = chunks, error, False

    async def stream(self):
        try:
            for chunk in self.chunks:
                yield chunk
            if self.error:
                raise self.error
        finally:
            self.closed = True


async def received(source: Source, limit: int | None = None) -> tuple[ReceivedAnswer, list[str]]:
    answer, pieces = ReceivedAnswer(), []
    await receive(source.stream(), TimeLimits(), answer, pieces.append, limit=limit)
    return answer, pieces


async def test_an_answer_keeps_its_text_reasoning_usage_and_finish():
    chunks = [Chunk("Hel"), Chunk(reasoning="hm"), Chunk("lo", Finish.STOP), Chunk(usage=Usage(3, 2))]
    answer, pieces = await received(Source(*chunks))
    assert pieces == ["Hel", "lo"]
    assert (answer.text, answer.reasoning, answer.finish) == ("Hello", "hm", Finish.STOP)
    assert (answer.usage, answer.pieces, answer.begun) == (Usage(3, 2), 2, True)
    assert answer.first_token_ms is not None


async def test_an_answer_is_cut_after_its_limit_and_its_stream_closed():
    source = Source(*[Chunk("x" * 4)] * 9)
    answer, pieces = await received(source, 10)
    assert pieces == ["xxxx", "xxxx", "xx"]
    assert (answer.text, answer.finish, source.closed) == ("x" * 10, Finish.LENGTH, True)


async def test_the_limit_is_one_for_all_unless_a_caller_wants_less(monkeypatch):
    monkeypatch.setattr(stream, "ANSWER_LIMIT", 5)
    assert (await received(Source(Chunk("x" * 9))))[0].text == "x" * 5


async def test_a_character_that_is_cut_between_two_chunks_is_received_whole():
    _, pieces = await received(Source(Chunk("a\ud83d"), Chunk("\ude00b")))
    assert pieces == ["a", "😀b"]


async def test_half_a_character_at_the_end_becomes_well_formed():
    answer, _ = await received(Source(Chunk("a\ud83d")))
    assert answer.text.encode()


async def test_a_failed_stream_leaves_what_has_arrived():
    answer = ReceivedAnswer()
    with pytest.raises(EndpointUnavailable):
        await receive(Source(Chunk("He"), error=EndpointUnavailable("cut")).stream(), TimeLimits(), answer)
    assert (answer.text, answer.begun) == ("He", True)


async def test_a_stream_that_fails_before_its_first_chunk_has_not_begun():
    answer = ReceivedAnswer()
    with pytest.raises(EndpointUnavailable):
        await receive(Source(error=EndpointUnavailable("down")).stream(), TimeLimits(), answer)
    assert not answer.begun


async def test_a_reader_who_has_enough_ends_and_closes_the_stream():
    source, answer = Source(*[Chunk("x")] * 9), ReceivedAnswer()
    await receive(source.stream(), TimeLimits(), answer, lambda _: len(answer.text) > 1)
    assert (answer.text, answer.finish, source.closed) == ("xx", None, True)


async def test_a_reader_who_is_cancelled_closes_the_stream():
    source = Source(*[Chunk("x")] * 9)

    def leave(_: str) -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await receive(source.stream(), TimeLimits(), ReceivedAnswer(), leave)
    assert source.closed


@pytest.mark.parametrize("text", ["", " \n", "\ufeff", "\u200b\u2060 \u00ad", "\u3164\u2800", "\ufe0f"])
async def test_an_answer_without_text_is_a_bad_reply(text):
    answer, _ = await received(Source(Chunk(text)))
    with pytest.raises(BadReply) as caught:
        answer.check_text()
    assert caught.value.fault == "empty"


async def test_text_that_was_reasoning_is_kept_as_such_and_the_answer_begins_anew():
    answer, pieces, retracted = ReceivedAnswer(), [], []
    chunks = [Chunk("Okay, "), Chunk("hm"), Chunk("4", retracts=True), Chunk("2", Finish.STOP, unopened=True)]

    def retract() -> bool:
        retracted.append(len(pieces))
        return True

    await receive(Source(*chunks).stream(), TimeLimits(), answer, pieces.append, retract=retract)
    assert (answer.text, answer.reasoning, answer.pieces, answer.unopened) == ("42", "Okay, hm", 2, True)
    assert (pieces, retracted) == (["Okay, ", "hm", "4", "2"], [2])


async def test_where_a_retraction_cannot_be_made_the_text_stays_and_a_paragraph_begins():
    answer, pieces = ReceivedAnswer(), []
    source = Source(Chunk("Okay"), Chunk("4", retracts=True), Chunk("2", Finish.STOP, unopened=True))
    await receive(source.stream(), TimeLimits(), answer, pieces.append, retract=lambda: False)
    assert (answer.text, answer.reasoning, answer.pieces, answer.unopened) == ("Okay\n\n42", "", 3, True)
    assert "".join(pieces) == answer.text
