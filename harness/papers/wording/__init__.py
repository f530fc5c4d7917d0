"""The wording of papers' prompts: where it stands in their public repositories, taken by a user into the user's cache."""
