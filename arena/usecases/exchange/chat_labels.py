"""Language and category of votes from the chats in their files; the texts are not stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from arena.domain.labels.categories import category_of
from arena.domain.text import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class ChatLabels(NamedTuple):
    """The labels of a chat; None if it has no text."""

    language: str | None = None
    category: str | None = None


NOTHING_SAID: Final = ChatLabels()
"""The labels of a vote whose file has no chat."""


def labels_of(prompts: list[str]) -> ChatLabels:
    """The labels of a chat by its prompts, with the rules for battles."""
    from arena.adapters.language import detect

    return ChatLabels(detect(prompts[0]), category_of(prompts)) if prompts else NOTHING_SAID


def battle_prompts(row: Mapping[str, object]) -> list[str]:
    """The prompts of one of Chatbot Arena's battles; both sides have the same."""
    return list(_prompts(_items(row.get("conversation_a"))))


def feedback_prompts(row: Mapping[str, object]) -> list[str]:
    """The prompts before a rated answer of Open WebUI, from its tree of messages, or else those of the whole chat."""
    chat = _inner(_mapping(row.get("snapshot")).get("chat"))
    tree = _mapping(_mapping(chat.get("history")).get("messages"))
    messages = list(_ancestors(tree, _mapping(row.get("meta")).get("message_id")))
    return list(_prompts(messages[::-1])) or list(_prompts(_items(chat.get("messages"))))


def _inner(chat: object) -> Mapping[str, object]:
    """The chat with the messages: the value itself, or its field `chat`."""
    outer = _mapping(chat)
    return _mapping(outer.get("chat")) or outer


def _ancestors(tree: Mapping[str, object], number: object) -> Iterator[object]:
    """The message of this number and those above it, upwards; stops at a cycle."""
    seen = set[object]()
    while isinstance(number, str) and number in tree and number not in seen:
        seen.add(number)
        yield tree[number]
        number = _mapping(tree[number]).get("parentId")


def _prompts(messages: list[object]) -> Iterator[str]:
    for message in map(_mapping, messages):
        text = message.get("content")
        if message.get("role") == "user" and isinstance(text, str) and text.strip():
            yield well_formed(text)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
