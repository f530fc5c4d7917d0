"""Pages as an environment server of OpenEnv (https://github.com/meta-pytorch/OpenEnv)."""
