"""Question files: good rows become questions, bad ones are named with line and reason, and nothing crashes."""

import csv
import gzip
import io
import json
from datetime import date, time
from random import Random

import pytest

from arena.domain.errors import Invalid
from arena.domain.schemas.questions import QuestionView
from arena.domain.terms import QuestionFormat
from arena.evaluations.usecases.sets.formats.dialogues import turns
from tests.evaluations.usecases.sets.files import (
    ALIGN,
    CHINESE,
    CMMLU,
    ENGLISH,
    HARD,
    HARD_1,
    LLMEVAL2,
    MT,
    RANKED,
    lines,
    own,
    question,
    read,
    real,
    reasons,
    sheet,
)

USUAL_HEADS = (
    "编号 题目 领域 参考答案",
    "序号 问题 科目 答案",
    "题号 试题 类别 标准答案",
    "編號 題目 領域 參考答案",
    "序號 問題 類別 答案",
    "ID Question Area Reference",
    "No. Prompt Subject Answer",
    "number question topic solution",
)
"""The heads of number, question, area and right answer, as tables of teachers have them."""


def test_a_set_of_our_own_carries_its_facts_and_all_fields(tmp_path):
    whole = question(
        turns=["One?", " Two? "],
        category="Sums",
        task="Small sums",
        difficulty="easy",
        hint="count",
        options=["3", "4"],
        key="B",
        answers=[{"text": "four", "votes": 3}],
    )
    found = read(tmp_path / "set.jsonl", own(whole))
    assert found.facts.model_dump(exclude={"plan"}) == {
        "name": "ours",
        "licence": "CC BY 4.0",
        "source": "tests",
        "language": "en",
    }
    assert found.questions[0].turns == ["One?", "Two?"]
    assert found.questions[0].model_dump(exclude_defaults=True) == {**whole, "turns": ["One?", "Two?"]}


def test_facts_on_the_command_line_replace_those_of_the_file(tmp_path):
    found = read(tmp_path / "set.jsonl", own(question()), {"name": "theirs", "language": "zh"})
    assert (found.facts.name, found.facts.language, found.facts.licence) == ("theirs", "zh", "CC BY 4.0")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("not a row", "not a JSON object: 'not a row'"),
        (question(id=None), "id: Input should be a valid string: None"),
        ({"id": "x"}, "turns: missing"),
        (question(turns=[]), "turns: List should have at least 1 item after validation, not 0: a list"),
        (question(turns=["\u200b"]), "turns.0: blank: '\\u200b'"),
        (question(colour="red"), "colour: unknown field"),
        (question(key="C", options=["a", "b"]), "key: not the letter of an option"),
        (question(area="a\nb"), "area: not printable characters on one line: 'a\\nb'"),
        (question(answers=[{"text": "a", "votes": "many"}]), "answers.0.votes: Input should be a valid number"),
        (question(id="a\0b"), "id: has a NUL or half of a surrogate pair: 'a\\x00b'"),
        (question(hint="\0"), "hint: has a NUL or half of a surrogate pair"),
        (question(answers=[{"text": "a\0"}]), "answers.0.text: has a NUL or half of a surrogate pair"),
        (question(id="good"), "repeats line 2 and is left out"),
        (question(id="good", turns=["Another?"]), "id: an earlier question has it too: 'good'"),
    ],
)
def test_a_bad_row_is_named_with_its_line_and_one_reason(tmp_path, row, reason):
    path, content = tmp_path / "set.jsonl", own(question(id="good"), row)
    found = read(path, content)
    assert [each.id for each in found.questions] == ["good"]
    assert len(reasons(found)) == 1
    assert reasons(found)[0].startswith(f"set.jsonl, line 3: {reason}")
    with pytest.raises(Invalid, match="line 3"):
        read(path, content, strict=True)


@pytest.mark.parametrize("half", ["\ud800", "\udc00\ud83d"])
@pytest.mark.parametrize(("field", "place"), [("area", "area"), ("turns", "turns.0"), ("id", "id")])
def test_half_a_character_that_json_can_write_is_refused_with_its_row(tmp_path, field, place, half):
    row = question() | {field: [half] if field == "turns" else f"a{half}"}
    found = read(tmp_path / "set.jsonl", own(question(id="good")) + json.dumps(row))
    assert [entry.id for entry in found.questions] == ["good"]
    assert reasons(found)[0].startswith(f"set.jsonl, line 3: {place}: has a NUL or half of a surrogate pair: ")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", "", "nobody knows"),
        ("a.log", "hello", "nobody knows"),
        ("a.jsonl", own(), "there is no question"),
        ("a.jsonl", lines({"format": "arena-questions/9", "licence": "x"}, question()), "the first line is not"),
        ("a.jsonl", own(question(), licence=5), "licence: Input should be a valid string"),
        ("a.json", '[{"question_id": 1, "turns": ["a"]}', "the file ends in the middle"),
        ("a.csv", "a,b\n1,2\n", "No column 'question' for prompt"),
        ("a.csv", "", "The file is empty"),
        ("a.csv", "\n\n", "The file is empty"),
        ("a.xlsx", b"PK\x03\x04 and no more", "no spreadsheet"),
        ("a.csv", "a\n".encode("utf-16"), "UTF-16"),
        ("a.jsonl.gz", gzip.compress(b"{}", mtime=0)[:-4], "damaged or cut off"),
    ],
)
def test_a_file_that_is_no_set_is_one_clear_error(tmp_path, name, content, reason):
    with pytest.raises(Invalid, match=reason):
        read(tmp_path / name, content)


