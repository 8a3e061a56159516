"""HTTP beneath the routes: server, guard, problems, events, caching and limits; one of each."""
