/* Cumulative sum in two launches of the same blocks, each with a part of `items` elements, a multiple of a tile.

   add_up: each block adds up its part, as a tree in shared memory in the end (an element per thread).

   scan: each block starts from the sum of the blocks before it and scans its part, tile after tile. A tile is read in
   order into shared memory, 32 bytes per thread and a cell for their sum: each thread scans its own, the block scans
   the sums by doubling, and the tile is written in order. The odd cell also keeps memory banks from clashing. */

template <typename Real>
__device__ Real add_up_block(Real *shared, Real mine)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* the upper half onto the lower; an odd one out waits */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
    __syncthreads();
    return shared[0];
}

template <typename Real>
__device__ void add_up(long long n, long long items, const Real *__restrict__ x, Real *sums)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    const long long begin = blockIdx.x * items, end = begin + items < n ? begin + items : n;
    Real mine = 0;
#pragma unroll 8 /* that many on their way at any time */
    for (long long i = begin + threadIdx.x; i < end; i += blockDim.x)
        mine += x[i];
    const Real total = add_up_block(shared, mine);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

template <typename Real>
__device__ void scan(long long n, long long items, const Real *__restrict__ x, const Real *__restrict__ sums,
                     Real *__restrict__ out)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    const int each = 32 / sizeof(Real), row = each + 1, me = threadIdx.x, size = blockDim.x;
    const long long begin = blockIdx.x * items, end = begin + items < n ? begin + items : n;
    Real *const mine = shared + me * row;
    Real start = 0;
    for (unsigned before = me; before < blockIdx.x; before += size)
        start += sums[before];
    start = add_up_block(shared, start);
    for (long long tile = begin; tile < end; tile += size * each) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < each; k++) {
            const int j = k * size + me;
            shared[j + j / each] = tile + j < end ? x[tile + j] : 0;
        }
        __syncthreads();
        // idea: each thread scans its own, the block the sums, by doubling
        Real total = 0;
#pragma unroll
        for (int k = 0; k < each; k++)
            mine[k] = total += mine[k];
        mine[each] = total;
        for (int distance = 1; distance < size; distance *= 2) {
            __syncthreads();
            const Real other = me >= distance ? shared[(me - distance) * row + each] : 0;
            __syncthreads();
            mine[each] += other;
        }
        // end of idea
        __syncthreads();
#pragma unroll
        for (int k = 0; k < each; k++) {
            const int j = k * size + me, owner = j / each;
            if (tile + j < end)
                out[tile + j] = start + ((owner ? shared[owner * row - 1] : 0) + shared[j + owner]);
        }
        start += shared[size * row - 1];
    }
}

#define DEFINE_CUMSUM(Real, dtype)                                                                               \
    extern "C" __global__ void cumsum_add_up_##dtype(long long n, long long items, const Real *x, Real *sums)    \
    {                                                                                                            \
        add_up(n, items, x, sums);                                                                               \
    }                                                                                                            \
    extern "C" __global__ void cumsum_scan_##dtype(long long n, long long items, const Real *x,                  \
                                                   const Real *sums, Real *out)                                  \
    {                                                                                                            \
        scan(n, items, x, sums, out);                                                                            \
    }

DEFINE_CUMSUM(double, float64)
DEFINE_CUMSUM(float, float32)
