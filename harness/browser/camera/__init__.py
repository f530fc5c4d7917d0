"""What an open page shows at one moment: a picture of it, and what was acted on since the moment before."""
