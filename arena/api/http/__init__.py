"""HTTP below the routes: server, guard, problem details, events, caching and limits."""
