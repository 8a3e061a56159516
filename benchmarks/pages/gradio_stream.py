"""Gradio's own way to stream two answers: two chatbots, one generator, everything through its queue.

A server of its own that reports its port and serves until end of input. It shows text of the same rate as the arena's
upstream, ten updates per second.
"""

from __future__ import annotations

import asyncio
import importlib
import socket
import sys
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from fastapi import FastAPI

from benchmarks.load.stamps import stamp

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

FRAME: Final = 0.1
RATE: Final = 30
"""Tokens per second of one answer."""


async def answers(prompt: str, seconds: float) -> AsyncGenerator[tuple[list[dict[str, str]], ...]]:
    """Yield both conversations as they grow."""
    clock = asyncio.get_running_loop().time
    start, said, texts = clock(), 0, ["", ""]
    while (spent := clock() - start) < seconds:
        due = int(spent * RATE)
        texts = [text + "".join(f"{stamp()} " for _ in range(due - said)) for text in texts]
        said = due
        asked = {"role": "user", "content": prompt}
        yield tuple([asked, {"role": "assistant", "content": text}] for text in texts)
        await asyncio.sleep(FRAME)


def app(seconds: float) -> FastAPI:
    """Build the page: a text box and two chatbots."""
    # A large package with few types, imported in this process only.
    gradio: Any = importlib.import_module("gradio")

    async def fight(prompt: str) -> AsyncGenerator[tuple[list[dict[str, str]], ...]]:
        async for both in answers(prompt, seconds):
            yield both

    with gradio.Blocks() as blocks:
        with gradio.Row():
            columns = [gradio.Chatbot(elem_id=f"column-{side}") for side in "ab"]
        box = gradio.Textbox(elem_id="prompt")
        box.submit(fight, box, columns, concurrency_limit=None)
    return gradio.mount_gradio_app(FastAPI(), blocks, path="/")


async def main(seconds: float) -> None:
    """Serve until end of input."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app(seconds), log_level="error"))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.05)
    print(listener.getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.should_exit = server.force_exit = True
    await serving


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
