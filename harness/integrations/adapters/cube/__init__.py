"""Pages as a benchmark of CUBE (https://github.com/The-AI-Alliance/cube-standard), whose packages want Python 3.12."""
