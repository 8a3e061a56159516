"""Cost of the pages: server CPU of a visit, browser CPU of a battle."""
