/* y = A x for a CSR matrix: row i has data[k] in column indices[k] for indptr[i] <= k < indptr[i + 1]. `lanes` threads
   read consecutive elements of a row. `lanes` is a power of two, at most a warp, and divides the block size. */

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
    for (int half = lanes / 2; half > 0; half /= 2) /* all threads add the upper half to the lower */
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
