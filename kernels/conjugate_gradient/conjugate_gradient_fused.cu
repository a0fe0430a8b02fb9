/* Fused passes of conjugate gradients for a matrix in CSR. The grid may have any size: threads take rows or packs of
   elements with a stride of the grid's size.

   start     x = 0, r = p = b, and r.r
   multiply  q = A p, and p.q
   update    with a = r.r / p.q: r -= a q, and the new r.r
   direct    x += a p, and p = r + (new r.r / old r.r) p

   A `backwards` pass begins at the rows where a forward pass ended, which are still in the cache. The matrix and x
   bypass the cache, since they are too large and are not read again before the next step. This leaves room for the
   other vectors.

   An inner product is complete when its pass ends. Each block adds up its threads' parts. The block that finishes last
   adds up the blocks' sums; the order of this sum does not depend on which block is last. In steps after the exact
   solution has been reached, a and the factor of p are 0, to avoid a division by zero.

   Vectors are aligned to 16 bytes. `sums` has one number per block. The counter `finished` is 0 before and after each
   pass. A pass needs shared memory for one number per thread; `multiply` needs it for ELEMENTS numbers. */

#define ELEMENTS 5
#define WARP 32

template <typename real> struct alignas(16) Pack {
    real lane[16 / sizeof(real)];
};

template <typename real>
__device__ Pack<real> read_past_the_cache(const Pack<real> *from)
{
    union {
        int4 bits;
        Pack<real> pack;
    } value;
    value.bits = __ldcs((const int4 *)from);
    return value.pack;
}

template <typename real>
__device__ void write_past_the_cache(Pack<real> *to, Pack<real> pack)
{
    union {
        Pack<real> pack;
        int4 bits;
    } value = {pack};
    __stcs((int4 *)to, value.bits);
}

template <typename real>
__device__ void add_up_block(real *shared, real mine)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* if active is odd, the middle number stays */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
}

template <typename real>
__device__ void add_up_grid(real *shared, real mine, real *sums, unsigned *finished, real *total)
{
    add_up_block(shared, mine);
    bool last = false;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = shared[0];
        __threadfence(); /* publish the sum before the count */
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        mine = 0;
        for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
            mine += sums[block];
        add_up_block(shared, mine);
        if (threadIdx.x == 0)
            *total = shared[0];
    }
}

template <typename real>
__device__ real *shared_numbers()
{
    extern __shared__ double shared_memory[];
    return reinterpret_cast<real *>(shared_memory);
}

template <typename real>
__device__ void start(long long n, const real *__restrict__ b, real *__restrict__ x, real *__restrict__ residual,
                      real *__restrict__ direction, real *sums, unsigned *finished, real *squared)
{
    real mine = 0;
    const long long grid = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += grid) {
        x[i] = 0;
        residual[i] = direction[i] = b[i];
        mine += b[i] * b[i];
    }
    add_up_grid(shared_numbers<real>(), mine, sums, finished, squared);
}

/* Work of a thread in one iteration: a row, the range of the row's elements, and the range of its warp's elements. */
struct Turn {
    int row, begin, end, first, last;
};

__device__ inline Turn look_up(const int *indptr, int rows, int part)
{
    const int lane = threadIdx.x % WARP, row = part * (int)blockDim.x + (int)threadIdx.x;
    const int top = min(row - lane, rows), bottom = min(row - lane + WARP, rows);
    return {row, indptr[min(row, rows)], indptr[min(row + 1, rows)], indptr[top], indptr[bottom]};
}

/* A warp has one row per thread. Its threads load the elements of all these rows in the order of memory, and store
   their products in the warp's part of shared memory. Then each thread adds up its own row. In an incomplete warp, each
   thread loads its own row. Warps wait for each other only after the last iteration. The bounds of a warp's rows are
   loaded one iteration ahead, to hide the latency of memory. Elements, and hence rows, are counted in 32 bits. */
template <typename real>
__device__ void multiply(int rows, const real *__restrict__ data, const int *__restrict__ indices,
                         const int *__restrict__ indptr, const real *__restrict__ direction,
                         real *__restrict__ product, real *sums, unsigned *finished, real *curvature, int backwards)
{
    const int threads = blockDim.x, blocks = gridDim.x, lane = threadIdx.x % WARP, warp = threadIdx.x - lane;
    const int parts = (rows + threads - 1) / threads, way = backwards ? -blocks : blocks;
    const bool whole = warp + WARP <= threads;
    real *products = shared_numbers<real>() + ELEMENTS * warp, mine = 0;
    int part = backwards ? parts - 1 - (int)blockIdx.x : blockIdx.x;
    Turn next = look_up(indptr, rows, max(part, 0));
    for (; 0 <= part && part < parts; part += way) {
        const Turn now = next;
        next = look_up(indptr, rows, max(part + way, 0)); /* unused after the last iteration */
        real sum = 0;
        if (!whole)
            for (int k = now.begin; k < now.end; k++)
                sum += data[k] * direction[indices[k]];
        else
            for (int start = now.first; start < now.last; start += ELEMENTS * WARP) {
                // idea: a warp loads in the order of memory; each thread adds up its row
                const real *value = data + start + lane;
                const int *column = indices + start + lane, left = now.last - start - lane;
                real some[ELEMENTS];
                int at[ELEMENTS];
                for (int j = 0; j < ELEMENTS; j++) {
                    at[j] = j * WARP < left ? __ldcs(column + j * WARP) : 0;
                    some[j] = j * WARP < left ? __ldcs(value + j * WARP) : 0;
                }
                for (int j = 0; j < ELEMENTS; j++) /* all loads are issued before the first value is used */
                    some[j] *= direction[at[j]];
                for (int j = 0; j < ELEMENTS; j++)
                    products[j * WARP + lane] = some[j];
                __syncwarp();
                for (int k = max(now.begin, start); k < min(now.end, start + ELEMENTS * WARP); k++)
                    sum += products[k - start];
                __syncwarp();
                // end of idea
            }
        if (now.row < rows) {
            product[now.row] = sum;
            mine += direction[now.row] * sum;
        }
    }
    __syncthreads(); /* products and sums share this memory */
    add_up_grid(shared_numbers<real>(), mine, sums, finished, curvature);
}

