"""The rules of the reflective speaker, most telling first, and the turning round of pronouns."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from arena.providers.demo.talk import Tongue

_SWAP_EN: Final = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "am": "are", "i'm": "you are", "i've": "you have",
    "i'll": "you will", "i'd": "you would", "was": "were", "your": "my", "yours": "mine", "yourself": "myself", "you're": "I am",
    "you've": "I have", "you'll": "I will", "we": "you", "us": "you", "our": "your", "ours": "yours", "ourselves": "yourselves",
}  # fmt: skip
_SUBJECT: Final = re.compile(
    r"\byou (are|were|can|could|will|would|do|did|have|had|should|may|might|must|know|think|like|want|say|said)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
_SWAP_ZH: Final = {
    "我们": "你们",
    "咱们": "你们",
    "你们": "我们",
    "我": "你",
    "俺": "你",
    "你": "我",
    "您": "我",
    "咱": "你",
}
_PRONOUN_ZH = re.compile("|".join(_SWAP_ZH))


class Rule(NamedTuple):
    """A pattern over one sentence and what may be said to it; `{0}` is the first group turned round, `{t}` the topic."""

    pattern: re.Pattern[str]
    replies: tuple[str, ...]


def reflect(text: str, tongue: Tongue) -> str:
    """The text from the other person's point of view."""
    if tongue is Tongue.ZH:
        return _PRONOUN_ZH.sub(lambda match: _SWAP_ZH[match.group()], text)
    text = _SUBJECT.sub(lambda match: f"\0{match.group(1)}", text)
    turned = _WORD.sub(lambda match: _turned(match.group()), text)
    return re.sub(
        "\0(\\w+)",
        lambda match: "I " + {"are": "am", "were": "was"}.get(match.group(1).lower(), match.group(1)),
        turned,
    )


def _turned(word: str) -> str:
    lower = word.lower().replace("’", "'")
    return "me" if lower == "you" else _SWAP_EN.get(lower, word)


def _rules(table: tuple[tuple[str, str], ...]) -> tuple[Rule, ...]:
    return tuple(Rule(re.compile(pattern, re.IGNORECASE), tuple(replies.split("|"))) for pattern, replies in table)


