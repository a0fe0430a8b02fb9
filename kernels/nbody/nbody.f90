! Compute the acceleration of each of n bodies by all others, pair by pair. With -fopenmp, threads share the bodies.
subroutine nbody_float64(position, mass, softening, acceleration, n)
    implicit none
    integer(8), intent(in) :: n
    real(8), intent(in) :: position(n, 3), mass(n), softening
    real(8), intent(inout) :: acceleration(n, 3)
    integer(8) :: i, j
    real(8) :: d(3), total(3), square
    !f2py threadsafe
    !$omp parallel do private(j, d, total, square)
    do i = 1, n
        total = 0
        do j = 1, n
            d = position(j, :) - position(i, :)
            square = d(1) * d(1) + d(2) * d(2) + d(3) * d(3) + softening
            total = total + mass(j) / (square * sqrt(square)) * d
        end do
        acceleration(i, :) = total
    end do
end subroutine

subroutine nbody_float32(position, mass, softening, acceleration, n)
    implicit none
    integer(8), intent(in) :: n
    real(4), intent(in) :: position(n, 3), mass(n), softening
    real(4), intent(inout) :: acceleration(n, 3)
    integer(8) :: i, j
    real(4) :: d(3), total(3), square
    !f2py threadsafe
    !$omp parallel do private(j, d, total, square)
    do i = 1, n
        total = 0
        do j = 1, n
            d = position(j, :) - position(i, :)
            square = d(1) * d(1) + d(2) * d(2) + d(3) * d(3) + softening
            total = total + mass(j) / (square * sqrt(square)) * d
        end do
        acceleration(i, :) = total
    end do
end subroutine
