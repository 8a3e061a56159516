"""The child process of `local`: llama.cpp's HTTP server on 127.0.0.1, which runs while its stdin is open.

Started as `python -m arena_providers.local.llama_server`. The first line on stdin is a JSON object (`weights`,
`alias`, `key`, `threads`, `parallel`, `context`); the answer is one JSON line, `{"url": …}` or `{"error": …}`. The
end of stdin means that the parent has exited or crashed.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
from typing import Protocol


class RunningServer(Protocol):
    """The part of `xllamacpp.Server` in use, which has no types."""

    listening_address: str


def main() -> None:
    """Serve until stdin ends."""
    # Terminals and service managers signal both processes, but the parent may still wait for answers.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    output = _reserve_stdout()
    settings = json.loads(sys.stdin.buffer.readline())
    try:
        server = serve(settings)
    except Exception as error:  # noqa: BLE001 - reported to the parent
        _report(output, {"error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    _report(output, {"url": server.listening_address})
    sys.stdin.buffer.read()
    # Not sys.exit, which would wait for running answers.
    os._exit(0)


def serve(settings: dict[str, object]) -> RunningServer:
    """Start the server in threads of this process."""
    xllamacpp = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = settings["weights"]
    params.model_alias = {settings["alias"]}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys = [settings["key"]]
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    params.n_parallel, params.n_ctx, params.kv_unified = settings["parallel"], settings["context"], True
    # The slots endpoint would show other voters' prompts; the prompt cache takes up to 8 GiB by default.
    params.endpoint_slots, params.ui, params.cache_ram_mib = False, False, 64
    # A model this small falls into loops; the dialect has no request parameter for this.
    params.sampling.dry_multiplier, params.sampling.dry_allowed_length = 0.8, 3
    params.sampling.dry_penalty_last_n = 256
    params.verbosity, params.offline = -1, True
    return xllamacpp.Server(params)


def _reserve_stdout() -> int:
    """Reserve stdout for the answer; llama.cpp's own output goes to stderr."""
    output = os.dup(1)
    os.dup2(2, 1)
    return output


def _report(output: int, answer: dict[str, str]) -> None:
    os.write(output, json.dumps(answer).encode() + b"\n")
    os.close(output)


if __name__ == "__main__":
    main()
