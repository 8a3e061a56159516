"""Interfaces of providers, their input and output, and built-in endpoints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from arena_providers.marks.grammar import AnswerMark
    from arena_providers.terms import Finish, Message

SCRIPTED: Final = "demo"
"""The dialect of the scripted practice models."""
LOCAL: Final = "local"
"""The dialect of the language model on this machine."""


@dataclass(frozen=True, slots=True)
class Target:
    """A callable endpoint with the parameters of a request; the repr omits the key.

    `private` means that the operator allows this URL to lead anywhere, including their own network; `unopened`, that
    its answers close reasoning that they never open, so text is held back until they do.
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
    unopened: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Numbers of tokens as reported by the endpoint."""

    input_tokens: int
    output_tokens: int


class Chunk(NamedTuple):
    """A part of an answer. The last chunk of a complete answer has the `finish` and all `reasoning`.

    Reasoning must not be shown before the vote. `retracts` means that the text of all earlier chunks was reasoning. The
    last chunk also has the `marks` in the answer, whether it closed reasoning that it had not opened (`unopened`), and
    whether the endpoint stated a reason for its end (`has_reason`); None means that nothing says so. A tuple for speed:
    one is made for every answer and frame.
    """

    text: str = ""
    finish: Finish | None = None
    usage: Usage | None = None
    reasoning: str = ""
    retracts: bool = False
    marks: tuple[AnswerMark, ...] = ()
    unopened: bool | None = None
    has_reason: bool | None = None


@runtime_checkable
class Polled(Protocol):
    """A stream that can be read without waiting after its first chunk."""

    over: bool
    """Whether the last chunk has been returned."""

    def poll(self) -> Chunk | None:
        """Everything since the previous chunk; None if there is nothing yet, or after the last chunk."""
        ...


class Provider(Protocol):
    """Streams one answer; it raises only `ProviderError`s."""

    def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Yield the answer to the last message as it arrives; closing the iterator closes the connection."""
        ...


@runtime_checkable
class WholeProvider(Protocol):
    """A provider that can also ask for an answer without streaming, with which a stream is compared."""

    async def whole(self, target: Target, messages: Sequence[Message]) -> str:
        """The text of one answer, without reasoning; raises `ProviderError`."""
        ...


@runtime_checkable
class SelectiveProvider(Protocol):
    """A provider that knows, without asking, which prompts it can answer, as a script does and no language model."""

    def can_answer(self, prompt: str, *, page: bool = False) -> bool:
        """Whether it has the answer to a prompt, or with `page` the web page that the prompt asks for."""
        ...


class LikelihoodProvider(Protocol):
    """Scores a given text instead of writing one; it raises only `ProviderError`s."""

    async def log_likelihoods(self, target: Target, prompt: str, answer: str) -> list[float]:
        """The natural logarithm of the probability of each token of `answer` after `prompt`.

        Raises:
            BadReply: The endpoint responds, but gives no likelihoods.
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
