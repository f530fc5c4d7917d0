"""Episodes for other frameworks: one stage, which is driven step by step, and a thin folder for each of them."""
