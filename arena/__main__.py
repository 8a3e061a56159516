"""`python -m arena` is the same as `arena`."""

from arena.serving.commands import main

if __name__ == "__main__":
    main()
