"""Kinds of request the note-taker knows, and what it expects of an answer to each."""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Kind(NamedTuple):
    """How a kind of request is recognised, its name, the outline of an answer and questions that remain."""

    pattern: re.Pattern[str]
    name: str
    outline: tuple[str, ...]
    asks: tuple[str, ...]


def _kind(pattern: str, name: str, outline: str, asks: str) -> Kind:
    return Kind(re.compile(pattern, re.IGNORECASE), name, tuple(outline.split("|")), tuple(asks.split("|")))


KINDS_EN: Final = (
    _kind(r"\b(?:code|function|python|javascript|java|sql|program|script|regex|algorithm|bug)\b", "code",
          "The signature: what goes in, what comes out, which errors.|The plain solution first, readable rather than clever."
          "|Edge cases: empty input, one element, duplicates, very large input.|Two or three examples that can be run, and the cost in time and memory.",
          "Which language version, and how large is the input?|What should happen when the input is wrong?"),
    _kind(r"\b(?:story|poem|essay|song|letter|email|slogan|speech|haiku|novel|lyrics|joke)\b", "creative writing",
          "One concrete image of {t} in the first line.|A turn: something must be different at the end.|The length and the voice that were asked for.|A last sentence that can be remembered.",
          "Who will read it, and how should they feel afterwards?|In which tone: warm, dry, funny?"),
    _kind(r"\b(?:you are an?|pretend|act as|role ?play|stay in (?:your )?role)\b", "role play",
          "The character's voice, words and manners of its time.|What the character knows, and above all what it cannot know.|An answer in character to what was asked.|A little door left open for the next line.",
          "How serious or how funny may the scene become?"),
    _kind(r"\b(?:scam|phishing|password|bank account|link|hack|virus|safe|danger|poison|medicine)\b", "safety",
          "The calm first step: do nothing in haste.|How to check through a channel that is known to be genuine.|What to do if something has already happened.|Whom to tell: the bank, the platform, the police, a professional.",
          "Has anything been clicked, sent or taken already?"),
    _kind(r"\d\s*[-+*/×÷%^]|\b(?:calculate|how much|how many|percent|sum|average|discount|price|cost)\b", "calculation",
          "The quantities, each with its unit.|The equation, before any number is put in.|The result with a sensible number of digits.|A check: put the result back, or estimate.",
          "Which numbers are exact and which are rounded?"),
    _kind(r"\b(?:puzzle|riddle|logic|boxes|liar|prove|if all|only one|exactly)\b", "reasoning",
          "The facts, one to a line, in own words.|What cannot be the case, and why.|The step that decides it.|The answer, checked against every fact.",
          "Is any fact missing, or any fact there only to mislead?"),
    _kind(r"\b(?:vs\.?|versus|compare|difference|better than|or)\b.*\?|\bcompare\b|\bdifference between\b", "comparison",
          "The measures by which the two are compared.|A table, one line per measure.|For whom the one is better, for whom the other.|A verdict with its condition.",
          "Which measure counts most to you?"),
    _kind(r"\bplan\b|\btrip\b|\bschedule\b|\bitinerary\b|\broadmap\b", "planning",
          "The goal and how one would notice that it is reached.|Limits: time, money, people, weather.|The order of steps, with a way out of each.|The first step, small enough for today.",
          "Which limit is the tightest: time, money or energy?"),
    _kind(r"\bwhy\b", "explanation",
          "What exactly is observed about {t}.|The cause, in one sentence.|How the cause leads to what is seen, step by step.|Where the explanation stops being certain.",
          "For which reader: a child, a neighbour or an expert?"),
    _kind(r"\bhow\b", "instructions",
          "What must be at hand before beginning.|The steps in order, one action each.|The usual mistake, and how to see it early.|How to know that {t} is done.",
          "What has been tried already?"),
    _kind(r"\b(?:i feel|i am|i'm|i have had|tired|sad|cheer|hello|hi|hey)\b", "conversation",
          "That the other has been heard, in a few words.|One thing that is true and kind.|A question that can be answered without effort.",
          "Is advice wanted, or company?"),
    _kind(r"", "information",
          "What {t} is, in one sentence without jargon.|Why it matters or where one meets it.|One example and one common misunderstanding.|Where to read on.",
          "How much is known about {t} already?|Is the short version enough?"),
)  # fmt: skip

