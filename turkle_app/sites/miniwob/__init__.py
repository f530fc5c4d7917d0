"""MiniWoB++: the pages of the fetched task set, each an episode of its own with a reward."""
