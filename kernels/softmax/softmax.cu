/* Compute the softmax of each row by one block. A thread computes maximum, exponentials and sum of elements with a
   stride of the block's size. The block combines its threads' results by a tree in shared memory, one element per
   thread. */

template <typename Real, typename Combine> __device__ Real combine_block(Real *shared, Real mine, Combine combine)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* if active is odd, the middle number stays */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + middle]);
        active = middle;
    }
    __syncthreads();
    const Real all = shared[0];
    __syncthreads(); /* all threads must read shared[0] before the next tree begins */
    return all;
}

template <typename Real> __device__ void softmax(long long rows, long long columns, const Real *x, Real *out)
{
    extern __shared__ double shared_memory[];
    Real *const shared = reinterpret_cast<Real *>(shared_memory);
    if (blockIdx.x >= rows)
        return;
    const Real *const row = x + blockIdx.x * columns;
    Real *const result = out + blockIdx.x * columns;
    // idea: a row stays in its block from its maximum to its quotients
    Real top = row[0], total = 0;
    for (long long j = threadIdx.x; j < columns; j += blockDim.x)
        top = row[j] > top ? row[j] : top;
    top = combine_block(shared, top, [](Real a, Real b) { return a > b ? a : b; });
    for (long long j = threadIdx.x; j < columns; j += blockDim.x)
        total += result[j] = exp(row[j] - top);
    total = combine_block(shared, total, [](Real a, Real b) { return a + b; });
    for (long long j = threadIdx.x; j < columns; j += blockDim.x)
        result[j] /= total;
    // end of idea
}

#define DEFINE_SOFTMAX(Real, dtype)                                                                         \
    extern "C" __global__ void softmax_##dtype(long long rows, long long columns, const Real *x, Real *out) \
    {                                                                                                       \
        softmax(rows, columns, x, out);                                                                     \
    }

DEFINE_SOFTMAX(double, float64)
DEFINE_SOFTMAX(float, float32)
