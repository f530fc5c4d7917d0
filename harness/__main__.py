"""Every command as a subcommand, without the console script: ``python -m harness evaluate``."""

from __future__ import annotations

import sys

from harness.cli.turkbench import main
from harness.kit.files.installation import CALLERS

if __name__ == "__main__":
    sys.exit(main(caller=CALLERS[1]))
