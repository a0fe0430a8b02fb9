! out = a b by loops whose innermost one runs along columns, as memory does; with -fopenmp, threads share them.
subroutine matmul_float64(a, b, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: out(n, n)
    integer(8) :: j, k
    !f2py threadsafe
    !$omp parallel do
    do j = 1, n
        out(:, j) = 0
        do k = 1, n
            out(:, j) = out(:, j) + a(:, k) * b(k, j)
        end do
    end do
end subroutine

subroutine matmul_float32(a, b, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: a(n, n), b(n, n)
    real(4), intent(inout) :: out(n, n)
    integer(8) :: j, k
    !f2py threadsafe
    !$omp parallel do
    do j = 1, n
        out(:, j) = 0
        do k = 1, n
            out(:, j) = out(:, j) + a(:, k) * b(k, j)
        end do
    end do
end subroutine
