"""Actions over the W3C WebDriver protocol: the driver in its box, its connection, gestures, and the form's controls."""
