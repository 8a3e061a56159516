"""What loops and routes cost in an arena that has a long past."""
