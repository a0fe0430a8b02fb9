"""Types of results: frozen values, without reading or writing files."""
