/* The smallest useful function: one addition. */

#include "call.h"

double call_float64(double x)
{
    return x + 1;
}
