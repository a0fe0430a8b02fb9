! Count the numbers in each of `bins` equal parts of [0, 1). With -fopenmp each thread counts its share in a private
! histogram; the histograms are added up.
subroutine histogram_float64(x, counts, n, bins)
    implicit none
    integer(8), intent(in) :: n, bins
    real(8), intent(in) :: x(n)
    integer(4), intent(inout) :: counts(bins)
    integer(8) :: i
    real(8) :: bin
    !f2py threadsafe
    counts = 0
    !$omp parallel do private(bin) reduction(+ : counts)
    do i = 1, n
        bin = x(i) * bins
        if (bin >= 0 .and. bin < bins) counts(int(bin) + 1) = counts(int(bin) + 1) + 1
    end do
end subroutine

subroutine histogram_float32(x, counts, n, bins)
    implicit none
    integer(8), intent(in) :: n, bins
    real(4), intent(in) :: x(n)
    integer(4), intent(inout) :: counts(bins)
    integer(8) :: i
    real(4) :: bin
    !f2py threadsafe
    counts = 0
    !$omp parallel do private(bin) reduction(+ : counts)
    do i = 1, n
        bin = x(i) * bins
        if (bin >= 0 .and. bin < bins) counts(int(bin) + 1) = counts(int(bin) + 1) + 1
    end do
end subroutine
