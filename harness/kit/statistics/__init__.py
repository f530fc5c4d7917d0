"""Estimates with intervals, tests of differences, and the power of a design, for scores that come in clusters.

Pure functions of numpy arrays: nothing here knows runs, tasks or fields. ``docs/explanation/statistics.md`` explains
the methods.
"""
