"""``python -m harness.evaluate``; from Python it is ``harness.evaluate(...)``, and nothing imports this module."""

import sys

from harness.cli.commands.evaluate import main

if __name__ == "__main__":
    sys.exit(main())
