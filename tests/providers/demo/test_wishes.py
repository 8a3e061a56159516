"""A number, a topic, a purpose or a person that a prompt names is kept in the answer, or the prompt is refused."""

from __future__ import annotations

import re

import pytest

from arena_providers.demo.script import read
from arena_providers.demo.skills import answer, can_answer

REFUSED = {
    "more things than a note has": [
        *("tell me 3 jokes", "recommend 5 movies", "give me 10 riddles", "讲三个笑话", "讲五个谜语"),
        *("write 3 haikus about rain", "写三首关于秋天的诗", "give me 4 synonyms for happy"),
    ],
    "a topic of things that a note recommends": [
        *("recommend movies about space", "good movies about the moon", "推荐几部关于太空的电影"),
        *("recommend a good horror movie", "以我的老师为题写一篇作文"),
    ],
    "to recommend, which is not to write": ["推荐几本值得看的小说", "推荐一篇童话", "请推荐一个短篇故事"],
    "for whom, which is no object": [
        *("write a fairy tale for adults", "bedtime story for my daughter Emma about a rabbit"),
        *("write a speech for my graduation", "write a letter for my son"),
    ],
    "a person, who is no topic of an essay": ["write an essay about my mother", "写一篇关于我的妈妈的作文"],
    "a letter that needs words of its own": [
        *("write a letter of recommendation", "resignation letter to my boss because of stress"),
        *("write an email to my team thanking them for the help", "推荐信给学生"),
    ],
    "a second thing beside the first": [
        *("write a poem about love and then a joke about it", "what is a black hole and quasars"),
        *("a poem for a wedding about my sister", "李白的诗", "story about a robot, make it sad and under 50 words"),
        *("write a conversation between a teacher and a student about homework",),
    ],
    "another language": ["用英文写一封感谢信", "用文言文写一段自我介绍", "explain gravity in french"],
    "who somebody is": ["write a message to my friend who is sick"],
    "a diet": ["weekly meal plan for a diabetic", "meal plan for vegans", "给糖尿病人的食谱安排", "一周晚餐菜单"],
    "food, of which no frame knows": ["is it ok to eat eggs every day"],
    "a side with a purpose or an aspect": [
        *("what is better for weight loss, running or cycling", "compare ios and android security"),
    ],
    "code, which is no choice": ["python function to check even or odd"],
    "no opinion": ["对联 春节"],
    "a manner after the person": ["birthday card for a coworker funny", "wedding toast for my brother short"],
    "a question behind news": ["i lost my job what should i do", "I broke my leg who can help me"],
    "a tool or a second request in place of a role": [
        *("act as a linux terminal", "act as a translator", "roleplay as a pirate and greet me"),
    ],
    "a brand of which nothing but its kind is kept": ["suggest a name for my startup that sells socks"],
    "another language of code": ["写个hello world 用go", "hello world in perl"],
    "a row of a table with something before or behind it": [
        *("我想喝水用法语怎么说", "who wrote Hamlet and when", "do they speak English in Rome"),
        *("do I need a visa to travel to Paris", "translate good morning to french and german"),
    ],
    "a measure with a bare rest": [
        "convert 5 feet 9 to cm",
        "一米八是多少英尺",
        "一斤半是多少克",
        "1990年到2020年是多少年",
    ],
    "a date without a year on which a leap day depends": ["days between jan 1 and dec 31", "1月1日到5月1日有多少天"],
    "a plan that takes knowledge of its field": [
        *("写一份初学者的健身计划", "给老人做一份运动计划", "marketing plan for a bakery"),
        *("workout plan for bad knees", "pros and cons of taking creatine", "should I buy bitcoin"),
    ],
    "how it should be, within what it is about": [
        *("Write a story about a dog where the dog dies at the end", "Tell me a joke about lawyers that is not mean"),
        *("Write a story about a dog and a cat, told backwards", "haiku about spring with a kigo"),
        *("weekend in Prague on a budget", "how to learn python in 2 weeks", "rent or buy in San Francisco"),
        *("Android vs iPhone which has better cameras", "cover letter for a teacher with 10 years of experience"),
    ],
    "a figure within another one": [
        *("area of a triangle with base 4 and height 5", "圆柱的底面半径是3，高是5，体积是多少"),
        *("which is bigger, the square of 3 or 8", "what is 2+2*3 in binary", "reverse these words: one two three"),
    ],
    "a talk that is no complaint": [
        *("I broke my mom's vase, how do I tell her", "奶奶去世了，怎么跟孩子说", "我怀孕了，怎么跟老板说"),
        *("write a message to my ex saying I miss her", "我和女朋友吵架了，给她写一封信"),
    ],
    "a wish as if it were a detail": [
        "Write a poem about autumn, it should rhyme",
        "Write a poem about my garden, it smelled of mint",
        "把这句话改成大写：hello，再倒过来",
    ],
    "a riddle that is none": ["Anna's father has three sons: Tom, Tim, Ted. What is the third son's name?"],
    "the model itself, which is no thing that a note knows": ["你会做梦吗？讲讲原理", "are you able to explain love"],
    "a date that does not exist": ["2023年2月30日是星期几", "what day was february 30 2023"],
    "an order that words do not have": ["按字母顺序排列: 苹果, 香蕉"],
    "a softer tone, which is not a formal one": [
        "把下面这句话改得委婉点：你们这个方案根本没法用，重做吧。",
        "改得更礼貌一点：你们的菜太咸了",
    ],
    "a comparison of things that nobody chooses between": ["Compare the Nile and the Amazon", "比较一下长江和黄河"],
}

