/* Euclidean length of each row by one block: threads add up squares, packs of 16 bytes at a time, then the block adds
   up its threads' sums as a tree in shared memory, an element per thread. Where the length of a row is a multiple of 16
   bytes, all rows begin at one; rows of other lengths are read element by element. */

template <typename Real>
struct alignas(16) Pack {
    Real lane[16 / sizeof(Real)];
};

template <typename Real>
__device__ void norm_of_row(long long rows, long long columns, const Real *__restrict__ x, Real *out)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    if (blockIdx.x >= rows)
        return;
    const Real *const row = x + blockIdx.x * columns;
    const int width = 16 / sizeof(Real);
    const long long packs = columns % width ? 0 : columns / width;
    Real lane[width] = {}, mine = 0;
    // idea: 16 bytes a load
#pragma unroll 4 /* that many packs on their way at any time */
    for (long long i = threadIdx.x; i < packs; i += blockDim.x) {
        const Pack<Real> pack = reinterpret_cast<const Pack<Real> *>(row)[i];
        for (int k = 0; k < width; k++)
            lane[k] += pack.lane[k] * pack.lane[k];
    }
    // end of idea
    for (int k = 0; k < width; k++)
        mine += lane[k];
    for (long long i = packs * width + threadIdx.x; i < columns; i += blockDim.x)
        mine += row[i] * row[i];
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* the upper half onto the lower; an odd one out waits */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sqrt(shared[0]);
}

#define DEFINE_L2NORM(Real, dtype)                                                                           \
    extern "C" __global__ void l2norm_##dtype(long long rows, long long columns, const Real *__restrict__ x, \
                                              Real *out)                                                     \
    {                                                                                                        \
        norm_of_row(rows, columns, x, out);                                                                  \
    }

DEFINE_L2NORM(double, float64)
DEFINE_L2NORM(float, float32)
