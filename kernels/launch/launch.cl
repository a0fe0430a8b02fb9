/* An empty kernel for any number of work-items. */

kernel void launch_float64(global double *x)
{
}
