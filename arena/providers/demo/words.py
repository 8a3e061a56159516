"""What a prompt is about: its sentences, its telling words and its topic, without a dictionary."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from arena.providers.demo.talk import quote

if TYPE_CHECKING:
    from arena.providers.demo.talk import Talk

SAMPLE: Final = 4_000
"""Characters of a long prompt that are looked at from its start; as many again from its end."""

ENGLISH_STOP: Final = frozenset(
    ["a", "about", "above", "after", "again", "all", "also", "always", "am", "an", "and", "any", "anyone", "anything", "are", "around", "as", "ask", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "came", "can", "cannot", "could", "did", "do", "does", "doing", "done", "down", "each", "either", "else", "enough", "even", "ever", "every", "everything", "explain", "few", "find", "first", "for", "from", "further", "get", "give", "go", "going", "got", "had", "has", "have", "having", "he", "hello", "help", "her", "here", "hers", "hi", "him", "his", "how", "however", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "keep", "know", "last", "least", "less", "let", "like", "list", "little", "long", "look", "made", "make", "many", "may", "maybe", "me", "mean", "might", "more", "most", "much", "must", "my", "myself", "name", "need", "never", "new", "no", "nor", "not", "nothing", "now", "of", "off", "often", "ok", "on", "once", "one", "only", "or", "other", "our", "ours", "out", "over", "own", "perhaps", "please", "put", "quite", "rather", "really", "said", "same", "say", "see", "shall", "she", "short", "should", "show", "simple", "since", "so", "some", "someone", "something", "soon", "still", "such", "sure", "take", "tell", "than", "thank", "thanks", "that", "the", "their", "theirs", "them", "then", "there", "these", "they", "thing", "things", "think", "this", "those", "though", "three", "through", "to", "today", "too", "two", "under", "until", "up", "upon", "us", "use", "used", "using", "very", "want", "was", "way", "we", "well", "were", "what", "whatever", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "without", "word", "words", "would", "write", "yes", "yet", "you", "your", "yours", "yourself", "ten", "sentence", "sentences", "answer", "question", "best", "good", "great", "describe", "compare", "difference", "summarise", "summarize", "sum", "example", "examples", "don", "doesn", "didn", "isn", "aren", "wasn", "won", "couldn", "shouldn", "ll", "ve", "re", "day", "lot", "bit", "kind", "sort", "next", "stay", "today's", "i'm", "i've", "it's", "that's", "don't", "won't", "can't", "four", "five", "six", "seven", "eight", "nine"]
)
_CHINESE_STOP: Final = tuple(
    ["为什么", "是什么", "什么是", "怎么样", "怎么办", "怎么", "怎样", "如何", "什么", "哪些", "哪个", "哪里", "多少", "几个", "是否", "可以", "可否", "能不能", "能否", "请问", "请你", "请用", "请给", "请以", "请写", "请", "帮我", "帮忙", "告诉我", "告诉", "给我", "给出", "介绍一下", "介绍", "解释一下", "解释", "说明一下", "说明", "描述", "讲给", "讲讲", "讲一下", "讲解", "谈谈", "说说", "聊聊", "写一篇", "写一首", "写一个", "写一段", "写个", "写", "一篇", "一首", "一个", "一段", "一下", "一句话", "一句", "一些", "一种", "一次", "一条", "一点", "有点", "关于", "对于", "以及", "或者", "还是", "但是", "不过", "而且", "因为", "所以", "如果", "那么", "然后", "其中", "这个", "那个", "这些", "那些", "这样", "那样", "这里", "那里", "我们", "你们", "他们", "她们", "它们", "大家", "自己", "没有", "不是", "不要", "不能", "不会", "不超过", "需要", "应该", "想要", "想知道", "我想", "知道", "觉得", "认为", "进行", "使用", "比较", "区别", "例子", "文章", "作文", "短文", "小故事", "诗歌", "首诗", "古诗", "概括", "总结", "归纳", "指出", "隐含", "一起", "每次", "直到", "足够", "之间", "之后", "之前", "的话", "的时候", "时候", "今天", "昨天", "明天", "现在", "今年", "去年", "换了", "非常", "特别", "真的", "到底", "究竟", "的", "了", "吗", "呢", "吧", "啊", "呀", "嘛", "哦", "与", "及", "或", "在", "是", "我", "你", "您", "他", "她", "它", "这", "那", "就", "都", "也", "还", "又", "很", "太", "把", "被", "让", "给", "而", "且", "个", "着", "岁", "几", "各", "却", "两个", "三个", "三句话", "三句", "等于", "叫", "做", "只"]
)
_CHINESE_BREAK = re.compile(
    "|".join(sorted(map(re.escape, _CHINESE_STOP), key=len, reverse=True))
    + "|和(?![平谐睦尚解风声气])|(?<![作使应利费信日实引])用(?![户途品法力处])|(?<![重主需必])要(?![求点素])|有(?![机限效趣])"
)
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_LATIN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ][A-Za-zÀ-ÖØ-öø-ɏ0-9'’+#-]*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE = re.compile(r"[^。！？!?\n.;；]+(?:[.](?=\S)[^。！？!?\n.;；]*)*[。！？!?.;；]*[”’」』\"')）]*")
_TOPIC_EN: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:essay|story|poem|article|song|speech|letter|email|text|paragraph|haiku|sonnet|opinion|think|thoughts?|talk|tell me|know|learn"
        r"|write|something)\s+(?:about|on|of)\s+([^.?!,;:\n]{2,60})",
        r"\bin which\s+([^.?!,;:\n]{2,40}?)\s+(?:is|are)\b",
        r"^\W*(?:so\s+)?what(?:'s|\s+is|\s+are|\s+was|\s+were)\s+(?:an?\s+|the\s+)?(?:meaning\s+of\s+|difference\s+between\s+)?([^.?!,;:\n]{2,50})",
        r"^\W*(?:who|where)(?:'s|\s+is|\s+are|\s+was|\s+were)\s+(?:an?\s+|the\s+)?([^.?!,;:\n]{2,50})",
        r"^\W*(?:please\s+)?(?:explain|describe|define|discuss|introduce|compare)\s+(?:to me\s+)?(?:an?\s+|the\s+)?([^.?!,;:\n]{2,50})",
        r"\bhow (?:do|does|can|could|should|would) (?:i|you|we|one|an?|the)?\s*([^.?!,;:\n]{2,50})",
        r"\bhow to\s+([^.?!,;:\n]{2,50})",
        r"^\W*why (?:is|are|do|does|did|was|were|can|should) (?:an?\s+|the\s+)?([^.?!,;:\n]{2,50})",
        r"\babout\s+([^.?!,;:\n]{2,50})",
    )
)
_TOPIC_ZH: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:以|用)[“\"「《]([^”\"」》\n]{1,16})[”\"」》]为",
        r"(?:关于|有关|围绕|介绍一下|介绍|解释一下|解释|谈谈|说说|聊聊|讲讲|描述|什么是|什么叫|何为|何谓)[“\"「《]?([^”\"」》，。？！?!,\n的]{1,16})",
        r"以([^，。？！?!,\n“”]{1,10}?)为(?:题|主题|话题|叙述)",
        r"(?:写|作|来)一?(?:首|篇|个|段)[“\"「《]?([^”\"」》，。？！?!,\n的]{1,10})[”\"」》]?的(?:诗|文章|故事|作文|短文|小说)",
        r"^([^，。？！?!,\n]{1,14}?)(?:是什么|是谁|在哪|有什么|有哪些|为什么|怎么|如何|怎样|指的是)",
        r"^(?:请问)?(?:如何|怎么|怎样|为什么)([^，。？！?!,\n]{2,16})",
    )
)
_LOOSE_END = re.compile(
    r"\s+(?:is|are|be|work|works|do|does|please|for me|to me|in at most|in less than|with|using|without|so|and why|like i).*$",
    re.IGNORECASE,
)
_ZH_EDGE = re.compile(r"^(?:一下|一个|一首|一篇|我|你|请|和|在)+|(?:吧|吗|呢|啊|的|了|一下|是|时|却)+$")


def sample(text: str) -> str:
    """The text, or the start and the end of a long one."""
    return text if len(text) <= 2 * SAMPLE else text[:SAMPLE] + "\n" + text[-SAMPLE:]


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, with their end marks."""
    found = (match.group().strip() for match in _SENTENCE.finditer(text))
    return [sentence for sentence in found if _WORD.search(sentence)]