@pytest.mark.parametrize(
    ("name", "content", "ids", "source"),
    [
        ("mt.jsonl", lines(MT), ["81"], "lm-sys/FastChat"),
        ("hard.jsonl", lines(HARD), ["ab"], "lmarena/arena-hard-auto"),
        ("hard.jsonl", lines(HARD_1), ["cd"], "lmarena/arena-hard-auto"),
        ("align.jsonl", lines(ALIGN), ["7"], "THUDM/AlignBench"),
        ("Optics_data.json", json.dumps(LLMEVAL2), ["Optics_1", "Optics_2"], "llmeval/llmeval-2"),
        ("cs.json.gz", gzip.compress(json.dumps([RANKED]).encode(), mtime=0), None, "huawei-noah/noah-research"),
        ("history.csv", CMMLU, ["history-0"], "haonan-li/CMMLU"),
    ],
)
def test_the_format_of_a_source_is_guessed_and_its_facts_are_known(tmp_path, name, content, ids, source):
    found = read(tmp_path / name, content)
    assert found.facts.source == source
    assert ids is None or [each.id for each in found.questions] == ids


def test_the_fields_of_each_source_find_their_place(tmp_path):
    def one(name: str, row: object):
        return read(tmp_path / name, json.dumps([row])).questions[0]

    assert one("a.json", MT).turns == ["Write.", "Again."]
    assert one("a.json", MT).reference == "Done."
    assert one("a.json", HARD).task == "coding"
    assert one("a.json", HARD_1).turns == ["Play."]
    assert (one("a.json", ALIGN).area, one("a.json", ALIGN).category) == ("数学", "代数")
    assert [answer.votes for answer in one("unix.json", RANKED).answers] == [12, 9, 20, 7]
    assert one("a.json", ALIGN).hint == "移项得 x=1。\nhttps://example.org/a\n\n两边减一。"
    first = one("Optics_human.json", LLMEVAL2[0])
    assert (first.area, first.category, first.hint) == ("Optics", "objective", "提示")
    for name in ("Social_Science_data.json", "Social Science human.json", "Social_Science_gpt-score.json"):
        assert one(name, {**LLMEVAL2[0], "question_uuid": "7"}).area == "Social Science"


def ranked(*votes: object, **changes: object) -> dict[str, object]:
    answers = [{"text": f"Answer {number}.", "votes": vote} for number, vote in enumerate(votes)]
    return {"question": "Why?", "answers": answers, **changes}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (ranked(20, 10, 9), "answers: 3 of 4 that can be ranked, with 39 of 40 votes"),
        (ranked(20, 10, 9, 4), "answers: 3 of 4 that can be ranked, with 39 of 40 votes"),
        (ranked(20, 10, 9, 9), "answers: 3 of 4 that can be ranked, with 39 of 40 votes"),
        (ranked(12, 10, 9, 8), "answers: 4 of 4 that can be ranked, with 39 of 40 votes"),
        (ranked(20, 10, 9, 8, question="y" * 3_992), "answers: 0 of 4 that can be ranked, with 0 of 40 votes"),
        (ranked(20, 10, 9, "many"), "votes: not a number: 'many'"),
        ({"question": "Why?", "answers": [{"text": "So.", "votes": n} for n in (20, 10, 9, 8)]}, "answers: 1 of 4"),
    ],
)
def test_a_question_of_humanrankeval_that_its_rules_leave_out_is_named_with_the_reason(tmp_path, row, reason):
    found = read(tmp_path / "unix.jsonl", lines(ranked(20, 10, 9, 8), row))
    assert len(found.questions) == 1
    assert reasons(found)[0].startswith(f"unix.jsonl, line 2: {reason}")


def test_a_repeated_question_of_humanrankeval_is_refused(tmp_path):
    found = read(tmp_path / "unix.json", json.dumps([ranked(20, 10, 9, 8), ranked(20, 10, 9, 8)]))
    assert (len(found.questions), len(found.refused)) == (1, 1)


