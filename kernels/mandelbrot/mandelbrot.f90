! Count the steps z <- z**2 + c, from z = 0, until |z| exceeds 2, for n columns of n points c. With -fopenmp, threads
! are scheduled dynamically by column.
subroutine mandelbrot_float64(x, y, limit, counts, n)
    implicit none
    integer(8), intent(in) :: n
    integer(4), intent(in) :: limit
    real(8), intent(in) :: x(n), y(n)
    integer(4), intent(inout) :: counts(n, n)
    integer(8) :: i, j
    integer(4) :: step
    real(8) :: re, im, next
    !f2py threadsafe
    !$omp parallel do private(j, step, re, im, next) schedule(dynamic)
    do i = 1, n
        do j = 1, n
            re = 0
            im = 0
            step = 0
            do while (step < limit .and. re * re + im * im <= 4)
                next = re * re - im * im + x(j)
                im = 2 * re * im + y(i)
                re = next
                step = step + 1
            end do
            counts(j, i) = step
        end do
    end do
end subroutine

subroutine mandelbrot_float32(x, y, limit, counts, n)
    implicit none
    integer(8), intent(in) :: n
    integer(4), intent(in) :: limit
    real(4), intent(in) :: x(n), y(n)
    integer(4), intent(inout) :: counts(n, n)
    integer(8) :: i, j
    integer(4) :: step
    real(4) :: re, im, next
    !f2py threadsafe
    !$omp parallel do private(j, step, re, im, next) schedule(dynamic)
    do i = 1, n
        do j = 1, n
            re = 0
            im = 0
            step = 0
            do while (step < limit .and. re * re + im * im <= 4)
                next = re * re - im * im + x(j)
                im = 2 * re * im + y(i)
                re = next
                step = step + 1
            end do
            counts(j, i) = step
        end do
    end do
end subroutine
