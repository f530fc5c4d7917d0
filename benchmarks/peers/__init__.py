"""A race of this harness against other ways of opening and filling in the same pages (``benchmarks.peers.race``)."""
