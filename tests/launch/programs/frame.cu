// Compiled without optimisation: parameters and variables are in a stack frame in local memory.
__global__ void axpy(float* y, const float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// r points to one of two buffers.
__global__ void either(int* p, unsigned short* q, int n) {
  int* r = p;
  if (n > 3) r = (int*)q;
  r[threadIdx.x] = n;
}

// Selects the buffer x or y by `which`, whose value is known only at run time.
__global__ void chosen(float* x, float* y, int which, long long number) {
  float* of[2];
  of[0] = x;
  of[1] = y;
  of[which & 1][threadIdx.x] = (float)number;
}
