extern "C" __global__ void scale(long long n, const double *x, double *y)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}

extern "C" __global__ void overrun(long long n, const double *x, double *y)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        y[i] = 2 * x[0];
}

extern "C" __global__ void __launch_bounds__(256) bounded(long long n, const double *x, double *y)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}

extern "C" __global__ void tree(long long n, const double *x, double *y)
{
    __shared__ double shared[1024];
    shared[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x < n)
        y[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

/* Many live values, so that registers, not threads, limit the number of resident blocks. */
extern "C" __global__ void hungry(long long n, const double *x, double *y)
{
    double kept[40];
#pragma unroll
    for (int k = 0; k < 40; k++)
        kept[k] = x[(threadIdx.x * 40 + k) % n];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 40; k++)
        y[(threadIdx.x + k * 1024) % n] = kept[k] * kept[39 - k] + kept[(k * 7) % 40];
}

/* One thread follows n links through x, so that the latency of memory or of the cache determines the time. */
extern "C" __global__ void chase(long long n, const double *x, double *y)
{
    if (blockIdx.x || threadIdx.x)
        return;
    long long at = 0;
    for (long long k = 0; k < n; k++)
        at = (long long)x[at];
    y[0] = at;
}

extern "C" __global__ void stray(long long n, const double *x, double *y)
{
    y[n + (1LL << 45)] = 1;
}
