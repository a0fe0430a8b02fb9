void peak_copy(const char *x, char *out, int64_t bytes);
