"""Types of results: immutable values, which read and write no files."""
