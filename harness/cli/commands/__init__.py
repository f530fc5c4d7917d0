"""The commands, one a module, with a ``main(arguments)`` each; ``harness.cli.command_table`` names them."""