def test_options_and_key_of_a_closed_question_are_read_and_a_wrong_key_is_refused(tmp_path):
    found = read(tmp_path / "world_history.csv", CMMLU)
    assert (found.questions[0].options[0], found.questions[0].key) == ("北京", "A")
    assert reasons(found) == ["world_history.csv, line 3: key: not the letter of an option"]


def test_columns_of_a_csv_are_named_or_have_the_names_of_the_fields(tmp_path):
    path = tmp_path / "own.csv"
    found = read(path, "Nr;Frage;area\n1;Warum?;Why\n2;;Why\n3;x\n", columns={"prompt": "Frage", "id": "Nr"})
    assert [(each.id, each.turns, each.area) for each in found.questions] == [("1", ["Warum?"], "Why")]
    assert reasons(found) == [
        "own.csv, line 3: Frage: no text: ''",
        "own.csv, line 4: 2 cells where the header has 3",
    ]
    assert read(path, "question,A,B,key\nWhich?,x,y,B\n").questions[0].options == ["x", "y"]
    with pytest.raises(Invalid, match="No field 'colour'"):
        read(path, columns={"colour": "red"})


def test_tencents_sheets_keep_what_is_odd_in_them(tmp_path):
    path = sheet(
        tmp_path / "zh.xlsx",
        CHINESE,
        [1, "文本 生成", "写作", "写信。\\n再短些。", "NA"],
        [1.0, "文本生成", "写作", "写诗。", None],
        [1, "文本生成", "写作", "写诗。", None],
        [2, "null", None, "为什么？", "因为。"],
        [3, "知识", "历史", None, "空"],
        [None, "知识", "历史", 1234, True],
    )
    found = read(path)
    assert [each.id for each in found.questions[:3]] == ["1", "1#2", "2"]
    assert [each.turns for each in found.questions] == [["写信。\n再短些。"], ["写诗。"], ["为什么？"], ["1234"]]
    assert {each.area for each in found.questions} == {"文本 生成", None, "知识"}
    assert [each.reference for each in found.questions] == [None, None, "因为。", "True"]
    assert reasons(found) == [
        "zh.xlsx, line 4: repeats line 3 and is left out",
        "zh.xlsx, line 6: prompt: missing",
    ]
    assert found.facts.language == "zh"


def test_tencents_english_sheet_has_its_columns_in_another_order(tmp_path):
    path = sheet(tmp_path / "en.xlsx", ENGLISH, ["Writing", "Mail", "Write a mail to my landlord.", "NA", 9])
    found = read(path)
    assert (found.questions[0].id, found.questions[0].area, found.facts.language) == ("9", "Writing", "en")


def test_a_blank_cell_of_the_task_tree_is_the_one_above_within_its_area(tmp_path):
    path = sheet(
        tmp_path / "tree.xlsx",
        ["Major Areas", "Tasks", "Prompt Example", None],
        ["Writing", "Mail", "One", None],
        [None, None, "Two", None],
        ["Code", None, "Three", None],
        [None, "Tests", "Four", None],
        merged="A2:A3",
    )
    found = read(path)
    places = [(each.area, each.category) for each in found.questions]
    assert places == [("Writing", "Mail"), ("Writing", "Mail"), ("Code", None), ("Code", "Tests")]
    assert [(each.area, each.category) for each in found.facts.plan] == places


def test_a_node_of_the_task_tree_without_an_example_is_kept(tmp_path):
    rows = [["Writing", "Mail", "One"], [None, "Poems", None], ["Code", "Tests", None]]
    found = read(sheet(tmp_path / "tree.xlsx", ["Major Areas", "Tasks", "Prompt Example"], *rows))
    assert ([each.turns for each in found.questions], found.refused) == ([["One"]], [])
    nodes = [(node.area, node.category, node.questions) for node in found.facts.plan]
    assert nodes == [("Writing", "Mail", 1), ("Writing", "Poems", 1), ("Code", "Tests", 1)]


def test_a_tree_with_a_loop_is_refused_with_the_place_and_the_reason(tmp_path):
    loop = {"area": "Code", "category": "Tests", "task": "Code"}
    with pytest.raises(Invalid, match=r"plan\.1: task: the area again, so that the node would be below itself"):
        read(tmp_path / "a.jsonl", own(question(), plan=[{"area": "Code", "category": "Tests"}, loop]))


