/* As little as a function can do. */

#include "call.h"

double call_float64(double x)
{
    return x + 1;
}