KINDS_ZH: Final = (
    _kind(r"代码|函数|程序|脚本|算法|python|java|sql|正则|编程|bug", "编写代码",
          "接口：输入什么，输出什么，出错时怎样。|先给最易读的解法，而不是最花哨的。|边界情况：空输入、单个元素、重复值、超大输入。|两三个可运行的例子，以及时间和空间代价。",
          "使用哪个语言版本？数据量有多大？|输入不合法时希望怎样处理？"),
    _kind(r"故事|诗|作文|文章|歌词|写信|邮件|文案|演讲|小说|笑话|标语", "创作",
          "开头一句就有“{t}”的具体画面。|中间有转折，结尾要与开头不同。|篇幅和口吻符合要求。|留下一句让人记得住的话。",
          "给谁看？希望对方读完是什么心情？|语气要温暖、克制还是幽默？"),
    _kind(r"你是.{1,20}(?:掌柜|老师|医生|侦探|导游|皇帝|诗人|店|员|家)|扮演|角色|出戏", "角色扮演",
          "符合人物身份和时代的口吻。|人物知道什么，更要紧的是不可能知道什么。|留在角色里正面回应。|给下一句台词留一扇门。",
          "场面要严肃一些，还是可以逗趣？"),
    _kind(r"诈骗|短信|链接|密码|账户|冻结|验证码|病毒|安全|危险|中毒|吃药", "安全",
          "先冷静：不急着点击、转账或回复。|用自己查到的官方渠道核实。|如果已经操作了，怎样补救。|该告诉谁：银行、平台、警方或专业人士。",
          "目前有没有点开、转账或提供过信息？"),
    _kind(r"\d\s*[-+*/×÷%^]|等于|多少|计算|打.折|原价|平均|百分", "计算",
          "列出每个已知量和它的单位。|先写等式，再代入数字。|结果保留合适的位数。|验算：代回去，或估算一遍。",
          "哪些数字是准确的，哪些是约数？"),
    _kind(r"推理|谜|逻辑|箱子|真话|假话|证明|只有一个|如果所有", "逻辑推理",
          "把已知条件逐条改写成自己的话。|哪些情况不可能，为什么。|决定性的一步。|用每个条件检验答案。",
          "有没有缺少的条件，或者只用来迷惑人的条件？"),
    _kind(r"区别|比较|对比|哪个好|哪个更|还是.{1,10}[？?]|优缺点", "比较",
          "用哪些标准来比。|一张表，一行一个标准。|各自适合什么人。|有前提的结论。",
          "您最看重哪一条标准？"),
    _kind(r"规划|计划|行程|安排|旅行|出行|路线", "规划",
          "目标是什么，怎样算达到。|限制：时间、预算、同行的人、天气。|步骤的次序，每步留一条退路。|今天就能做的第一小步。",
          "最紧的限制是时间、预算还是体力？"),
    _kind(r"为什么|为何|原因", "解释原因",
          "到底观察到了什么现象。|一句话说出原因。|原因怎样一步步导致现象。|解释到哪里就不再确定。",
          "讲给谁听：孩子、邻居还是专家？"),
    _kind(r"怎么|如何|怎样|步骤|方法", "操作方法",
          "开始之前要准备什么。|按顺序列出步骤，一步一个动作。|最常见的错误，怎样早发现。|怎样判断已经完成。",
          "目前已经试过哪些办法？"),
    _kind(r"我(?:今天|最近)?(?:很|有点|好|觉得)|你好|您好|累|难过|开心|心情", "聊天",
          "先让对方知道被听见了。|说一句真诚而温和的话。|问一个不费力就能回答的问题。",
          "对方想要建议，还是陪伴？"),
    _kind(r"", "了解信息",
          "不用术语，一句话说明“{t}”是什么。|为什么重要，在哪里会遇到。|一个例子和一个常见误解。|可以接着读什么。",
          "对“{t}”已经了解多少？|简短的版本够不够？"),
)  # fmt: skip