def terms(text: str, limit: int = 6) -> list[str]:
    """The telling words: Chinese phrases between function words, and English words
    that are no stop words; most frequent first.
    """
    return list(_terms(sample(text))[:limit])


@lru_cache(maxsize=64)
def _terms(text: str) -> tuple[str, ...]:
    found = [piece for piece in chinese_pieces(text) if 2 <= len(piece) <= 10]  # noqa: PLR2004
    found += [word for word in _LATIN.findall(text) if len(word) > 2 and word.lower() not in ENGLISH_STOP]  # noqa: PLR2004
    first: dict[str, str] = {}
    for word in found:
        first.setdefault(word.lower(), word)
    counts = Counter(word.lower() for word in found)
    order = {word: place for place, word in enumerate(first)}
    ranked = sorted(first, key=lambda word: (-counts[word], order[word]))
    return tuple(quote(first[word][:24], 24) for word in ranked)


def chinese_pieces(text: str) -> list[str]:
    """The Chinese phrases of a text, between its function words."""
    return [piece for run in _HAN_RUN.findall(text) for piece in _CHINESE_BREAK.split(run) if piece]


def topic(talk: Talk) -> str:
    """What the talk is about in a few words; looks back when the last prompt does not say, empty when nobody said."""
    for prompt in (talk.prompt, *(exchange.prompt for exchange in reversed(talk.earlier))):
        found = _stated(talk, prompt) or " ".join(terms(prompt, 1))
        if found:
            return found
    return ""


def _stated(talk: Talk, prompt: str) -> str:
    for pattern in _TOPIC_ZH if talk.zh else _TOPIC_EN:
        match = pattern.search(prompt[:600])
        if match:
            phrase = _trimmed(talk, match.group(1))
            if phrase and terms(phrase, 1):
                return phrase
    return ""


def _trimmed(talk: Talk, phrase: str) -> str:
    if talk.zh:
        return quote(_ZH_EDGE.sub("", quote(phrase, 16)).strip("“”「」《》\"' "), 16)
    words = _LOOSE_END.sub("", " " + quote(phrase, 60)).strip(" '\"“”").split()
    while words and words[0].lower() in {"a", "an", "the", "my", "your", "some", "is", "are"}:
        words.pop(0)
    return " ".join(words[:6])