KEPT_WORDS = {
    "write an email to my professor asking for an extension": "ask for an extension",
    "写一封邮件给老板申请涨工资": "申请.*涨工资",
    "complaint letter to an airline about a lost suitcase": "complain about a lost suitcase",
    "thank you letter to my neighbors for feeding my cat": "thank you for feeding my cat",
    "写个请假条，家里装修，请一天假": "家里装修，请一天假",
    "slogan for a dog walking business called Happy Tails": "Happy Tails",
    "names for my dog walking app": "app|walking",
    "10 names for a coffee shop": "Coffee Shop Nine|Old Bridge Coffee Shop",
    "给新开的书店起名": "小满书店|南窗书店",
    "text to my landlord saying the rent will be late": ": the rent will be late",
    "写三国演义的诗": "三国演义",
    "study plan for the driving test": "study plan.{0,6}the driving test",
    "帮我写一封请假邮件": "请假",
    "给经理写一封请假邮件": "请假",
    "写封道歉信给客户,因为发货晚了": "发货晚了.*(?:抱歉|麻烦)",
    "给客户写一封道歉邮件,发货晚了": "发货晚了.*(?:抱歉|麻烦)",
    "apology letter to a customer for late delivery": "(?:apologise|sorry) for late delivery",
    "write an email to my boss apologizing for being late": "(?:apologise|sorry) for being late",
    "写一封感谢信给老师": "谢谢老师|致老师",
    "写一段耳机的产品介绍": "耳机",
    "solve 4x - 3 = 9, show the steps": "4 × x = 12",
    "解方程 2x+6=20，写出过程": "2 × x = 14",
    "calculate 12 + 3 * 4 step by step": "3 × 4",
    "Suggest some sci-fi series on Netflix": "Black Mirror",
    "Recipe for spaghetti carbonara without cream": "pecorino",
    "how do I make my wifi faster": "router",
    "Which is better, renting or buying a house?": "rent",
    "How do I start learning to code?": "Python",
    "“的、地、得”怎么区分": "动词",
    "蛋炒饭怎么做到粒粒分明": "隔夜冷饭",
}


@pytest.mark.parametrize("prompt", [prompt for prompts in REFUSED.values() for prompt in prompts])
def test_what_no_answer_keeps_is_refused(prompt: str) -> None:
    assert not can_answer(prompt), answer(read(prompt))


@pytest.mark.parametrize(("prompt", "wish"), KEPT_WORDS.items())
def test_purpose_and_person_stand_in_both_answers(prompt: str, wish: str) -> None:
    for text in answer(read(prompt)):
        assert re.search(wish, text, re.IGNORECASE | re.DOTALL), text


@pytest.mark.parametrize(("prompt", "count"), [("10 names for a coffee shop", 10), ("给咖啡店起8个名字", 8)])
def test_a_frame_with_all_items_is_taken_before_a_note_with_fewer(prompt: str, count: int) -> None:
    for text in answer(read(prompt)):
        assert len(re.findall(r"(?m)^(?:- |\d+\. )", text)) == count


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("how many days between march 3 and april 10 2024", "38 days"),
        ("how many days from 2024-01-01 to 2024-03-01?", "60 days"),
        ("days between 3rd of may and july 1st", "59 days"),
        ("2024年3月3日到4月10日有多少天", "38 天"),
        ("3月3日到4月10日多少天", "38 天"),
        ("what day of the week was july 4 1976", "A Sunday."),
        ("2008年8月8日是星期几", "星期五。"),
        ("is 1900 a leap year?", "No."),
        ("2024年是闰年吗", "是。"),
        ("how much is 5 feet 9 inches in cm", "175.26 centimetres"),
        ("3小时20分钟是多少分钟", "200 分钟"),
        ("if i buy 3 apples for 1.20 each how much do i pay", "3.6"),
        ("3个苹果每个2块5一共多少钱", "7.5 元"),
        ("split a bill of 85 between 3 people", "28.33 each"),
        ("120元3个人平分每人多少钱", "每人 40 元"),
        ("whats 15% of 80", "12"),
        ("15%的80是多少", "12"),
        ("华氏100度是多少摄氏度", "37.8 摄氏度"),
        ("摄氏37度等于多少华氏度", "98.6 华氏度"),
        ("sort these: pear, apple, fig", "apple, fig, pear"),
        ("“厕所在哪里”用西班牙语怎么说", "¿dónde está el baño?"),
        ("翻译成法语:我爱你", "je t'aime"),
        ("translate to french: good morning", "bonjour"),
        ("translate into chinese: “good night”", "晚安"),
        ("谁画了蒙娜丽莎", "达·芬奇"),
        ("长江有多长", "约 6300 公里。"),
        ("good night是什么意思", "晚安"),
        ("what does 谢谢 mean", "thank you"),
    ],
)
def test_everyday_sums_dates_and_phrases_have_their_right_answer(prompt: str, result: str) -> None:
    assert answer(read(prompt))[0] == result


@pytest.mark.parametrize(
    "subject", ["spring", "summer", "autumn", "winter", "moon", "春天", "夏天", "秋天", "冬天", "月亮"]
)
def test_a_poem_that_is_to_be_written_is_not_quoted(subject: str) -> None:
    prompt = f"write a poem about {subject}" if subject.isascii() else f"写一首关于{subject}的诗"
    assert not any(re.search(r"^>|经典|\(\w+ \w+.*\d{4}\)", text, re.MULTILINE) for text in answer(read(prompt)))


def test_a_one_liner_is_one_line() -> None:
    for text in answer(read("Write a bash one-liner to rename all .jpeg files to .jpg")):
        code = re.search(r"```bash\n(.*?)\n```|`([^`]+)`", text, re.DOTALL)
        assert code
        assert "\n" not in (code[1] or code[2])
