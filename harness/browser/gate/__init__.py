"""The way into an episode's browser for a program from outside: DevTools, filtered, behind a token."""
