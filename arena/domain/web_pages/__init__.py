"""Web pages in answers: the request for one, the document that is found, and what it would load or hide."""
