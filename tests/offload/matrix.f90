! OpenACC in Fortran: the product of two matrices, and the trace of the product.
program matrix
  implicit none
  integer, parameter :: n = 24
  integer :: a(n, n), b(n, n), c(n, n), trace, i, j, k, s
  do j = 1, n
    do i = 1, n
      a(i, j) = i - j
      b(i, j) = i + 2 * j
    end do
  end do
  trace = 0
  !$acc parallel loop collapse(2) copyin(a, b) copyout(c) private(s)
  do j = 1, n
    do i = 1, n
      s = 0
      do k = 1, n
        s = s + a(i, k) * b(k, j)
      end do
      c(i, j) = s
    end do
  end do
  !$acc parallel loop copyin(c) reduction(+: trace)
  do i = 1, n
    trace = trace + c(i, i)
  end do
  print '(4(i0, 1x))', c(1, 1), c(n, 1), c(n, n), trace
end program matrix
