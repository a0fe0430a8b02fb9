/* Derivatives of polynomials on tetrahedra, one thread per node of an element. The thread computes derivatives along
   three edges, then combines them to three results with the element's factors. */

template <typename Real>
__device__ void dg_derivative(long long elements, int nodes, const Real *matrices, const Real *u, const Real *factors,
                              Real *out)
{
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, element = thread / nodes;
    const int node = thread % nodes;
    if (element >= elements)
        return;
    Real r = 0, s = 0, t = 0;
    for (int b = 0; b < nodes; b++) {
        const Real value = u[element * nodes + b], *const entries = matrices + 3 * nodes * b + node;
        r += value * entries[0];
        s += value * entries[nodes];
        t += value * entries[2 * nodes];
    }
    for (long long i = 3 * element; i < 3 * element + 3; i++)
        out[i * nodes + node] = factors[3 * i] * r + factors[3 * i + 1] * s + factors[3 * i + 2] * t;
}

#define DEFINE_DG_DERIVATIVE(Real, dtype)                                                                 \
    extern "C" __global__ void dg_derivative_##dtype(long long elements, int nodes, const Real *matrices, \
                                                     const Real *u, const Real *factors, Real *out)       \
    {                                                                                                     \
        dg_derivative(elements, nodes, matrices, u, factors, out);                                        \
    }

DEFINE_DG_DERIVATIVE(double, float64)
DEFINE_DG_DERIVATIVE(float, float32)
