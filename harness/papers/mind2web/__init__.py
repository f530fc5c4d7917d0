"""Mind2Web: recorded demonstrations as its files have them, and MindAct, its agent."""