def test_turns_of_a_sheet_are_parted_in_its_dialogues_only(tmp_path):
    path = sheet(
        tmp_path / "zh.xlsx",
        CHINESE,
        ["d", "对话", "多轮对话", "推荐一本书。\\n\\n作者是谁？\\n谢谢", "好。\\n余华"],
        ["n", "推理", "选择", "哪个更大？\\nA. 一\\nB. 二", "A"],
    )
    talk, choice = read(path).questions
    assert (talk.turns, talk.reference) == (["推荐一本书。", "作者是谁？", "谢谢"], "好。\n余华")
    assert choice.turns == ["哪个更大？\nA. 一\nB. 二"]


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("Q1: Who was he?\n\nQ2：And she?", ["Who was he?", "And she?"]),
        ('\t\nQ1："Who?\\n", :Q2："Why Q1?", Q3 "Really?".', ["Who?", "Why Q1?", '"Really?".']),
        ("Q1\nBook a flight.\nQ2\nFor two.", ["Book a flight.", "For two."]),
        ('A1: "Hot?",\nA2: "Why?"', ["Hot?", "Why?"]),
        ('"Plane or train?", "To Lyon.\\n\\n", "Thanks."', ["Plane or train?", "To Lyon.", "Thanks."]),
        ("Question 1 -----\nWho?\n\nQuestion 2 -----\nWhy?", ["Who?", "Why?"]),
        ("问题 1 -----\n谁？\n\n问题 2 -----\n为什么？", ["谁？", "为什么？"]),
        ("We had 3 in Q4: how many now?", ["We had 3 in Q4: how many now?"]),
        ('"Red" and "blue" are what?', ['"Red" and "blue" are what?']),
        ("One.\n\nStill one.", ["One.\n\nStill one."]),
    ],
)
def test_turns_of_a_dialogue_are_numbered_or_quoted_or_it_is_one(cell, found):
    assert turns(cell) == found


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("Q1: Who?\nQ3: Why?", "not numbered from 1 on: Q1:, Q3:"),
        ("Q1: Who?\nA1: He.\nQ2: Why?", "not numbered from 1 on: Q1:, A1:, Q2:"),
        ("Q1: Who?\\nWhere?\nQ2: Why?", "marks of turns and a literal"),
        ("\\n".join(map(str, range(41))), "at most 40 items"),
    ],
)
def test_a_dialogue_that_mixes_its_marks_is_refused_whole(tmp_path, cell, reason):
    path = sheet(tmp_path / "en.xlsx", ENGLISH, ["Dialogue", "Talk", cell, None, 1], ["Safety", "x", "Why?", None, 2])
    found = read(path)
    assert [each.id for each in found.questions] == ["2"]
    assert reason in reasons(found)[0]


@pytest.mark.parametrize("heads", USUAL_HEADS, ids=lambda heads: heads.split()[1])
def test_a_table_with_the_usual_heads_of_teachers_is_understood(tmp_path, heads):
    names, cells = heads.split(), ["7", "Why?", "Light", "Refraction."]
    files = [
        sheet(tmp_path / "class.xlsx", names, cells),
        tmp_path / "class.csv",
        tmp_path / "class.jsonl",
    ]
    files[1].write_text(f"{','.join(names)}\n{','.join(cells)}\n", encoding="utf-8-sig")
    files[2].write_text(lines(dict(zip(names, cells, strict=True))), encoding="utf-8")
    for file in files:
        (one,) = read(file).questions
        assert (one.id, one.turns, one.area, one.reference) == ("7", ["Why?"], "Light", "Refraction."), file.name


def test_a_teachers_sheet_needs_no_area_and_is_of_no_source(tmp_path):
    found = read(
        sheet(tmp_path / "class.xlsx", ["序号", "题目（必填）", "类别"], [1, "为什么？", None], [2, "何时？", "历史"])
    )
    assert [(each.turns, each.area) for each in found.questions] == [(["为什么？"], None), (["何时？"], "历史")]
    assert (found.facts.source, found.facts.licence) == ("class.xlsx", "unstated")


def test_of_two_columns_of_one_field_each_finds_its_place(tmp_path):
    (one,) = read(sheet(tmp_path / "c.xlsx", ["类别", "领域", "题目"], ["古代", "历史", "何时？"])).questions
    assert (one.area, one.category) == ("历史", "古代")


@pytest.mark.parametrize("answer", ["答案", "Answer", "key"])
def test_options_of_a_sheet_are_read_with_the_letter_of_the_answer(tmp_path, answer):
    (one,) = read(sheet(tmp_path / "c.xlsx", ["题目", "选项A", "选项 B", answer], ["1 + 1?", 2, 3, "A"])).questions
    assert (one.options, one.key, one.reference) == (["2", "3"], "A", None)


