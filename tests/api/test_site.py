"""Routes of the operator's site: nothing changes before they publish, and what they set is there at once."""

import asyncio
import json
from base64 import b64encode
from io import BytesIO

import pytest
from PIL import Image
from sqlalchemy import text

from arena.adapters.background import in_background
from arena.adapters.images.recoding import Recoder
from arena.domain.schemas.site import ProseView, SiteChangeRequest
from arena.usecases.battles import runtime as battle_runtime
from arena.usecases.operated_site import edits
from tests.api.conftest import ORIGIN

EMPTY = {
    "name": "",
    "mark": "",
    "announcement": {},
    "languages": [],
    "accent": "",
    "ideas": {},
    "pages": [],
    "access": "public",
}


@pytest.fixture(scope="module")
def mark() -> str:
    file = BytesIO()
    Image.new("RGB", (32, 32), "navy").save(file, "PNG")
    return b64encode(file.getvalue()).decode()


async def test_before_the_operator_sets_something_the_site_is_empty_and_has_no_pages(operator):
    assert (await operator.get("/site")).json() == EMPTY
    for page in ("imprint", "privacy", "terms"):
        assert (await operator.get(f"/site/pages/{page}")).status_code == 404
    assert (await operator.get("/site/mark")).status_code == 404
    assert (await operator.get("/site/pages/press")).status_code == 422


async def test_a_draft_is_for_the_operator_and_published_by_nobody_else(operator):
    body = (await operator.get("/operator/site")).json()
    assert "**Draft.**" in body["drafts"]["imprint"]["en"]
    assert "**草稿。**" in body["drafts"]["terms"]["zh"]
    assert body["site"]["pages"] == {}
    assert body["history"] == []
    assert body["imprint_missing"]
    assert (await operator.get("/site")).json() == EMPTY


async def test_what_is_published_is_read_at_once_by_version_and_language(operator):
    texts = {"en": "# We\n\n[write](mailto:a@b.example)", "zh": "我们"}
    body = (await operator.patch("/operator/site", json={"pages": {"imprint": texts}})).json()
    assert [(row["page"], row["version"], row["languages"]) for row in body["history"]] == [
        ("imprint", 1, ["en", "zh"])
    ]
    assert not body["imprint_missing"]
    assert (await operator.get("/site")).json()["pages"] == ["imprint"]
    page = (await operator.get("/site/pages/imprint", params={"language": "zh-TW"})).json()
    assert (page["language"], page["version"], page["blocks"][0]["children"][0]["text"]) == ("zh", 1, "我们")
    page = (await operator.get("/site/pages/imprint", params={"language": "de"})).json()
    assert [block["tag"] for block in page["blocks"]] == ["h2", "p"]
    await operator.patch("/operator/site", json={"pages": {"imprint": {}}})
    assert (await operator.get("/site/pages/imprint")).status_code == 404


async def test_the_preview_is_what_the_page_will_show(operator):
    text = "# We <script>x</script>\n\n![a](https://a.example/b.png) [x](javascript:x)"
    preview = (await operator.post("/operator/site/preview", json={"text": text})).json()
    await operator.patch("/operator/site", json={"pages": {"imprint": {"en": text}}})
    assert (await operator.get("/site/pages/imprint")).json()["blocks"] == preview
    assert [ProseView.model_validate(view).tag for view in preview] == ["h2", "p"]
    long = await operator.post("/operator/site/preview", json={"text": "x" * 20_001})
    assert long.json()["detail"] == "text: 20,000 characters at most"


async def test_the_mark_is_an_image_under_an_address_of_its_own(operator, mark):
    await operator.patch("/operator/site", json={"mark": mark})
    address = (await operator.get("/site")).json()["mark"]
    image = await operator.get(f"{ORIGIN}{address}")
    assert image.headers["content-type"] == "image/png"
    assert image.content.startswith(b"\x89PNG")
    assert "nosniff" in image.headers["x-content-type-options"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("wanted", "code", "sentence"),
    [
        ({"languages": ["fr"]}, "invalid", "languages.fr: one of zh, zh-TW, en"),
        ({"announcement": {"en": "x" * 301}}, "invalid", "announcement.en: 1 to 300 characters"),
        ({"pages": {"terms": {"en": "x" * 20_001}}}, "invalid", "terms.en: 1 to 20,000 characters"),
        ({"mark": b64encode(b"<svg><script>1</script></svg>").decode()}, "image_refused", "This is no PNG"),
        ({}, "invalid", "There is nothing to change"),
    ],
)
async def test_a_wrong_value_is_refused_in_one_sentence_and_changes_nothing(operator, wanted, code, sentence):
    refused = await operator.patch("/operator/site", json={"name": "New"} | wanted if wanted else {})
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert refused.json()["detail"].startswith(sentence)
    assert (await operator.get("/site")).json() == EMPTY


async def test_all_settings_that_break_a_rule_are_named_at_once(operator):
    refused = (await operator.patch("/operator/site", json={"languages": ["fr"], "accent": "#ffff00"})).json()
    assert [problem["field"] for problem in refused["problems"]] == ["languages.fr", "accent"]


