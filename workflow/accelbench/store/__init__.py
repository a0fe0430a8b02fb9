"""Reading and writing of result files: journals, records and other JSON files, all checked when read."""
