void launch_float64(double *x);
