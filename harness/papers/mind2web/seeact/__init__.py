"""SeeAct's way (Zheng et al. 2024): a model says what it sees to be next, and then which element that is."""
