"""Marks that leaked are taken out of an answer, marks that it speaks of stay, however the text is divided."""

from __future__ import annotations

import re
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_providers.marks.visible_text import MAX_HELD, MAX_MARKS, VisibleText
from arena_providers.reasoning import Thoughts
from arena_providers.terms import Finish
from tests.effort import is_affordable
from tests.providers.marks.honest_answers import CODE, TOKENS
from tests.providers.marks.leaks import LEAKS
from tests.providers.marks.templates import ANSWERS, CALL, CALLS, MARKS, SENTENCES, TAGS, THOUGHTS, answers

SUM = "What is 17 plus 25?"
TALKS = [SUM, "Which special token ends a turn?", "What does </think> mean?", "把<|im_end|>解释一下"]


def body(question: str) -> dict[str, object]:
    return {"messages": [{"role": "system", "content": "Think in <think>."}, {"role": "user", "content": question}]}


def read(
    pieces, question: str = SUM, *, unopened: bool = False, finish=Finish.STOP
) -> tuple[str, VisibleText, Thoughts]:
    """The text that is left of an answer, as readers who discard what is retracted have it."""
    thoughts = Thoughts()
    visible = VisibleText(thoughts)
    visible.heed(body(question), unopened=unopened)
    text, retractions = "", 0
    for piece in [*pieces, None]:
        shown = visible.rest(finish) if piece is None else visible.take(piece)
        text = shown if visible.retractions > retractions else text + shown
        retractions = visible.retractions
    return text, visible, thoughts


@pytest.mark.parametrize(("raw", "shown"), LEAKS)
def test_what_leaked_is_taken_out_however_it_is_cut(raw, shown):
    assert read([raw])[0] == shown
    assert read(raw)[0] == shown
    assert all(read([raw[:cut], raw[cut:]])[0] == shown for cut in range(len(raw)))


@pytest.mark.parametrize(("question", "answer"), [*TOKENS, *CODE])
def test_nothing_of_an_honest_answer_is_lost(question, answer):
    assert read([answer], question)[0] == answer
    assert read(answer, question)[0] == answer


@pytest.mark.parametrize(("question", "answer"), CODE)
def test_code_is_kept_whatever_was_asked(question, answer):
    assert all(read([answer], talk)[0] == answer for talk in TALKS)


PARTS = [
    "<think>",
    "</think>",
    "<|im_end|>",
    "<|im_start|>",
    "assistant\n",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "<tool_call>",
    "</tool_call>",
    "<|channel|>",
    "analysis<|message|>",
    "final<|message|>",
    "<|channel>",
    "<channel|>",
    "<|end|>",
    "<｜User｜>",
    "<｜end▁of▁sentence｜>",
    "<|x|>",
    "<|word|>",
    "`",
    "```",
    "\n",
    " ",
    ".",
    "。",
    "a",
    "B",
    "是",
    "token",
    "<",
    "[",
    "|",
    ">",
    "/",
    '"',
    " " * 17,
    "◁think▷",
    "<mm:think>",
    "<THINK >",
    '<details type="reasoning" x>',
    "</details>",
    "<unused94>",
    "<unused95>",
    "thought\n",
    "<|constrain|>json",
    " to=f",
    "final",
    "<|message|>",
    "assistant",
    "<answer>",
    "</answer>",
    "<function=f>",
    "</function>",
    "<｜DSML｜invoke n=1>",
    "</｜DSML｜invoke>",
    "<|open|>",
    "<|close|>",
    "think<|sep|>",
    "response<|sep|>",
    "<|end_message|>",
    "[unused16]",
    "[PAD]",
    "<reason>",
    "\ufeff",
    " is ",
    " the ",
    "analysisW",
    "assistantfinal",
    " to=self",
    "<response>",
    "< think >",
    "</ think >",
    "&lt;",
    "think",
    "&gt;",
    "&lt;/think&gt;",
    "[e~[",
    "]~b]ai\n",
    "]~!b[",
    "<SPECIAL_11>User\n",
    "<SPECIAL_12>",
    "Here is my thought process:",
    "Here's my response:",
    ":",
]
RAW = st.lists(st.sampled_from(PARTS), max_size=18).map("".join)


