"""What was said between a solver and its model: the turns of an episode, their texts, and what is made of them."""
