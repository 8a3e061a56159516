"""Logs of Inspect and promptfoo: questions by id, answers by model, and scores as numbers."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from backports.zstd import zipfile

from arena.domain.errors import Invalid
from arena.evaluations.usecases.answer_files import logs
from arena.evaluations.usecases.answer_files.material_reader import read_material
from tests.cli.commands import run
from tests.paths import ROOT

HEADER = {
    "version": 2,
    "status": "success",
    "eval": {"task": "capitals", "task_id": "x", "model": "mock/gull", "dataset": {"sample_ids": ["b", 1]}},
}


def sample(name, answer: Any = "Lima", **changes):
    content = {"id": name, "epoch": 1, "input": f"Capital of {name}?", "target": "Lima", "attachments": {}}
    output = {"choices": [{"message": {"role": "assistant", "content": answer}}] if answer else []}
    scores = {"includes": {"value": "C"}, "parts": {"value": {"form": 0.5, "note": "long"}}, "other": {"value": "?"}}
    scores |= {"huge": {"value": 10**400}, "nan": {"value": float("nan")}}
    return {**content, "output": output, "scores": scores, **changes}


def packed(path, samples, header="header.json", how=zipfile.ZIP_ZSTANDARD):
    with zipfile.ZipFile(path, "w", how) as archive:
        archive.writestr(header, json.dumps(HEADER))
        for each in samples:
            archive.writestr(f"samples/{each['id']}_epoch_{each['epoch']}.json", json.dumps(each))
    return path


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_samples_come_in_the_order_of_their_data_set_with_scores_as_numbers(tmp_path, kind):
    samples = [sample(1), sample("b", "Bern"), sample("b", "late", epoch=2)]
    path = tmp_path / f"log.{kind}"
    if kind == "eval":
        packed(path, samples)
    else:
        path.write_text(json.dumps({**HEADER, "samples": [samples[1], samples[0], samples[2]]}, indent=2))
    material = read_material([path], "ours", wide=True)
    assert [(question.id, question.area, question.reference) for question in material.questions] == [
        *(("b", "capitals", "Lima"), ("1", "capitals", "Lima"))
    ]
    assert [(answer.model, answer.texts) for answer in material.answers] == [
        *(("mock/gull", ["Bern"]), ("mock/gull", ["Lima"]))
    ]
    assert material.answers[0].scores == {"includes": 1.0, "parts/form": 0.5}
    assert material.refused == []


def test_a_log_that_still_grows_and_one_packed_by_deflate_are_read_too(tmp_path):
    path = packed(tmp_path / "a.eval", [sample("b")], header="_journal/start.json", how=zipfile.ZIP_DEFLATED)
    assert [answer.texts for answer in read_material([path], "ours", wide=True).answers] == [["Lima"]]


def test_parts_attachments_and_talks_become_text(tmp_path):
    talk = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello"}]
    talk += [{"role": "assistant", "content": "Hi"}, {"role": "user", "content": [{"type": "text", "text": "A sea?"}]}]
    parts = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "attachment://k"}]
    long = {"input": talk, "attachments": {"k": "A long answer"}, "target": ["Baltic", "North"]}
    material = read_material([packed(tmp_path / "a.eval", [sample("b", parts, **long)])], "ours", wide=True)
    assert material.questions[0].turns == ["user: Hello\n\nassistant: Hi\n\nuser: A sea?"]
    assert material.questions[0].reference == "Baltic / North"
    assert material.answers[0].texts == ["A long answer"]


def test_a_sample_without_an_answer_and_a_damaged_one_are_named(tmp_path):
    path = packed(tmp_path / "a.eval", [sample("b"), sample(1, None, error={"message": "timeout"})])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("samples/zz_epoch_1.json", "{")
    refused = read_material([path], "ours", wide=True).refused
    assert [str(each) for each in refused] == [
        "a.eval, line 2: sample 1: no answer: 'timeout'",
        "a.eval, line 3: samples/zz_epoch_1.json: damaged (JSONDecodeError)",
    ]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.eval", b"PK\x03\x04 and no more", "the zip file is damaged or cut off"),
        ("a.json", json.dumps({**HEADER, "samples": []}).encode()[:-9], "not valid JSON, or the file is cut off"),
        ("a.json", json.dumps({**HEADER, "samples": []}).encode(), "there is no question"),
    ],
)
def test_a_damaged_or_empty_log_is_refused_in_one_sentence(tmp_path, name, content, reason):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Invalid, match=reason):
        read_material([tmp_path / name], "ours", wide=True)


def test_a_log_in_one_piece_that_does_not_fit_into_memory_is_refused_with_the_way_out(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "DOCUMENT_LIMIT", 100)
    (tmp_path / "a.json").write_text(json.dumps({**HEADER, "samples": [sample("b")] * 9}))
    with pytest.raises(Invalid, match="inspect log convert --to eval"):
        read_material([tmp_path / "a.json"], "ours", wide=True)


def result(prompt, variables, output: Any = "42", **changes):
    label = ("Answer briefly: {{q}}", "Explain at length and in all the detail that there can be: {{q}}")[prompt]
    asked = {"promptIdx": prompt, "testIdx": 0, "provider": {"id": "echo", "label": ""}, "vars": variables}
    said = {"prompt": {"raw": "What?", "label": label}, "response": {"output": output}, "score": 1}
    return {**asked, **said, "testCase": {"assert": [{"type": "contains"}]}, **changes}


def test_results_of_promptfoo_are_answers_of_providers_with_their_prompts(tmp_path):
    rows = [result(0, {"q": "2+2?"}), result(1, {"q": "2+2?"}, {"n": 4}), result(0, {"q": "2+2?"}, "again")]
    rows += [result(0, {"a": "x", "b": "y"}), result(1, {}, None, error="refused"), result(0, {}, testCase={})]
    whole = {"evalId": "eval-1", "results": {"version": 3, "prompts": [], "results": rows}, "config": {}}
    (tmp_path / "out.json").write_text(json.dumps(whole, indent=1))
    material = read_material([tmp_path / "out.json"], "ours", wide=True)
    brief, long = "echo · Answer briefly: {{q}}", "echo · prompt 2"
    assert [(answer.model, answer.texts[0], answer.scores) for answer in material.answers] == [
        (brief, "42", {"assertions": 1.0}),
        (long, '{"n": 4}', {"assertions": 1.0}),
        (brief, "42", {"assertions": 1.0}),
        (brief, "42", {}),
    ]
    assert [question.turns for question in material.questions] == [["2+2?"], ["a: x\nb: y"], ["What?"]]
    assert [str(each) for each in material.refused] == ["out.json, line 5: output: missing: 'refused'"]


def opinions(folder, name, settings):
    """People who prefer what `includes` calls right, but for the first question."""
    run("evaluations", "export", name, str(folder / "out.jsonl"), **settings)
    _, *answers = map(json.loads, (folder / "out.jsonl").read_text().splitlines())
    models = list(dict.fromkeys(answer["model"] for answer in answers))
    ids = list(dict.fromkeys(answer["question"] for answer in answers))
    good, bad = sorted(models, reverse=True)
    rows = [
        {"question": each, "a": good, "b": bad, "annotator": who, "outcome": "a" if number % 4 or not number else "b"}
        for number, each in enumerate(ids[:-1])
        for who in "pq"
    ]
    (folder / "said.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert run("evaluations", "import", name, str(folder / "said.jsonl"), **settings).returncode == 0


def check_library(folder, python, environment):
    """The library's README: its program's board of two logs, beside the share that Inspect's own view gives."""
    library = ROOT / "packages/arena-rating"
    subprocess.run([str(python), "-m", "pip", "install", "-q", f"{library}[pandas]"], check=True, env=environment)
    for program in re.findall(r"(?s)```python\n(# \w+\.py\n.*?)```", (library / "README.md").read_text()):
        (folder / program.split()[1]).write_text(program)
    command = [str(python), "board.py", "good.eval", "bad.eval"]
    board = subprocess.run(command, cwd=folder, check=True, env=environment, capture_output=True, text=True).stdout
    assert re.search(r"1 +mockllm/good .* 0\.730769 +13\n", board)
    (share,) = re.findall(
        r"against: ([\d.]+)",
        subprocess.run(
            [str(python), str(Path(__file__).with_name("inspect_logs.py")), str(folder), "against"],
            cwd=folder,
            check=True,
            env=environment | {"PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
        ).stdout,
    )
    assert float(share) == pytest.approx(1 - 0.730769, abs=1e-6)


@pytest.mark.heavy
@pytest.mark.timeout(1200)
def test_logs_of_the_real_package_are_read_to_the_last_answer_and_people_stand_beside_their_scores(tmp_path):
    python = tmp_path / "environment/bin/python"
    subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
    # Its index is asked for it, as for the image and the first start.
    online = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([str(python), "-m", "pip", "install", "-q", "inspect-ai"], check=True, env=online)
    subprocess.run(
        [str(python), str(Path(__file__).with_name("inspect_logs.py")), str(tmp_path)], check=True, env=online
    )
    check_library(tmp_path, python, online)
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off"}
    materials = [
        read_material([tmp_path / f"good.{kind}", tmp_path / f"bad.{kind}"], "ours", wide=True)
        for kind in ("eval", "json")
    ]
    assert materials[0].questions == materials[1].questions
    assert materials[0].answers == materials[1].answers
    assert len(materials[0].questions) == 13
    assert len(materials[0].answers) == 26
    assert materials[0].answers[-1].texts == ["Baltic"]
    command = ("compare", str(tmp_path / "good.eval"), str(tmp_path / "bad.eval"), "--name", "ours")
    assert run(*command, **settings).stdout.startswith("ours: 13 questions, mockllm/good against mockllm/bad, blind.\n")
    opinions(tmp_path, "ours", settings)
    report = json.loads(run("evaluations", "report", "ours", "--json", **settings).stdout)
    means = {(row["scorer"], row["model"]): row["mean"] for row in report["log_scores"]}
    assert means["includes", "mockllm/good"] == pytest.approx(10 / 13)
    agreement = next(row for row in report["log_agreement"] if row["scorer"] == "includes")
    assert (agreement["items"], agreement["agreement"]) == (12, pytest.approx(11 / 12))
    assert agreement["low"] < 11 / 12 < agreement["high"]
