! Mean of each point of a grid and its four neighbours; the border keeps its values. With -fopenmp, threads share the
! columns.
subroutine stencil_float64(x, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(inout) :: out(n, n)
    integer(8) :: i, j
    !f2py threadsafe
    !$omp parallel do private(i)
    do j = 1, n
        out(:, j) = x(:, j)
        if (j == 1 .or. j == n) cycle
        do i = 2, n - 1
            out(i, j) = (x(i, j) + x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1)) / 5
        end do
    end do
end subroutine

subroutine stencil_float32(x, out, n)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: x(n, n)
    real(4), intent(inout) :: out(n, n)
    integer(8) :: i, j
    !f2py threadsafe
    !$omp parallel do private(i)
    do j = 1, n
        out(:, j) = x(:, j)
        if (j == 1 .or. j == n) cycle
        do i = 2, n - 1
            out(i, j) = (x(i, j) + x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1)) / 5
        end do
    end do
end subroutine
