"""What every provider is: a target and a conversation in, chunks of text out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from arena.terms import Finish, Message


@dataclass(frozen=True, slots=True)
class Target:
    """A callable endpoint, with all that a request to it needs. The key never shows in a repr.

    `private` is the operator's word that this very URL may lead anywhere, also inside their own network.
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
    """Tokens as the endpoint counted them."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of an answer, cut where the endpoint cut it. The last chunk of a complete answer has a `finish`.

    It also has all the `reasoning` that the endpoint sent beside the answer, which no voter may see before the vote.
    """

    text: str = ""
    finish: Finish | None = None
    usage: Usage | None = None
    reasoning: str = ""


class Provider(Protocol):
    """Streams one answer; raises `ProviderError` and nothing else of its own."""

    def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Yield the answer to the last message as it arrives; closing the iterator closes the connection."""
        ...
