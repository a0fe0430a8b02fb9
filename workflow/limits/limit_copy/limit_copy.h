void limit_copy(const char *x, char *out, int64_t bytes);
