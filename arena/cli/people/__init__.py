"""Commands about people: owners of models, and members of an arena that is not open to everybody."""
