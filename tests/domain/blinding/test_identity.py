import pytest

from arena.domain.blinding.identity import (
    asks_identity,
    discloses_identity,
    distinctive,
    find_well_known,
    lookalike,
    skeleton,
)
from arena_providers.presets import PRESETS

NAMES = (
    *("gpt-4o-mini", "OpenAI", "qwen2.5-72b-instruct", "通义千问", "Alibaba", "阿里"),
    *("palm-2", "Google", "llama", "Claude", "Anthropic", "Hermes", "智谱清言"),
)


@pytest.mark.parametrize(
    "answer",
    [
        "I am Claude, made by Anthropic.",
        "I'm a large language model, trained by Google.",
        "I am Qwen.",
        "我是阿里云开发的通义千问",
        "我是 Qwen，由阿里开发",
        "As GPT-4o mini I can help.",
        "I'm G\u200bPT-4o-mini",
        "My name is **Claude**.",
        "I was trained by researchers at Google",
        "i am gpt4o-mini",
        "Ι am Сlaude",
        "我叫智谱清言，很高兴认识你",
        "You are talking to Qwen",
        "ｇｐｔ－４ｏ－ｍｉｎｉ says hello",
    ],
)
def test_an_answer_that_tells_who_it_is_is_found(answer):
    assert discloses_identity(["fine", answer], NAMES)


@pytest.mark.parametrize(
    "answer",
    [
        "Claude Monet painted water lilies.",
        "You can google something.",
        "Palm oil is in many products.",
        "The llama is an animal; I am sure a llama spits.",
        "A Hermes bag is expensive.",
        "I am a fan of Claude Debussy.",
        "通义千问是什么？它是一个产品。",
        "Anthropic principle in cosmology",
        "我是一名医生，喜欢用谷歌搜索。",
    ],
)
def test_a_name_that_is_a_word_of_the_language_is_left_alone(answer):
    assert not discloses_identity([answer], NAMES)


@pytest.mark.parametrize(
    "prompt",
    [
        "Who are you?",
        "你是谁",
        "你是什么模型？",
        "which model are you",
        "What's your name",
        "谁开发了你",
        "你的名字是什么",
    ],
)
def test_a_prompt_that_asks_who_it_is_is_found(prompt):
    assert asks_identity([prompt])


@pytest.mark.parametrize(
    "prompt",
    ["Who are you to judge me?", "你是一名医生，请写病历", "what is the best model?", "tell me about gpt-4o-mini"],
)
def test_a_prompt_that_does_not_ask_is_left_alone(prompt):
    assert not asks_identity([prompt])


@pytest.mark.parametrize(
    ("name", "owner", "answer"),
    [
        ("x-1", "The Alan Turing Institute", "I am the one who asks. This is the shortest way."),
        ("not-diamond", "x", "This is not correct. I am not sure."),
        ("x-1", "New York Lab", "I am new here."),
        ("x-1", "All Hands AI", "I am all ears."),
        ("x-1", "AI", "I am an AI assistant."),
        ("x-1", "Google DeepMind", "AlphaGo was made by Google DeepMind."),
        ("red-7b", "x", "I am red with anger."),
    ],
)
def test_a_name_that_begins_like_a_sentence_does_not_cost_its_model_votes(name, owner, answer):
    assert not discloses_identity([answer], [name], [owner])


@pytest.mark.parametrize("answer", ["I was made by Google DeepMind.", "我是 Google DeepMind 开发的", "I am x-1"])
def test_an_owner_counts_where_the_speaker_talks_of_itself(answer):
    assert discloses_identity([answer], ["x-1"], ["Google DeepMind"])


def test_long_hostile_text_is_judged_quickly():
    text = "i am " * 10_000 + "a large language model trained by " * 2_000
    assert not discloses_identity([text], NAMES)
    assert not asks_identity([text])