def test_an_answer_that_is_the_letter_of_no_option_is_refused_with_its_line(tmp_path):
    heads, *cells = (
        ["Question", "A", "B", "C", "D", "Answer"],
        ["Which is a mammal?", "Trout", "Bat", "Eagle", "Frog", "b"],
        ["3 + 3?", "3", "4", "5", "6", "Z"],
        ["The last letter?", "x", "y", "z", "w", "z"],
    )
    path = tmp_path / "mc.csv"
    path.write_text("".join(f"{','.join(row)}\n" for row in (heads, *cells)))
    rows = tmp_path / "mc.jsonl"
    rows.write_text(lines(*(dict(zip(heads, row, strict=True)) for row in cells)))
    for found, line in (
        (read(path), 3),
        (read(sheet(tmp_path / "mc.xlsx", heads, *cells)), 3),
        (read(rows), 2),
    ):
        assert [(one.key, one.reference) for one in found.questions] == [("B", None), ("C", "z")]
        (row,) = found.refused
        assert (row.line, row.reason) == (line, "answer 'Z' is none of A to D")
        assert row.params == {"rule": "letter", "value": "'Z'", "last": "D"}


@pytest.mark.parametrize("head", ["答案", "key"])
@pytest.mark.parametrize(
    ("answer", "key", "reference"),
    [("Ｃ", "C", None), ("ｃ", "C", None), ("c", "C", None), ("罗马", "C", "罗马"), ("A", "A", None)],
)
def test_a_letter_in_full_width_and_the_text_of_an_option_are_the_letter_of_the_option(
    tmp_path, head, answer, key, reference
):
    found = read(tmp_path / "mc.csv", f"题目,选项A,选项B,选项C,{head}\n首都？,巴黎,A,罗马,{answer}\n")
    (one,) = found.questions
    assert (one.key, one.reference) == (key, reference if head == "答案" else None)


@pytest.mark.parametrize("answer", ["2", "２", "马德里", "1.5"])
def test_a_number_and_a_text_that_is_no_option_are_no_letter(tmp_path, answer):
    (one,) = read(tmp_path / "mc.csv", f"题目,A,B,C,答案\n1+1？,1,2,1.5,{answer}\n").questions
    assert (one.key, one.reference) == (None, answer)


def test_an_option_that_is_left_out_before_another_moves_no_letter(tmp_path):
    found = read(tmp_path / "mc.csv", "Question,A,B,C,D,Answer\nWhy?,x,,y,z,C\nHow?,x,y,,,B\n")
    assert [(one.key, one.options) for one in found.questions] == [("B", ["x", "y"])]
    assert [(row.line, row.reason) for row in found.refused] == [(2, "B: no text: ''")]


def test_of_two_columns_of_one_name_the_first_is_read_and_the_other_named(tmp_path):
    heads, cells = ["Question", "Answer", "Question", "", ""], ["Capital?", "Paris", "x", "", ""]
    book = read(sheet(tmp_path / "class.xlsx", heads, [*cells[:3], None, None]))
    table = read(tmp_path / "class.csv", f"{','.join(heads)}\n{','.join(cells)}\n")
    for found in (book, table):
        assert [(one.turns, one.reference) for one in found.questions] == [(["Capital?"], "Paris")]
        assert found.unused == ["Question #2"]
    taken = read(tmp_path / "class.csv", f"{','.join(heads)}\n{','.join(cells)}\n", columns={"prompt": "Question #2"})
    assert (taken.questions[0].turns, taken.unused) == (["x"], ["Question"])
    heads = ["领域", "prompt示例", "Tasks", "Domain area", "prompt示例"]
    tree = read(sheet(tmp_path / "tree.xlsx", heads, ["历史", "何时？", "x", "y", "z"]))
    assert ([one.turns for one in tree.questions], tree.unused[-1]) == ([["何时？"]], "prompt示例 #2")


def test_columns_that_are_not_used_are_named(tmp_path):
    heads, cells = ["Question", "Subject", "Remarks", "Blank"], ["Why?", "Light", "by Ada", None]
    book = read(sheet(tmp_path / "class.xlsx", heads, cells))
    table = read(tmp_path / "class.csv", "Question,Subject,Remarks,Blank,\nWhy?,Light,by Ada,,\n")
    rows = read(tmp_path / "class.json", json.dumps([{"Question": "Why?"}, {"Question": "How?", "Remarks": "by Ada"}]))
    assert [book.unused, table.unused, rows.unused] == [["Remarks"]] * 3
    assert read(tmp_path / "used.csv", "Question,Subject\nWhy?,Light\n").unused == []


def test_columns_of_a_published_sheet_that_are_not_used_are_named(tmp_path):
    path = sheet(tmp_path / "en.xlsx", [*ENGLISH, "Level"], ["Writing", "Mail", "Write.", None, 1, "hard"])
    assert read(path).unused == ["Level"]


CELLS = [
    (date(2026, 1, 2), "is a date; format the cell as text and type it again", "cell_date"),
    (time(1, 2), "is a time; format the cell as text and type it again", "cell_time"),
    ("#N/A", "is an error value; type what is meant", "cell_error"),
]
"""Cells of a spreadsheet that hold no text, and how they are told."""


