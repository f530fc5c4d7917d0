"""What a task set consists of: tasks, instances, fields, labels, lengths, topics, and what its pages show."""
