"""What routes depend on."""

import ast
from pathlib import Path

from arena import api

SOURCES = sorted(Path(api.__file__).parent.rglob("*.py"))


def test_no_request_goes_through_a_thread_for_what_its_route_depends_on():
    trees = [ast.parse(path.read_text()) for path in SOURCES]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    arguments = [
        node.args[0] for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Depends"
    ]
    names = {node.id for node in arguments if isinstance(node, ast.Name)}
    plain = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    # Of a call, the functions that it makes.
    makers = {node.func.id for node in arguments if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    makers = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name in makers]
    names |= {within.name for maker in makers for within in maker.body if isinstance(within, ast.FunctionDef)}
    assert makers
    assert len(names) > 5
    assert not names & plain
