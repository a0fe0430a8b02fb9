/* The elements above 0.5, then zeros, in two launches of the same blocks, each with a part of `items` elements.

   count: each block counts what is kept of its part, as a tree in shared memory in the end (8 bytes per thread).

   move: each block adds up the counts of the blocks before it and moves its part, tile after tile. The zeros and ones
   of a tile are written to shared memory in order, EACH per thread and a cell for their sum, 4 bytes each. Each thread
   scans its own, then the block scans the sums by doubling. The number kept up to an element then is its place; the
   number dropped before it says which place at the end gets a zero. */

#define EACH 8
#define ROW (EACH + 1)

__device__ long long add_up_block(long long *shared, long long mine)
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
__device__ void count(long long n, long long items, const Real *__restrict__ x, long long *counts)
{
    extern __shared__ double shared_memory[];
    const long long begin = blockIdx.x * items, end = begin + items < n ? begin + items : n;
    long long mine = 0;
#pragma unroll 8 /* that many on their way at any time */
    for (long long i = begin + threadIdx.x; i < end; i += blockDim.x)
        mine += x[i] > (Real)0.5;
    const long long total = add_up_block(reinterpret_cast<long long *>(shared_memory), mine);
    if (threadIdx.x == 0)
        counts[blockIdx.x] = total;
}

template <typename Real>
__device__ void move(long long n, long long items, const Real *__restrict__ x, const long long *__restrict__ counts,
                     Real *__restrict__ out, long long *total)
{
    extern __shared__ double shared_memory[];
    const int me = threadIdx.x, size = blockDim.x;
    int *const kept = reinterpret_cast<int *>(shared_memory), *const mine = kept + me * ROW;
    const long long begin = blockIdx.x * items, end = begin + items < n ? begin + items : n;
    long long start = 0;
    for (unsigned before = me; before < blockIdx.x; before += size)
        start += counts[before];
    start = add_up_block(reinterpret_cast<long long *>(shared_memory), start);
    for (long long tile = begin; tile < end; tile += size * EACH) {
        Real value[EACH];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int j = k * size + me;
            value[k] = tile + j < end ? x[tile + j] : 0;
            kept[j + j / EACH] = value[k] > (Real)0.5;
        }
        __syncthreads();
        // idea: how many are kept up to each element
        int sum = 0;
#pragma unroll
        for (int k = 0; k < EACH; k++)
            mine[k] = sum += mine[k];
        mine[EACH] = sum;
        for (int distance = 1; distance < size; distance *= 2) {
            __syncthreads();
            const int other = me >= distance ? kept[(me - distance) * ROW + EACH] : 0;
            __syncthreads();
            mine[EACH] += other;
        }
        // end of idea
        __syncthreads();
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int j = k * size + me, owner = j / EACH;
            const long long i = tile + j, through = start + (owner ? kept[owner * ROW - 1] : 0) + kept[j + owner];
            if (i < end)
                out[value[k] > (Real)0.5 ? through - 1 : n - 1 - (i - through)] = value[k] > (Real)0.5 ? value[k] : 0;
        }
        start += kept[size * ROW - 1];
    }
    if (me == 0 && blockIdx.x == gridDim.x - 1)
        *total = start;
}

#define DEFINE_COMPACT(Real, dtype)                                                                                    \
    extern "C" __global__ void compact_count_##dtype(long long n, long long items, const Real *x, long long *counts)   \
    {                                                                                                                  \
        count(n, items, x, counts);                                                                                    \
    }                                                                                                                  \
    extern "C" __global__ void compact_move_##dtype(long long n, long long items, const Real *x,                       \
                                                    const long long *counts, Real *out, long long *total)              \
    {                                                                                                                  \
        move(n, items, x, counts, out, total);                                                                         \
    }

DEFINE_COMPACT(double, float64)
DEFINE_COMPACT(float, float32)
