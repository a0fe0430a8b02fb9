/* Mean of each point of a grid of n rows and its four neighbours; the border keeps its values. A thread makes ROWS
   points of a column from what it has in registers: it loads all that it needs before it writes the first point. Rows
   and columns beyond the grid are replaced by the last ones, whose results are not used. Indices of rows and columns
   are int: a grid of more than 2**31 rows fits no memory. */

#define ROWS 4

template <typename Real>
__device__ void stencil(int n, const Real *__restrict__ x, Real *__restrict__ out)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, top = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    if (column >= n || top >= n)
        return;
    const int left = max(column - 1, 0), right = min(column + 1, n - 1);
    // idea: ROWS points of a column share what they need of it, in registers
    Real centre[ROWS + 2], sides[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS + 2; r++)
        centre[r] = x[(long long)min(max(top + r - 1, 0), n - 1) * n + column];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const Real *row = x + (long long)min(top + r, n - 1) * n;
        sides[r] = row[left] + row[right];
    }
    // end of idea
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int row = top + r;
        const bool inner = row > 0 && row < n - 1 && column > 0 && column < n - 1;
        const Real mean = (centre[r] + centre[r + 1] + centre[r + 2] + sides[r]) * (Real)0.2;
        if (row < n)
            out[(long long)row * n + column] = inner ? mean : centre[r + 1];
    }
}

#define DEFINE_STENCIL(Real, dtype)                                                          \
    extern "C" __global__ void stencil_register_tiled_##dtype(long long n, const Real *x, Real *out)        \
    {                                                                                        \
        stencil<Real>(n, x, out);                                                            \
    }

DEFINE_STENCIL(double, float64)
DEFINE_STENCIL(float, float32)
