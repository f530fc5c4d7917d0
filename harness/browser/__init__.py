"""One live browser: its start, its DevTools connection, trusted input, and the screens that visual actions see."""
