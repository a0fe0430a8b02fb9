/* Transposition of a matrix of n rows. A block of bx x by threads brings a tile of bx x bx numbers into shared memory
   along the rows of x, and takes it from there along the rows of out, the tile's columns. Rows of the tile are `width`
   long: bx, or padded so that the numbers of a column lie in different banks. */

template <typename Real>
__device__ void transpose(int n, const Real *__restrict__ x, Real *__restrict__ out, int width)
{
    extern __shared__ double shared_memory[];
    Real *tile = reinterpret_cast<Real *>(shared_memory);
    const int me_x = threadIdx.x, me_y = threadIdx.y, side = blockDim.x, by = blockDim.y;
    const int left = blockIdx.x * side, top = blockIdx.y * side;
    for (int v = me_y; v < side; v += by)
        if (top + v < n && left + me_x < n)
            tile[v * width + me_x] = x[(long long)(top + v) * n + left + me_x];
    __syncthreads();
    for (int v = me_y; v < side; v += by)
        if (left + v < n && top + me_x < n)
            out[(long long)(left + v) * n + top + me_x] = tile[me_x * width + v];
}

#define DEFINE_TRANSPOSE(Real, dtype)                                                                    \
    extern "C" __global__ void transpose_tiled_##dtype(long long n, const Real *x, Real *out, int width) \
    {                                                                                                    \
        transpose<Real>(n, x, out, width);                                                               \
    }

DEFINE_TRANSPOSE(double, float64)
DEFINE_TRANSPOSE(float, float32)
