import pytest

from arena.identity import exposed
from arena.terms import NotCounted

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
    assert exposed(["Hi"], ["fine", answer], NAMES) is NotCounted.IDENTITY_TOLD


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
    assert exposed(["Hi"], [answer], NAMES) is None


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
    assert exposed([prompt], ["I would rather not say."], NAMES) is NotCounted.IDENTITY_ASKED


@pytest.mark.parametrize(
    "prompt",
    ["Who are you to judge me?", "你是一名医生，请写病历", "what is the best model?", "tell me about gpt-4o-mini"],
)
def test_a_prompt_that_does_not_ask_is_left_alone(prompt):
    assert exposed([prompt], ["Fine."], NAMES) is None


def test_a_name_in_the_prompt_alone_does_not_count_against_the_vote():
    assert exposed(["I am Claude, and I love Google"], ["Nice to meet you."], NAMES) is None


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
    assert exposed(["Hi"], [answer], [name], [owner]) is None


@pytest.mark.parametrize("answer", ["I was made by Google DeepMind.", "我是 Google DeepMind 开发的", "I am x-1"])
def test_an_owner_counts_where_the_speaker_talks_of_itself(answer):
    assert exposed(["Hi"], [answer], ["x-1"], ["Google DeepMind"]) is NotCounted.IDENTITY_TOLD


def test_long_hostile_text_is_judged_quickly():
    text = "i am " * 10_000 + "a large language model trained by " * 2_000
    assert exposed([text], [text], NAMES) is None
