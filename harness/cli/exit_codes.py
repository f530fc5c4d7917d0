"""The exit codes of all commands."""

COMPLETE = 0
"""All that was asked for is done."""
INCOMPLETE = 1
"""Something is missing or wrong, or the work was cut short."""
WRONG_USE = 2
"""What was asked for cannot be done as it stands."""
FINDINGS = 3
"""All that was asked for is done, and what was found has to be mended."""

OF_A_RUN = (
    "exit codes: 0 complete; 1 incomplete (instances without a score, interrupted, stopped, or a full disk): --resume "
    "goes on; 2 wrong use"
)
"""For the help of commands whose exit code says whether a run is complete."""
