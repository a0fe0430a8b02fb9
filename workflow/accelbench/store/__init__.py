"""Reading and writing of result files: journals, records and JSON files of the model, all checked when read."""