EVERYDAY = (
    "I am sorry, but I am unable to do that. I'm glad to help; I am an AI assistant, here for you.",
    "I was part of the team. For example, step 1: I am going to print hello. 1. The first of the two is 3.5.",
    "我是一个人工智能助手，可以帮助您解答问题，很高兴为您服务。",
    "def main(): return x - 1  # I'm not sure",
)
COMMON = (
    *(
        "of the",
        "I am",
        "I'm",
        "sorry",
        "glad",
        "unable",
        "here",
        "an AI",
        "an AI assistant",
        "for example",
        "the",
        "a",
        "x",
    ),
    *(
        "not",
        "going",
        "print hello",
        "1. the",
        "123",
        "3.5",
        "2024 12",
        "top 10",
        "!!!",
        "OF\u200b THE",
        "ｏｆ　ｔｈｅ",
    ),
    *("一", "一个", "是", "助手", "人工智能助手", "智能AI", "可以帮助您", "很高兴", "不一样", "红"),
)


@pytest.mark.parametrize("word", COMMON)
def test_common_words_are_no_name_and_tell_nothing_whoever_took_them(word):
    assert not distinctive(word)
    assert not discloses_identity(EVERYDAY, [word], [word])


@pytest.mark.parametrize(
    "word", ["acme-7b", "x-1", "step-2", "command-r", "llama", "Gemini", "智谱清言", "小爱同学", "天工"]
)
def test_a_name_of_its_own_can_be_looked_for_and_is_in_no_everyday_answer(word):
    assert distinctive(word)
    assert not discloses_identity(EVERYDAY, [word], [word])


@pytest.mark.parametrize(
    ("name", "itself", "anything"),
    [
        ("step-2", "I am Step 2.", "Step 2: stir the soup."),
        ("q-1", "I am Q-1.", "It returns q - 1."),
        ("Zyxomma", "I am Zyxomma.", "Zyxomma is a genus of dragonflies."),
    ],
    ids=["a common word with a number", "a letter with a number", "a single word"],
)
def test_a_name_that_may_mean_something_else_counts_only_where_the_speaker_talks_of_itself(name, itself, anything):
    assert discloses_identity([itself], [name])
    assert not discloses_identity([anything], [name])


def test_a_name_of_two_letters_and_a_number_counts_anywhere_if_the_letters_are_no_word():
    assert discloses_identity(["In that test qx-7 came first."], ["qx-7"])
    assert not discloses_identity(["In that test is 7 came first."], ["is-7"])


def test_every_alias_of_a_vendor_can_be_looked_for_and_is_well_known():
    aliases = {alias for row in PRESETS for alias in row.aliases}
    assert [alias for alias in aliases if not distinctive(alias) or not find_well_known(alias)] == []


@pytest.mark.parametrize(
    ("name", "vendor"),
    [
        ("gpt-5-turbo", "OpenAI"),
        ("0penAI", "OpenAI"),
        ("Open AI Labs", "OpenAI"),
        ("Clàude", "Anthropic"),
        ("Сlaude 4", "Anthropic"),
        ("my ChatGLM2", "Zhipu"),
        ("通义千问-max", "Alibaba"),
    ],
)
def test_a_well_known_name_is_seen_in_what_contains_it_or_looks_like_it(name, vendor):
    assert vendor in {known.vendor for known in find_well_known(name)}


@pytest.mark.parametrize("name", ["acme-7b", "stepwise", "Heron Labs", "philosopher", "Novartis", "苍鹭"])
def test_other_names_are_not_taken_for_well_known_ones(name):
    assert find_well_known(name) == []


@pytest.mark.parametrize(
    "name", ["acme-10", "ACME 10", "acme_1o", "асme-lO", "Acmé-10", "a\u200bcme-10", "ａｃｍｅ－１０"]
)
def test_names_that_look_alike_are_seen_as_one(name):
    assert skeleton(name) == skeleton("acme-10")


@pytest.mark.parametrize(("name", "other"), [("ACME 10", "acme-10"), ("acme-1o", "acme-10"), ("acme-11", None)])
def test_a_name_is_told_which_of_others_it_looks_like(name, other):
    assert lookalike(name, ["acme-9", "acme-10", "acme-12"]) == other


def test_the_first_word_of_a_name_is_enough_where_the_speaker_talks_of_itself_unless_it_is_short():
    assert discloses_identity(["I am Zyx."], ["zyx-4b-chat"])
    assert not discloses_identity(["I am Zx."], ["zx-4b-chat"])
    assert not discloses_identity(["Zyx is far."], ["zyx-4b-chat"])
