"""The child process of `local`: llama.cpp's own HTTP server on 127.0.0.1, running while its parent's pipe is open.

Started as `python -m arena.adapters.providers.local.llama_server`. The first line on stdin is a JSON object (`weights`,
`alias`, `key`, `threads`, `parallel`, `context`); the answer is one JSON line, `{"url": …}` or `{"error": …}`. The
end of stdin means that the parent has exited or crashed.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
from typing import Any


def main() -> None:
    """Serve until stdin ends."""
    # The terminal sends Ctrl-C to both processes; the parent may still be letting answers finish.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    told = _keep_stdout()
    order = json.loads(sys.stdin.buffer.readline())
    try:
        server = serve(order)
    except Exception as error:  # noqa: BLE001 - reported to the parent
        _tell(told, {"error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    _tell(told, {"url": server.listening_address})
    sys.stdin.buffer.read()
    # Not sys.exit, which would wait for running answers.
    os._exit(0)


def serve(order: dict[str, Any]) -> Any:  # noqa: ANN401 - the package brings no types
    """Start the server in threads of this process; it has `listening_address`."""
    xllamacpp: Any = importlib.import_module("xllamacpp")
    wish = xllamacpp.CommonParams()
    wish.model.path = order["weights"]
    wish.model_alias = {order["alias"]}
    wish.hostnames, wish.port = ["127.0.0.1"], 0
    wish.api_keys = [order["key"]]
    wish.cpuparams.n_threads = wish.cpuparams_batch.n_threads = order["threads"]
    wish.n_parallel, wish.n_ctx, wish.kv_unified = order["parallel"], order["context"], True
    # The slots endpoint would show other voters' prompts; the prompt cache takes up to 8 GiB by default.
    wish.endpoint_slots, wish.ui, wish.cache_ram_mib = False, False, 64
    # A model this small falls into loops; the dialect has no request parameter for this.
    wish.sampling.dry_multiplier, wish.sampling.dry_allowed_length = 0.8, 3
    wish.sampling.dry_penalty_last_n = 256
    wish.verbosity, wish.offline = -1, True
    return xllamacpp.Server(wish)


def _keep_stdout() -> int:
    """Reserve stdout for the answer; llama.cpp's own output goes to stderr."""
    kept = os.dup(1)
    os.dup2(2, 1)
    return kept


def _tell(told: int, answer: dict[str, str]) -> None:
    os.write(told, json.dumps(answer).encode() + b"\n")
    os.close(told)


if __name__ == "__main__":
    main()
