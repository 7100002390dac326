// Tests texture and surface objects of arrays, of linear and pitched memory, of layers and of three dimensions.
#include "check.h"

#include <cmath>
#include <cstring>

static int mirror(int i, int n) {
  const int there = ((i % (2 * n)) + 2 * n) % (2 * n);
  return there < n ? there : 2 * n - 1 - there;
}

__global__ void look(cudaTextureObject_t image, cudaTextureObject_t line, cudaTextureObject_t volume, float4* out,
                     float* more, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = tex2D<float4>(image, (i % 23) / 8.0f - 0.5f, (i % 7) / 4.0f);
  more[2 * i] = tex1Dfetch<float>(line, i - 3);
  more[2 * i + 1] = static_cast<float>(tex3D<unsigned char>(volume, i % 5 + 0.5f, i % 4 + 0.5f, i % 3 + 0.5f));
}

__global__ void draw(cudaSurfaceObject_t canvas, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width || y >= height) return;
  int before;
  surf2Dread(&before, canvas, 4 * x, y);
  surf2Dwrite(before + 100 * y + x, canvas, 4 * x, y);
}

static cudaTextureObject_t object(const cudaResourceDesc& resource, cudaTextureAddressMode mode, bool normalized, bool read) {
  cudaTextureDesc description;
  memset(&description, 0, sizeof description);
  for (int d = 0; d < 3; ++d) description.addressMode[d] = mode;
  description.filterMode = cudaFilterModePoint;
  description.readMode = read ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  description.normalizedCoords = normalized;
  cudaTextureObject_t made;
  MUST(cudaCreateTextureObject(&made, &resource, &description, nullptr));
  return made;
}

int main() {
  const int width = 12, height = 6, n = 100, deep = 3;
  long wrong = 0;
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);

  unsigned char pixels[height][width][4];
  for (int i = 0; i < width * height * 4; ++i) (&pixels[0][0][0])[i] = static_cast<unsigned char>(i * 37);
  cudaArray_t image;
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  MUST(cudaMallocArray(&image, &bytes, width, height));
  MUST(cudaMemcpy2DToArray(image, 0, 0, pixels, 4 * width, 4 * width, height, cudaMemcpyHostToDevice));
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = image;
  const cudaTextureObject_t photo = object(resource, cudaAddressModeMirror, true, true);

  float row[n];
  for (int i = 0; i < n; ++i) row[i] = i * 0.25f;
  float* linear;
  MUST(cudaMalloc(&linear, sizeof row));
  MUST(cudaMemcpy(linear, row, sizeof row, cudaMemcpyHostToDevice));
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = linear;
  resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  resource.res.linear.sizeInBytes = sizeof row;
  const cudaTextureObject_t line = object(resource, cudaAddressModeClamp, false, false);

  unsigned char cells[deep][4][5];
  for (int i = 0; i < deep * 20; ++i) (&cells[0][0][0])[i] = static_cast<unsigned char>(3 * i);
  cudaArray_t cube;
  const cudaChannelFormatDesc byte = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  MUST(cudaMalloc3DArray(&cube, &byte, make_cudaExtent(5, 4, deep)));
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  copy.srcPtr = make_cudaPitchedPtr(cells, 5, 5, 4);
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(5, 4, deep);
  copy.kind = cudaMemcpyHostToDevice;
  MUST(cudaMemcpy3D(&copy));
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = cube;
  const cudaTextureObject_t volume = object(resource, cudaAddressModeClamp, false, false);

  float4* out;
  float* more;
  MUST(cudaMalloc(&out, n * sizeof(float4)));
  MUST(cudaMalloc(&more, 2 * n * sizeof(float)));
  look<<<(n + 63) / 64, 64>>>(photo, line, volume, out, more, n);
  float4 seen[n];
  float rest[2 * n];
  MUST(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(rest, more, sizeof rest, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    const int x = mirror(static_cast<int>(std::floor(((i % 23) / 8.0f - 0.5f) * width)), width);
    const int y = mirror(static_cast<int>(std::floor((i % 7) / 4.0f * height)), height);
    const float* components = &seen[i].x;
    for (int c = 0; c < 4; ++c) wrong += components[c] != static_cast<float>(pixels[y][x][c]) / 255.0f;
    wrong += rest[2 * i] != (i < 3 ? 0.0f : row[i - 3]);
    wrong += rest[2 * i + 1] != static_cast<float>(cells[i % 3][i % 4][i % 5]);
  }

  int paint[height][width];
  for (int i = 0; i < width * height; ++i) (&paint[0][0])[i] = 7 * i;
  cudaArray_t canvas;
  const cudaChannelFormatDesc word = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  MUST(cudaMallocArray(&canvas, &word, width, height, cudaArraySurfaceLoadStore));
  MUST(cudaMemcpy2DToArray(canvas, 0, 0, paint, sizeof paint[0], sizeof paint[0], height, cudaMemcpyHostToDevice));
  resource.res.array.array = canvas;
  cudaSurfaceObject_t surface;
  MUST(cudaCreateSurfaceObject(&surface, &resource));
  draw<<<dim3(1, height), 32>>>(surface, width, height);
  int painted[height][width];
  MUST(cudaMemcpy2DFromArray(painted, sizeof painted[0], canvas, 0, 0, sizeof painted[0], height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) wrong += painted[y][x] != paint[y][x] + 100 * y + x;

  MUST(cudaDestroyTextureObject(photo));
  MUST(cudaDestroyTextureObject(line));
  MUST(cudaDestroyTextureObject(volume));
  MUST(cudaDestroySurfaceObject(surface));
  for (cudaArray_t array : {image, cube, canvas}) MUST(cudaFreeArray(array));
  wrong += cudaDestroyTextureObject(photo) == cudaSuccess;
  return report(wrong, n * 6 + width * height + 1);
}
