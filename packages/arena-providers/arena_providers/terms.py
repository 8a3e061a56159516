"""Values for every layer: messages of a conversation as an endpoint receives them, and finish reasons."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """Author of a message in a conversation."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Image:
    """A PNG or JPEG file; `perceptual_hash` is never sent."""

    media_type: str
    data: bytes = field(repr=False)
    perceptual_hash: str | None = field(default=None, repr=False)

    @property
    def base64(self) -> str:
        """The file in base64."""
        return b64encode(self.data).decode()

    @property
    def data_url(self) -> str:
        """The file as a data URL."""
        return f"data:{self.media_type};base64,{self.base64}"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation as an endpoint receives it; its images come before its text."""

    role: Role
    content: str
    images: tuple[Image, ...] = ()


class Finish(StrEnum):
    """Reason why an answer ended; `STOPPED` means that the reader pressed stop, which no provider reports."""

    STOP = "stop"
    LENGTH = "length"
    FILTER = "filter"
    STOPPED = "stopped"
