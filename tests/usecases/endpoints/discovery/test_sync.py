"""Names for the models of a list: each looks like no other, in time that grows with the list and not its square."""

from __future__ import annotations

from arena.domain.blinding.identity import skeleton
from arena.domain.model_lists import OfferedModel
from arena.usecases.endpoints.discovery import sync

TAKEN = [f"taken-{number}" for number in range(100)]


def test_each_name_of_a_hostile_list_is_folded_once(monkeypatch):
    """Names with many parts, of which no short end is free: each was compared with all names before."""
    folded = list[str]()
    monkeypatch.setattr(sync, "skeleton", lambda name: (folded.append(name), skeleton(name))[1])
    models = [OfferedModel("/".join([f"own-{number}", *"abcdefghij"])) for number in range(1_000)]
    offers = list(sync._offers(models, {}, TAKEN))
    names = [offer.name or "" for offer in offers]
    assert names[:3] == ["j", "i:j", "h:i:j"]
    assert len({skeleton(name) for name in names}) == len(models)
    assert len(folded) <= len(TAKEN) + 12 * len(models)


def test_a_name_that_looks_like_a_taken_one_gets_more_of_its_path():
    (offer,) = sync._offers([OfferedModel("acme/Taken-l")], {}, ["taken 1"])
    assert offer.name == "acme:Taken-l"
