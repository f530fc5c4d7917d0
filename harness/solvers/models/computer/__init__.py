"""Computer use: models that see a screen alone, and ask for the mouse and the keyboard in their own dialects."""
