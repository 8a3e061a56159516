"""The request for a web page that both models receive: the prompt and a fixed instruction."""

from __future__ import annotations

from typing import Final

INSTRUCTION: Final = (
    "Answer with one self-contained HTML document and nothing else. Its styles and scripts are inside it, it loads "
    "nothing from the network, and it works on a phone and on a desktop. Write its texts in the language of the "
    "request above."
)
_END: Final = f"\n\n{INSTRUCTION}"


def with_instruction(prompt: str) -> str:
    """The prompt followed by the instruction."""
    return prompt + _END


def without_instruction(message: str) -> str | None:
    """The prompt of a request for a web page; None for another message."""
    return message.removesuffix(_END) if message.endswith(_END) else None
