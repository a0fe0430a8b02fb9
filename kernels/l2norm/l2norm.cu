/* Euclidean length of each row by one block: threads add up squares, then the block adds up its threads' sums as a tree
   in shared memory, an element per thread. */

template <typename Real> __device__ void norm_of_row(long long rows, long long columns, const Real *x, Real *out)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    if (blockIdx.x >= rows)
        return;
    Real mine = 0;
    for (long long j = threadIdx.x; j < columns; j += blockDim.x)
        mine += x[blockIdx.x * columns + j] * x[blockIdx.x * columns + j];
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

#define DEFINE_L2NORM(Real, dtype)                                                                          \
    extern "C" __global__ void l2norm_##dtype(long long rows, long long columns, const Real *x, Real *out)  \
    {                                                                                                       \
        norm_of_row(rows, columns, x, out);                                                                 \
    }

DEFINE_L2NORM(double, float64)
DEFINE_L2NORM(float, float32)
