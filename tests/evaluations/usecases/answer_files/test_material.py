"""Files of finished answers are put together by the ids of their questions, and what cannot be used is named."""

import json

import pytest

from arena.domain.errors import Invalid
from arena.evaluations.usecases.answer_files.material_reader import read_material


@pytest.fixture
def read(tmp_path):
    def of(files, *, wide=True):
        for name, content in files.items():
            text = content if isinstance(content, str) else "".join(f"{json.dumps(row)}\n" for row in content)
            (tmp_path / name).write_text(text)
        return read_material([tmp_path / name for name in files], "ours", wide=wide)

    return of


def said(material):
    return [(answer.question, answer.model, answer.texts) for answer in material.answers]


def test_columns_of_a_table_are_models_but_for_those_about_the_question(read):
    material = read({"a.csv": "id,question,area,old,new\none,What?,Sea,x,y\ntwo,Where?,Sea,z,\n"})
    assert said(material) == [("one", "old", ["x"]), ("one", "new", ["y"]), ("two", "old", ["z"])]
    assert [(question.id, question.area) for question in material.questions] == [("one", "Sea"), ("two", "Sea")]
    assert (material.facts.name, material.models, material.refused) == ("ours", ["old", "new"], [])


def test_rows_name_a_question_by_its_text_or_by_the_id_in_a_file_that_comes_along(read):
    rows = [{"question": "What?", "model": "old", "answer": "x"}, {"question": "one", "model": "new", "answers": ["y"]}]
    material = read({"q.csv": "id,question\none,What?\n", "a.jsonl": rows[1:]})
    assert said(material) == [("one", "new", ["y"])]
    material = read({"a.jsonl": [rows[0], {**rows[0], "model": "new"}]})
    assert [answer.model for answer in material.answers] == ["old", "new"]
    assert len({answer.question for answer in material.answers}) == len(material.questions) == 1


def test_columns_of_answers_that_are_not_used_are_named_once(read):
    row = {"id": "one", "question": "What?", "area": "Sea", "model": "old", "answer": "x"}
    rows = [{**row, "Remarks": "nice", "empty": ""}, {**row, "model": "new", "Remarks": "bad", "key": "A"}]
    assert read({"a.jsonl": rows}).unused == ["Remarks", "key"]
    table = "question,model,answer,Seen\none,older,y,1\n"
    questions = "id,question,Mood\none,What?,3\n"
    files = {"q.csv": questions, "a.jsonl": rows, "b.csv": table}
    assert read(files, wide=False).unused == ["Mood", "Remarks", "key", "Seen"]


@pytest.mark.parametrize("head", ["题目,模型,回答", "问题,模型,答案", "題目,模型名稱,回覆", "Question,Model,Answer"])
def test_rows_of_answers_with_usual_heads_are_understood(read, head):
    material = read({"a.csv": f"{head}\nWhat?,old,x\nWhat?,new,y\n"}, wide=False)
    assert [(answer.model, answer.texts) for answer in material.answers] == [("old", ["x"]), ("new", ["y"])]
    assert ([question.turns for question in material.questions], material.unused) == ([["What?"]], [])


@pytest.mark.parametrize(
    "head", ["题目,领域,甲,乙,参考答案", "題目,領域,甲,乙,參考答案", "Question,Area,甲,乙,Reference"]
)
def test_usual_heads_of_a_table_of_models_are_no_models(read, head):
    material = read({"a.csv": f"{head}\nWhat?,Sea,x,y,z\nWhere?,Sea,v,w,z\n"})
    assert material.models == ["甲", "乙"]
    assert [(one.turns, one.area, one.reference) for one in material.questions] == [
        (["What?"], "Sea", "z"),
        (["Where?"], "Sea", "z"),
    ]


def test_arena_hard_2_has_its_prompt_and_earlier_answers_need_the_file_of_questions(read):
    two = {
        "uid": "u1",
        "model": "new",
        "messages": [{"role": "user", "content": "What?"}, {"role": "assistant", "content": {"answer": "y"}}],
    }
    turns = [{"content": "x"}, {"content": "more"}]
    one = {"question_id": "u2", "model_id": "old", "choices": [{"index": 0, "turns": turns}]}
    bench = {"question_id": "u2", "model_id": "older", "choices": [{"index": 0, "turns": ["w", "less"]}]}
    asked = {"question_id": "u2", "category": "c", "turns": ["Where?", "And then?"]}
    material = read({"new.jsonl": [two], "old.jsonl": [one], "older.jsonl": [bench], "question.jsonl": [asked]})
    assert said(material) == [("u1", "new", ["y"]), ("u2", "old", ["x", "more"]), ("u2", "older", ["w", "less"])]
    assert read({"new.jsonl": [two], "old.jsonl": [one]}).refused[0].reason == (
        "question: none of these files has it: 'u2'"
    )


def test_models_of_one_name_in_two_files_are_called_by_their_files(read):
    row = {"question": "What?", "model": "gull", "answer": "x"}
    material = read({"before.jsonl": [row], "after.jsonl": [{**row, "answer": "y"}]})
    assert material.models == ["gull (before)", "gull (after)"]


def test_plain_text_has_a_question_on_each_line_that_says_something(read):
    material = read({"q.txt": "1. What?\n\n- Where?\n  2) Who?\n三、谁？\n3.5 is what?\n"}, wide=False)
    assert [question.turns for question in material.questions] == [
        *(["What?"], ["Where?"], ["Who?"], ["谁？"], ["3.5 is what?"])
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"question": "Who?", "model": "b", "answer": " "}, "answer: no text: ' '"),
        ({"question": "Who?", "model": "b"}, "answer: missing"),
        ({"question": "Who?", "answer": "x"}, "model: missing"),
        ({"model": "b", "answer": "x"}, "question: missing"),
        ({"id": "1", "question": "Other?", "model": "b", "answer": "x"}, "id: another question of these files has it"),
        ({"question": "What?", "id": "1", "model": "a", "answer": "x"}, "answer: 'a' has answered this question"),
        ({"question": "What?", "id": "1", "model": "b", "answers": ["x", "y"]}, "answer: 2 texts to 1 turns"),
        ({"question": "Who?", "model": "b" * 81, "answer": "x"}, "model: 1 to 80 printable characters"),
        ([1], "not a JSON object: a list"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_with_its_line_and_the_others_are_taken(read, row, reason):
    material = read({"a.jsonl": [{"id": "1", "question": "What?", "model": "a", "answer": "x"}, row]})
    (refusal,) = material.refused
    assert str(refusal).startswith(f"a.jsonl, line 2: {reason}"), refusal
    assert len(material.answers) == 1


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"a.csv": "question,only\nWhat?,x\n"}, "a column question and one for each of two or more models"),
        ({"a.bin": "\x00\x01"}, "nobody knows the format"),
        ({"q.txt": "\n\n"}, "there is no question"),
        ({"a.jsonl": [{"model": "a", "answer": "x"}]}, "there is no question: a.jsonl, line 1: question: missing"),
    ],
)
def test_files_without_a_comparison_are_refused_in_one_sentence(read, files, reason):
    with pytest.raises(Invalid, match=reason):
        read(files)
