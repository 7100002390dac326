#include "testbench/output/compressed_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "models/core/error.h"

namespace heddle::output {

struct CompressedFile::Stream {
  z_stream state{};
};

CompressedFile::CompressedFile(const std::string& path) : file_(path) {
  if (!path.ends_with(".gz")) return;
  // Arguments of zlib. 15 is the largest window (2^15 bytes); adding 16 selects the gzip format.
  constexpr int kGzipWindow = 15 + 16, kMemory = 8, kLevel = 6;
  stream_ = std::make_unique<Stream>();
  if (deflateInit2(&stream_->state, kLevel, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error(path, "zlib cannot begin to compress this file");
}

CompressedFile::~CompressedFile() {
  if (stream_) deflateEnd(&stream_->state);
}

void CompressedFile::write(std::string_view text) {
  if (!stream_) return file_.write(text);
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, std::numeric_limits<uInt>::max());
    compress(piece, false);
    text.remove_prefix(piece.size());
  }
}

void CompressedFile::compress(std::string_view text, bool last) {
  z_stream& state = stream_->state;
  std::string input(text);  // zlib needs a pointer to non-const bytes
  state.next_in = reinterpret_cast<Bytef*>(input.data());
  state.avail_in = static_cast<uInt>(input.size());
  std::array<char, 65536> output;
  int status = Z_OK;
  do {
    state.next_out = reinterpret_cast<Bytef*>(output.data());
    state.avail_out = static_cast<uInt>(output.size());
    status = deflate(&state, last ? Z_FINISH : Z_NO_FLUSH);
    if (status == Z_STREAM_ERROR) throw Error(path(), "zlib cannot compress this file");
    file_.write({output.data(), output.size() - state.avail_out});
  } while (state.avail_out == 0 || (last && status != Z_STREAM_END));
}

void CompressedFile::commit() {
  if (stream_) compress({}, true);
  file_.commit();
}

}  // namespace heddle::output
