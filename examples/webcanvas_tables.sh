#!/bin/sh
# Prints a command for each row of WebCanvas' Tables 4, 5, 11 and 12, as a script, or runs rows of them:
# `python -m harness papers webcanvas table12` knows them, and puts what was measured beside what was printed
# (docs/how-to/papers-tables.md).
#
#   examples/webcanvas_tables.sh                                                  the commands of all four tables
#   examples/webcanvas_tables.sh table12                                          those of one table, with its figures
#   examples/webcanvas_tables.sh table12 --run --row gpt-4-no-memory --out DIR    run a row of it
#   examples/webcanvas_tables.sh table5 --dataset bundled-sites                  on the bundled sites
#
# First get the tasks:  python -m harness tasks import mind2web-live FILE mind2web-live

rows() { "${PYTHON:-python3}" -m harness papers webcanvas "$@"; }

case ${1-} in
    table*) rows "$@" ;;
    *) for table in table4 table5 table11 table12; do rows "$table" --sh "$@" || exit; echo; done ;;
esac
