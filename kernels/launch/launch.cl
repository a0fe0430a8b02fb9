/* Nothing, by as many work-items as are asked for. */

kernel void launch_float64(global double *x)
{
}
