"""AutoWebBench: recorded steps as prompts with their right commands, put to models, and what replies are worth."""
