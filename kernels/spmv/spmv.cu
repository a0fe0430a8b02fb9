/* y = A x for a matrix in CSR: row i holds data[k] in column indices[k], indptr[i] <= k < indptr[i + 1].

   scalar: a thread adds up a row; neighbouring threads read elements a row's length apart.

   vector: `lanes` threads, a power of two up to a warp, add up a row, reading consecutive elements; blocks are whole
   multiples of them.

   stream: a block fetches the elements of its rows, one row a thread, in order of memory, ELEMENTS a thread at a
   time, multiplies them, and leaves the products in shared memory (ELEMENTS numbers a thread), where each thread
   adds up its row. Rows may be of any length. */

#define ELEMENTS 5

template <typename real>
__device__ void multiply_scalar(long long rows, const real *__restrict__ data, const int *__restrict__ indices,
                                const int *__restrict__ indptr, const real *__restrict__ x, real *__restrict__ y)
{
    const long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    // idea: a thread, a row
    real sum = 0;
    for (int k = indptr[row]; k < indptr[row + 1]; k++)
        sum += data[k] * x[indices[k]];
    y[row] = sum;
    // end of idea
}

template <typename real>
__device__ void multiply_vector(long long rows, const real *__restrict__ data, const int *__restrict__ indices,
                                const int *__restrict__ indptr, const real *__restrict__ x, real *__restrict__ y,
                                int lanes)
{
    const long long row = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / lanes;
    const int lane = threadIdx.x % lanes;
    real sum = 0;
    // idea: several threads, a row
    if (row < rows)
        for (int k = indptr[row] + lane; k < indptr[row + 1]; k += lanes)
            sum += data[k] * x[indices[k]];
    for (int half = lanes / 2; half > 0; half /= 2) /* the upper half onto the lower; all threads take part */
        sum += __shfl_down_sync(0xffffffff, sum, half, lanes);
    // end of idea
    if (row < rows && lane == 0)
        y[row] = sum;
}

template <typename real>
__device__ void multiply_stream(long long rows, const real *__restrict__ data, const int *__restrict__ indices,
                                const int *__restrict__ indptr, const real *__restrict__ x, real *__restrict__ y)
{
    extern __shared__ double shared_memory[];
    real *products = reinterpret_cast<real *>(shared_memory);
    const long long first = (long long)blockIdx.x * blockDim.x, row = first + threadIdx.x;
    const long long past = first + blockDim.x < rows ? first + blockDim.x : rows;
    const int begin = row < rows ? indptr[row] : 0, end = row < rows ? indptr[row + 1] : 0;
    const int last = indptr[past], chunk = ELEMENTS * blockDim.x;
    real sum = 0;
    for (int start = indptr[first]; start < last; start += chunk) {
        real mine[ELEMENTS];
        // idea: the block fetches in order of memory, then a thread, a row
        for (int j = 0; j < ELEMENTS; j++) { /* all are on their way before the first is stored */
            const int k = start + j * (int)blockDim.x + (int)threadIdx.x;
            mine[j] = k < last ? data[k] * x[indices[k]] : 0;
        }
        for (int j = 0; j < ELEMENTS; j++)
            products[j * blockDim.x + threadIdx.x] = mine[j];
        __syncthreads();
        for (int k = max(begin, start); k < min(end, start + chunk); k++)
            sum += products[k - start];
        // end of idea
        __syncthreads();
    }
    if (row < rows)
        y[row] = sum;
}

#define DEFINE_SPMV(type, dtype)                                                                                       \
    extern "C" __global__ void spmv_scalar_##dtype(long long rows, const type *data, const int *indices,               \
                                                   const int *indptr, const type *x, type *y)                          \
    {                                                                                                                  \
        multiply_scalar(rows, data, indices, indptr, x, y);                                                            \
    }                                                                                                                  \
                                                                                                                       \
    extern "C" __global__ void spmv_vector_##dtype(long long rows, const type *data, const int *indices,               \
                                                   const int *indptr, const type *x, type *y, int lanes)               \
    {                                                                                                                  \
        multiply_vector(rows, data, indices, indptr, x, y, lanes);                                                     \
    }                                                                                                                  \
                                                                                                                       \
    extern "C" __global__ void spmv_stream_##dtype(long long rows, const type *data, const int *indices,               \
                                                   const int *indptr, const type *x, type *y)                          \
    {                                                                                                                  \
        multiply_stream(rows, data, indices, indptr, x, y);                                                            \
    }

DEFINE_SPMV(double, float64)
DEFINE_SPMV(float, float32)
