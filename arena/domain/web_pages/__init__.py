"""Web pages in answers: the document, the files that it would load, and its encoded texts."""