@pytest.mark.parametrize("head", ["ID", "Question", "Subject", "A", "D", "Answer", "Hint", "Level", "Task"])
@pytest.mark.parametrize(("cell", "reason", "rule"), CELLS)
def test_a_row_with_a_used_cell_that_holds_no_text_is_refused(tmp_path, head, cell, reason, rule):
    row = {"ID": 7, "Question": "Which?", "Subject": "Sums", **dict(zip("ABCD", [1, 3, 2, 4], strict=True))}
    row |= {"Answer": "B", "Hint": "count", "Level": "easy", "Task": "Small sums"}
    path = sheet(tmp_path / "sums.xlsx", [*row], [*row.values()], [*{**row, head: cell}.values()])
    found = read(path)
    assert ([one.options for one in found.questions], found.unused) == ([["1", "3", "2", "4"]], [])
    (refusal,) = found.refused
    assert (refusal.line, refusal.params) == (3, {"rule": rule, "column": head})
    assert refusal.reason.startswith(f"{head} {reason}")
    with pytest.raises(Invalid, match=f"sums.xlsx, line 3: {head} {reason}"):
        read(path, strict=True)


@pytest.mark.parametrize("head", ["prompt示例", "参考答案", "一级类目"])
def test_a_row_of_a_published_sheet_with_a_date_is_refused_by_its_head(tmp_path, head):
    row = {"一级类目": "历史", "二级类目": "时间", "prompt示例": "何时？", "参考答案": "今天"}
    path = sheet(tmp_path / "zh.xlsx", [*row], [*row.values()], [*{**row, head: date(2026, 1, 2)}.values()])
    assert [(one.line, one.params) for one in read(path).refused] == [(3, {"rule": "cell_date", "column": head})]


def test_a_date_in_a_column_that_is_not_used_refuses_nothing(tmp_path):
    path = sheet(tmp_path / "class.xlsx", ["Question", "Seen", date(2026, 1, 2)], ["Why?", date(2026, 1, 2), "x"])
    found = read(path)
    assert (found.refused, found.unused) == ([], ["Seen", "2026-01-02 00:00:00"])


@pytest.mark.parametrize(
    "head",
    [
        *("Model answer", "Ideal answer", "Sample answer", "Gold", "Gold answer", "Suggested answer", "Ground truth"),
        *("Expected output", "示范答案", "示例答案", "范文", "参考范文", "示範答案", "範例答案", "範文", "參考範文"),
    ],
)
def test_usual_heads_of_right_answers_are_understood(tmp_path, head):
    found = read(tmp_path / "class.csv", f"Question,{head}\nWhy?,Refraction.\n")
    assert [found.questions[0].reference, found.unused] == ["Refraction.", []]


def test_a_field_that_the_first_rows_of_json_lack_is_read(tmp_path):
    found = read(tmp_path / "class.json", json.dumps([{"question": "Why?"}, {"question": "How?", "answer": "So."}]))
    assert [entry.reference for entry in found.questions] == [None, "So."]


def test_own_fields_are_read_from_json_and_tables_without_facts(tmp_path):
    whole = question(
        turns=["One?", "Two?"],
        area="Sums",
        options=["3", "4"],
        key="B",
        hint="count",
        answers=[{"text": "four", "votes": 3}],
    )
    cells = {name: json.dumps(value) if isinstance(value, list) else value for name, value in whole.items()}
    table = io.StringIO()
    writer = csv.DictWriter(table, cells)
    writer.writeheader()
    writer.writerow(cells)
    for found in (
        read(tmp_path / "set.json", json.dumps([whole])),
        read(tmp_path / "set.jsonl", lines(whole)),
        read(tmp_path / "set.csv", table.getvalue()),
        read(tmp_path / "plain.csv", table.getvalue(), format=QuestionFormat.CSV),
        read(sheet(tmp_path / "set.xlsx", list(cells), list(cells.values()))),
    ):
        assert found.unused == []
        assert [entry.model_dump(exclude_defaults=True) for entry in found.questions] == [
            {**whole, "answers": [{"text": "four", "votes": 3.0}]}
        ]


def test_a_cell_of_turns_that_is_no_list_is_one_turn(tmp_path):
    found = read(tmp_path / "set.csv", 'turns,reference\nWhy?,So.\n[sic] How?,"So."\n"[""One?"", ""Two?""]",\n')
    assert [entry.turns for entry in found.questions] == [["Why?"], ["[sic] How?"], ["One?", "Two?"]]


def test_a_cell_that_no_field_can_hold_is_told(tmp_path):
    rows = [
        {"question": "Why?", "answer": {"aliases": ["So."]}, "options": "a or b", "turns": 2},
        {"question": "How?", "reference": "n/a", "answers": "", "options": []},
    ]
    found = read(tmp_path / "set.json", json.dumps(rows))
    assert (found.questions[0].reference, found.questions[0].options, found.questions[0].turns) == (None, [], ["Why?"])
    assert sorted(found.unused) == ["answer", "options", "turns"]


