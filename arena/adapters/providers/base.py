"""The interface of providers: a target and a conversation in, chunks of text out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from arena.domain.terms import Finish, Message


@dataclass(frozen=True, slots=True)
class Target:
    """A callable endpoint, with everything a request needs. The key is not shown in a repr.

    `private` means that the operator allows this URL to lead anywhere, including their own network.
    """

    dialect: str
    url: str
    wire_model: str
    key: str | None = field(default=None, repr=False)
    system_prompt: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    private: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Numbers of tokens as reported by the endpoint."""

    input_tokens: int
    output_tokens: int


class Chunk(NamedTuple):
    """A piece of an answer as the endpoint sent it. The last chunk of a complete answer has a `finish`.

    It also has all the `reasoning` that the endpoint sent, which must not be shown before the vote. A tuple, because
    one is made for every answer and frame.
    """

    text: str = ""
    finish: Finish | None = None
    usage: Usage | None = None
    reasoning: str = ""


@runtime_checkable
class Polled(Protocol):
    """A stream that can be read without a wait, once it has given its first chunk."""

    over: bool
    """Whether it has given its last chunk."""

    def poll(self) -> Chunk | None:
        """All that has arrived since the last chunk; None if nothing has, or nothing more will."""
        ...


class Provider(Protocol):
    """Streams one answer; the only errors it raises are `ProviderError`s."""

    def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Yield the answer to the last message as it arrives; closing the iterator closes the connection."""
        ...


class LikelihoodProvider(Protocol):
    """Scores a given text instead of writing one; the only errors it raises are `ProviderError`s."""

    async def log_likelihoods(self, target: Target, prompt: str, answer: str) -> list[float]:
        """The natural logarithm of the probability of each token of `answer` after `prompt`.

        Raises:
            BadReply: The endpoint answers, but not this question.
        """
        ...
