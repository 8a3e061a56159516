"""Documents for other programs and sites: the map of the site, a feed, and what pages elsewhere show of a board."""