@pytest.mark.parametrize(
    "options",
    [
        {"A": "red", "B": "blue"},
        {"a": "red", "b": "blue"},
        {"B": "blue", "A": "red"},
        {"A": "red", "B": "blue", "C": "", "D": None},
        '{"A": "red", "B": "blue"}',
    ],
)
def test_options_by_letter_are_read(tmp_path, options):
    found = read(tmp_path / "set.json", json.dumps([{"question": "Which?", "options": options, "answer": "B"}]))
    assert [(entry.options, entry.key) for entry in found.questions] == [(["red", "blue"], "B")]
    assert found.unused == []


@pytest.mark.parametrize("options", [{"first": "red"}, {"A": "red", "C": "blue"}, {"A": ["red"]}, {}])
def test_options_by_anything_else_are_named(tmp_path, options):
    found = read(tmp_path / "set.json", json.dumps([{"question": "Which?", "options": options}]))
    assert (found.questions[0].options, found.unused) == ([], ["options"] if options else [])


def test_several_right_answers_are_one_reference(tmp_path):
    found = read(tmp_path / "set.json", json.dumps([{"question": "How many?", "answer": ["Two.", 2]}]))
    assert (found.questions[0].reference, found.unused) == ("Two.\n\n2", [])


def test_json_without_a_usual_question_is_told_how_to_name_it(tmp_path):
    path, content = tmp_path / "set.json", json.dumps([{"Frage": "Why?"}])
    with pytest.raises(Invalid, match="'Frage'; `arena questions import --column prompt=FIELD` names"):
        read(path, content)
    assert read(path, content, columns={"prompt": "Frage"}).questions[0].turns == ["Why?"]


@pytest.mark.parametrize(
    ("line", "prompt"),
    [
        ("三、什么是热？", "什么是热？"),
        ("十二、什么是光？", "什么是光？"),
        ("（三）什么是热？", "什么是热？"),
        ("(3) + 2 = ?", "(3) + 2 = ?"),
        ("- 1. What is heat?", "1. What is heat?"),
        ("12) What is heat?", "What is heat?"),
        ("一、二年级学生学什么？", "一、二年级学生学什么？"),
        ("1、2、3 的和是多少？", "1、2、3 的和是多少？"),
        ("3、2008 年奥运会在哪里？", "2008 年奥运会在哪里？"),
        ("一天有多少小时？", "一天有多少小时？"),
    ],
)
def test_a_line_of_text_loses_its_number_and_nothing_else(tmp_path, line, prompt):
    assert read(tmp_path / "class.txt", f"{line}\n").questions[0].turns == [prompt]


def test_a_sheet_without_a_question_says_so_with_the_columns_that_it_has(tmp_path):
    with pytest.raises(Invalid, match="No column 'question'") as refusal:
        read(sheet(tmp_path / "none.xlsx", ["编号", "备注"], [1, "a"]))
    assert refusal.value.params == {"rule": "question_column", "names": ["'编号'", "'备注'"]}


def test_an_empty_sheet_says_that_it_is_empty(tmp_path):
    with pytest.raises(Invalid, match="The file is empty") as refusal:
        read(sheet(tmp_path / "none.xlsx", []))
    assert refusal.value.params == {"rule": "file_empty"}


def test_all_columns_that_are_named_and_absent_are_said_at_once(tmp_path):
    with pytest.raises(Invalid, match="No column 'Frage' for prompt, 'Nr' for id; there are: 'a'"):
        read(tmp_path / "a.csv", "a\n1\n", columns={"prompt": "Frage", "id": "Nr"})


def test_rows_below_a_merged_area_are_named(tmp_path):
    rows = [["Writing", "Mail", "Write.", None, 1], [None, "Mail", "Again.", None, 2]]
    found = read(sheet(tmp_path / "merged.xlsx", ENGLISH, *rows, merged="A2:A3"))
    assert reasons(found) == ["merged.xlsx, line 3: area: blank; of merged cells only the first row has it"]


@pytest.mark.parametrize(("name", "count", "several"), [("mt_bench.jsonl", 80, 80), ("arena_hard_v2.jsonl", 750, 0)])
def test_real_files_are_read_whole(name, count, several):
    found = read(real(name))
    assert (len(found.questions), found.refused) == (count, [])
    assert sum(len(each.turns) > 1 for each in found.questions) == several
    assert found.facts.licence == "Apache-2.0"


