"""WebCanvas' tables of models and of ablations: their rows as data, as commands, and beside runs on the same tasks."""
