"""Commands that change nothing, as they are refused: no act of theirs is kept."""

import json
import re

import pytest

from arena.domain.operators import ActKind
from tests.cli.commands import run
from tests.evaluations.usecases.sets.files import own, question
from tests.paths import ROOT

pytestmark = pytest.mark.process
MODELS = "--model abacus-brief --model abacus-letter"
REFUSED = {
    "ENDPOINT_ADDED": [
        "endpoints add gull --owner me --url http://127.0.0.1:9/v1 --wire-model m",
        "endpoints add gull --owner me --url http://127.0.0.1:9/v1 --wire-model m --private",
        "endpoints add abacus-brief --owner me --url http://127.0.0.1:9/v1 --wire-model m --private --no-probe",
        "endpoints discover http://127.0.0.1:9/v1 --private --all",
    ],
    "ENDPOINT_APPROVED": ["endpoints approve abacus-brief", "endpoints approve nowhere"],
    "ENDPOINT_PAUSED": ["endpoints pause nowhere"],
    "ENDPOINT_RESUMED": ["endpoints resume nowhere"],
    "ENDPOINT_SUSPENDED": ["endpoints suspend nowhere"],
    "ENDPOINT_RETIRED": ["endpoints retire nowhere"],
    "CHANGES_APPROVED": ["endpoints approve-changes abacus-brief"],
    "CHANGES_REFUSED": ["endpoints refuse-changes abacus-brief"],
    "ENDPOINT_CHANGED": [
        "endpoints edit nowhere --vision",
        "endpoints use nowhere judging",
        "endpoints same-as abacus-brief abacus-brief",
        "endpoints same-as abacus-brief abacus-letter --off",
    ],
    "RELEASE_BUILT": ["release build -"],
    "RELEASE_READ": ["release review nowhere"],
    "RELEASE_PUBLISHED": ["release publish nowhere"],
    "LOG_COSIGNED": ["log witness http://127.0.0.1:9"],
    "SITE_CHANGED": ["site set nowhere x", "site set languages xx"],
    "SITE_IMPORTED": ["site import {text}"],
    "IMAGE_TAKEN_DOWN": ["images block {text} --reason x"],
    "VOTES_IMPORTED": ["votes import {text}"],
    "VOTE_EXCLUDED": ["votes exclude 7 --reason x", "log exclude --why x"],
    "VOTE_ERASED": ["votes erase 7"],
    "FILES_PUBLISHED": ["publish {text}"],
    "LABELS_GIVEN": [
        "labels run flags --questions nowhere",
        "labels ask capabilities/nowhere/1 --questions ours",
        "labels ask capabilities/abacus-brief/1 --questions nowhere",
    ],
    "LABEL_SAMPLE_DRAWN": ["labels sample flags --questions nowhere"],
    "MEMBERS_INVITED": ["members invite us --seats 0"],
    "INVITATION_WITHDRAWN": ["members withdraw 7"],
    "OWNER_KEY_GIVEN": ["owners key nowhere"],
    "OWNER_KEY_TAKEN": ["owners revoke nowhere"],
    "OPERATOR_ADDED": ["operators add Ada"],
    "OPERATOR_WITHDRAWN": ["operators withdraw nowhere"],
    "QUESTIONS_IMPORTED": [
        "questions import {empty}",
        "questions sample nowhere --into new",
        "questions conversions build ours",
        "questions drafts build ours --licence MIT",
    ],
    "QUESTIONS_PUBLISHED": ["questions publish nowhere", "questions publish nowhere --off"],
    "QUESTIONS_CONVERTED": [
        "questions convert nowhere --endpoint abacus-brief",
        "questions convert ours --endpoint nowhere",
        "questions follow-up nowhere --endpoint abacus-brief",
        "questions follow-up ours --endpoint nowhere",
    ],
    "QUESTION_REVIEWED": [
        "questions conversions review 7 --reviewer me --confirm",
        "questions drafts write ours {empty} --author me",
        "questions drafts review 7 --reviewer me --confirm",
    ],
    "CONFIGURATION_ADDED": ["configurations add new --model nowhere"],
    "EVALUATION_MADE": [
        "compare {questions} --name new --model abacus-brief --model nowhere",
        "compare {questions} --name closed " + MODELS,
        f"evaluations create taste --questions ours {MODELS}",
        f"evaluations create new --questions nowhere {MODELS}",
        f"evaluations create new --questions ours --protocol closed {MODELS}",
        "evaluations create new --questions ours --model abacus-brief",
        "evaluations create new --questions ours --model abacus-brief --model nowhere",
    ],
    "EVALUATION_CHANGED": [
        "evaluations set taste --design pair-table",
        "evaluations set closed --least-right 0.5",
        "evaluations import taste {empty}",
        "evaluations import taste {refused}",
        "evaluations import closed {refused}",
        "evaluations restore nowhere",
    ],
    "EVALUATION_DELETED": ["evaluations delete closed"],
    "EVALUATION_RUN": [
        "evaluations run nowhere",
        "evaluations run closed",
        "evaluations likelihood abacus-brief ours",
        "evaluations likelihood nowhere ours",
    ],
    "EVALUATION_JUDGED": ["evaluations judge taste --by nowhere"],
    "EVALUATION_OPENED": ["evaluations open taste", "evaluations open closed"],
    "EVALUATION_CLOSED": ["evaluations close closed --yes"],
    "REPORT_PUBLISHED": [
        "evaluations judges taste --publish",
        "evaluations predict taste --publish",
        "evaluations capabilities taste --close closed --publish",
    ],
    "ANNOTATORS_INVITED": ["evaluations invite closed"],
    "ANNOTATOR_REVOKED": [
        "evaluations revoke taste nobody",
        "evaluations take-back taste nobody --reason x",
    ],
}
ALWAYS = {"BOARD_RANKED", "LOG_KEY_ROTATED", "LOG_RESTARTED", "MASTER_KEY_ROTATED", "PART_CLOSED", "PART_OPENED"}
"""What nothing that is stored refuses."""


