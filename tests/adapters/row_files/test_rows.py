"""Names of columns in a header: each once, the first of a name as it is."""

import pytest

from arena.adapters.row_files import rows


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a", "b", "a"], ["a", "a #2", "b", "a #3"]),
        (["a", "a", "a #2"], ["a", "a #2", "a #2 #2"]),
        (["a #2", "a", "a"], ["a #2", "a", "a #3"]),
        (["", "", "a"], ["", "", "a"]),
    ],
)
def test_a_later_column_of_a_name_gets_a_number_that_no_other_has(header, names):
    assert rows.distinct_names(header) == names
