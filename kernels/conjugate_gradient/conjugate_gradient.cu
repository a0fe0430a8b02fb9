/* Operations of conjugate gradients for a matrix in CSR. Each operation is a launch. Except in dot and add_up,
   there is one thread per row or element.

   start     x = 0 and r = p = b
   multiply  q = A p
   dot       inner product, one sum per block: each thread adds up products with a stride of the grid's size. Then the
             block adds up its threads' sums as a tree in shared memory.
   add_up    sum of the blocks' sums, computed by one block
   axpy      y = y + factor x
   xpay      y = x + factor y */

template <typename real> __device__ void sum_of_block(real mine, real *sum)
{
    extern __shared__ double shared_memory[];
    real *shared = reinterpret_cast<real *>(shared_memory);
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* if active is odd, the middle number stays */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
    if (threadIdx.x == 0)
        *sum = shared[0];
}

__device__ inline long long my_element()
{
    return (long long)blockDim.x * blockIdx.x + threadIdx.x;
}

template <typename real> __device__ void start(long long n, const real *b, real *x, real *residual, real *direction)
{
    const long long i = my_element();
    if (i < n) {
        x[i] = 0;
        residual[i] = direction[i] = b[i];
    }
}

template <typename real>
__device__ void multiply(long long n, const real *data, const int *indices, const int *indptr, const real *direction,
                         real *product)
{
    const long long row = my_element();
    if (row >= n)
        return;
    // idea: one row per thread
    real sum = 0;
    for (int k = indptr[row]; k < indptr[row + 1]; k++)
        sum += data[k] * direction[indices[k]];
    product[row] = sum;
    // end of idea
}

template <typename real> __device__ void dot(long long n, const real *x, const real *y, real *sums)
{
    real mine = 0;
    for (long long i = my_element(); i < n; i += (long long)gridDim.x * blockDim.x)
        mine += x[i] * y[i];
    sum_of_block(mine, sums + blockIdx.x);
}

template <typename real> __device__ void add_up(long long n, const real *sums, real *total)
{
    real mine = 0;
    for (long long i = threadIdx.x; i < n; i += blockDim.x)
        mine += sums[i];
    sum_of_block(mine, total);
}

template <typename real> __device__ void axpy(long long n, real factor, const real *x, real *y)
{
    const long long i = my_element();
    if (i < n)
        y[i] += factor * x[i];
}

template <typename real> __device__ void xpay(long long n, real factor, const real *x, real *y)
{
    const long long i = my_element();
    if (i < n)
        y[i] = x[i] + factor * y[i];
}

#define DEFINE_CONJUGATE_GRADIENT(real, dtype)                                                                        \
    extern "C" __global__ void start_##dtype(long long n, const real *b, real *x, real *residual, real *direction)    \
    {                                                                                                                 \
        start(n, b, x, residual, direction);                                                                          \
    }                                                                                                                 \
    extern "C" __global__ void multiply_##dtype(long long n, const real *data, const int *indices, const int *indptr, \
                                                const real *direction, real *product)                                 \
    {                                                                                                                 \
        multiply(n, data, indices, indptr, direction, product);                                                       \
    }                                                                                                                 \
    extern "C" __global__ void dot_##dtype(long long n, const real *x, const real *y, real *sums)                     \
    {                                                                                                                 \
        dot(n, x, y, sums);                                                                                           \
    }                                                                                                                 \
    extern "C" __global__ void add_up_##dtype(long long n, const real *sums, real *total)                             \
    {                                                                                                                 \
        add_up(n, sums, total);                                                                                       \
    }                                                                                                                 \
    extern "C" __global__ void axpy_##dtype(long long n, real factor, const real *x, real *y)                         \
    {                                                                                                                 \
        axpy(n, factor, x, y);                                                                                        \
    }                                                                                                                 \
    extern "C" __global__ void xpay_##dtype(long long n, real factor, const real *x, real *y)                         \
    {                                                                                                                 \
        xpay(n, factor, x, y);                                                                                        \
    }

DEFINE_CONJUGATE_GRADIENT(double, float64)
DEFINE_CONJUGATE_GRADIENT(float, float32)
