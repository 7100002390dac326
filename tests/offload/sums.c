// OpenMP: loops over teams and threads, a parallel region with a critical section, and data that stay in device memory.
#include <stdio.h>

enum { kCount = 400 };

int main(void) {
  int a[kCount], b[kCount];
  long sum = 0;
  for (int i = 0; i < kCount; ++i) a[i] = i * 3 % 101;
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < kCount; ++i) sum += a[i] * 2L;
  printf("sum %ld\n", sum);

#pragma omp target data map(to : a) map(from : b)
  {
#pragma omp target parallel for num_threads(4)
    for (int i = 0; i < kCount; ++i) b[i] = a[i] + 1;
#pragma omp target parallel for num_threads(4)
    for (int i = 0; i < kCount; ++i) b[i] = b[i] * b[i];
  }
  printf("squares %d %d %d\n", b[0], b[1], b[kCount - 1]);

  int entered = 0, most = 0;
#pragma omp target parallel num_threads(8) map(tofrom : entered, most)
  {
#pragma omp critical
    {
      ++entered;
      if (a[0] + entered > most) most = a[0] + entered;
    }
  }
  printf("entered %d most %d\n", entered, most);
  return 0;
}
