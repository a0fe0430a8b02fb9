"""Reading and writing of result files. Only this package converts between files and the model."""
