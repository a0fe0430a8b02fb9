/* Softmax of each row by one block, which reads and writes it in packs of 16 bytes and keeps it in shared memory
   meanwhile. Only rows whose length is a multiple of 16 bytes all begin at one; those of other lengths are moved
   element by element. Shared memory: the row and an element per thread. */

template <typename Real, int width> struct alignas(width * sizeof(Real)) Pack {
    Real lane[width];
};

template <typename Real, typename Combine> __device__ Real combine_block(Real *shared, Real mine, Combine combine)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* the upper half onto the lower; an odd one out waits */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + middle]);
        active = middle;
    }
    __syncthreads();
    const Real all = shared[0];
    __syncthreads(); /* all have read it before the next tree begins */
    return all;
}

template <int width, typename Real>
__device__ void softmax_of_row(long long columns, const Real *__restrict__ x, Real *__restrict__ out, Real *memory)
{
    using Packs = Pack<Real, width>;
    const Packs *const row = reinterpret_cast<const Packs *>(x);
    Packs *const result = reinterpret_cast<Packs *>(out), *const kept = reinterpret_cast<Packs *>(memory);
    Real *const shared = memory + columns;
    Real top = x[0], total = 0;
    // idea: a row is read from memory once and written once, and lies in shared memory between
    for (long long i = threadIdx.x; i < columns / width; i += blockDim.x) {
        const Packs pack = kept[i] = row[i];
        for (int k = 0; k < width; k++)
            top = pack.lane[k] > top ? pack.lane[k] : top;
    }
    top = combine_block(shared, top, [](Real a, Real b) { return a > b ? a : b; });
    for (long long i = threadIdx.x; i < columns / width; i += blockDim.x)
        for (int k = 0; k < width; k++)
            total += kept[i].lane[k] = exp(kept[i].lane[k] - top);
    total = combine_block(shared, total, [](Real a, Real b) { return a + b; });
    for (long long i = threadIdx.x; i < columns / width; i += blockDim.x) {
        Packs pack = kept[i];
        for (int k = 0; k < width; k++)
            pack.lane[k] /= total;
        result[i] = pack;
    }
    // end of idea
}

template <typename Real> __device__ void softmax(long long rows, long long columns, const Real *x, Real *out)
{
    extern __shared__ double2 shared_memory[];
    constexpr int width = 16 / sizeof(Real);
    const long long first = blockIdx.x * columns;
    if (blockIdx.x >= rows)
        return;
    if (columns % width == 0)
        softmax_of_row<width>(columns, x + first, out + first, reinterpret_cast<Real *>(shared_memory));
    else
        softmax_of_row<1>(columns, x + first, out + first, reinterpret_cast<Real *>(shared_memory));
}

#define DEFINE_SOFTMAX(Real, dtype)                                                                         \
    extern "C" __global__ void softmax_##dtype(long long rows, long long columns, const Real *x, Real *out) \
    {                                                                                                       \
        softmax(rows, columns, x, out);                                                                     \
    }

DEFINE_SOFTMAX(double, float64)
DEFINE_SOFTMAX(float, float32)
