"""Judges of whole trajectories, and how far they can be trusted: what they write, and how it agrees with people.

``docs/how-to/judges.md`` explains the methods and the files.
"""
