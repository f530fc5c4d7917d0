"""Bundled websites for tasks of the kind ``site``: each a folder of its own, served under a host name of its own."""
