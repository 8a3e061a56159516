"""Gradio's own way to show two answers: two chatbots, one generator, everything through its queue.

A server of its own; prints its port and serves until its input ends. It shows the same words at the same rate as the
arena is given, ten times a second.
"""

from __future__ import annotations

import asyncio
import importlib
import socket
import sys
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from fastapi import FastAPI

from arena.bench.load.stamps import stamp

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

FRAME: Final = 0.1
RATE: Final = 30
"""Tokens a second of one answer."""


async def answers(prompt: str, seconds: float) -> AsyncGenerator[tuple[list[dict[str, str]], ...]]:
    """Both conversations, as they grow."""
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
    """The page: a box and two columns."""
    # A large package, whose types say little; imported only in this process.
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
    """Serve until the input ends."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app(seconds), log_level="error"))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:  # noqa: ASYNC110 - it tells nobody
        await asyncio.sleep(0.05)
    print(listener.getsockname()[1], flush=True)  # noqa: T201 - the pipe to the benchmark
    await asyncio.to_thread(sys.stdin.read)
    server.should_exit = server.force_exit = True
    await serving


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
