"""Content negotiation as RFC 9110 has it: weights, ETags of each coding, and `*`."""

from __future__ import annotations

import pytest

from arena.domain.http_documents import Document

DOCUMENT = Document({"": b"plain", "gzip": b"packed", "br": b"small"}, '"abc"')


@pytest.mark.parametrize("space", ["", " ", "\t"])
@pytest.mark.parametrize("zero", ["0", "0.", "0.0", "0.00", "0.000"])
@pytest.mark.parametrize("coding", ["gzip", "GZIP"])
def test_a_coding_of_weight_zero_is_refused_however_it_is_written(coding, zero, space):
    assert DOCUMENT.coding(f"{coding};{space}q={zero}") == ""
    assert DOCUMENT.coding(f"{coding};{space}q={zero}{space}, br;q=1.0") == "br"
    assert DOCUMENT.coding(f"{coding};{space}Q={zero}") == ""


@pytest.mark.parametrize("weight", ["", ";q=1", ";q=0.001", "; q=0.5", ";q=1.000", ";q=0.01"])
def test_a_coding_of_another_weight_is_taken(weight):
    assert DOCUMENT.coding(f"gzip{weight}") == "gzip"
    assert DOCUMENT.coding(f"gzip, br{weight}") == "br"


def test_each_coding_has_an_etag_of_its_own_and_revalidates_by_it_alone():
    tags = {coding: DOCUMENT.tag(coding) for coding in DOCUMENT.bodies}
    assert len(set(tags.values())) == 3
    assert all(tag.startswith('"') and tag.endswith('"') for tag in tags.values())
    for coding, own in tags.items():
        assert [name for name, tag in tags.items() if DOCUMENT.is_unchanged(tag, coding)] == [coding]
        assert DOCUMENT.is_unchanged(f'"other", W/{own}', coding)


def test_any_etag_will_do_for_a_star_and_none_for_a_document_without_one():
    assert DOCUMENT.is_unchanged("*", "gzip")
    assert not DOCUMENT.is_unchanged(None)
    assert not Document({"": b""}).is_unchanged("*")
