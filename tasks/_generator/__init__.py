"""Makes the batch.csv of every bundled task from a seed.

One module a task: it knows the right answers and says, through `crowd.Crowd`, how a handful of
imagined workers would answer. `python -m tasks._generator` writes the files again.
"""