def originals(folder) -> list[tuple[QuestionFormat, str, bytes]]:
    book = sheet(folder / "t.xlsx", CHINESE, *([n, "区", "类", f"问题{n}", "答"] for n in range(20))).read_bytes()
    return [
        (QuestionFormat.ARENA, "a.jsonl", own(*(question(id=str(n)) for n in range(5))).encode()),
        (QuestionFormat.MT_BENCH, "a.jsonl", lines(MT, MT).encode()),
        (QuestionFormat.ARENA_HARD, "a.jsonl", lines(HARD, HARD_1).encode()),
        (QuestionFormat.ALIGNBENCH, "a.jsonl", lines(ALIGN).encode()),
        (QuestionFormat.LLMEVAL2, "a_data.json", json.dumps(LLMEVAL2).encode()),
        (QuestionFormat.HUMANRANKEVAL, "a.json", json.dumps([RANKED]).encode()),
        (QuestionFormat.CMMLU, "a.csv", CMMLU.encode()),
        (QuestionFormat.CSV, "a.csv", b"question,area\nWhy?,x\nHow?,y\n"),
        (QuestionFormat.TENCENT, "a.xlsx", book),
    ]


ODD = (b"null", b"[]", b"{}", b"1e999", b"-1", b'""', b"\xff", b"\x00", b"NaN", b",", b'"', b"\n", b"\\u0000", b"true")


def mutated(content: bytes, rng: Random) -> bytes:
    """Cut, repeat, flip or replace a few places; half of the time with values of odd types."""
    for _ in range(rng.randint(1, 6)):
        start = rng.randrange(len(content) + 1)
        end = min(len(content), start + rng.randint(0, 12))
        piece = rng.choice(ODD) if rng.random() < 0.5 else rng.randbytes(rng.randint(0, 4))
        content = content[:start] + rng.choice((piece, b"", content[start:end] * 2)) + content[end:]
    return content


def mutate(folder, count: int) -> tuple[int, int]:
    """Read mutated files; returns how many were refused and how many were read."""
    rng, sentences, held = Random(16), [], 0
    each = originals(folder)
    for number in range(count):
        kind, name, content = each[number % len(each)]
        try:
            found = read(folder / name, mutated(content, rng), format=rng.choice((kind, None)))
        except Invalid as error:
            sentences.append(str(error))
        else:
            assert all("\n" not in reason and reason for reason in reasons(found))
            held += 1
    assert all("\n" not in sentence and sentence for sentence in sentences)
    return len(sentences), held


def test_a_mutated_file_is_refused_in_one_sentence_or_read(tmp_path):
    refused, held = mutate(tmp_path, 450)
    assert refused > 20
    assert held > 20


@pytest.mark.heavy
def test_ten_thousand_mutated_files_crash_nothing(tmp_path):
    refused, held = mutate(tmp_path, 10_000)
    assert refused + held == 10_000


@pytest.mark.parametrize("taken", ["same", "same#{}"], ids=["one id", "the numbers of an id"])
def test_rows_of_one_id_take_linear_time(tmp_path, monkeypatch, taken):
    rows = 500
    ids = [*(taken.format(number + 2) for number in range(rows)), *["same"] * rows]
    copies, copy = [], QuestionView.model_copy
    monkeypatch.setattr(QuestionView, "model_copy", lambda self, **options: copies.append(0) or copy(self, **options))
    text = "".join(f"{name},Question number {number}?\n" for number, name in enumerate(ids))
    found = read(tmp_path / "q.csv", f"id,question\n{text}")
    assert len({question.id for question in found.questions}) == 2 * rows
    assert len(copies) <= 2 * rows


def test_an_equal_question_of_a_repeated_id_is_refused_wherever_it_stood(tmp_path):
    found = read(tmp_path / "q.csv", "id,question\nx,One?\nx,Two?\nx,Three?\nx,Two?\n")
    assert [question.id for question in found.questions] == ["x", "x#2", "x#3"]
    assert reasons(found) == ["q.csv, line 5: repeats line 3 and is left out"]


def test_questions_of_one_text_are_kept_under_their_ids_and_named(tmp_path):
    rows = ["1,What is 17 + 25?", "1,Two?", "2,What is 17 + 25?", "3,Three?", "4,  What is  17 + 25?  "]
    found = read(tmp_path / "q.csv", "\n".join(["id,question", *rows]))
    assert [question.id for question in found.questions] == ["1", "1#2", "2", "3", "4"]
    assert (found.refused, [line for _, line in found.same_text]) == ([], [2, 4, 6])


def test_questions_with_other_options_or_turns_have_no_text_in_common(tmp_path):
    closed = [question(id=str(n), turns=["Which?"], options=["x", str(n)], key="A") for n in range(2)]
    dialogues = [question(id=f"d{n}", turns=["Why?", f"And {n}?"]) for n in range(2)]
    assert read(tmp_path / "q.jsonl", own(*closed, *dialogues)).same_text == []
