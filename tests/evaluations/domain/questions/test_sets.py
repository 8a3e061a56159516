"""Sets of questions: their file, what differs between two versions, and their tree."""

from __future__ import annotations

from hashlib import sha256

from arena.domain.schemas.questions import PlannedPlaceView, QuestionView, SetFactsView
from arena.evaluations.domain.questions import difference, digest, lines, tree

FACTS = SetFactsView.model_validate({"name": "s", "language": "zh", "licence": "CC0-1.0", "source": "own"})


def question(name: str, **fields: object) -> QuestionView:
    return QuestionView.model_validate({"id": name, "turns": ["问题"]} | fields)


def test_the_digest_is_that_of_the_file():
    questions = [question("1", area="a"), question("2", key="B", options=["x", "y"])]
    file = b"".join(lines(FACTS, questions))
    assert digest(FACTS, questions) == sha256(file).hexdigest()
    assert file.splitlines()[1] == '{"area":"a","id":"1","turns":["问题"]}'.encode()


def test_versions_are_compared_by_id_and_field():
    old = [question("kept"), question("gone"), question("other", area="a", hint="h")]
    new = [question("other", area="b"), question("fresh"), question("kept")]
    found = difference(old, new)
    assert (found.added, found.removed) == (("fresh",), ("gone",))
    assert found.changed == {"other": ("area", "hint")}
    assert str(found) == "1 added, 1 removed, 1 changed"
    assert str(difference(new, reversed(new))) == "0 added, 0 removed, 0 changed"


def test_the_tree_sums_tasks_and_leaves_out_blank_levels():
    plan = [PlannedPlaceView(area="b", category="d", questions=5), PlannedPlaceView(area="a", questions=9)]
    nodes = tree({("b", "c", "t"): 2, ("b", "c", "u"): 1, ("b", "", ""): 4, ("a", "", ""): 3}, plan)
    assert [(node.name, node.questions, node.planned) for node in nodes] == [("b", 7, 5), ("a", 3, 9)]
    categories = nodes[0].children
    assert [(node.name, node.questions, node.planned) for node in categories] == [("c", 3, 0), ("", 4, 0), ("d", 0, 5)]
    assert [(node.name, node.questions) for node in categories[0].children] == [("t", 2), ("u", 1)]
    assert nodes[1].children == []
