/* An empty kernel for any number of threads. */

extern "C" __global__ void launch_float64(double *x)
{
}
