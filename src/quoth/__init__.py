"""One memory shared by all the coding agents a person works with."""