template <typename real>
__device__ void update(long long n, const real *squared, const real *curvature, const real *__restrict__ product,
                       real *__restrict__ residual, real *sums, unsigned *finished, real *squared_now, int backwards)
{
    const int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, grid = (long long)gridDim.x * blockDim.x;
    const long long packs = n / width;
    // idea: r -= a q and the new r.r in one pass
    const real length = *curvature > 0 ? *squared / *curvature : 0;
    real mine = 0;
#pragma unroll 2
    for (long long turn = thread; turn < packs; turn += grid) {
        const long long i = backwards ? packs - 1 - turn : turn;
        const Pack<real> q = ((const Pack<real> *)product)[i];
        Pack<real> rest = ((Pack<real> *)residual)[i];
        for (int k = 0; k < width; k++) {
            rest.lane[k] -= length * q.lane[k];
            mine += rest.lane[k] * rest.lane[k];
        }
        ((Pack<real> *)residual)[i] = rest;
    }
    // end of idea
    for (long long i = packs * width + thread; i < n; i += grid) {
        residual[i] -= length * product[i];
        mine += residual[i] * residual[i];
    }
    add_up_grid(shared_numbers<real>(), mine, sums, finished, squared_now);
}

template <typename real>
__device__ void direct(long long n, const real *squared, const real *curvature, const real *squared_now,
                       const real *__restrict__ residual, real *__restrict__ direction, real *__restrict__ x,
                       int backwards)
{
    const int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, grid = (long long)gridDim.x * blockDim.x;
    const long long packs = n / width;
    const real length = *curvature > 0 ? *squared / *curvature : 0, ratio = *squared > 0 ? *squared_now / *squared : 0;
    for (long long turn = thread; turn < packs; turn += grid) {
        const long long i = backwards ? packs - 1 - turn : turn;
        const Pack<real> rest = ((const Pack<real> *)residual)[i];
        Pack<real> p = ((Pack<real> *)direction)[i], solution = read_past_the_cache((Pack<real> *)x + i);
        for (int k = 0; k < width; k++) {
            solution.lane[k] += length * p.lane[k];
            p.lane[k] = rest.lane[k] + ratio * p.lane[k];
        }
        write_past_the_cache((Pack<real> *)x + i, solution);
        ((Pack<real> *)direction)[i] = p;
    }
    for (long long i = packs * width + thread; i < n; i += grid) {
        x[i] += length * direction[i];
        direction[i] = residual[i] + ratio * direction[i];
    }
}

/* `blocks` is the minimum number of blocks of 1024 threads per multiprocessor. It limits the registers per thread:
   multiply needs more registers, the other passes need more threads. */
#define PASS(blocks) extern "C" __global__ void __launch_bounds__(1024, blocks)

#define DEFINE_CONJUGATE_GRADIENT(type, dtype)                                                               \
    PASS(2) start_##dtype(long long n, const type *b, type *x, type *residual, type *direction,              \
                       type *sums, unsigned *finished, type *squared)                                        \
    {                                                                                                        \
        start(n, b, x, residual, direction, sums, finished, squared);                                        \
    }                                                                                                        \
                                                                                                             \
    PASS(1) multiply_##dtype(long long n, const type *data, const int *indices, const int *indptr,           \
                          const type *direction, type *product, type *sums, unsigned *finished,              \
                          type *curvature, int backwards)                                                    \
    {                                                                                                        \
        multiply((int)n, data, indices, indptr, direction, product, sums, finished, curvature, backwards);   \
    }                                                                                                        \
                                                                                                             \
    PASS(2) update_##dtype(long long n, const type *squared, const type *curvature, const type *product,     \
                        type *residual, type *sums, unsigned *finished, type *squared_now, int backwards)    \
    {                                                                                                        \
        update(n, squared, curvature, product, residual, sums, finished, squared_now, backwards);            \
    }                                                                                                        \
                                                                                                             \
    PASS(2) direct_##dtype(long long n, const type *squared, const type *curvature, const type *squared_now, \
                        const type *residual, type *direction, type *x, int backwards)                       \
    {                                                                                                        \
        direct(n, squared, curvature, squared_now, residual, direction, x, backwards);                       \
    }

DEFINE_CONJUGATE_GRADIENT(double, float64)
DEFINE_CONJUGATE_GRADIENT(float, float32)
