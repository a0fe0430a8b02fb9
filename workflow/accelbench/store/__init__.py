"""Result files: the only room that converts bytes to the model and back."""
