"""The interface of providers: a target and a conversation in, chunks of text out; rows of built-in endpoints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from arena_providers.terms import Finish, Message

SCRIPTED: Final = "demo"
"""The dialect of the scripted practice models."""


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


@dataclass(frozen=True, slots=True)
class BuiltinEndpoint:
    """An endpoint that comes with the package: its public identity and its parameters, without URL or key.

    `languages` are ISO 639-1 codes of what it can answer; an empty tuple means any.
    """

    name: str
    dialect: str
    wire_model: str
    owner: str
    description_en: str
    description_zh: str
    languages: tuple[str, ...] = ()
    licence: str | None = None
    link: str | None = None
    system_prompt: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
