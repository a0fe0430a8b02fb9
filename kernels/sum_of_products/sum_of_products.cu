/* Sum of products along each row by one block: each thread adds up its part of the products, then the block adds up its
   threads' sums as a tree in shared memory, an element per thread. */

template <typename Real>
__device__ void sum_of_products(long long rows, long long columns, const Real *x, const Real *y, Real *out)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    const long long row = blockIdx.x;
    if (row >= rows)
        return;
    Real mine = 0;
    for (long long j = threadIdx.x; j < columns; j += blockDim.x)
        mine += x[row * columns + j] * y[row * columns + j];
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* the upper half onto the lower; an odd one out waits */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
    if (threadIdx.x == 0)
        out[row] = shared[0];
}

#define DEFINE_SUM_OF_PRODUCTS(Real, dtype)                                                              \
    extern "C" __global__ void sum_of_products_##dtype(long long rows, long long columns, const Real *x, \
                                                       const Real *y, Real *out)                         \
    {                                                                                                    \
        sum_of_products(rows, columns, x, y, out);                                                       \
    }

DEFINE_SUM_OF_PRODUCTS(double, float64)
DEFINE_SUM_OF_PRODUCTS(float, float32)
