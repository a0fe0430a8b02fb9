/* Derivatives of polynomials on tetrahedra, one work-item per node of an element. The work-item computes derivatives
   along three edges, then combines them to three results with the element's factors. */

#define DEFINE_DG_DERIVATIVE(real, dtype)                                                                 \
    kernel void dg_derivative_##dtype(long elements, int nodes, global const real *matrices,              \
                                      global const real *u, global const real *factors, global real *out) \
    {                                                                                                     \
        const long element = get_global_id(0) / nodes;                                                    \
        const int node = get_global_id(0) % nodes;                                                        \
        if (element >= elements)                                                                          \
            return;                                                                                       \
        real r = 0, s = 0, t = 0;                                                                         \
        for (int b = 0; b < nodes; b++) {                                                                 \
            const real value = u[element * nodes + b];                                                    \
            global const real *const entries = matrices + 3 * nodes * b + node;                           \
            r += value * entries[0];                                                                      \
            s += value * entries[nodes];                                                                  \
            t += value * entries[2 * nodes];                                                              \
        }                                                                                                 \
        for (long i = 3 * element; i < 3 * element + 3; i++)                                              \
            out[i * nodes + node] = factors[3 * i] * r + factors[3 * i + 1] * s + factors[3 * i + 2] * t; \
    }

DEFINE_DG_DERIVATIVE(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_DG_DERIVATIVE(double, float64)
#endif