def test_every_act_of_a_command_has_its_refusals_here():
    sources = [*ROOT.glob("arena/cli/**/*.py"), *ROOT.glob("arena/evaluations/cli/*.py")]
    kinds = {kind for source in sources for kind in re.findall(r"ActKind\.([A-Z_]+)", source.read_text())}
    assert kinds == ALWAYS | REFUSED.keys()
    assert kinds <= set(ActKind.__members__)


def test_a_refused_command_is_no_act(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off", "ARENA_OPERATOR_NAME": "Grace"}
    texts = {
        "questions": own(question(), name="ours"),
        "text": "\x01 nothing",
        "empty": "",
        "refused": json.dumps({"question": "one", "model": "nobody", "answer": "So."}),
    }
    files = {name: tmp_path / f"{name}.jsonl" for name in texts}
    for name, text in texts.items():
        files[name].write_text(text)
    before = [
        "questions import {questions}",
        "operators add Ada",
        f"evaluations create taste --questions ours {MODELS}",
        f"evaluations create closed --questions ours {MODELS}",
        "evaluations close closed --yes",
    ]

    def done(words):
        return run(*words.format(**files).split(), **settings)

    def acts():
        return [(act["kind"], act["target"]) for act in json.loads(done("operators acts --json").stdout)]

    for words in before:
        assert done(words).returncode == 0, words
    kept = acts()
    assert len(kept) == len(before)
    for words in [words for commands in REFUSED.values() for words in commands]:
        result = done(words)
        assert result.returncode == 1, (words, result)
        assert acts() == kept, (words, result)


TWICE = {
    "flags close voting": "voting is closed already.",
    "flags open voting": "voting is open already.",
    "endpoints pause abacus-brief": "abacus-brief is paused already.",
    "endpoints use abacus-brief judging --daily-calls 5": (
        "abacus-brief takes part in judging already, with 5 calls a day."
    ),
    "endpoints use abacus-brief judging --off": "abacus-brief takes no part in judging already.",
    "endpoints edit abacus-brief --language en": "abacus-brief answers already: en.",
    "endpoints edit abacus-brief --vision": "abacus-brief sees images already.",
    "endpoints same-as abacus-letter abacus-brief": (
        "abacus-letter and abacus-brief count already as two hosts of the same weights."
    ),
    "questions publish ours": "ours is public already.",
    "questions publish ours --off": "ours is private already.",
    "questions drafts areas anna --area maths": "anna is asked already in maths.",
    "site set name Ours": "name is set already.",
    "site set terms.en Rules": "terms.en is set already.",
    "site set name": "name is taken back already.",
    "evaluations set taste --least-right 0.5": "taste: design all; left out: right below 0.5.",
}
"""What a command says that finds everything as it shall be."""


def test_a_command_that_changes_nothing_says_so_and_is_no_act(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off", "ARENA_OPERATOR_NAME": "Grace"}
    questions = tmp_path / "questions.jsonl"
    questions.write_text(own(question(), name="ours"))

    def done(words):
        result = run(*words.split(), **settings)
        assert result.returncode == 0, (words, result)
        return result.stdout

    def count():
        return len(json.loads(done("operators acts --json")))

    done(f"questions import {questions}")
    done(f"evaluations create taste --questions ours {MODELS}")
    for words, told in TWICE.items():
        kept = count()
        assert "already" not in done(words)
        assert count() == kept + 1, words
        assert done(words).splitlines()[0] == told
        assert count() == kept + 1, words
