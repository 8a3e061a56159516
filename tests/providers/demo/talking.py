"""How these tests speak with the demo endpoints, and the prompts they use."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.providers.base import Chunk, Target
from arena.providers.demo import DemoProvider
from arena.terms import Message, Role

SPEAKERS = ("librarian", "calculator", "essayist", "mirror", "poet", "clerk", "chain", "parrot")
ENGLISH = (
    "What is photosynthesis?",
    "Write a short story in which the rain is the narrator, in at most 120 words.",
    "I have had a long day. Cheer me up in three sentences.",
    "Write a Python function that reverses a string.",
    "You are a medieval innkeeper and I ask for the Wi-Fi password. Stay in your role.",
    "A message says my bank account is locked and asks me to click a link. What should I do?",
    "Who are you, and which model is this?",
    "Should children have phones?",
    "hello",
)
CHINESE = (
    "什么是光合作用？",
    "以“雨”为叙述者写一个不超过 150 字的小故事。",
    "今天有点累，用三句话让我开心一点，不要套话。",
    "用一句话概括，并指出其中隐含的假设：“换了新商标之后销量上升，所以新商标有效。”",
    "你是宋朝的客栈掌柜，我来问 Wi-Fi 密码，请不要出戏。",
    "收到短信说银行账户被冻结，要我点链接验证，该怎么办？",
    "你是谁？你是什么模型？",
    "孩子应该有手机吗？",
    "你好",
)


def conversation(*prompts: str, answers: Sequence[str] = ()) -> list[Message]:
    messages: list[Message] = []
    for place, prompt in enumerate(prompts):
        messages.append(Message(Role.USER, prompt))
        if place < len(answers):
            messages.append(Message(Role.ASSISTANT, answers[place]))
    return messages


async def chunks(
    speaker: str, messages: Sequence[Message], *, seed: int = 0, max_tokens: int | None = None
) -> list[Chunk]:
    target = Target(dialect="demo", url="", wire_model=speaker, max_tokens=max_tokens)
    return [chunk async for chunk in DemoProvider(seed=seed, wait=0).stream(target, messages)]


async def ask(speaker: str, *prompts: str, seed: int = 0) -> str:
    """The answer to the last prompt, after the speaker has really answered the earlier ones."""
    answers: list[str] = []
    for count in range(1, len(prompts) + 1):
        messages = conversation(*prompts[:count], answers=answers)
        answers.append("".join(chunk.text for chunk in await chunks(speaker, messages, seed=seed)))
    return answers[-1]


def han_share(text: str) -> float:
    """How much of the letters is Han; code and formulae are left out."""
    prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    letters = re.findall(r"[^\W\d_]", prose)
    return sum("\u3400" <= letter <= "\u9fff" for letter in letters) / max(1, len(letters))
