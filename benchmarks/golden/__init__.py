"""Golden runs: what the harness does and prints, recorded before a refactoring and compared with what it does after it.

    python -m benchmarks.golden record BEFORE --workers 2        in a checkout of the code as it was
    python -m benchmarks.golden record AFTER --workers 2         in a checkout of the code as it is
    python -m benchmarks.golden compare BEFORE AFTER

``record`` runs the public command line in a subprocess for each step of ``plan``: baselines on the bundled tasks and
on three instances of every task of TurkingBench, a scripted model behind a server on loopback, the commands that read
runs, help texts, and mistakes of users. Neither a key nor a network is needed. The mirror and the vocabularies of the
user's cache are used where they are there; nothing else of that cache is, so that both recordings begin alike.

``compare`` reads JSON and text, not the records of the harness, which a refactoring may change. What may differ
between two recordings of equal code is in ``volatile``, each thing with its reason; all else is a difference, and with
one the exit code is 1. ``--only GLOB`` does part of it in both commands: ``--only 'run-bundled-*' --only 'help-*'``.

The recording is a folder:

    golden.json             where and of which revision it was made
    runs/<name>/            run directories, as evaluate has written them
    outputs/<step>.json     command, exit code, standard output and standard error of a step
    files/<step>/...        what a command has written beside that
    still/<name>/           the runs with their times set to constants, which is what the reading commands read
    inputs/, cache/         made for the recording; not compared

Nothing of ``harness`` is imported here, so that the tool outlives what moves there.
"""
