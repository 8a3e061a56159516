"""`python -m arena` is the same as `arena`."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - an installer says so, but nothing does in a source tree
    sys.exit("arena: Python 3.11 or newer is needed, and this is %d.%d." % sys.version_info[:2])  # noqa: UP031

from arena.serving.commands import main

if __name__ == "__main__":
    main()
