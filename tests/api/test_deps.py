"""What routes depend on."""

import ast
from pathlib import Path

from arena import api

SOURCES = sorted(Path(api.__file__).parent.glob("*.py"))


def test_no_request_goes_through_a_thread_for_what_its_route_depends_on():
    trees = [ast.parse(path.read_text()) for path in SOURCES]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    wanted = {
        node.args[0].id for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Depends"
    }
    plain = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    assert len(wanted) > 5
    assert not wanted & plain
