/* Mean of each point of a grid of n rows and its four neighbours; the border keeps its values. A thread makes a point.
   A block brings its points and a rim of their neighbours, (bx + 2) (by + 2) numbers, into shared memory; what lies
   beyond the grid is left out, and not read. */

template <typename Real>
__device__ void stencil(int n, const Real *__restrict__ x, Real *__restrict__ out)
{
    extern __shared__ double shared_memory[];
    Real *tile = reinterpret_cast<Real *>(shared_memory);
    const int me_x = threadIdx.x, me_y = threadIdx.y, bx = blockDim.x, by = blockDim.y, width = bx + 2;
    const int left = (int)blockIdx.x * bx - 1, top = (int)blockIdx.y * by - 1;
    for (int v = me_y; v < by + 2; v += by)
        for (int u = me_x; u < width; u += bx)
            if (top + v >= 0 && top + v < n && left + u >= 0 && left + u < n)
                tile[v * width + u] = x[(long long)(top + v) * n + left + u];
    __syncthreads();
    const int column = left + 1 + me_x, row = top + 1 + me_y;
    if (row >= n || column >= n)
        return;
    const Real *const centre = tile + (me_y + 1) * width + me_x + 1;
    Real mean = centre[0];
    if (row > 0 && row < n - 1 && column > 0 && column < n - 1)
        mean = (mean + centre[-width] + centre[width] + centre[-1] + centre[1]) * (Real)0.2;
    out[(long long)row * n + column] = mean;
}

#define DEFINE_STENCIL(Real, dtype)                                                                \
    extern "C" __global__ void stencil_tiled_##dtype(long long n, const Real *x, Real *out)        \
    {                                                                                              \
        stencil<Real>(n, x, out);                                                                  \
    }

DEFINE_STENCIL(double, float64)
DEFINE_STENCIL(float, float32)
