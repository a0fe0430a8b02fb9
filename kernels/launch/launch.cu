/* Nothing, by as many threads as are asked for. */

extern "C" __global__ void launch_float64(double *x)
{
}
