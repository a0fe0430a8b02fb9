/* One step of a bitonic network: each thread puts a pair of numbers in order.

   The network merges pairs of sorted runs of `stride` numbers. The first step of a merge is `mirrored`: it pairs the
   first number of one run with the last number of the other, the second with the last but one, and so on. The next
   steps pair numbers that are `stride` apart, and each step halves the stride. All steps put the smaller number first.
   Numbers beyond the end count as infinite, so they would never move. In the very first step, `from` is x. In all other
   steps, `from` is `to`. */

template <typename Real>
__device__ void sort_step(long long n, long long stride, int mirrored, const Real *from, Real *to)
{
    const long long pair = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long low = 2 * pair - (pair & (stride - 1)), high = low ^ (mirrored ? 2 * stride - 1 : stride);
    if (low >= n)
        return;
    const Real a = from[low], b = high < n ? from[high] : a;
    to[low] = a > b ? b : a;
    if (high < n)
        to[high] = a > b ? a : b;
}

#define DEFINE_SORT(Real, dtype)                                                              \
    extern "C" __global__ void sort_step_##dtype(long long n, long long stride, int mirrored, \
                                                 const Real *from, Real *to)                  \
    {                                                                                         \
        sort_step(n, stride, mirrored, from, to);                                             \
    }

DEFINE_SORT(double, float64)
DEFINE_SORT(float, float32)
