! Softmax of each column, which stays in the cache; with -fopenmp, threads share the columns.
subroutine softmax_float64(x, out, m, n)
    implicit none
    integer(8), intent(in) :: m, n
    real(8), intent(in) :: x(m, n)
    real(8), intent(inout) :: out(m, n)
    integer(8) :: i
    !f2py threadsafe
    !$omp parallel do
    do i = 1, n
        out(:, i) = exp(x(:, i) - maxval(x(:, i)))
        out(:, i) = out(:, i) / sum(out(:, i))
    end do
end subroutine

subroutine softmax_float32(x, out, m, n)
    implicit none
    integer(8), intent(in) :: m, n
    real(4), intent(in) :: x(m, n)
    real(4), intent(inout) :: out(m, n)
    integer(8) :: i
    !f2py threadsafe
    !$omp parallel do
    do i = 1, n
        out(:, i) = exp(x(:, i) - maxval(x(:, i)))
        out(:, i) = out(:, i) / sum(out(:, i))
    end do
end subroutine
