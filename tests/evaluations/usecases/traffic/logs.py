"""Logs of calls as their writers lay them out, for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def row(question: str, answer: Any = "An answer.", **fields: Any) -> dict[str, Any]:
    """A row of messages with an answer."""
    return {"model": "dear", "messages": [{"role": "user", "content": question}], "answer": answer, **fields}


def write(path: Path, rows: list[Any]) -> Path:
    """JSON lines of these rows."""
    path.write_text("".join(f"{json.dumps(entry)}\n" for entry in rows))
    return path


def spend_row(question: str, **fields: Any) -> dict[str, Any]:
    """A row of `LiteLLM_SpendLogs` as LiteLLM 1.110.2 fills it with `store_prompts_in_spend_logs`.

    `messages` stays empty for chats; the request is in `proxy_server_request` (`spend_tracking_utils.py`).
    """
    request = {
        "model": "smart",
        "messages": [{"role": "system", "content": "Answer briefly."}, {"role": "user", "content": question}],
        "temperature": 0.3,
        "max_tokens": 50,
        **fields.pop("request", {}),
    }
    message = {"content": f"Said to {question}", "role": "assistant", "tool_calls": None, "function_call": None}
    response = {"object": "chat.completion", "choices": [{"finish_reason": "stop", "index": 0, "message": message}]}
    return {
        "request_id": f"chatcmpl-{question}",
        "call_type": "acompletion",
        "spend": 0.000225,
        "total_tokens": 30,
        "prompt_tokens": 10,
        "completion_tokens": 20,
        "startTime": "2026-11-28 15:37:18.146",
        "endTime": "2026-11-28 15:37:18.571",
        "model": "gpt-4o",
        "model_group": "smart",
        "cache_hit": "None",
        "request_tags": ["User-Agent: test", "support"],
        "messages": {},
        "response": response,
        "status": "success",
        "proxy_server_request": request,
        **fields,
    }


def chat(*turns: tuple[str, str], **fields: Any) -> dict[str, Any]:
    """A chat as Open WebUI exports it (`ChatResponse`, and `Chat.svelte` for what is in `chat`)."""
    messages: dict[str, Any] = {}
    parent = None
    for number, (question, answer) in enumerate(turns):
        question_id, answer_id = f"u{number}", f"a{number}"
        messages[question_id] = {
            "id": question_id,
            "parentId": parent,
            "childrenIds": [answer_id],
            "role": "user",
            "content": question,
            "timestamp": 1_795_880_000 + number,
            "models": ["llama3:8b"],
        }
        messages[answer_id] = {
            "id": answer_id,
            "parentId": question_id,
            "childrenIds": [],
            "role": "assistant",
            "content": answer,
            "model": "llama3:8b",
            "modelName": "llama3:8b",
            "done": True,
            "timestamp": 1_795_880_000 + number,
            "usage": {"prompt_eval_count": 12, "eval_count": 34, "total_duration": 2_500_000_000},
        }
        parent = answer_id
    parameters = {"system": "Be kind.", "temperature": 0.5}
    body: dict[str, Any] = {"title": "t", "models": ["llama3:8b"], "params": parameters, "tags": ["home"]}
    body |= {"history": {"messages": messages, "currentId": parent}, "messages": [], "files": []}
    return {"id": "c", "user_id": "u", "title": "t", "chat": body, "archived": False, "meta": {}, **fields}
