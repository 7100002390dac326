#include "../shim.h"

// Matches reads against the suffix tree of a text over the letters 1 to 4. The tree is made from the sorted suffixes:
// the leaves below a node are a range of the sorted suffixes. Suffixes are sorted by a key of their first 21 letters,
// with 3 bits per letter and 0 after the text's end. No sequence of 21 letters may therefore occur twice.
//
// The number of a node is the number of the last suffix below its first child. The number of a leaf is `length` plus
// the number of its suffix.

typedef unsigned long long Key;
constexpr int letters = 4;
constexpr int key_letters = 21;
constexpr int keys_at_once = 64;

struct Tree {
  int* children;  // letters + 1 per node; -1: no child
  int* depth;     // length from the root, in letters; this and the members below are for nodes and leaves
  int* place;     // where the first suffix below the node begins in the text
  int* link;      // the node whose letters are the same without the first letter
  int* root;
};

// Makes reads: copies pieces of the text, and replaces some letters by letters of `noise`.
__global__ void suffix_tree_reads(const uchar* text, const int* origins, const uchar* noise, uchar* reads,
                                  int count) {
  const int read = blockIdx.x * blockDim.x + threadIdx.x;
  if (read >= count) return;
  const int at = blockIdx.y * count + read;
  reads[at] = noise[at] >= 1 && noise[at] <= letters ? noise[at] : text[origins[read] + blockIdx.y];
}

__global__ void suffix_tree_keys(const uchar* text, Key* keys, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  Key key = 0;
  for (int k = i; k < i + key_letters; ++k) key = key << 3 | (k < length ? text[k] : 0);
  keys[i] = key;
}

// Counts the suffixes with lower keys than each suffix. A CTA compares its suffixes with only `keys_at_once` suffixes.
__global__ void suffix_tree_ranks(const Key* keys, int* ranks, int length) {
  __shared__ Key others[keys_at_once];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = blockIdx.y * keys_at_once;
  for (int k = threadIdx.x; k < keys_at_once; k += blockDim.x)
    others[k] = first + k < length ? keys[first + k] : ~0ull;
  __syncthreads();
  if (i >= length) return;
  const Key own = keys[i];
  int before = 0;
  for (int k = 0; k < keys_at_once; ++k) before += others[k] < own ? 1 : 0;
  atomicAdd(&ranks[i], before);
}

__global__ void suffix_tree_order(const Key* keys, const int* ranks, Key* sorted, int* order, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  sorted[ranks[i]] = keys[i];
  order[ranks[i]] = i;
}

// Returns the number of letters that two keys have in common at their beginning.
static __device__ __forceinline__ int common(Key a, Key b) {
  const Key differing = a ^ b;
  const int high = (int)(differing >> 32);
  return ((high != 0 ? __clz(high) : 32 + __clz((int)differing)) - 1) / 3;
}

// Returns the first suffix that comes after `key`, compared by the first `depth` letters. If `including`, returns the
// first suffix that comes after `key` or is equal.
static __device__ int bound(const Key* sorted, int length, Key key, int depth, bool including) {
  const int cut = 3 * (key_letters - depth);
  const Key wanted = (key >> cut) + (including ? 0 : 1);
  int low = 0, high = length;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] >> cut < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Returns the number of the node for the first `depth` letters of `key`.
static __device__ int node_of(const Key* sorted, int length, Key key, int depth) {
  const int first = bound(sorted, length, key, depth, true);
  return bound(sorted, length, sorted[first], depth + 1, false) - 1;
}

// Makes the node or leaf that holds the suffixes first..last a child of its parent. Only the root has no parent.
static __device__ void hang(const Key* sorted, int length, Tree tree, int child, int first, int last) {
  const Key key = sorted[first];
  int depth = -1;
  if (first > 0) depth = common(sorted[first - 1], key);
  if (last < length - 1) depth = max(depth, common(key, sorted[last + 1]));
  if (depth < 0) {
    *tree.root = child;
    return;
  }
  const int letter = (int)(key >> 3 * (key_letters - 1 - depth)) & 7;
  tree.children[node_of(sorted, length, key, depth) * (letters + 1) + letter] = child;
}

// Thread i makes the leaf of suffix i. Suffixes i and i + 1 begin with some letters in common. Thread i also makes the
// node of these letters, unless a thread with a lower index makes this node.
__global__ void suffix_tree_nodes(const Key* sorted, const int* order, const int* ranks, Tree tree,
                                  int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const Key key = sorted[i];
  tree.depth[length + i] = length - order[i];
  tree.place[length + i] = order[i];
  hang(sorted, length, tree, length + i, i, i);
  if (i == length - 1) return;
  const int depth = common(key, sorted[i + 1]);
  const int first = bound(sorted, length, key, depth, true);
  if (bound(sorted, length, sorted[first], depth + 1, false) - 1 != i) return;
  tree.depth[i] = depth;
  tree.place[i] = order[first];
  tree.link[i] = depth < 2 ? node_of(sorted, length, key, 0)
                           : node_of(sorted, length, sorted[ranks[order[first] + 1]], depth - 1);
  hang(sorted, length, tree, i, first, bound(sorted, length, key, depth, false) - 1);
}

// Matches one read per thread. For each position of the read, the thread finds the longest piece of the read that
// begins there and occurs in the text, and the piece's place in the text. For the next position, the thread follows the
// `link` of the last node that it passed. The thread therefore compares no letter twice.
__global__ void suffix_tree_match(const uchar* text, Tree tree, const uchar* reads, uchar* lengths,
                                  int* places, int length, int count, int read_length) {
  const int read = blockIdx.x * blockDim.x + threadIdx.x;
  if (read >= count) return;
  int node = *tree.root;
  int matched = 0;
  for (int start = 0; start < read_length; ++start) {
    int child = node;
    for (;;) {
      const int have = tree.depth[node];
      child = node;
      if (start + have >= read_length) break;
      const int below = tree.children[node * (letters + 1) + reads[(start + have) * count + read]];
      if (below < 0) break;
      child = below;
      const int depth = tree.depth[child];
      const int end = min(depth, read_length - start);
      const int begin = tree.place[child];
      matched = max(matched, have + 1);
      while (matched < end && text[begin + matched] == reads[(start + matched) * count + read]) ++matched;
      if (matched < depth || child >= length) break;
      node = child;
    }
    lengths[start * count + read] = (uchar)matched;
    places[start * count + read] = tree.place[child];
    if (matched > 0) --matched;
    node = tree.link[node];
  }
}