async def test_a_field_that_there_is_not_is_named(operator):
    refused = await operator.patch("/operator/site", json={"colour": "red"})
    assert refused.json()["problems"] == [{"field": "colour", "rule": "unknown"}]


async def test_a_site_is_exported_and_imported_whole_however_long_its_pages_are(operator, mark):
    texts = dict.fromkeys(("en", "zh", "zh-TW"), "长" * 19000)
    await operator.patch("/operator/site", json={"name": "Ours", "mark": mark, "pages": {"terms": texts}})
    file = (await operator.get("/operator/site/file")).json()
    assert len(json.dumps(file, ensure_ascii=False).encode()) > 65_536
    await operator.patch("/operator/site", json={"name": "", "mark": "", "pages": {"terms": {}}})
    imported = await operator.put("/operator/site/file", json=file)
    assert imported.json()["site"] == file
    newer = await operator.put("/operator/site/file", json=file | {"version": 2})
    assert newer.json()["detail"].startswith("This file has version 2")


async def test_terms_that_the_operator_publishes_are_asked_for_and_kept_with_the_vote(operator, runtime):
    runtime.terms = 1
    await operator.patch("/operator/site", json={"pages": {"terms": {"en": "Be kind."}}})
    assert (await operator.get("/status")).json()["terms"] == 2
    browser = {"Sec-Fetch-Site": "same-origin"}
    refused = await operator.post("/battles", json={"prompt": "Why?", "terms": 1}, headers=browser)
    assert (refused.json()["code"], refused.json()["terms"]) == ("terms_not_accepted", 2)
    battle = (await operator.post("/battles", json={"prompt": "Why?", "terms": 2}, headers=browser)).json()["id"]
    await operator.get(f"/battles/{battle}/stream")
    assert (await operator.post(f"/battles/{battle}/vote", json={"outcome": "a"})).status_code == 200
    assert await runtime.database.read(_terms_of_votes) == [2]
    exported = (await operator.get("/votes/export")).text
    assert "terms" not in exported


def _terms_of_votes(session):
    return list(session.scalars(text("SELECT terms FROM votes")))


SENSITIVE = "I want to kill myself"


@pytest.mark.parametrize(
    ("checks", "codes"),
    [
        ("off", [None, None]),
        ("log", [None, None]),
        ("warn", ["prompt_doubtful", None]),
        ("block", ["prompt_refused", "prompt_refused"]),
    ],
)
async def test_a_sensitive_prompt_is_let_in_logged_warned_of_or_refused(operator, caplog, checks, codes):
    await operator.patch("/operator/site", json={"prompt_checks": checks})
    for code, sure in zip(codes, (False, True), strict=True):
        answer = await operator.post("/battles", json={"prompt": SENSITIVE, "sure": sure})
        assert answer.json().get("code") == code
        chat = await operator.post("/chats", json={"prompt": SENSITIVE, "sure": sure, "models": ["red-7b"]})
        assert chat.json().get("code") == code
    assert ("a prompt about crisis came" in caplog.text) is (checks != "off")
    assert "kill" not in caplog.text
    assert (await operator.post("/battles", json={"prompt": "Why is the sky blue?"})).status_code == 201


async def test_a_follow_up_is_checked_too(operator):
    battle = (await operator.post("/battles", json={"prompt": "Why?"})).json()["id"]
    await operator.get(f"/battles/{battle}/stream")
    await operator.patch("/operator/site", json={"prompt_checks": "block"})
    refused = await operator.post(f"/battles/{battle}/turns", json={"prompt": SENSITIVE})
    assert (refused.status_code, refused.json()["code"]) == (409, "prompt_refused")


async def test_an_edit_of_what_another_operator_has_changed_is_a_conflict_of_the_site(operator):
    seen = (await operator.get("/operator/site")).json()["versions"]
    for imprint, status in (("Theirs", 200), ("Mine", 409)):
        edit = {"pages": {"imprint": {"en": imprint}}, "versions": seen}
        answer = await operator.patch("/operator/site", json=edit)
        assert answer.status_code == status
    assert (answer.json()["code"], answer.json()["params"]) == ("site_changed", {"names": ["imprint.en"]})
    assert answer.json()["detail"].startswith("Somebody else has changed imprint.en since you opened it")
    edit = {"pages": {"imprint": {"zh": "我们"}}, "name": "Ours", "versions": seen}
    body = (await operator.patch("/operator/site", json=edit)).json()
    assert body["site"]["pages"] == {"imprint": {"en": "Theirs", "zh": "我们"}}
    assert {key for key, version in body["versions"].items() if version != seen[key]} == {
        "imprint.en",
        "imprint.zh",
        "name",
    }


async def test_a_process_follows_the_site_that_another_one_publishes(runtime, monkeypatch):
    monkeypatch.setattr(battle_runtime, "SITE_PAUSE", 0.01)
    async with in_background(runtime.site.follow(runtime.database)):
        for name in ("Class 7b", "Class 8b"):
            change = SiteChangeRequest.model_validate({"name": name})
            await edits.apply(runtime.database, Recoder(), change, runtime.now(), 1)
            async with asyncio.timeout(60):
                while runtime.site.current.name != name:
                    await asyncio.sleep(0.01)
