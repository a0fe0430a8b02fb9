/* As much of CUDA C++ as lets the threads of a block run as threads of the host, one block after the other. */
#include <math.h> // of C++: overloaded for float
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define __global__
#define __device__
#ifndef __shared__
#define __shared__
#endif
#define __restrict__
#define __launch_bounds__(...)

struct dim3 {
    unsigned x, y, z;
};
struct int2 {
    int x, y;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) double2 {
    double x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};

static int2 make_int2(int x, int y) { return {x, y}; }
static uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
static double2 make_double2(double x, double y) { return {x, y}; }
static float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }
static double max(double a, double b) { return a > b ? a : b; }
static float max(float a, float b) { return a > b ? a : b; }

static double rsqrt(double x) { return 1 / sqrt(x); }
static float rsqrt(float x) { return 1 / sqrtf(x); }

static thread_local dim3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static pthread_barrier_t barrier, warp_barriers[32];
static int voted;

static void __syncthreads() { pthread_barrier_wait(&barrier); }
static void __syncwarp() { pthread_barrier_wait(warp_barriers + (threadIdx.x + threadIdx.y * blockDim.x) / 32); }
template <typename T> static T __shfl_down_sync(unsigned, T value, int delta, int width)
{
    static T values[1024];
    const int me = threadIdx.x + threadIdx.y * blockDim.x;
    values[me] = value;
    __syncwarp();
    const T other = me % width + delta < width ? values[me + delta] : value;
    __syncwarp(); /* everybody has read */
    return other;
}

static void __threadfence() { __sync_synchronize(); }

static int __syncthreads_or(int vote)
{
    __syncthreads(); /* everybody has read the last vote */
    voted = 0;
    __syncthreads();
    if (vote)
        __atomic_store_n(&voted, 1, __ATOMIC_SEQ_CST);
    __syncthreads();
    return voted;
}

template <typename T>
static T __ldcs(const T *from) { return *from; }
template <typename T>
static void __stcs(T *to, T value) { *to = value; }
template <typename T>
static T atomicAdd(T *to, T value) { return __atomic_fetch_add(to, value, __ATOMIC_SEQ_CST); }
template <typename T>
static T atomicExch(T *to, T value) { return __atomic_exchange_n(to, value, __ATOMIC_SEQ_CST); }

static unsigned atomicInc(unsigned *to, unsigned last) /* back to 0 after `last` */
{
    unsigned old = __atomic_load_n(to, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(to, &old, old >= last ? 0 : old + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return old;
}

static double __longlong_as_double(long long bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

extern "C" void begin_launch(unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_y)
{
    gridDim = {grid_x, grid_y, 1};
    blockDim = {block_x, block_y, 1};
    const unsigned threads = block_x * block_y;
    pthread_barrier_init(&barrier, nullptr, threads);
    for (unsigned warp = 0; 32 * warp < threads; warp++) /* the last one may be smaller */
        pthread_barrier_init(warp_barriers + warp, nullptr, threads < 32 * warp + 32 ? threads - 32 * warp : 32);
}

extern "C" void end_launch()
{
    pthread_barrier_destroy(&barrier);
    for (unsigned warp = 0; 32 * warp < blockDim.x * blockDim.y; warp++)
        pthread_barrier_destroy(warp_barriers + warp);
}

extern "C" void begin_block(unsigned block_x, unsigned block_y, unsigned thread_x, unsigned thread_y)
{
    __syncthreads(); /* the last block used the same shared memory */
    blockIdx = {block_x, block_y, 0};
    threadIdx = {thread_x, thread_y, 0};
}
