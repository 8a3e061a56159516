"""The smallest server of a model: OpenAI's Chat Completions, streamed, at http://127.0.0.1:9000/v1."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model(BaseHTTPRequestHandler):
    """Repeats what it was asked, word by word, to whoever has its key."""

    def do_POST(self) -> None:
        """Answer a chat."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Authorization"] != "Bearer sk-house":
            self.send_error(401)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        words = f"You asked: {asked['messages'][-1]['content']}".split(" ")
        for word, finish in [*((f"{word} ", None) for word in words), ("", "stop")]:
            chunk = {"choices": [{"index": 0, "delta": {"content": word}, "finish_reason": finish}]}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")


ThreadingHTTPServer(("127.0.0.1", 9000), Model).serve_forever()
