/* The subset of CUDA C++ that kernels use, for the host. Blocks run one after the other, and their threads
   take turns. */
#include <math.h> // C++'s header, which overloads functions for float
#include <memory>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <ucontext.h>
#include <utility>
#include <vector>

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

static dim3 threadIdx, blockIdx, blockDim, gridDim;
static int voted;

/* A thread of a block. It runs until it waits for other threads or ends. Then the next thread runs. */
struct Thread {
    ucontext_t context;
    dim3 index;
    bool ended;
};
struct Barrier {
    unsigned expected, arrived, opened;
};

static const size_t STACK = 1 << 16;
static std::vector<Thread> threads;
static ucontext_t launcher;
static unsigned running, ended, progress; /* progress: barriers opened plus threads ended */
static bool backwards, stuck;
static Barrier block_barrier, warp_barriers[32];

static void run_next()
{
    const unsigned count = threads.size(), before = running;
    do
        running = (running + (backwards ? count - 1 : 1)) % count;
    while (threads[running].ended);
    threadIdx = threads[running].index;
    if (running != before)
        swapcontext(&threads[before].context, &threads[running].context);
}

static void wait(Barrier &barrier)
{
    const unsigned opened = barrier.opened;
    if (++barrier.arrived == barrier.expected) {
        barrier.arrived = 0;
        barrier.opened++;
        progress++;
    }
    while (barrier.opened == opened) {
        const unsigned before = progress;
        run_next();
        if (progress == before) { /* all threads wait */
            stuck = true;
            setcontext(&launcher);
        }
    }
}

static void __syncthreads() { wait(block_barrier); }
static void __syncwarp() { wait(warp_barriers[(threadIdx.x + threadIdx.y * blockDim.x) / 32]); }
template <typename T> static T __shfl_down_sync(unsigned, T value, int delta, int width)
{
    static T values[1024];
    const int me = threadIdx.x + threadIdx.y * blockDim.x;
    values[me] = value;
    __syncwarp();
    const T other = me % width + delta < width ? values[me + delta] : value;
    __syncwarp(); /* all threads have read */
    return other;
}

static void __threadfence() { __sync_synchronize(); }

static int __syncthreads_or(int vote)
{
    __syncthreads(); /* all threads have read the last vote */
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

template <typename... Types, size_t... places>
static void call(void (*kernel)(Types...), void **arguments, std::index_sequence<places...>)
{
    kernel(*(typename std::remove_const<Types>::type *)arguments[places]...);
}

/* Call a kernel with arguments given by their addresses. */
template <typename... Types>
static void call(void (*kernel)(Types...), void **arguments)
{
    call(kernel, arguments, std::index_sequence_for<Types...>());
}

static void (*called)(void **);
static void **passed;

static void begin_thread()
{
    called(passed);
    threads[running].ended = true;
    progress++;
    if (++ended < threads.size())
        run_next();
}

/* Run a kernel block by block. Return whether every thread ended. The order of threads alternates from
   block to block, since a missing barrier may give a wrong result in only one of the two orders. */
extern "C" bool launch(void (*kernel)(void **), void **arguments, const unsigned *grid, const unsigned *block)
{
    called = kernel;
    passed = arguments;
    gridDim = {grid[0], grid[1], 1};
    blockDim = {block[0], block[1], 1};
    const unsigned count = block[0] * block[1];
    threads.resize(count);
    std::unique_ptr<char[]> stacks(new char[count * STACK]);
    stuck = false;
    for (unsigned number = 0; number < grid[0] * grid[1] && !stuck; number++) {
        blockIdx = {number % grid[0], number / grid[0], 0};
        block_barrier = {count, 0, 0};
        for (unsigned warp = 0; 32 * warp < count; warp++) /* the last warp may be smaller */
            warp_barriers[warp] = {count < 32 * warp + 32 ? count - 32 * warp : 32, 0, 0};
        for (unsigned n = 0; n < count; n++) {
            ucontext_t &context = threads[n].context;
            getcontext(&context);
            context.uc_stack.ss_sp = stacks.get() + n * STACK;
            context.uc_stack.ss_size = STACK;
            context.uc_link = &launcher;
            makecontext(&context, begin_thread, 0);
            threads[n].index = {n % block[0], n / block[0], 0};
            threads[n].ended = false;
        }
        ended = 0;
        backwards = number % 2;
        running = backwards ? count - 1 : 0;
        threadIdx = threads[running].index;
        swapcontext(&launcher, &threads[running].context);
    }
    return !stuck;
}