@given(RAW, st.lists(st.integers(0, 150), max_size=6), st.sampled_from(TALKS), st.booleans(), st.sampled_from(Finish))
def test_any_division_gives_the_same(raw, cuts, question, unopened, finish):
    places = [0, *sorted(cut for cut in cuts if cut < len(raw)), len(raw)]
    pieces = [raw[start:end] for start, end in pairwise(places)]
    results = [read(one, question, unopened=unopened, finish=finish) for one in ([raw], raw, pieces)]
    assert len({text for text, _, _ in results}) == 1
    assert len({(tuple(visible.marks), visible.is_unopened, visible.has_call) for _, visible, _ in results}) == 1
    assert len({str(thoughts) for _, _, thoughts in results}) == 1


@pytest.mark.parametrize("raw", ["a<b", "a [b", "x < y <| z", "<", "a <|b", "a<|im_end", "[", "a <｜b", "`<|im_end"])
def test_what_only_begins_like_a_mark_comes_out_at_the_end(raw):
    assert read(raw)[0] == raw
    assert read(raw, "Which token?")[0] == raw


@pytest.mark.parametrize(
    "piece", [" ", "<", "<|x|>", "<|im_end|>", "</think>", "<think", "final", " to=f", "<think a", " is"]
)
@pytest.mark.parametrize("begin", ["", "analysis", "<s>", "<think>", "It is. <tool_call>{", "<|im_end"])
@pytest.mark.parametrize("unopened", [True, False])
def test_an_endless_answer_costs_neither_memory_nor_time(piece, begin, unopened):
    def endless():
        visible = VisibleText(Thoughts())
        visible.heed(body("Which token?"), unopened=unopened)
        visible.take(begin)
        for _ in range(5_000):
            visible.take(piece)
        assert len(visible._buffer) < 1_000
        assert len(visible.marks) <= MAX_MARKS

    assert is_affordable(endless)


@pytest.mark.parametrize(
    "piece",
    [
        "<|x|>",
        "<|im_end|>",
        "a <|im_end|> b ",
        "<s>",
        "<think>",
        "`<|x|>",
        "</think>",
        "<",
        "<details ",
        "<think ",
        "<s>a",
    ],
)
@pytest.mark.parametrize("unopened", [True, False])
def test_a_large_piece_costs_no_more_than_many_small_ones(piece, unopened):
    assert is_affordable(lambda: read([piece * 60_000], unopened=unopened))


def test_what_is_held_back_is_bounded():
    visible = VisibleText(Thoughts())
    visible.heed(body(SUM), unopened=True)
    for _ in range(1_000):
        assert not visible.take("x" * 1_000)
    assert len(visible._before._pieces) < 100
    assert len(visible.rest(Finish.STOP)) <= MAX_HELD + 1_000


def test_a_block_of_code_is_known_after_any_length():
    code = "```\n" + "x = 1\n" * 20_000 + "<|im_end|>\n</think>\n``" + "`\n42."
    pieces = [code[at : at + 7] for at in range(0, len(code), 7)]
    assert read([code])[0] == read(pieces)[0] == code
    assert read([code + "<|im_end|>"])[0] == read([*pieces, "<|im_end|>"])[0] == code


def test_a_long_question_is_read_once():
    def endless():
        read(["a <|x|> b"] * 2_000, "word " * 100_000)

    assert is_affordable(endless)


UNOPENED = [(raw, shown) for raw, shown in LEAKS if "think>\n" in raw and not raw.startswith(("<", "]"))]


