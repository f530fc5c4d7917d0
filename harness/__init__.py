"""The evaluation library: tasks, pages, actions, episodes, scores, and their command lines."""
