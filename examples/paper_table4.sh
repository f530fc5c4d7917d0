#!/bin/sh
# Prints a command for each row of TurkingBench's Table 4, as a script: `python -m harness papers turkingbench table4` knows them, and
# runs them, tells what they cost, and puts what was measured beside what was printed (docs/how-to/papers-tables.md).
#
#   examples/paper_table4.sh                        the commands
#   examples/paper_table4.sh --row 26               those of some rows, by number or name
#   examples/paper_table4.sh --max-cost 20          with a limit for each row
#   examples/paper_table4.sh --base-url URL         with a server of your own
#
# First get the tasks:  python -m harness tasks fetch turkingbench

exec "${PYTHON:-python3}" -m harness papers turkingbench table4 --sh "$@"
