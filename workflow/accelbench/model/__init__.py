"""Types of results. They are frozen values, and read and write no files."""
