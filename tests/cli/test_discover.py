"""A whole proxy in one step: its list, the chosen models, and what is wrong with each of them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.cli.commands import CommandResult, run, table_lines
from tests.usecases.endpoints.probes.vendor import ReceivedRequest, Vendor, answer

KEY = "sk-canary-of-the-proxy"
MODELS = 100
BROKEN = {"team/model-07": 404, "team/model-19": 429, "team/model-60": 500}


def proxy(names: list[str], broken: dict[str, int] = BROKEN, **facts: object) -> Vendor:
    """A server that lists these models and answers for all of them but the broken ones."""

    def faulty(asked: ReceivedRequest) -> list[bytes] | None:
        if asked.method == "GET" and asked.path == "/v1/models":
            if asked.key != KEY:
                return [answer(401)]
            return [answer(200, json.dumps({"data": [{"id": name, **facts} for name in names]}).encode())]
        if asked.method == "POST" and (status := broken.get(json.loads(asked.body)["model"])):
            return [answer(status, b'{"error": {"message": "no"}}')]
        return None

    return Vendor(key=KEY, faulty=faulty)


async def discover(folder: Path, url: str, *arguments: str, **settings: str) -> CommandResult:
    where = {"ARENA_DATA": str(folder / "arena-data"), "PROXY_KEY": KEY, "COLUMNS": "200"} | settings
    command = ("endpoints", "discover", url, "--private", "--key-env", "PROXY_KEY", *arguments)
    return await asyncio.to_thread(run, *command, **where)


async def test_a_hundred_models_are_registered_in_one_step_and_each_failure_is_one_line(tmp_path):
    names = [f"team/model-{number:02}" for number in range(MODELS)]
    async with proxy(names, context_length=8192).listening() as vendor:
        shown = await discover(tmp_path, vendor.url)
        assert shown.stdout.splitlines()[-1] == "100 new models: --choose PATTERN or --all registers them."
        assert not vendor.posted
        done = await discover(tmp_path, vendor.url, "--all", "--owner", "the team")
        assert vendor.most_at_once <= 8
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "97 models added, 3 not."
    wrong = {name: remark for name, result, remark in table_lines("\n".join(lines[:-1])) if result == "not added"}
    assert wrong.keys() == {"model-07", "model-19", "model-60"}
    assert "knows no such path or model (404)" in wrong["model-07"]
    assert "(429)" in wrong["model-19"]
    assert "failed by itself" in wrong["model-60"]


async def test_syncing_again_names_new_and_gone_models_and_renames_none(tmp_path):
    async with proxy(["a/one", "b/two"]).listening() as vendor:
        await discover(tmp_path, vendor.url, "--all")
        vendor.faulty = proxy(["b/two", "c/two", "a/three"]).faulty
        again = json.loads((await discover(tmp_path, vendor.url, "--json")).stdout)
        state = again["sync"]
        names = {offer["model"]["wire_model"]: (offer["name"], offer["registered"]) for offer in state["offers"]}
        assert names == {"b/two": ("two", True), "c/two": ("c:two", False), "a/three": ("three", False)}
        assert state["gone"] == ["one"]
        said = (await discover(tmp_path, vendor.url)).stdout
        assert "one is registered and no longer in the list; its name and votes stay" in said
        chosen = await discover(tmp_path, vendor.url, "--choose", "c/*")
        assert "1 model added, 0 not." in chosen.stdout
        missing = await discover(tmp_path, vendor.url, "--choose", "nobody*")
        assert missing.stderr == "arena: --choose: no model of the list fits 'nobody*'\n"


async def test_an_address_without_its_version_is_completed(tmp_path):
    async with proxy(["m"]).listening() as vendor:
        root = vendor.url.removesuffix("/v1")
        assert json.loads((await discover(tmp_path, root, "--json")).stdout)["url"] == vendor.url


async def test_names_that_may_be_one_model_are_asked_only_on_request_and_the_calls_are_said_first(tmp_path):
    facts = {"context_length": 8192, "pricing": {"prompt": "0.000001", "completion": "0.000002"}}
    async with proxy(["a/m", "b/m", "b/other"], {}, **facts).listening() as vendor:
        said = (await discover(tmp_path, vendor.url)).stdout.splitlines()[-1]
        assert said == "Perhaps one model under two names: a/m and b/m. --compare-twins asks them, with 160 calls."
        assert not vendor.posted
        compared = (await discover(tmp_path, vendor.url, "--compare-twins")).stdout.splitlines()[-1]
        assert compared == "a/m and b/m answer alike (p = 1.000): nothing speaks against one model behind both."
        assert len(vendor.posted) == 160
        vendor.faulty = proxy(["a/m", "b/other"]).faulty
        told = (await discover(tmp_path, vendor.url, "--compare-twins")).stdout.splitlines()[-1]
        assert told == "No two names of the list look like one model: there was nothing to compare."


LIES = {
    "ten thousand": (
        json.dumps({"data": [{"id": f"m{number}"} for number in range(10_000)]}).encode(),
        "The list has 10000 models and at most 1000 are read; give the key access to fewer.",
    ),
    "no list": (b'{"ok": true}', "The answer is no list of models; check the base address"),
    "nothing": (b'{"data": []}', "The list has no model that writes text; check what this key may use."),
    "endless": (b" " * (9 * 1024 * 1024), "The list is larger than 2 MiB, or has more than 50,000 objects and lists"),
    "large": (b'{"data": ["' + b"m" * 7 * 2**20 + b'"]}', "The list is larger than 2 MiB, or has more than 50,000"),
    "many lists": (b'{"data": [' + b"[]," * 60_000 + b"[]]}", "The list is larger than 2 MiB, or has more than 50,000"),
    "compressed": (b"\x1f\x8b\x08\x00", "The answer is compressed"),
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_list_that_cannot_be_used_is_one_sentence(tmp_path, lie):
    body, sentence = LIES[lie]
    async with Vendor(key=KEY, faulty=lambda _: [answer(200, body)]).listening() as vendor:
        done = await discover(tmp_path, vendor.url)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert sentence in done.stderr


async def test_a_wrong_key_a_missing_key_and_an_inner_address_are_one_sentence(tmp_path):
    async with proxy(["m"]).listening() as vendor:
        wrong = await discover(tmp_path, vendor.url, PROXY_KEY="sk-other")
        assert "The server refuses the key (401 or 403)" in wrong.stderr
        missing = await discover(tmp_path, vendor.url, PROXY_KEY="")
        assert missing.stderr == "arena: key_env: PROXY_KEY is not set here, so the server cannot be asked\n"
        settings = {"ARENA_DATA": str(tmp_path / "arena-data")}
        inside = await asyncio.to_thread(run, "endpoints", "discover", vendor.url, **settings)
        assert inside.stderr.startswith("arena: url: a public endpoint is asked over https on port 443")
