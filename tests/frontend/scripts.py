"""Calls functions of the pages' scripts in the Node.js of the Playwright package, without a browser."""

from __future__ import annotations

import json
import subprocess
from importlib.resources import files
from typing import Any, Final

from playwright._impl._driver import compute_driver_executable

_CALL: Final = """
globalThis.document = { getElementById: () => ({ textContent: JSON.stringify({ "lang.code": "en" }) }) };
let read = "";
for await (const part of process.stdin) read += part;
const [address, name, calls] = JSON.parse(read);
const { [name]: called } = await import(address);
console.log(JSON.stringify(calls.map((values) => called(...values))));
"""


def results(script: str, function: str, calls: list[list[Any]]) -> list[Any]:
    """Results of an exported function of a script, one for each list of arguments."""
    node, _ = compute_driver_executable()
    address = f"file://{files('arena_frontend') / 'assets' / script}"
    command = [node, "--input-type=module", "--eval", _CALL]
    call = json.dumps([address, function, calls])
    return json.loads(subprocess.run(command, input=call, capture_output=True, text=True, check=True).stdout)
