"""The group of commands that the other modules add to."""

from arena.cli.terminal.command_groups import command_group

app = command_group("Register and manage the models that take part.")
