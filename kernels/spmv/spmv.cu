/* y = A x for a matrix in CSR: row i contains data[k] in column indices[k], indptr[i] <= k < indptr[i + 1]. `lanes`
   threads, a power of two up to a warp, add up a row, reading consecutive elements; `lanes` divides the block size. */

template <typename real>
__device__ void multiply_vector(long long rows, const real *__restrict__ data, const int *__restrict__ indices,
                                const int *__restrict__ indptr, const real *__restrict__ x, real *__restrict__ y,
                                int lanes)
{
    const long long row = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / lanes;
    const int lane = threadIdx.x % lanes;
    real sum = 0;
    // idea: several threads per row
    if (row < rows)
        for (int k = indptr[row] + lane; k < indptr[row + 1]; k += lanes)
            sum += data[k] * x[indices[k]];
    for (int half = lanes / 2; half > 0; half /= 2) /* fold the upper half onto the lower; all threads take part */
        sum += __shfl_down_sync(0xffffffff, sum, half, lanes);
    // end of idea
    if (row < rows && lane == 0)
        y[row] = sum;
}

#define DEFINE_SPMV(type, dtype)                                                                                       \
    extern "C" __global__ void spmv_vector_##dtype(long long rows, const type *data, const int *indices,               \
                                                   const int *indptr, const type *x, type *y, int lanes)               \
    {                                                                                                                  \
        multiply_vector(rows, data, indices, indptr, x, y, lanes);                                                     \
    }

DEFINE_SPMV(double, float64)
DEFINE_SPMV(float, float32)
