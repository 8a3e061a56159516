"""What a probe asks: ordinary questions, a few of many, so that an endpoint cannot know a probe by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

_CHINESE: Final = (
    "为什么天空是蓝色的？请用通俗的语言解释一下。",
    "帮我写一段话，婉拒同事周末聚餐的邀请，语气要自然。",
    "西红柿炒鸡蛋怎么做才好吃？请分步骤说明。",
    "学骑自行车最难的是什么？有什么好的练习方法吗？",
    "请比较一下高铁和飞机出行各自的优缺点。",
    "怎么才能养成每天早起的习惯？给我几条实用的建议。",
    "请解释一下什么是通货膨胀，并举一个生活中的例子。",
    "我想给奶奶买一份生日礼物，预算三百元，有什么推荐？",
    "写一首关于秋天傍晚的短诗，不超过八行。",
    "面试时被问到“你最大的缺点是什么”，应该怎么回答？",
    "一个房间里有三盏灯，门外有三个开关，只能进去一次，怎么判断哪个开关控制哪盏灯？",
    "请用三句话概括《西游记》的主要内容。",
)
_ENGLISH: Final = (
    "Why do we have leap years? Keep it short but complete.",
    "Write a friendly reminder to a neighbour who keeps blocking my driveway.",
    "What is the difference between a virus and a bacterium?",
    "Suggest a simple three-day workout plan for a beginner without equipment.",
    "Explain how a refrigerator keeps food cold, as you would to a curious twelve-year-old.",
    "I have eggs, rice, spinach and soy sauce. What can I cook for dinner tonight?",
    "Give me five ideas for a rainy Sunday afternoon with two small children.",
    "How should I prepare for my first half marathon?",
    "Summarise the plot of Romeo and Juliet in about five sentences.",
    "What are the pros and cons of buying a used car from a private seller?",
    "Write a short story of about a hundred words that begins with a knock at the door.",
    "A train leaves at 14:35 and arrives at 17:10. How long is the trip, and how do you work it out?",
)
_FOLLOWING: Final = {
    "zh": ("请说得再简短一些。", "能再举一个例子吗？", "这和刚才说的第一点有什么关系？", "请把重点列成清单。"),
    "en": (
        "Could you make that shorter?",
        "Can you give me another example?",
        "What would you say is the most important point, and why?",
        "Please turn that into a short list.",
    ),
}


def first(kind: str, rng: Random) -> str:
    """A question that opens a talk, `zh` or `en`."""
    return rng.choice(_CHINESE if kind == "zh" else _ENGLISH)


def following(kind: str, rng: Random) -> str:
    """What fits after any answer in that language."""
    return rng.choice(_FOLLOWING[kind])
