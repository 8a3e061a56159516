"""A real LiteLLM proxy with a hundred models, from its list to one probe report each."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest

from tests.cli.commands import run
from tests.processes import PATIENCE
from tests.servers import free_port
from tests.usecases.endpoints.probes.vendor import Vendor, answer

KEY = "sk-the-master-key-of-this-test-0123456789"
MODELS = 100


@pytest.fixture(scope="module")
def litellm(tmp_path_factory) -> Path:
    """The proxy's command, in an environment of its own; its index is asked for it."""
    if named := os.environ.get("ARENA_TEST_LITELLM"):
        return Path(named)
    folder = tmp_path_factory.mktemp("litellm")
    online = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([str(folder / "bin/python"), "-m", "pip", "install", "-q", "litellm[proxy]"], check=True, env=online)
    return folder / "bin/litellm"


def config(upstream: str) -> str:
    """A configuration as JSON, which is YAML too: two names of one model, one that fails, one that embeds."""
    facts = {"mode": "chat", "max_input_tokens": 8192, "input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}
    wire = {"model-07": "broken"}
    models = [
        {
            "model_name": f"model-{number:02}",
            "litellm_params": {
                "model": f"openai/{wire.get(f'model-{number:02}', 'good')}",
                "api_base": upstream,
                "api_key": "upstream",
            },
            "model_info": facts,
        }
        for number in range(MODELS)
    ]
    twin = models[0] | {"model_name": "team/model-00"}
    embedder = models[0] | {"model_name": "embedder", "model_info": {"mode": "embedding"}}
    settings = {"num_retries": 0, "request_timeout": 20}
    general = {"master_key": KEY}
    return json.dumps(
        {"model_list": [*models, twin, embedder], "litellm_settings": settings, "general_settings": general}
    )


async def ready(url: str) -> None:
    async with httpx2.AsyncClient() as client:
        for _ in range(4 * PATIENCE):
            try:
                if (await client.get(f"{url}/health/liveliness")).status_code == 200:
                    return
            except httpx2.HTTPError:
                pass
            await asyncio.sleep(0.25)
    raise AssertionError("the proxy did not start")


def broken(asked):
    lost = asked.method == "POST" and json.loads(asked.body)["model"] == "broken"
    return [answer(404, b'{"error": {"message": "no such model"}}')] if lost else None


@pytest.mark.heavy
@pytest.mark.timeout(1_800)
async def test_a_hundred_models_behind_a_real_proxy_are_probed_and_registered_in_one_step(
    litellm, tmp_path, record_property
):
    async with Vendor(faulty=broken).listening() as vendor:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        (tmp_path / "config.yaml").write_text(config(vendor.url))
        online = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [str(litellm), "--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port)]
        with (tmp_path / "log").open("wb") as log:
            server = await asyncio.create_subprocess_exec(
                *command, cwd=tmp_path, env=online, stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )
        try:
            await ready(url)
            settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off", "PROXY_KEY": KEY}
            arguments = ("endpoints", "discover", url, "--private", "--key-env", "PROXY_KEY", "--json")
            listed = json.loads((await asyncio.to_thread(run, *arguments, **settings)).stdout)
            began = time.monotonic()
            done = await asyncio.to_thread(run, *arguments, "--all", **settings)
            spent = time.monotonic() - began
        finally:
            server.terminate()
            await server.wait()
    offers = listed["sync"]["offers"]
    assert len(offers) == MODELS + 1
    assert offers[0]["model"] == {
        "wire_model": "model-00",
        "context_tokens": 8192,
        "modalities": ["text"],
        "price_in": 1.0,
        "price_out": 2.0,
    }
    assert listed["sync"]["twins"] == [{"first": "model-00", "second": "team/model-00"}]
    assert listed["remarks"] == ["Some write no text, so they are left out: embeddings, images or speech (1)."]
    results = json.loads(done.stdout)["results"]
    lost = [result for result in results if not result["registered"]]
    record_property("seconds", spent)
    assert [result["wire_model"] for result in lost] == ["model-07"]
    assert "(404)" in lost[0]["problem"]
