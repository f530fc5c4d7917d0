"""Commands about judges of trajectories."""
