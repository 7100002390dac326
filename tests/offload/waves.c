// OpenACC: gangs and vectors compute a stencil on data in device memory. Also a reduction.
#include <stdio.h>

enum { kCount = 1000, kSteps = 5 };

int main(void) {
  static float u[kCount], v[kCount];
  double energy = 0;
  for (int i = 0; i < kCount; ++i) u[i] = (float)(i % 17) / 4;
#pragma acc data copy(u) create(v)
  {
    for (int step = 0; step < kSteps; ++step) {
#pragma acc parallel loop gang vector
      for (int i = 0; i < kCount; ++i)
        v[i] = 0.5f * u[i] + 0.25f * (u[i == 0 ? 0 : i - 1] + u[i + 1 == kCount ? i : i + 1]);
#pragma acc parallel loop gang vector
      for (int i = 0; i < kCount; ++i) u[i] = v[i];
    }
#pragma acc parallel loop reduction(+ : energy)
    for (int i = 0; i < kCount; ++i) energy += u[i] > 2 ? 1 : 0;
  }
  printf("%.6f %.6f %.6f %g\n", u[0], u[500], u[kCount - 1], energy);
  return 0;
}
