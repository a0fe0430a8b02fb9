/* One step of a bitonic network: each work-item puts a pair of numbers in order.

   The network merges pairs of sorted runs of `stride` numbers. The first step of a merge is `mirrored`: it pairs the
   first number of one run with the last number of the other, the second with the last but one, and so on. The next
   steps pair numbers that are `stride` apart, and each step halves the stride. All steps put the smaller number first.
   Numbers beyond the end count as infinite, so they would never move. In the very first step, `from` is x. In all other
   steps, `from` is `to`. */

#define DEFINE_SORT(real, dtype)                                                                               \
    kernel void sort_step_##dtype(long n, long stride, int mirrored, global const real *from, global real *to) \
    {                                                                                                          \
        const long pair = get_global_id(0), low = 2 * pair - (pair & (stride - 1));                            \
        const long high = low ^ (mirrored ? 2 * stride - 1 : stride);                                          \
        if (low >= n)                                                                                          \
            return;                                                                                            \
        const real a = from[low], b = high < n ? from[high] : a;                                               \
        to[low] = a > b ? b : a;                                                                               \
        if (high < n)                                                                                          \
            to[high] = a > b ? a : b;                                                                          \
    }

DEFINE_SORT(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SORT(double, float64)
#endif
