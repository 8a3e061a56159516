"""The plans of the essayist: for each kind of request a row of slots, each with paragraphs to choose from.

`{t}` and `{T}` stand for the topic, `{a}`, `{b}` and `{c}` for further words of the prompt.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Plan(NamedTuple):
    """When to use it, and its slots in order."""

    pattern: re.Pattern[str]
    slots: tuple[tuple[str, ...], ...]


def _plan(pattern: str, *slots: tuple[str, ...]) -> Plan:
    return Plan(re.compile(pattern, re.IGNORECASE), slots)


ENGLISH: Final = (
    _plan(
        r"\b(?:who|what) (?:exactly )?are you\b|\byour (?:real )?name\b",
        (
            "## On names\n\nA name is the last thing a reader needs and the first one asks for. Mine stays covered until the vote is cast, so that you "
            "judge the words and not the signature.",
        ),
        (
            "### What can be said instead\n\n1. **I like structure.** A headline, some points, a conclusion.\n2. **I like length.** Perhaps too much.\n"
            "3. **I like your topics.** Give me any subject and I shall find three sides to it.",
        ),
        ("### In short\n\nAsk me about something that matters to you, and let the answer speak for itself.",),
    ),
    _plan(
        r"\b(?:story|tale|fairy|novel|fable)\b",
        (
            "## What {t} Kept to Itself",
            "## A Short Account of {t}",
            "## The Day {t} Answered",
        ),
        (
            "Nobody in the town had paid much attention to **{t}** before that evening. It had always been there, as the clock tower was there, or the smell "
            "of bread before dawn; and what is always there is seldom looked at.",
            "It began, as such things do, with something small: a door left ajar, a letter without a stamp, and **{t}**, exactly where nobody would have "
            "thought to look.",
        ),
        (
            "Mara, who repaired umbrellas and trusted only what she could fold, was the first to notice. “You are different today,” she said aloud, feeling "
            "foolish. The answer came slowly, in the way that {a} comes: not as a voice, but as a change in everything around it.",
            "Old Tomas saw it first. He had lived through two floods and a wedding, and he knew the sound that {a} makes when it is about to change "
            "somebody's life. He put down his cup. “Well,” he said, “here we go.”",
        ),
        (
            "For three days they spoke of nothing else. Some were afraid; some tried to sell tickets. But on the third night the wind turned, and everyone "
            "understood at the same moment that {t} had never been asking for attention. It had been asking a question.",
            "Then came the turn that no one had planned. What they had taken for a threat was a gift that had been wrapped badly, and what they had taken "
            "for {b} was only their own reflection, waiting to be forgiven.",
        ),
        (
            "*In the morning the street was wet and very bright. Mara opened the shop, hung the umbrellas in a row, and left one at the door for whoever "
            "might need it. After all, one never knows who is listening.*",
            "*They still tell it differently in every house. But all the versions end with the same words: it was there all the time, and all it wanted "
            "was to be noticed.*",
        ),
    ),
    _plan(
        r"\b(?:code|function|python|javascript|java|sql|program|script|regex|algorithm)\b",
        ("## A design for {t}", "## Thinking {t} through before typing"),
        (
            "Good code begins before the first line. With **{t}** the temptation is to start typing at once; a few minutes of thought save an hour of "
            "searching for faults.",
        ),
        (
            "### 1. Agree on the contract\n\n- **Input:** which types, and may it be empty?\n- **Output:** a new value, or a change in place?\n"
            "- **Errors:** what is refused, and with which message?",
        ),
        (
            "### 2. Choose the simplest approach\n\n1. Bring {a} into an order that makes the next step obvious.\n2. Walk through it once and keep only what "
            "the next step needs.\n3. Return the result; print nothing.",
        ),
        (
            "### 3. Sketch\n\n```text\nresult = empty\nfor each item in order:\n    if item belongs to the last result: join them\n    otherwise: append "
            "the item\nreturn result\n```",
        ),
        (
            "### 4. Test what usually breaks\n\n- nothing at all, and exactly one element\n- two equal elements\n- input in the reverse order\n"
            "- a size at which a quadratic solution becomes noticeable",
        ),
        (
            "### Conclusion\n\nThe sketch is deliberately plain: {t} is rarely the place to be clever. Write it so that a tired colleague understands it on a "
            "Friday evening.",
        ),
    ),
    _plan(
        r"\b(?:vs\.?|versus|compare|comparison|difference|pros and cons)\b",
        ("## {T}: a fair comparison", "## Weighing {t}"),
        (
            "A comparison is only as good as its measures. Before judging **{t}** it helps to say what would count as better, and for whom.",
        ),
        (
            "### Side by side\n\n| Measure | The case for | The case against |\n| --- | --- | --- |\n| Effort | quick to begin | slow to master |\n"
            "| Cost | low at first | grows with {a} |\n| Reliability | proven in daily use | depends on {b} |\n| Enjoyment | a matter of taste | a matter "
            "of taste |",
        ),
        (
            "### Reading the table\n\nThe first line matters to beginners, the third to everyone who has to answer for the result. Notice that {a} appears as a "
            "cost that arrives late; such costs are the ones most often forgotten.",
        ),
        (
            "### Verdict\n\nIf you need results this week, take the simpler way. If you will live with the choice for years, pay the higher price at the "
            "start. In both cases, try it on something small first.",
        ),
    ),
    _plan(
        r"\b(?:plan|trip|schedule|itinerary|how (?:to|do|can|should)|steps?|guide|advice|tips)\b",
        ("## {T}: a practical guide", "## How to approach {t}", "## {T}, step by step"),
        (
            "Most difficulties with **{t}** do not come from a lack of talent but from a missing order. The following steps are general on purpose; adjust them "
            "to your own situation.",
            "There are many ways to deal with **{t}**, and most of them work if they are followed to the end. Here is one that is easy to remember.",
        ),
        (
            "### Before you begin\n\n- Write down in one sentence what success would look like.\n- List what you already have: {a}, {b}, and a little time.\n"
            "- Decide what you will *not* do.",
        ),
        (
            "### The steps\n\n1. **Look.** Spend a quarter of an hour collecting facts about {t}, without judging them.\n2. **Choose.** Pick the one part that "
            "would make the rest easier; often it has to do with {a}.\n3. **Try.** Do it once, badly if need be, and keep the result.\n4. **Compare.** Hold it "
            "against your sentence from the beginning.\n5. **Repeat.** Change one thing only, then try again.",
        ),
        (
            "### Common mistakes\n\n- Starting with tools instead of with the goal.\n- Changing {a} and {b} at the same time, so that nobody knows what helped.\n"
            "- Waiting for the perfect moment.",
        ),
        (
            "### Conclusion\n\nStart small, keep notes, and be patient with yourself. The first step towards {t} is worth more than the best plan for the fifth.",
        ),
    ),
    _plan(
        r"\bwhy\b|\bexplain\b|\bcause\b|\breason\b",
        ("## Why {t}? Three layers of an answer", "## Understanding {t}"),
        (
            "Questions that begin with *why* sound simple and seldom are. With **{t}** it pays to separate what we see, what causes it, and what it means to us.",
        ),
        (
            "### 1. What is observed\n\nFirst, describe before explaining. When we look at {t}, we notice {a} long before we notice its causes. Careful "
            "description protects us from explaining things that are not there.",
        ),
        (
            "### 2. What brings it about\n\nThere is rarely only one cause. It helps to sort them:\n\n- the **immediate** cause, which comes just before;\n"
            "- the **condition** without which nothing would happen, often {b};\n- the **chance** element that decides when and where.",
        ),
        (
            "### 3. What it means\n\nAn explanation is complete when it lets us predict something new. If our account of {t} is right, then a change in {a} "
            "should be followed by a change in what we observe. That can be checked.",
        ),
        (
            "### Conclusion\n\nA good answer about {t} is modest: it names the strongest cause, admits what is uncertain and tells the reader how to find "
            "out more. For exact figures, a specialised source is the better place to look.",
        ),
    ),
    _plan(
        r"",
        ("## {T}: three perspectives", "## Some thoughts on {t}", "## {T}, considered calmly"),
        (
            "Few subjects reveal as much about those who discuss them as **{t}**. Ask three people and you will hear four opinions; so let us take it step "
            "by step.",
            "At first glance **{t}** seems a matter of common knowledge. On a second look, it opens into questions that deserve more than a quick reply.",
        ),
        (
            "### 1. The practical side\n\nIn daily life {t} shows itself through {a}. What matters here is not theory but whether something works on an "
            "ordinary Tuesday, with little time and a cold cup of tea.",
            "### 1. Where we meet it\n\nWe usually come across {t} indirectly, by way of {a}. That is why experience counts for so much here, and why "
            "two honest people can differ.",
        ),
        (
            "### 2. The long view\n\nEvery generation has believed that its own version of this question was new. History suggests patience: what looked like "
            "a break often turned out to be a bend, and {b} outlived most predictions.",
            "### 2. What stands against it\n\nThe strongest objection deserves a fair hearing: perhaps we overrate {t} because it is visible, and underrate "
            "{b} because it is quiet.",
        ),
        (
            "### 3. The human side\n\n- It asks for **attention**, which is scarce.\n- It rewards **practice**, which is slow.\n- It depends on **trust**, "
            "above all where {c} is concerned.",
        ),
        (
            "### Conclusion\n\nTaken together, {t} is neither a miracle nor a menace. It is a task: to look closely, to speak plainly, and to leave the next "
            "person a little better informed than we were.",
            "### Conclusion\n\nIf there is one thing to take away, it is this: {t} becomes simpler as soon as we say which part of it we are talking about. "
            "Which part would you like to look at next?",
        ),
    ),
)

CHINESE: Final = (
    _plan(
        r"你(?:到底|究竟)?(?:是谁|叫什么|是什么模型|是哪个模型|是哪家)|你的(?:真实)?名字",
        (
            "## 关于名字\n\n名字往往是读者最后需要、却最先想问的东西。按照这里的规则，投票之前姓名一律遮住，好让你评判文字本身，而不是署名。",
        ),
        (
            "### 可以透露的几点\n\n1. **喜欢结构**：有标题、有要点、有结论。\n2. **喜欢铺陈**：也许有点太喜欢了。\n"
            "3. **来者不拒**：任何题目，都能说出三个方面。",
        ),
        ("### 小结\n\n不妨给我一个你真正关心的题目，让回答自己说话。",),
    ),
    _plan(
        r"故事|童话|小说|寓言",
        ("## {t}没有说出口的话", "## 那一天，{t}开口了", "## 小镇与{t}"),
        (
            "在那个傍晚之前，镇上没有人留意过**{t}**。它一直都在，像钟楼一样，像黎明前面包的香气一样；而一直都在的东西，人们往往视而不见。",
            "事情的开头很小：一扇虚掩的门，一封没贴邮票的信，还有**{t}**，就在谁也想不到的地方等着。",
        ),
        (
            "最先察觉的是修伞的阿真。她只相信能折起来的东西。“你今天不一样，”她说出口，又觉得自己傻气。回答来得很慢，不是声音，而是周围的一切都轻轻变了。",
            "最先听见的是老谭。他经历过两场洪水和一场婚礼，知道命运转弯之前会发出怎样的声响。他放下茶碗，说：“好吧，要开始了。”",
        ),
        (
            "一连三天，大家谈的都是这件事。有人害怕，有人想卖门票。第三天夜里风向变了，所有人同时明白：{t}从来不是在讨要目光，它是在问一个问题。",
            "转折谁也没有料到。人们当作威胁的，其实是一份包得很笨拙的礼物；人们以为陌生的，不过是自己的影子，等着被原谅。",
        ),
        (
            "*第二天清晨，街道湿漉漉的，亮得很。阿真打开铺子，把伞挂成一排，又在门口多放了一把，留给可能需要的人。毕竟，谁知道是谁在听呢。*",
            "*这个故事，每家的讲法都不一样，结尾却是同一句：它一直都在，只是想被看见一次。*",
        ),
    ),
    _plan(
        r"代码|函数|程序|脚本|算法|编程|python|java|sql",
        ("## {t}：动手之前的设计", "## 先想清楚，再写{t}"),
        ("好代码从第一行之前就开始了。面对**{t}**，人们总想立刻敲键盘；先想几分钟，往往能省下一小时的排错。",),
        (
            "### 一、约定接口\n\n- **输入**：是什么类型，可以为空吗？\n- **输出**：返回新值，还是原地修改？\n- **错误**：拒绝什么，给出怎样的提示？",
        ),
        (
            "### 二、选最简单的思路\n\n1. 先把数据排成一个让下一步显而易见的次序。\n2. 只走一遍，只保留后面需要的东西。\n3. 返回结果，不在函数里打印。",
        ),
        (
            "### 三、草图\n\n```text\n结果 = 空\n按次序取出每一项：\n    如果它属于结果的最后一项：合并\n    否则：追加到末尾\n返回结果\n```",
        ),
        (
            "### 四、测试最容易出错的地方\n\n- 空输入，以及只有一个元素\n- 两个完全相同的元素\n- 次序颠倒的输入\n- 数据量大到平方级算法会变慢",
        ),
        ("### 结论\n\n草图故意写得朴素：{t}很少是炫技的地方。写到一位疲惫的同事在周五傍晚也能看懂，就算成功。",),
    ),
    _plan(
        r"区别|比较|对比|优缺点|哪个好|哪个更",
        ("## {t}：一次公平的比较", "## 权衡{t}"),
        ("比较的质量取决于标准。评判**{t}**之前，先说清楚怎样算好、对谁来说好。",),
        (
            "### 对照\n\n| 标准 | 有利的一面 | 不利的一面 |\n| --- | --- | --- |\n| 上手 | 开始很快 | 精通很慢 |\n| 成本 | 起初很低 | 随规模增加 |\n"
            "| 可靠 | 日常中经得起考验 | 取决于具体条件 |\n| 乐趣 | 因人而异 | 因人而异 |",
        ),
        (
            "### 怎样读这张表\n\n第一行对新手重要，第三行对要为结果负责的人重要。值得注意的是那些来得晚的成本，它们最容易被忘记。",
        ),
        (
            "### 结论\n\n如果本周就要结果，选更简单的一边；如果要与这个选择相处多年，就在开头多付一点代价。无论哪种，都先在小处试一试。",
        ),
    ),
    _plan(
        r"规划|计划|行程|步骤|怎么|如何|怎样|指南|建议|攻略|方法",
        ("## {t}：一份实用指南", "## 如何着手{t}", "## {t}，一步一步来"),
        (
            "关于**{t}**，多数困难并非因为缺少天分，而是缺少次序。下面的步骤有意写得通用，请按自己的情况调整。",
            "面对**{t}**，办法很多，只要坚持到底，大多都行得通。这里给出一种容易记住的做法。",
        ),
        (
            "### 开始之前\n\n- 用一句话写下：怎样才算成功。\n- 盘点手头已有的条件：{a}、{b}，还有一点时间。\n- 决定哪些事情*不做*。",
        ),
        (
            "### 具体步骤\n\n1. **观察**：花一刻钟收集事实，先不评判。\n2. **选择**：找出能让其余部分变容易的那一环。\n3. **尝试**：先做一遍，做得不好也要留下结果。\n"
            "4. **对照**：拿它和开头那句话比一比。\n5. **重复**：每次只改一处，再来一遍。",
        ),
        (
            "### 常见的误区\n\n- 从工具出发，而不是从目标出发。\n- 同时改动好几处，最后不知道是哪一处起了作用。\n- 一直等待完美的时机。",
        ),
        ("### 结论\n\n从小处开始，留下记录，对自己耐心一些。迈出的第一步，胜过为第五步准备的完美方案。",),
    ),
    _plan(
        r"为什么|为何|原因|解释|原理",
        ("## 为什么{t}？三个层次的回答", "## 理解{t}"),
        ("以“为什么”开头的问题听起来简单，其实很少简单。谈到**{t}**，不妨把现象、成因和意义分开来看。",),
        (
            "### 一、看到了什么\n\n先描述，再解释。面对{t}，我们总是先注意到表面，很久以后才注意到成因。细致的描述能避免去解释并不存在的东西。",
        ),
        (
            "### 二、由什么引起\n\n原因很少只有一个，可以分成三类：\n\n- **直接原因**：紧挨着现象发生；\n- **必要条件**：缺了它什么都不会发生；\n"
            "- **偶然因素**：决定在何时、何地发生。",
        ),
        (
            "### 三、意味着什么\n\n好的解释能够预测新的现象。如果我们对{t}的理解是对的，那么条件改变之后，结果也应当随之改变。这一点是可以检验的。",
        ),
        (
            "### 结论\n\n关于{t}，好的回答是谦逊的：指出最主要的原因，承认不确定的部分，并告诉读者到哪里去了解更多。需要精确数据时，请查阅专门的资料。",
        ),
    ),
    _plan(
        r"",
        ("## {t}：三个角度", "## 关于{t}的几点思考", "## 平心而论{t}"),
        (
            "很少有话题像**{t}**这样，能同时反映谈论者自己。问三个人，会听到四种意见；所以，我们不妨一步一步来。",
            "乍看之下，**{t}**人人都懂；再看一眼，它却展开成一连串值得慢慢回答的问题。",
        ),
        (
            "### 一、实际的一面\n\n在日常生活里，{t}总是与{a}连在一起。这里要紧的不是理论，而是在一个普通的星期二、时间不多、茶也凉了的时候，它还管不管用。",
            "### 一、我们在哪里遇见它\n\n我们往往不是直接遇见{t}，而是先遇见{a}。正因如此，经验在这里格外重要，两个诚实的人也可能得出不同的结论。",
        ),
        (
            "### 二、长远的一面\n\n每一代人都以为自己面对的问题是全新的。历史劝人耐心：当时看来的断裂，后来常常只是一个弯道。",
            "### 二、反对的声音\n\n最有力的反对意见值得认真听：也许我们高估了{t}，只因为它显眼；而低估了{b}，只因为它安静。",
        ),
        (
            "### 三、人的一面\n\n- 它需要**专注**，而专注是稀缺的。\n- 它奖励**练习**，而练习是缓慢的。\n- 它依赖**信任**，而信任要靠一件件小事积累。",
        ),
        (
            "### 结论\n\n总的来说，{t}既不是奇迹，也不是威胁，而是一项功课：看得仔细，说得明白，让后来的人比我们知道得更多一点。",
            "### 结论\n\n如果只记住一句话，那就是：先说清楚谈的是{t}的哪一部分，问题就简单了一半。接下来，你想看哪一部分？",
        ),
    ),
)
