"""How these tests ask the scripted models, and the natural prompts they use."""

from __future__ import annotations

import re

from arena.adapters.providers.base import Chunk, Target
from arena.adapters.providers.demo import DemoProvider
from arena.adapters.providers.demo.manners import MANNERS
from arena.domain.terms import Message, Role

NAMES = tuple(MANNERS)
DONE = {
    "What is 17×23?": "391",
    "write a short poem about autumn": "Emily Dickinson",
    "Translate good morning into Chinese": "早上好",
    "Which is larger, 9.11 or 9.9?": "**9.9** is larger",
    "How many r's are in strawberry?": "**3**",
    "What is the capital of France?": "Paris",
    "17乘以23等于多少？": "391",
    "用一句话解释黑洞": "引力",
    "写一首关于秋天的诗": "杜牧",
    "早上好用英语怎么说？": "good morning",
    "9.11和9.9哪个大？": "**9.9** 比",
    "天空为什么是蓝色的？": "瑞利散射|散射",
}
"""Natural prompts and what a right answer says."""
LEFT = (
    "Write a short story in which the rain is the narrator.",
    "Write a Python function that reverses a string.",
    "How do I boil an egg?",
    "I have 3 apples and buy 5 more, how many?",
    "hello",
    "帮我写一封请假条",
    "孩子应该有手机吗？",
    "GPT-4 的特点",
    "1990年到2020年是多少年",
    "你好",
)
"""Prompts that no scripted model understands."""


async def chunks(name: str, *prompts: str, max_tokens: int | None = None) -> list[Chunk]:
    target = Target(dialect="demo", url="", wire_model=name, max_tokens=max_tokens)
    messages = [Message(Role.USER, prompt) for prompt in prompts]
    return [chunk async for chunk in DemoProvider(wait=0).stream(target, messages)]


async def ask(name: str, prompt: str) -> str:
    return "".join(chunk.text for chunk in await chunks(name, prompt))


def han_share(text: str) -> float:
    """How much of the letters is Han; code and formulae are left out."""
    letters = re.findall(r"[^\W\d_]", re.sub(r"`[^`]*`", "", text))
    return sum("\u3400" <= letter <= "\u9fff" for letter in letters) / max(1, len(letters))
