"""``python -m harness.evaluate``; from Python it is ``harness.evaluate(...)``, and nothing imports this module."""

import sys

from harness.kit.files.installation import check_system

check_system()

from harness.cli.commands.evaluate import main  # noqa: E402 - which needs what Windows has not

if __name__ == "__main__":
    sys.exit(main())
