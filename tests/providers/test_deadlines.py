"""Time limits: each phase has its own, a slow reader does not count, the inner stream is always closed."""

from __future__ import annotations

import asyncio
import functools
from contextlib import aclosing

import pytest

from arena_providers.base import Chunk
from arena_providers.deadlines import TimedStream, TimeLimits
from arena_providers.errors import EndpointUnavailable, TimedOut
from arena_providers.terms import Finish

LIMITS = TimeLimits(first_token=20, between_tokens=10, total=60)


class VirtualTime(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to the next timer, so that limits are exact and nobody waits."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        selector = vars(self)["_selector"]
        select = selector.select

        def jump(timeout):
            assert timeout is not None, "nothing would ever happen again"
            self.now += timeout
            return select(0)

        selector.select = jump

    def time(self) -> float:
        return self.now


def virtual(test):
    """Run an asynchronous test in virtual time."""

    @functools.wraps(test)
    def run(**arguments):
        with asyncio.Runner(loop_factory=VirtualTime) as runner:
            runner.run(test(**arguments))

    return run


def now() -> float:
    return asyncio.get_running_loop().time()


class Slow:
    """A stream of (pause, chunk); records whether it was closed."""

    def __init__(self, *steps: tuple[float, Chunk | Exception]) -> None:
        self.steps = steps
        self.closed = False

    async def stream(self):
        try:
            for pause, step in self.steps:
                await asyncio.sleep(pause)
                if isinstance(step, Exception):
                    raise step
                yield step
        finally:
            self.closed = True


async def heard(slow: Slow, limits: TimeLimits = LIMITS, *, reading: float = 0) -> str:
    text = ""
    async with aclosing(TimedStream(slow.stream(), limits)) as chunks:
        async for chunk in chunks:
            text += chunk.text
            await asyncio.sleep(reading)
    return text


async def phase_of(slow: Slow) -> tuple[str, float]:
    """The limit that was exceeded, and when."""
    with pytest.raises(TimedOut) as caught:
        await heard(slow)
    assert slow.closed
    return caught.value.phase, now()


@virtual
async def test_an_answer_in_time_passes_unchanged():
    slow = Slow((5, Chunk("a")), (5, Chunk("b")), (0, Chunk(finish=Finish.STOP)))
    assert await heard(slow) == "ab"
    assert slow.closed


@virtual
async def test_no_first_token_in_time_is_told_as_such():
    assert await phase_of(Slow((900, Chunk("a")))) == ("first token", 20)


@virtual
async def test_chunks_without_text_do_not_put_off_the_first_token():
    assert await phase_of(Slow(*[(5, Chunk())] * 9)) == ("first token", 20)


@virtual
async def test_silence_between_tokens_is_told_as_such():
    assert await phase_of(Slow((0, Chunk("a")), (900, Chunk("b")))) == ("between tokens", 10)


@virtual
async def test_an_answer_that_never_ends_meets_the_total():
    assert await phase_of(Slow(*[(5, Chunk("a" * 99))] * 99)) == ("total", 60)


@virtual
async def test_the_first_token_may_be_as_late_as_its_own_limit_says():
    assert await heard(Slow((19.9, Chunk("a")))) == "a"


@virtual
async def test_text_that_only_drips_is_told_as_such_within_a_window():
    phase, moment = await phase_of(Slow(*[(1, Chunk("123456789"))] * 99))
    assert (phase, moment) == ("rate", 11)


@virtual
async def test_a_drip_after_much_text_is_met_within_two_windows():
    phase, moment = await phase_of(Slow((0, Chunk("a")), (9, Chunk("b" * 9_000)), *[(1, Chunk("c"))] * 99))
    assert phase == "rate"
    assert moment < 9 + 2 * 10 + 1


@virtual
@pytest.mark.parametrize("step", [(1, Chunk("0123456789")), (0.1, Chunk("ab")), (1, Chunk("一二三四"))])
async def test_ten_bytes_in_a_second_are_enough(step):
    slow = Slow(*[step] * round(50 / step[0]))
    assert await heard(slow) == step[1].text * round(50 / step[0])


@virtual
async def test_a_model_may_think_between_two_words():
    slow = Slow((0, Chunk("Well")), (9, Chunk(", ")), (0.1, Chunk("then " * 30)), (9, Chunk(finish=Finish.STOP)))
    assert await heard(slow) == "Well, " + "then " * 30


@virtual
@pytest.mark.parametrize("step", [0.05, 0.5, 5])
async def test_a_model_that_thinks_between_two_pieces_of_text_is_not_slow(step):
    thinking = [(step, Chunk())] * round(36 / step)
    slow = Slow((0, Chunk("Let me think.")), *thinking, (0.1, Chunk("done")), *thinking, (0, Chunk(finish=Finish.STOP)))
    assert await heard(slow, TimeLimits()) == "Let me think.done"


@virtual
async def test_thinking_does_not_hide_text_that_drips():
    slow = Slow((0, Chunk("a")), *[(0.5, Chunk()), (1, Chunk("b"))] * 99)
    assert (await phase_of(slow))[0] == "rate"


@virtual
async def test_the_pauses_of_a_reader_do_not_slow_the_rate():
    assert len(await heard(Slow(*[(0.1, Chunk("ab"))] * 9), reading=6)) == 18


@virtual
async def test_half_a_character_counts_and_breaks_nothing():
    assert await heard(Slow((1, Chunk("\ud83d")), (1, Chunk("\ude00")))) == "\ud83d\ude00"


@virtual
async def test_a_slow_reader_is_not_a_slow_endpoint():
    assert await heard(Slow((0, Chunk("a")), (0, Chunk("b"))), reading=15) == "ab"


@virtual
async def test_an_error_of_the_stream_passes_unchanged():
    slow = Slow((0, Chunk("a")), (0, EndpointUnavailable("cut")))
    with pytest.raises(EndpointUnavailable, match="cut"):
        await heard(slow)
    assert slow.closed


@virtual
async def test_a_timeout_of_the_streams_own_is_not_taken_for_a_limit():
    with pytest.raises(TimeoutError, match="its own"):
        await heard(Slow((0, TimeoutError("its own"))))


@virtual
async def test_a_cancelled_reader_closes_the_stream():
    slow = Slow((0, Chunk("a")), (900, Chunk("b")))
    task = asyncio.create_task(heard(slow, TimeLimits()))
    await asyncio.sleep(5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert slow.closed


@virtual
async def test_a_reader_that_leaves_early_closes_the_stream():
    slow = Slow((0, Chunk("a")), (0, Chunk("b")))
    async with aclosing(TimedStream(slow.stream(), LIMITS)) as chunks:
        assert (await anext(chunks)).text == "a"
    assert slow.closed


@virtual
async def test_a_stream_that_will_not_close_holds_nobody_up():
    async def stubborn():
        try:
            yield Chunk("a")
        finally:
            await asyncio.sleep(60)

    async with aclosing(TimedStream(stubborn(), LIMITS)) as chunks:
        await anext(chunks)
    assert now() == 1


@virtual
async def test_a_stream_without_aclose_is_passed_on_too():
    class Plain:
        left = 2

        def __aiter__(self):
            return self

        async def __anext__(self):
            self.left -= 1
            if self.left < 0:
                raise StopAsyncIteration
            return Chunk("a")

    assert [chunk.text async for chunk in TimedStream(Plain(), LIMITS)] == ["a", "a"]


class Polled:
    """A stream that begins at once: each poll gives the next of these chunks, and an error is raised."""

    def __init__(self, *chunks: Chunk | Exception | None) -> None:
        self.chunks, self.over = list(chunks), False

    def __aiter__(self):
        return self

    async def __anext__(self) -> Chunk:
        return Chunk("It has begun. ")

    def poll(self) -> Chunk | None:
        chunk = self.chunks.pop(0)
        self.over = not self.chunks
        if isinstance(chunk, Exception):
            raise chunk
        return chunk


async def polled(stream: Polled, limits: TimeLimits, every: float) -> str:
    """The text of a stream that is polled `every` so many seconds."""
    timed, text = TimedStream(stream, limits), ""
    await anext(timed)
    assert timed.pollable
    while not timed.over:
        chunk = timed.poll()
        text += chunk.text if chunk else ""
        await asyncio.sleep(every)
    return text


@virtual
async def test_polls_pass_on_all_until_the_stream_is_over():
    stream = Polled(Chunk("one "), None, Chunk("two "), Chunk(finish=Finish.STOP))
    assert await polled(stream, LIMITS, every=1) == "one two "


@virtual
async def test_a_stream_that_always_has_something_to_give_ends_with_its_total():
    with pytest.raises(TimedOut) as caught:
        await polled(Polled(*[Chunk("word " * 9)] * 1000), LIMITS, every=0.1)
    assert caught.value.phase == "total"
    assert now() == pytest.approx(LIMITS.total, abs=0.2)


@virtual
async def test_silence_and_drips_are_met_by_polls_as_by_waits():
    for chunks, phase in ([None] * 1000, "between tokens"), ([Chunk("a"), *[None] * 9] * 100, "rate"):
        with pytest.raises(TimedOut) as caught:
            await polled(Polled(*chunks), LIMITS, every=0.5)
        assert caught.value.phase == phase


@virtual
async def test_an_error_of_a_polled_stream_passes_unchanged():
    with pytest.raises(EndpointUnavailable, match="cut"):
        await polled(Polled(Chunk("a"), EndpointUnavailable("cut")), LIMITS, every=1)