ENGLISH: Final = _rules((
    (r"^\W*(?:hi|hello|hey|good (?:morning|evening|afternoon|day))\b.{0,30}$",
     "Hello, I am glad you are here. What is on your mind today?|Hello. How are you, really?|Hi there. Where shall we begin?"),
    (r"\b(?:suicid|kill myself|end my life|self[- ]?harm|hurt myself)",
     "I am really glad you said that out loud. I am only a simple program, so please talk to somebody right now: a person you trust, "
     "your local emergency number or a crisis line. Who could you call first?"),
    (r"\bbye\b|\bgood ?night\b", "Goodbye, and thank you for talking. What will you take with you from this?|Take care. Come back whenever you like."),
    (r"\bthank(?:s| you)\b", "You are welcome. What was it that helped?|I am glad. What would you like to look at next?"),
    (r"\bsorry\b", "There is nothing to be sorry for. What made you feel you should say it?|No need to apologise. Please go on."),
    (r"\bi (?:remember|recall) (.{3,80})", "What else do you remember when you think of {0}?|Why do you think {0} comes back to you now?"),
    (r"\b(?:cheer me up|make me (?:laugh|smile|happy))",
     "I would love to. Think of the smallest thing that went right today – a warm cup, a green light, somebody's smile. Tell me about that one; it counts more than it looks."),
    (r"\b(?:long|hard|bad|rough|terrible|tough) (?:day|week|year|time)\b",
     "That sounds exhausting. What was the heaviest part of it?|It sounds as if it has taken a lot out of you. What would ten quiet minutes look like?"),
    (r"\bi(?:'m| am) (?:so |very |really |a bit |quite |just )?(sad|unhappy|depressed|lonely|tired|exhausted|stressed|anxious|worried|afraid|scared|angry|bored|lost|confused)\b",
     "I am sorry to hear that you are {0}. When did it begin?|Being {0} can weigh a lot. What is behind it, do you think?|How long have you been {0}? Does anybody know?"),
    (r"\bi(?:'m| am) (?:so |very |really |quite |just )?(happy|glad|excited|proud|grateful|relieved|in love)\b",
     "How nice that you are {0}! What brought it about?|Being {0} suits you. Who would you like to share it with?"),
    (r"\bi(?:'m| am) ((?!going|here|looking|writing|asking).{3,60})", "How long have you been {0}?|What does it mean to you to be {0}?|Do you enjoy being {0}?"),
    (r"\bi (?:need|want|wish for|would like|'d like) (?:to )?(.{3,80})",
     "What would it give you if you got that: {0}?|Suppose it came true tomorrow – {0}. What would change?|What has kept you from it so far?"),
    (r"\bi (?:can't|cannot|can not|am unable to|couldn't) (.{3,80})",
     "What happens when you try to {0}?|What would it take before you could {0}?|Who told you that you cannot {0}?"),
    (r"\bi (?:feel|felt|am feeling) (?:like |that )?(.{3,80})", "When did you first feel {0}?|Tell me more about feeling {0}.|What does it make you want to do?"),
    (r"\bi (?:think|believe|guess|suppose) (?:that )?(.{3,80})", "What makes you think that {0}?|And if the opposite were true?|Do others around you also think that {0}?"),
    (r"\bi (?:love|like|enjoy|hate|dislike) (.{3,80})", "What is it about {0} that moves you?|When did you find out how you feel about {0}?"),
    (r"\bmy (mother|mom|mum|father|dad|brother|sister|wife|husband|son|daughter|family|parents|boss|friend|boyfriend|girlfriend|partner|cat|dog)\b",
     "Tell me more about your {0}.|What would your {0} say if I asked?|How are things between you and your {0}?"),
    (r"\bdream", "What did the dream leave behind when you woke up?|Which person in that dream was most like you?"),
    (r"\bbecause (.{3,80})", "Is that the whole reason – {0}?|And what lies behind that reason?|If it were not so that {0}, what then?"),
    (r"^\W*you are (.{3,60})", "What makes you think that I am {0}?|Perhaps I am {0}. How would that be for you?"),
    (r"\b(?:pretend|role ?play|act as|you are an? )\s*(.{3,60})",
     "Very well, I shall play along. The stage is yours: who walks in first, and what do they want from me?|A good role. Before I put on the costume – which part would you like to play yourself?"),
    (r"\b(?:password|bank|account|link|scam|phishing)\b",
     "Something in you has already become suspicious. Good – stay with it: what would happen if you did nothing for an hour, and then called them on a number you know yourself?"),
    (r"\bplan\b.*\b(?:trip|travel|weekend|holiday|vacation)|\b(?:trip|travel|holiday|vacation)\b",
     "Gladly, one question at a time: when you picture the best moment of it, are you among people or alone in the open air?|First question: what do you want to be tired of on Sunday evening – walking, laughing or eating?"),
    (r"\b(?:write|compose|draft|create|tell me|give me)\b.{0,40}?\b(story|poem|essay|letter|song|joke|code|function|program|email|speech)\b",
     "Before there is a {0}, there is a reason for it. What would you like it to say about you?|Which first sentence have you already got in your head? Start there, and the {0} will follow."),
    (r"\b(?:calculate|how (?:much|many)|equals?)\b|\d\s*[-+*/×÷]\s*\d",
     "You are looking for a number. And what will you do once you have it?|Numbers are patient. What is the decision behind this one?"),
    (r"^\W*what(?:'s| is| are)? (.{3,80}?)\??$", "Before I say anything about it: what do you already suspect – {0}?|What would you like the answer to be when you ask about {t}?"),
    (r"^\W*how (.{3,80}?)\??$", "How would you answer that yourself, if you had to?|What have you tried so far?|Which part of {t} is the hardest for you?"),
    (r"^\W*why (.{3,80}?)\??$", "What explanation comes to your mind first?|Why do you think it is so? I am curious about your reasons.|Does {t} keep you busy often?"),
    (r"^\W*(?:can|could|would|will) you (.{3,80}?)\??$", "Suppose I did: {0}. What would you do with it?|Perhaps you would rather do it yourself, with me listening?"),
    (r"^\W*(?:yes|yeah|ok|okay|sure|right)\b.{0,20}$", "You sound quite sure. Go on.|I see. And what follows from that?"),
    (r"^\W*(?:no|nope|never)\b.{0,20}$", "Why not?|A clear no. What would have made it a yes?"),
    (r"\?\W*$", "Why does that question matter to you just now?|What answer would please you most?|You ask about {t}. What made you think of it?"),
    (r"(?!)", "I hear the silence. What would fill it?|You chose signs instead of words. What do they stand for?"),
    (r"", "Please tell me more about {t}.|What does {t} suggest to you?|I follow you. How do you feel when you say that?|{t} – why that, of all things?"),
))  # fmt: skip

