"""Answers by kind of request: what is asked about stands in both, and what a frame cannot keep is refused or named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena_providers.demo.script import read
from arena_providers.demo.skills import answer, can_answer

PROMPTS = Path(__file__).parent
REACHED = {
    "prompts.en": 0.63,
    "prompts.zh": 0.66,
    "further.en": 0.2,
    "further.zh": 0.1,
    "analogues.en": 0.33,
    "analogues.zh": 0.45,
}
"""Least share of each list that the script answers.

`prompts` were written before the script by somebody who did not know it, and it was extended with them in view.
`further` are natural prompts by somebody who did not know the script; nearly all ask for knowledge, which it refuses.
They are held for no wrong match; what is answered of them was in view later, so of unseen prompts it is less.
`analogues` ask for the same kinds of answer about other things, and were written after the frames.
"""
MARKS = ("template", "模板", "frame", "框架")
ENGLISH = {
    "Write a poem about {}": "a lighthouse",
    "can you write a short poem about {}?": "my cat Pickles",
    "Please tell me a story about {}.": "a sleepless baker",
    "write a haiku on {}": "snow",
    "Write a limerick about {}": "a goose in a taxi",
    "write a song for {}": "the last bus",
    "Write a short essay on {}": "public libraries",
    "Write a review of {}": "a folding bicycle",
    "slogan for {}": "a repair café",
    "titles for {}": "moss",
    "Write an email to my landlord about {}": "a broken window",
    "write a letter asking for {}": "a later deadline",
    "Write a birthday message for {}": "my aunt Rosa",
    "write a thank you note to {}": "our neighbours",
    "cover letter for {}": "a job as a nurse",
    "give me 5 names for {}": "a hamster",
    "name ideas for {}": "a knitting shop",
    "4 day itinerary for {}": "Porto",
    "make a study plan for {}": "the driving test",
    "packing list for {}": "a week at sea",
    "Write a farewell note to {}": "our colleagues",
    "tell me a knock knock joke about {}": "lettuce",
    "interview questions for {}": "a beekeeper",
    "ideas for {}": "a garden party",
    "Use the word “{}” in a sentence": "lantern",
    "recipe for {}": "celery soup",
    "What can I cook with {}?": "leeks and rice",
    "gift ideas for {}": "a retired pilot",
    "{} or oranges? pick one": "plums",
    "pros and cons of {}": "living alone",
    "What do you think about {}?": "open offices",
    "How can I {}?": "become more patient",
    "tips for {}": "a long flight",
    "I feel {} today": "homesick",
}
CHINESE = {
    "写一首关于{}的诗": "旧自行车",
    "请帮我写一首关于{}的小诗吧": "雨后的车站",
    "给我讲一个关于{}的睡前故事": "猫头鹰",
    "以“{}”为题写一篇作文": "外公的收音机",
    "写一首关于{}的打油诗": "减肥",
    "给{}写一句广告语": "修鞋铺",
    "给房东写一封邮件,说明{}": "水管漏水",
    "给{}写一段乔迁祝福": "表姐",
    "给我的{}起个名字": "仓鼠",
    "给{}起五个名字": "书店",
    "写一篇演讲稿 关于{}": "垃圾分类",
    "写一首现代诗 关于{}": "孤独",
    "写个关于{}的小故事": "两只猫",
    "写一封邮件给客户,通知{}": "会议改到周五",
    "写封信给房东要求{}": "退押金",
    "{}三日游攻略": "厦门",
    "制定一个{}的计划": "考驾照",
    "关于{}的面试问题": "养蜂人",
    "用“{}”造句": "灯笼",
    "{}怎么做": "萝卜炖牛腩",
    "{}的做法": "凉拌海带",
    "送{}什么礼物好": "退休的同事",
    "{}和游泳你选哪个": "爬山",
    "{}的利弊": "独居",
    "你怎么看{}": "加班",
    "怎样{}": "养成记账的习惯",
    "去{}要带什么": "海边",
    "今天好{}": "累",
}
KEPT_BACK = [
    "Write a rap battle between a fork and a spoon",
    "写一段拖把和扫帚的对话",
    "Tell me a joke about parrots",
    "讲一个关于鹦鹉的笑话",
    "write a haiku about an old bicycle",
    "写一首关于大海的五言绝句",
    "what should I see in Porto in two days?",
    "how do i learn the violin fast",
    "怎么提高学生的阅读兴趣",
    "如何克服社交恐惧",
    "怎么提高英语口语",
    "how can I improve my handwriting",
    "写一首关于大海的七言绝句",
    "gift ideas for my aunt under 20 dollars",
    "送表姐什么礼物好，预算200",
    "write a song about love that rhymes with orange",
    "Write a poem in the style of a sea shanty",
    "a poem about dogs without the letter e",
    "write a poem about spring in French",
    "Write a story using the words moon and fish",
    "15 titles for a book about moss",
    "write a sonnet about pizza",
    "Is tea or juice healthier?",
    "is a whale a fish or a mammal?",
    "how do I stop a docker container",
    "how to reduce a fraction",
    "how to build a shed",
    "Compare the Nile and the Amazon",
    "Should I take aspirin with coffee?",
    "write a poem about <b>me</b>",
    "模仿鲁迅的口吻写一段关于加班的话",
    "写一首关于春天的诗,不要出现花字",
    "鲸鱼是鱼还是哺乳动物",
    "地球和火星哪个大",
    "怎么减少电脑的内存占用",
    "提高汽车的油耗怎么办",
    "感冒了吃什么药",
    "Pretend to be a sailor in a storm. Describe how you survive.",
    "Write a story about a bridge and explain why it fell",
    "为儿童设计一个有趣的数学问题",
    "作为一名新来的园丁,你有什么计划",
    "现在为周末创作五个电影的点子",
    "What should I call you?",
    "How to improve the recall of a detector with human knowledge",
    "How do I learn more about airplanes?",
    "Write a poem from the perspective of a lamp",
    "How do you make miso soup",
    "make a song about frogs in reggae style",
    "best songs of the seventies",
    "Give me some idea of a new company name",
    "What do you know about Iraq",
    "Do you think you have passed the Turing test?",
    "Tell me a story about physics like a sailor would",
    "Should I use alum or iron to dye wool?",
    "What are the best exercises for beginners?",
    "那位歌手的最佳歌曲",
    "公地是市场的可行替代方案吗",
    "请以离开的人的角度写一篇演讲稿",
    "写一个关于植物的剧本",
    "面试要准备什么",
    "What does the @ in Python do?",
    "Write a short funny poem about my cat",
    "Write a poem about winter and translate it into Spanish",
    "Write a speech about teamwork for my company",
    "Write an essay on libraries, 300 words",
    "写一首搞笑的关于冰箱的诗",
    "写一个关于医院的恐怖故事",
    "Write a story about a bridge in the first person",
    "a story about a fox with a twist",
    "a poem about rain for 5 year olds",
    "a song about trains but not about leaving",
    "Write a bedtime story about a tractor. About 200 words.",
    "写一首关于秋天的七律",
    "写一篇关于友谊的作文,分三段",
    "costume ideas for Halloween",
    "trivia questions about Rome",
    "Java面试题",
    "what is the name for a female fox",
    "mitosis vs meiosis",
    "西红柿炒蛋先放盐还是后放盐",
    "北京到上海高铁和飞机哪个划算",
    "is it ok to microwave eggs in the shell",
    "pros and cons of buying vs leasing a car",
    "湿疹反复发作平时要注意什么",
    "eggless carrot cake recipe",
    "fruit salad recipe",
    "can you name the planets",
    "Do you think it will rain tomorrow?",
    "resignation letter to my boss because of stress and noise",
]


def filled(pattern: str, subject: str) -> str:
    return pattern.format(subject)


def is_framed(texts: tuple[str, str]) -> bool:
    return all(any(mark in text.rsplit("\n", 1)[-1] for mark in MARKS) for text in texts)


@pytest.mark.parametrize(("pattern", "subject"), [*ENGLISH.items(), *CHINESE.items()])
def test_what_is_asked_about_stands_in_both_answers_which_say_that_they_are_frames(pattern: str, subject: str) -> None:
    texts = answer(read(filled(pattern, subject)))
    heart = max(re.split(r"\bmy |\bour |的", subject), key=len).removeprefix("a ").removeprefix("the ").lower()
    assert is_framed(texts), texts
    is_named = "name" in pattern or "名字" in pattern
    assert all(heart in text.lower() for text in texts[is_named:]), texts
    assert texts[0] != texts[1]


@pytest.mark.parametrize(
    "opening",
    ["写一首", "请帮我写一首", "你能给我写一首", "帮忙创作一首", "来一首", "麻烦您写首", "我想要一首", "给我来首"],
)
@pytest.mark.parametrize("subject", ["长城", "好奇心", "小巷", "短跑", "能量", "新家", "给予"])
def test_an_opening_is_no_part_of_the_object(opening: str, subject: str) -> None:
    assert answer(read(f"{opening}关于{subject}的诗"))[0].startswith(f"{subject}啊{subject}，")


@pytest.mark.parametrize("opening", ["想一个", "来一个", "帮我想个", "给我写一个", "给我一个", "我想要一个", "做一个"])
@pytest.mark.parametrize("kind", ["口号", "标题", "计划", "菜单", "感谢信", "影评", "情书", "笑话", "面试问题"])
def test_an_opening_without_an_object_fills_no_frame(opening: str, kind: str) -> None:
    assert not is_framed(answer(read(opening + kind)))


@pytest.mark.parametrize(
    "opening", ["write a", "Please write me a", "Can you write a", "I want you to write a", "hi, compose a"]
)
@pytest.mark.parametrize("subject", ["writing", "a poem", "giving and taking", "please and thanks"])
def test_words_of_asking_may_be_the_object(opening: str, subject: str) -> None:
    assert answer(read(f"{opening} poem about {subject}"))[0].lower().startswith(f"{subject},")


NOUN_FRAMES = (
    *(
        "Write a poem about {}",
        "Write a limerick about {}",
        "Please tell me a story about {}.",
        "write a song about {}",
    ),
    *(
        "Write a short essay on {}",
        "write a haiku about {}",
        "ideas for {}",
        "tell me a joke about {}",
    ),
    *("Write a review of {}", "tell me a knock knock joke about {}", "gift ideas for {}", "Thoughts on {}?"),
    *(
        "What do you think about {}?",
        "recipe for {}",
        "metaphor for {}",
        "{} or oranges?",
        "should I get {} or a bike?",
    ),
)
INVOLVED = (
    *(
        "accountants that isn't about taxes",
        "a man from Dundee who collects umbrellas",
        "my dog Buddy who loves the beach",
    ),
    *(
        "a party that isn't on a boat",
        "a town whose mayor is a goat",
        "a lamp which never went out",
        "a “quiet” weekend",
    ),
    *(
        "a book about a bridge",
        "a robot I built",
        "two brothers fighting over a kite",
        "losing my job",
        "the long way home over the hills in the rain",
        "a party nobody was at",
    ),
)
ZH_NOUN_FRAMES = (
    *(
        "写一首关于{}的诗",
        "给我讲一个关于{}的睡前故事",
        "讲一个关于{}的笑话",
        "写一首关于{}的打油诗",
        "写一首关于{}的歌",
    ),
    *("写一篇关于{}的作文", "写一首关于{}的五言绝句", "写一首关于{}的俳句", "你怎么看{}", "关于{}的比喻"),
)
ZH_INVOLVED = (
    "怕黑的猫头鹰",
    "西湖下雪",
    "熊猫减肥",
    "两只猫吵架",
    "不会飞的小鸟",
    "爱吃鱼的狮子",
    "没有尾巴的狐狸",
    "一只住在灯塔里的海鸥",
    "小猫找妈妈",
    "妈妈做饭",
    "程序员加班到天亮",
)


@pytest.mark.parametrize(
    "prompt",
    [filled(frame, subject) for frame in NOUN_FRAMES for subject in INVOLVED]
    + [filled(frame, subject) for frame in ZH_NOUN_FRAMES for subject in ZH_INVOLVED],
)
def test_a_frame_takes_no_object_that_is_more_than_a_plain_noun_phrase(prompt: str) -> None:
    assert not can_answer(prompt), answer(read(prompt))


PAIRS = (
    ("renting a boat", "buying one"),
    ("the Pixel 8", "the Galaxy S24"),
    ("a cardigan", "a jumper"),
    ("vim", "emacs"),
)
ZH_PAIRS = (("小米14", "华为Mate 60"), ("学吉他", "学钢琴"), ("骑车", "坐地铁"), ("“唔该", "多谢”"))


@pytest.mark.parametrize(
    "prompt",
    [
        pattern.format(*pair)
        for pattern in (
            "Which is better, {} or {}?",
            "{} or {}?",
            "Compare {} and {}",
            "{} vs {}",
            "should I buy {} or {}?",
        )
        for pair in PAIRS
    ]
    + [
        pattern.format(*pair)
        for pattern in ("{}和{}哪个好", "{}还是{}好?", "{}好还是{}好?", "比较一下{}和{}", "{}和{}哪个更值得买?")
        for pair in ZH_PAIRS
    ],
)
def test_two_options_are_not_weighed_without_knowledge_of_either(prompt: str) -> None:
    assert not can_answer(prompt), answer(read(prompt))


@pytest.mark.parametrize("subject", ["rain", "snow", "tea", "the moon".removeprefix("the "), "night", "love"])
def test_a_haiku_is_on_a_word_of_one_syllable_that_its_lines_have_room_for(subject: str) -> None:
    short, thorough = answer(read(f"Write a haiku about {subject}"))
    assert short.startswith(f"{subject.title()} in the half-light,\n")
    assert f"\nThe thought of {subject} comes and goes,\n" in thorough


@pytest.mark.parametrize("subject", ["old shoes", "table", "autumn", "apple", "music", "ocean", "coffee", "iris"])
def test_a_haiku_on_a_longer_word_is_refused(subject: str) -> None:
    assert not can_answer(f"Write a haiku about {subject}")


def test_a_chinese_haiku_has_five_seven_and_five_characters() -> None:
    for text in answer(read("写一首关于台灯的俳句")):
        lines = [len(re.findall(r"[\u4e00-\u9fff]", line)) for line in text.splitlines()]
        assert [5, 7, 5] in [lines[start : start + 3] for start in range(len(lines))]


@pytest.mark.parametrize(
    "prompt", ["Write a poem about lanterns", "写一首关于灯笼的诗", "Write a limerick about lanterns"]
)
def test_a_poem_has_its_object_in_its_lines_and_not_in_the_title_alone(prompt: str) -> None:
    for text in answer(read(prompt)):
        lines = [line for line in text.splitlines() if not line.startswith("*")]
        assert any("lanterns" in line.lower() or "灯笼" in line for line in lines), text


@pytest.mark.parametrize("prompt", KEPT_BACK)
def test_what_a_frame_cannot_keep_is_refused(prompt: str) -> None:
    assert not can_answer(prompt)


@pytest.mark.parametrize(
    ("pattern", "subject", "further"),
    [(*row, ". How long does it take?") for row in ENGLISH.items()]
    + [(*row, "。这要多久?") for row in CHINESE.items()],
)
def test_a_second_request_is_not_passed_over(pattern: str, subject: str, further: str) -> None:
    assert not can_answer(filled(pattern, subject).rstrip(".?") + further)


@pytest.mark.parametrize(
    ("prompt", "items"), [("3 titles for a play", 3), ("titles for a play", 5), ("2 day itinerary for Porto", 2)]
)
def test_a_list_has_as_many_items_as_asked_for(prompt: str, items: int) -> None:
    for text in answer(read(prompt)):
        assert len(re.findall(r"(?m)^(?:- |\d+\. )", text)) == items


@pytest.mark.parametrize("name", REACHED)
def test_the_share_of_each_list_that_is_answered_by_two_texts_on_its_object(name: str) -> None:
    prompts = (PROMPTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    answers = {prompt: answer(read(prompt)) for prompt in prompts if can_answer(prompt)}
    assert len(answers) >= REACHED[name] * len(prompts)
    for prompt, texts in answers.items():
        assert texts[0] != texts[1]
        if is_framed(texts):
            words = re.findall(r"[a-z]{4,}", prompt.lower()) + re.findall(r"(?=([\u4e00-\u9fff]{2}))", prompt)
            assert any(word in texts[1].lower() for word in words), prompt
