"""Files that a page would load from the network are counted, each once."""

from __future__ import annotations

import pytest

from arena.domain.web_pages.wanted_files import wanted_files


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("<p>nothing</p>", 0),
        ("<script src='https://cdn.example/a.js'></script>", 1),
        ('<img src=//cdn.example/a.png><img src="//cdn.example/a.png">', 1),
        ('<link rel="stylesheet" href="https://fonts.example/css">', 1),
        ("<style>@import 'https://a.example/x.css'; b{background:url(https://b.example/y.png)}</style>", 2),
        ("<script type=module>import x from 'https://esm.example/x'; import('https://esm.example/y')</script>", 2),
        ("<script>fetch('https://api.example/'); new WebSocket('wss://s.example/')</script>", 2),
        ('<a href="https://example.com">link</a><svg xmlns="http://www.w3.org/2000/svg"></svg>', 0),
        ('<img src="data:image/png;base64,AAAA"><img src="local.png">', 0),
    ],
)
def test_each_file_of_the_network_counts_once_and_links_do_not(source, count):
    assert wanted_files(source) == count
