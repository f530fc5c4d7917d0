"""The wording of papers' prompts: where it stands in their public repositories, taken into the user's cache."""