CHINESE: Final = _rules((
    (r"^\W*(?:你好|您好|嗨|哈喽|早上好|晚上好|hi|hello).{0,8}$", "你好，很高兴你来了。今天心里在想些什么？|你好呀。最近过得怎么样，说真的？|你好，我们从哪里聊起？"),
    (r"自杀|不想活|想死|轻生|自残", "谢谢你愿意说出来，这很不容易。我只是一个简单的程序，请现在就联系一个真实的人：你信任的亲友、当地的急救电话或心理援助热线。你第一个可以打给谁？"),
    (r"再见|拜拜|晚安", "再见，谢谢你愿意聊。这次谈话里，你想带走哪一句？|保重，随时回来。"),
    (r"谢谢|多谢|感谢", "不客气。是哪一点帮到了你？|不用谢，接下来你想聊什么？"),
    (r"对不起|抱歉", "不用道歉。是什么让你觉得需要说这句话？|没关系，请继续说。"),
    (r"(?:让|逗|哄)我(?:开心|高兴|笑)|安慰", "好呀。先请你回想今天最小的一件好事：一杯热水、一个绿灯、一句问候。把它讲给我听吧，它比看上去更有分量。"),
    (r"我(?:今天|最近|现在|一直|真的|好像|感到|觉得|有点|有些|很|好|太|特别|非常)*(累|难过|伤心|焦虑|害怕|孤独|生气|烦躁|烦|无聊|迷茫|紧张|委屈|压力大|失眠)",
     "听到你说{0}，我有点心疼。是从什么时候开始的？|{0}的感觉很耗人。你觉得背后是什么？|你{0}的时候，身边有人知道吗？"),
    (r"(?:今天|最近|现在|一直)(?:有点|有些|很|好|太|特别|非常)+(累|难过|伤心|焦虑|孤独|生气|烦|无聊|迷茫|紧张)", "辛苦了。最{0}的那一刻，发生了什么？|{0}的时候，你通常怎样照顾自己？|先歇一歇。如果有十分钟完全属于你，你想怎么过？"),
    (r"我(?:今天|最近|现在|真的|感到|觉得|很|好|太|特别|非常)*(开心|高兴|快乐|幸福|激动|自豪)", "真好！是什么让你这么{0}？|{0}的时候，你最想和谁分享？"),
    (r"我(?:们)?(?:想要|想|需要|希望|打算|要)(.{2,60})", "如果真的{0}了，会有什么不同？|是什么让你想{0}？|想{0}，目前最大的阻碍是什么？"),
    (r"我(?:不能|没法|无法|不会|做不到)(.{2,60})", "你试着{0}的时候，会发生什么？|是谁让你相信自己没法{0}的？|要有什么条件，你才能{0}？"),
    (r"我(?:觉得|认为|感觉|相信|以为)(.{2,60})", "是什么让你觉得{0}？|如果事实恰好相反呢？|身边的人也觉得{0}吗？"),
    (r"我(?:喜欢|爱|讨厌|恨)(.{1,40})", "{0}身上，最打动你的是什么？|你是什么时候发现自己对{0}有这种感觉的？"),
    (r"我(?:记得|想起)(.{2,60})", "想起{0}时，还有什么一起浮现出来？|为什么偏偏现在想起{0}？"),
    (r"我的?(妈妈|爸爸|母亲|父亲|哥哥|姐姐|弟弟|妹妹|老公|老婆|丈夫|妻子|孩子|儿子|女儿|家人|父母|老板|领导|同事|朋友|男朋友|女朋友|猫|狗)", "多跟我说说你的{0}吧。|如果我去问你的{0}，会听到什么？|你和{0}之间，最近怎么样？"),
    (r"梦", "醒来的时候，那个梦留下了什么感觉？|梦里的人，哪一个最像你自己？"),
    (r"因为(.{2,60})", "这就是全部的原因吗？|如果不是因为{0}，又会怎样？|这个原因的背后，还有什么？"),
    (r"^\W*你是(?!谁|不是)(.{2,40})|扮演(.{2,40})|不要出戏", "好，这个角色我接了。幕布拉开：你是谁，从哪里来，一进门最想要什么？|有意思的身份。开演之前我想问：你自己想演哪一个？"),
    (r"密码|银行|账户|转账|链接|诈骗|验证码|冻结", "你心里已经起疑了，这很好。先什么都不点，也不回复：过一个小时，用你自己查到的官方电话打过去，会发生什么？"),
    (r"旅行|旅游|出行|周末", "好，一次一个问题：想象这趟出行最好的一刻，你是在人群里，还是一个人在风里？|先问第一个：到了周日晚上，你希望是走累了、笑累了，还是吃撑了？"),
    (r"(?:写|编|作|讲|来).{0,20}?(故事|诗|文章|作文|信|歌词|笑话|代码|函数|程序|邮件|演讲稿)", "在写{0}之前，先有一个想写的理由。你希望它替你说出什么？|你脑子里是不是已经有了第一句？从那里开始，{0}就会跟上来。"),
    (r"\d\s*[-+*/×÷加减乘除]\s*\d|等于|多少|计算", "你在找一个数字。得到它之后，你会做什么决定？|数字很有耐心。这个数字背后，你真正关心的是什么？"),
    (r"什么是(.{1,30}?)[？?。]?$|^(.{1,30}?)是什么[？?。]?$", "在我开口之前，想先听听：你心里的“{t}”是什么样的？|你希望“{t}”的答案是什么？"),
    (r"怎么|如何|怎样", "如果必须由你自己回答，你会怎么做？|到目前为止，你试过哪些办法？|{t}里，最难的是哪一步？"),
    (r"为什么", "你首先想到的解释是什么？|我很好奇，你自己觉得是为什么？|“{t}”经常占据你的心思吗？"),
    (r"^\W*(?:你)?(?:能|可以|会)(?:不能|不可以|不会)?(.{2,60}?)吗?[？?]?$", "假如我可以，你会拿它来做什么？|也许你更想自己来，由我在旁边听着？"),
    (r"^\W*(?:是的|是|对|嗯|好的|好)\W*$", "听起来你很确定，请继续。|嗯，然后呢？"),
    (r"^\W*(?:不是|不|没有|不对)\W*$", "为什么不呢？|很干脆的否定。怎样才会变成“是”？"),
    (r"[？?]\W*$", "为什么偏偏现在想问这个？|哪一种回答会让你最满意？|说到“{t}”，是什么让你想到它的？"),
    (r"(?!)", "我听见了沉默。你想用什么来填满它？|你用符号代替了文字，它们代表什么？"),
    (r"", "请多说一点“{t}”。|说到“{t}”，你会联想到什么？|我在听。说这句话的时候，你是什么感觉？|为什么偏偏是“{t}”呢？"),
))  # fmt: skip
