"""Four dialects against llmock, a third-party server that fails on purpose."""

from __future__ import annotations

import pytest

from arena_providers.base import Target
from arena_providers.deadlines import TimeLimits
from arena_providers.errors import (
    BadReply,
    ContextTooLong,
    EndpointUnavailable,
    ProviderError,
    RateLimitedUpstream,
    TimedOut,
)
from arena_providers.registry import WIRE
from arena_providers.terms import Finish, Image, Message, Role
from arena_providers.transport.http_client import HttpClient
from tests.providers.conftest import HELLO, hear

pytest.importorskip("llmock", reason="the package llmock is not installed")

ANSWER = "Ein längerer Satz, 汉字 und 🙂, in vielen Stücken gesagt."
PLACES = {
    "openai_chat": ("openai", "/v1", "gpt-4o"),
    "openai_responses": ("openai", "/v1", "gpt-4o"),
    "anthropic": ("anthropic", "/anthropic/v1", "claude-sonnet-4-5"),
    "gemini": ("gemini", "/gemini/v1beta", "gemini-2.5-flash"),
}


@pytest.fixture(params=PLACES)
def place(request, llmock):
    """A target on the running server, and its name there."""
    name, path, model = PLACES[request.param]
    return Target(request.param, llmock.url + path, model, key="k", max_tokens=500, private=True), name


async def ask(target: Target, limits: TimeLimits | None = None, messages=HELLO):
    async with HttpClient() as client:
        return await hear(WIRE[target.dialect](client), target, messages, limits)


async def test_an_answer_arrives_in_pieces_with_its_counts(place, llmock):
    target, name = place
    heard = await ask(llmock.reply(ANSWER, provider=name) and target)
    assert heard.text == ANSWER
    assert heard.finish is Finish.STOP
    assert len(heard.chunks) > 1  # what arrives together, as on a busy machine, is one chunk
    assert heard.usage.output_tokens > 0


async def test_a_question_about_a_picture_is_answered(place, llmock):
    target, name = place
    llmock.reply(ANSWER, provider=name)
    asked = Message(Role.USER, "What is this?", (Image("image/png", b"\x89PNG"),))
    assert (await ask(target, messages=(asked,))).text == ANSWER


async def test_a_rate_limit_an_outage_and_an_overlong_talk_have_their_class(place, llmock):
    target, name = place
    llmock.rate_limit(retry_after=7, provider=name)
    with pytest.raises(RateLimitedUpstream) as caught:
        await ask(target)
    assert caught.value.retry_after == 7
    llmock.context_overflow(provider=name)
    with pytest.raises(ContextTooLong):
        await ask(target)
    llmock.outage(provider=name)
    with pytest.raises(EndpointUnavailable):
        await ask(target)


@pytest.mark.parametrize(
    ("fault", "error"),
    [("disconnect", EndpointUnavailable), ("corrupt", ProviderError)],
)
async def test_a_stream_that_breaks_is_no_answer(place, llmock, fault, error):
    target, name = place
    llmock.reply(ANSWER, provider=name)
    getattr(llmock, fault)(after_chunks=3, provider=name)
    with pytest.raises(error):
        await ask(target)


async def test_a_stream_that_is_cut_is_no_answer_where_its_events_have_the_field_of_the_reason(place, llmock):
    target, name = place
    llmock.reply(ANSWER, provider=name)
    llmock.truncate(after_chunks=6, provider=name)
    if target.dialect == "gemini":
        # Its events have no such field before the last.
        heard = await ask(target)
        assert ANSWER.startswith(heard.text)
        assert heard.finish is Finish.STOP
        return
    with pytest.raises(BadReply) as caught:
        await ask(target)
    assert caught.value.fault == "cut_short"


async def test_a_stream_that_stalls_times_out(place, llmock):
    target, name = place
    llmock.reply(ANSWER, provider=name)
    llmock.stall(after_chunks=3, seconds=5, provider=name)
    with pytest.raises(TimedOut, match=r"first token|between tokens"):
        await ask(target, TimeLimits(first_token=0.5, between_tokens=0.5))
