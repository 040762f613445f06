"""The operators that were written by hand, one a file; they are read as texts."""
