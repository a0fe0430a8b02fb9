/* An empty function. */

#include "launch.h"

void launch_float64(double *x)
{
    (void)x;
}
