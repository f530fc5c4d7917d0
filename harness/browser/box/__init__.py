"""A box for programs from outside: what they can read, write and reach, and how they are started in it."""