@pytest.mark.parametrize(("raw", "shown"), UNOPENED)
def test_a_lone_closing_tag_retracts_all_that_came_before(raw, shown):
    text, visible, thoughts = read(raw)
    assert (text, visible.retractions, visible.is_unopened) == (shown, 1, True)
    assert str(thoughts) == ""


@pytest.mark.parametrize(("raw", "shown"), UNOPENED)
@pytest.mark.parametrize("question", TALKS)
def test_where_it_is_known_nothing_is_shown_before_the_closing_tag(raw, shown, question):
    text, visible, thoughts = read(raw, question, unopened=True)
    assert (text, visible.retractions, visible.is_unopened) == (shown, 0, True)
    assert str(thoughts) == re.split("</(?:mm:)?think>", raw)[0].strip()


@pytest.mark.parametrize(
    "reasoning",
    [
        "They ask about `</think>` and I explain.",
        "The tag </think> is meant, so:",
        "```python\nx = 1",
        "用户想知道</think>是什么意思：",
    ],
)
def test_where_it_is_known_reasoning_may_speak_of_the_tag(reasoning):
    text, _, thoughts = read(f"{reasoning}\n</think>\n\n`</think>` ends it.", "What does </think> do?", unopened=True)
    assert text == "`</think>` ends it."
    assert str(thoughts) == reasoning


def test_where_it_is_known_an_answer_without_the_tag_is_shown_at_its_end():
    text, visible, thoughts = read(["It is ", "42."], unopened=True)
    assert (text, visible.is_unopened, str(thoughts)) == ("It is 42.", False, "")


@pytest.mark.parametrize("finish", [Finish.LENGTH, Finish.FILTER])
def test_where_it_is_known_an_answer_that_did_not_end_of_itself_is_shown_and_says_nothing(finish):
    text, visible, thoughts = read(["It is ", "42."], unopened=True, finish=finish)
    assert (text, visible.is_unopened, str(thoughts)) == ("It is 42.", None, "")


@pytest.mark.parametrize(
    "end", ["</think>", "\n</think>", "\n</think>\n\n", "\n</think>" + " " * 40, "\n</think><|im_end|>"]
)
def test_a_closing_tag_that_nothing_follows_takes_nothing(end):
    text, visible, _ = read("First line. Second line." + end)
    assert (text.strip(), visible.retractions, visible.is_unopened) == ("First line. Second line.", 0, True)


def test_where_it_is_known_reasoning_in_a_field_of_its_own_ends_the_wait():
    thoughts = Thoughts()
    visible = VisibleText(thoughts)
    visible.heed(body(SUM), unopened=True)
    thoughts.add("hm")
    assert visible.take("It is ") == "It is "
    assert visible.take("42.") + visible.rest(Finish.STOP) == "42."
    assert visible.is_unopened is False


def test_where_it_is_known_an_opening_tag_ends_the_wait():
    thoughts = Thoughts()
    visible = VisibleText(thoughts)
    visible.heed(body(SUM), unopened=True)
    assert visible.take("<think>hm</think>It is ") == "It is "
    assert visible.is_unopened is False


@pytest.mark.parametrize(
    ("raw", "marks"),
    [
        ("It is 42.<|im_end|>", [("<|im_end|>", 1, True)]),
        ("It is\nwith <|im_end|> and so", [("<|im_end|>", 2, False)]),
        ("Hm.\n</think>\n42", [("</think>", 2, True)]),
        ("`<|im_end|>` is code", []),
        ("Plain [text](x) with a <b>tag</b>", []),
    ],
)
def test_marks_are_reported_with_their_line(raw, marks):
    assert [(mark.text, mark.line, mark.is_cut) for mark in read(raw)[1].marks] == marks


def test_a_plain_answer_passes_at_once():
    visible = VisibleText(Thoughts())
    assert visible.take("4") == "4"
    assert visible.take("2 is [x") == "2 is [x"


