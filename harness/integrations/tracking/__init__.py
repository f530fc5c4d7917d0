"""Runs logged to trackers of experiments and as traces: what is told, and a module a tracker."""
