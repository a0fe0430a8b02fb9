double call_float64(double x);