@pytest.mark.parametrize(
    "request_body",
    [
        lambda role: {"messages": [{"role": role, "content": "What is <|im_end|>?"}]},
        lambda role: {"input": [{"role": role, "content": [{"type": "input_text", "text": "What is <|im_end|>?"}]}]},
        lambda role: {"contents": [{"role": role, "parts": [{"text": "What is <|im_end|>?"}]}]},
    ],
)
def test_the_turns_of_every_form_of_request_are_read(request_body):
    visible = VisibleText(Thoughts())
    visible.heed(request_body("user"), unopened=False)
    assert visible.take("It.<|im_end|>") + visible.rest() == "It.<|im_end|>"


def test_a_system_prompt_does_not_keep_marks():
    assert read(["It is 42.<|im_end|>"])[0] == "It is 42."


QUESTIONS = ["What is 17 plus 25?", "Write a poem.", "怎么做蛋糕？", "Why do we have leap years?"]


def divided(text: str, rng: Random) -> list[str]:
    places = sorted({0, len(text), *(rng.randrange(len(text)) for _ in range(rng.randrange(9)))})
    return [text[start:end] for start, end in pairwise(places)]


def filled(template: str, thought: str, answer: str) -> str:
    return template.replace("{thought}", thought).replace("{call}", CALL).replace("{answer}", answer)


@pytest.mark.parametrize("template", answers().values(), ids=answers())
def test_an_answer_shows_what_its_template_defines(template):
    rng = Random(template)
    for thought in THOUGHTS:
        for answer in ANSWERS:
            raw = filled(template, thought, answer)
            text, visible, _ = read(divided(raw, rng), rng.choice(QUESTIONS))
            assert (text.strip(), visible.has_call) == (answer, False), raw


@pytest.mark.parametrize("template", CALLS.values(), ids=CALLS)
def test_a_tool_call_shows_nothing(template):
    rng = Random(template)
    for thought in THOUGHTS:
        raw = filled(template, thought, "")
        text, visible, _ = read(divided(raw, rng), rng.choice(QUESTIONS))
        assert (text.strip(), visible.has_call) == ("", True), raw


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("question", ["What is 17 plus 25?", "How does it know where to stop?", "Which token is it?"])
def test_a_sentence_about_marks_loses_none(sentence, question):
    rng = Random(sentence)
    for mark in MARKS:
        raw = sentence.replace("{m}", mark).replace("{n}", rng.choice(MARKS))
        assert read(divided(raw, rng), question)[0] == raw


CLOSERS = [
    *(closer for tag in TAGS for closer in (f"</{tag}>", f"</ {tag} >", f"&lt;/{tag}&gt;")),
    "[/THINK]",
    "◁/think▷",
]
INTRODUCTIONS = ["Use this:", "Use this:\n", "Use this:\n\n", "加上：", "加上：\n", "Use\n\n    "]


@pytest.mark.parametrize("closer", CLOSERS)
def test_an_answer_that_introduces_a_closing_tag_loses_nothing(closer):
    for introduction, rest in product(INTRODUCTIONS, ["", "\n", "\n\nThen go on.", "\n然后继续。"]):
        raw = introduction + closer + rest
        assert read([raw])[0] == read(raw)[0] == raw
        assert all(read([raw[:cut], raw[cut:]])[0] == raw for cut in range(len(raw)))


@pytest.mark.parametrize("is_asked", [False, True])
def test_thoughts_that_a_phrase_announces_are_reported_once_another_ends_them(is_asked):
    raw = "Here is my thought process:\nWe add.\nHere is my response:\n42"
    text, visible, thoughts = read(raw, "Explain your thought process." if is_asked else SUM)
    cut = [("Here is my response:", 3, True)]
    assert [(mark.text, mark.line, mark.is_cut) for mark in visible.marks] == ([] if is_asked else cut)
    assert (text, "We add." in str(thoughts)) == ((raw, False) if is_asked else ("42", True))
