"""Answers of models as HTML that is safe on any page: bounds, Markdown, code, formulae, blocks.

Nothing that a model writes becomes an element or attribute outside the lists of `markdown` and `formulae`, is fetched,
or can be followed. Libraries and measurements: `docs/decisions/0051-answers-on-the-server.md`.
"""
