"""What a result is: typed and frozen, without files."""
