// Tests texture and surface objects of every geometry and of many types of texels. The host computes the expected results
// of look-ups. The program is compiled by heddle-cc, and by nvcc if it is installed.

#include "check.h"

#include <cstring>
#include <vector>

constexpr int kWidth = 6, kHeight = 4, kSlices = 6;  // faces of cubes are squares of kHeight x kHeight texels

static long wrong = 0, checked = 0;
template <class T>
static void expect(T is, T should) {
  ++checked;
  if (is == should) return;
  if (++wrong < 10) std::printf("check %ld: %g, not %g\n", checked, (double)is, (double)should);
}

template <class T>
struct OnDevice {
  T* at = nullptr;
  int count;
  explicit OnDevice(int n) : count(n) { MUST(cudaMalloc(&at, n * sizeof(T))); }
  ~OnDevice() { cudaFree(at); }
  std::vector<T> read() const {
    std::vector<T> there(count);
    MUST(cudaMemcpy(there.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
    return there;
  }
};

static cudaTextureDesc sampling(bool read_as_float = false, cudaTextureFilterMode filter = cudaFilterModePoint) {
  cudaTextureDesc d;
  memset(&d, 0, sizeof d);
  for (auto& mode : d.addressMode) mode = cudaAddressModeClamp;
  d.filterMode = filter;
  d.readMode = read_as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  return d;
}

// An array with increasing texels, and a texture and a surface of the array.
template <class T>
struct Volume {
  std::vector<T> texels;
  cudaArray_t array;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  Volume(cudaExtent extent, unsigned flags, T (*make)(int), bool read_as_float = false,
         cudaTextureFilterMode filter = cudaFilterModePoint) {
    const size_t rows = extent.height ? extent.height : 1, slices = extent.depth ? extent.depth : 1;
    for (size_t i = 0; i < extent.width * rows * slices; ++i) texels.push_back(make(static_cast<int>(i)));
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
    MUST(cudaMalloc3DArray(&array, &channels, extent, flags | cudaArraySurfaceLoadStore));
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), extent.width * sizeof(T), extent.width, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, rows, slices);
    copy.kind = cudaMemcpyHostToDevice;
    MUST(cudaMemcpy3D(&copy));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const cudaTextureDesc how = sampling(read_as_float, filter);
    MUST(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    MUST(cudaCreateSurfaceObject(&surface, &resource));
  }
  ~Volume() {
    cudaDestroyTextureObject(texture);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
  }
};

// Every thread looks up one texel. Coordinates are centres of texels.
__global__ void look_1d(cudaTextureObject_t t, float* out) {
  const int i = threadIdx.x;
  out[3 * i] = tex1D<float>(t, i + 0.5f);
  out[3 * i + 1] = tex1DLod<float>(t, i + 0.5f, 0.0f);
  tex1DGrad(&out[3 * i + 2], t, i + 0.5f, 1.0f, 2.0f);
}
template <class T>
__global__ void look_2d(cudaTextureObject_t t, T* out) {
  const int i = threadIdx.x;
  const float x = i % kWidth + 0.5f, y = i / kWidth + 0.5f;
  out[3 * i] = tex2D<T>(t, x, y);
  tex2DLod(&out[3 * i + 1], t, x, y, 0.0f);
  out[3 * i + 2] = tex2DGrad<T>(t, x, y, make_float2(1, 2), make_float2(3, 4));
}
template <class T>
__global__ void look_3d(cudaTextureObject_t t, T* out) {
  const int i = threadIdx.x;
  const float x = i % kWidth + 0.5f, y = i / kWidth % kHeight + 0.5f, z = i / kWidth / kHeight + 0.5f;
  out[3 * i] = tex3D<T>(t, x, y, z);
  out[3 * i + 1] = tex3DLod<T>(t, x, y, z, 0.0f);
  out[3 * i + 2] = tex3DGrad<T>(t, x, y, z, make_float4(1, 2, 3, 0), make_float4(4, 5, 6, 0));
}
__global__ void look_layers(cudaTextureObject_t lines, cudaTextureObject_t pictures, short2* out) {
  const int i = threadIdx.x, layer = i / kWidth / kHeight;
  const float x = i % kWidth + 0.5f, y = i / kWidth % kHeight + 0.5f;
  out[4 * i] = tex2DLayered<short2>(pictures, x, y, layer);
  out[4 * i + 1] = tex2DLayeredLod<short2>(pictures, x, y, layer, 0.0f);
  out[4 * i + 2] = tex2DLayeredGrad<short2>(pictures, x, y, layer, make_float2(1, 2), make_float2(3, 4));
  out[4 * i + 3] = tex1DLayered<short2>(lines, x, layer);
}
// Each thread looks up the centre of one face, in a cube map and in the second cube of an array of two.
__global__ void look_cubes(cudaTextureObject_t cube, cudaTextureObject_t cubes, float* out) {
  const int face = threadIdx.x;
  const float sign = face % 2 ? -1.0f : 1.0f;
  const float x = face / 2 == 0 ? sign : 0.1f, y = face / 2 == 1 ? sign : 0.1f, z = face / 2 == 2 ? sign : 0.1f;
  out[2 * face] = texCubemap<float>(cube, x, y, z);
  out[2 * face + 1] = texCubemapLayered<float>(cubes, x, y, z, 1);
}
__global__ void gather(cudaTextureObject_t t, float4* out) {
  const int component = threadIdx.x;
  out[component] = tex2Dgather<float4>(t, 2.0f, 3.0f, component);
}
__global__ void between(cudaTextureObject_t t, float* out) { out[0] = tex2D<float>(t, 2.0f, 1.5f); }

template <class T>
__global__ void rewrite_2d(cudaSurfaceObject_t s, T* seen) {
  const int x = (threadIdx.x % kWidth) * sizeof(T), y = threadIdx.x / kWidth;
  seen[threadIdx.x] = surf2Dread<T>(s, x, y);
  surf2Dwrite(seen[threadIdx.x], s, (kWidth - 1) * static_cast<int>(sizeof(T)) - x, y);
}
__global__ void rewrite_others(cudaSurfaceObject_t line, cudaSurfaceObject_t lines, cudaSurfaceObject_t pictures,
                               cudaSurfaceObject_t volume, cudaSurfaceObject_t cube) {
  const int x = 4 * (threadIdx.x % kHeight), y = threadIdx.x / kHeight % kHeight, z = threadIdx.x / kHeight / kHeight;
  if (y == 0 && z == 0) surf1Dwrite(1 + surf1Dread<int>(line, x), line, x);
  if (y == 0) surf1DLayeredwrite(2 + surf1DLayeredread<int>(lines, x, z), lines, x, z);
  int found;
  surf2DLayeredread(&found, pictures, x, y, z);
  surf2DLayeredwrite(3 + found, pictures, x, y, z);
  surf3Dwrite(4 + surf3Dread<int>(volume, x, y, z), volume, x, y, z);
  surfCubemapwrite(5 + surfCubemapread<int>(cube, x, y, z), cube, x, y, z);
}
__global__ void outside(cudaSurfaceObject_t s, int* seen) {
  seen[0] = surf2Dread<int>(s, -4, 1, cudaBoundaryModeClamp);
  seen[1] = surf2Dread<int>(s, 4 * kWidth, 1, cudaBoundaryModeClamp);
  seen[2] = surf2Dread<int>(s, 0, kHeight + 5, cudaBoundaryModeZero);
  surf2Dwrite(77, s, 400, 0, cudaBoundaryModeZero);
  surf2Dwrite(88, s, 0, -3, cudaBoundaryModeClamp);
  seen[3] = surf2Dread<int>(s, 0, 0);
}

template <class T>
static T whole(int i) {
  return static_cast<T>(7 * i - 20);
}
static float part(int i) { return 0.25f * i - 3; }

// Tests scalars of a type in 2D textures and surfaces.
template <class T>
static void scalars() {
  const Volume<T> v(make_cudaExtent(kWidth, kHeight, 0), 0, whole<T>);
  const int n = kWidth * kHeight;
  const OnDevice<T> out(3 * n), seen(n);
  look_2d<<<1, n>>>(v.texture, out.at);
  rewrite_2d<<<1, n>>>(v.surface, seen.at);
  const std::vector<T> looked = out.read(), before = seen.read();
  std::vector<T> after(n);
  MUST(cudaMemcpy2DFromArray(after.data(), kWidth * sizeof(T), v.array, 0, 0, kWidth * sizeof(T), kHeight,
                             cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    for (int form = 0; form < 3; ++form) expect(looked[3 * i + form], v.texels[i]);
    expect(before[i], v.texels[i]);
    expect(after[i], v.texels[i / kWidth * kWidth + kWidth - 1 - i % kWidth]);
  }
}
// Tests vectors of a type. The value of the last channel differs from the other channels.
template <class T, T make(int), int last(T)>
static void vectors() {
  const Volume<T> v(make_cudaExtent(kWidth, kHeight, 0), 0, make);
  const int n = kWidth * kHeight;
  const OnDevice<T> out(3 * n), seen(n);
  look_2d<<<1, n>>>(v.texture, out.at);
  rewrite_2d<<<1, n>>>(v.surface, seen.at);
  const std::vector<T> looked = out.read(), before = seen.read();
  for (int i = 0; i < n; ++i) {
    for (int form = 0; form < 3; ++form) expect(last(looked[3 * i + form]), last(v.texels[i]));
    expect(last(before[i]), last(v.texels[i]));
  }
}
static char2 make_c2(int i) { return make_char2(1, static_cast<signed char>(-i)); }
static int last_c2(char2 v) { return v.y; }
static uchar4 make_c4(int i) { return make_uchar4(1, 2, 3, static_cast<unsigned char>(9 * i)); }
static int last_c4(uchar4 v) { return v.w; }
static ushort4 make_s4(int i) { return make_ushort4(1, 2, 3, static_cast<unsigned short>(65535 - i)); }
static int last_s4(ushort4 v) { return v.w; }
static int2 make_i2(int i) { return make_int2(1, -1000000 * i); }
static int last_i2(int2 v) { return v.y; }
static uint4 make_u4(int i) { return make_uint4(1, 2, 3, 100000000u * i); }
static int last_u4(uint4 v) { return static_cast<int>(v.w); }
static float2 make_f2(int i) { return make_float2(1, part(i)); }
static int last_f2(float2 v) { return static_cast<int>(4 * v.y); }
static float4 make_f4(int i) { return make_float4(1, 2, 3, part(i)); }
static int last_f4(float4 v) { return static_cast<int>(4 * v.w); }
static short2 make_s2(int i) { return make_short2(static_cast<short>(i), static_cast<short>(-3 * i)); }

static void geometries() {
  {
    const Volume<float> line(make_cudaExtent(kWidth, 0, 0), 0, part);
    const OnDevice<float> out(3 * kWidth);
    look_1d<<<1, kWidth>>>(line.texture, out.at);
    const std::vector<float> seen = out.read();
    for (int i = 0; i < 3 * kWidth; ++i) expect(seen[i], part(i / 3));
  }
  {
    const Volume<unsigned char> v(make_cudaExtent(kWidth, kHeight, kSlices), 0, whole<unsigned char>);
    const int n = kWidth * kHeight * kSlices;
    const OnDevice<unsigned char> out(3 * n);
    look_3d<<<1, n>>>(v.texture, out.at);
    const std::vector<unsigned char> seen = out.read();
    for (int i = 0; i < 3 * n; ++i) expect(seen[i], v.texels[i / 3]);
  }
  {
    const Volume<short2> lines(make_cudaExtent(kWidth, 0, kSlices), cudaArrayLayered, make_s2);
    const Volume<short2> pictures(make_cudaExtent(kWidth, kHeight, kSlices), cudaArrayLayered, make_s2);
    const int n = kWidth * kHeight * kSlices;
    const OnDevice<short2> out(4 * n);
    look_layers<<<1, n>>>(lines.texture, pictures.texture, out.at);
    const std::vector<short2> seen = out.read();
    for (int i = 0; i < n; ++i) {
      for (int form = 0; form < 3; ++form) expect(seen[4 * i + form].y, pictures.texels[i].y);
      expect(seen[4 * i + 3].y, lines.texels[i / (kWidth * kHeight) * kWidth + i % kWidth].y);
    }
  }
  {
    // All texels of a face have one value, which identifies the face.
    const auto face = [](int i) { return static_cast<float>(i / (kHeight * kHeight)); };
    const Volume<float> cube(make_cudaExtent(kHeight, kHeight, 6), cudaArrayCubemap, face);
    const Volume<float> cubes(make_cudaExtent(kHeight, kHeight, 12), cudaArrayCubemap | cudaArrayLayered, face);
    const OnDevice<float> out(12);
    look_cubes<<<1, 6>>>(cube.texture, cubes.texture, out.at);
    const std::vector<float> seen = out.read();
    for (int i = 0; i < 6; ++i) {
      expect(seen[2 * i], static_cast<float>(i));
      expect(seen[2 * i + 1], static_cast<float>(6 + i));
    }
  }
}

static void reading() {
  // Texels are bytes, which look-ups convert to numbers from 0 to 1: gathers of one component, and filtered look-ups.
  const Volume<uchar4> bytes(make_cudaExtent(kWidth, kHeight, 0), cudaArrayTextureGather,
                             [](int i) { return make_uchar4(i, 2 * i, 3 * i, 4 * i); }, true);
  const OnDevice<float4> out(4);
  gather<<<1, 4>>>(bytes.texture, out.at);
  const std::vector<float4> seen = out.read();
  for (int c = 0; c < 4; ++c) {
    // A gather at (2, 3) returns the texels (1, 3), (2, 3), (2, 2) and (1, 2).
    expect(seen[c].x, (c + 1) * (3 * kWidth + 1) / 255.0f);
    expect(seen[c].y, (c + 1) * (3 * kWidth + 2) / 255.0f);
    expect(seen[c].z, (c + 1) * (2 * kWidth + 2) / 255.0f);
    expect(seen[c].w, (c + 1) * (2 * kWidth + 1) / 255.0f);
  }
  const Volume<float> smooth(make_cudaExtent(kWidth, kHeight, 0), 0, part, false, cudaFilterModeLinear);
  const OnDevice<float> middle(1);
  between<<<1, 1>>>(smooth.texture, middle.at);
  expect(middle.read()[0], (part(kWidth + 1) + part(kWidth + 2)) / 2);
}

static void surfaces() {
  const int side = kHeight;
  Volume<int> line(make_cudaExtent(side, 0, 0), 0, whole<int>);
  Volume<int> lines(make_cudaExtent(side, 0, 6), cudaArrayLayered, whole<int>);
  Volume<int> pictures(make_cudaExtent(side, side, 6), cudaArrayLayered, whole<int>);
  Volume<int> volume(make_cudaExtent(side, side, 6), 0, whole<int>);
  Volume<int> cube(make_cudaExtent(side, side, 6), cudaArrayCubemap, whole<int>);
  rewrite_others<<<1, side * side * 6>>>(line.surface, lines.surface, pictures.surface, volume.surface, cube.surface);
  int more = 0;
  for (const Volume<int>* v : {&line, &lines, &pictures, &volume, &cube}) {
    ++more;
    std::vector<int> after(v->texels.size());
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    const size_t rows = more < 3 ? 1 : side;
    copy.srcArray = v->array;
    copy.dstPtr = make_cudaPitchedPtr(after.data(), side * sizeof(int), side, rows);
    copy.extent = make_cudaExtent(side, rows, more == 1 ? 1 : 6);
    copy.kind = cudaMemcpyDeviceToHost;
    MUST(cudaMemcpy3D(&copy));
    for (size_t i = 0; i < after.size(); ++i) expect(after[i], v->texels[i] + more);
  }
  Volume<int> picture(make_cudaExtent(kWidth, kHeight, 0), 0, whole<int>);
  const OnDevice<int> seen(4);
  outside<<<1, 1>>>(picture.surface, seen.at);
  const std::vector<int> found = seen.read();
  expect(found[0], picture.texels[kWidth]);
  expect(found[1], picture.texels[2 * kWidth - 1]);
  expect(found[2], 0);
  expect(found[3], 88);
}

int main() {
  scalars<signed char>();
  scalars<unsigned char>();
  scalars<short>();
  scalars<unsigned short>();
  scalars<int>();
  scalars<unsigned>();
  scalars<float>();
  vectors<char2, make_c2, last_c2>();
  vectors<uchar4, make_c4, last_c4>();
  vectors<ushort4, make_s4, last_s4>();
  vectors<int2, make_i2, last_i2>();
  vectors<uint4, make_u4, last_u4>();
  vectors<float2, make_f2, last_f2>();
  vectors<float4, make_f4, last_f4>();
  geometries();
  reading();
  surfaces();
  MUST(cudaDeviceSynchronize());
  return report(wrong, checked);
}
