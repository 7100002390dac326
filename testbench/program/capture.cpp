#include "testbench/program/capture.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/pages.h"

namespace heddle::program {
namespace {

namespace fs = std::filesystem;
using launch::kPageBytes;
using launch::PageKey;

constexpr const char* kPagesFile = "pages.bin";

ConfigNode list_of(std::initializer_list<std::uint64_t> numbers) {
  ConfigNode node = ConfigNode::make_list();
  for (const std::uint64_t number : numbers) node.items.push_back(ConfigNode::make_count(number));
  return node;
}

/// Returns a name that can be part of a folder's name: each sequence of characters other than letters and
/// digits becomes an underscore.
std::string plain(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool keeps = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (keeps)
      text += c;
    else if (!text.empty() && text.back() != '_')
      text += '_';
  }
  return text;
}

std::string hexadecimal(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

class Capture::Store {
 public:
  Store(const ExecParameters& parameters, DeviceMemory& memory)
      : folder_(parameters.capture),
        memory_(memory),
        selection_(parameters.capture_launches, "--capture-launches") {
    std::error_code ec;
    fs::create_directories(folder_, ec);
    pages_.open(folder_ + "/" + kPagesFile, std::ios::binary | std::ios::app);
    if (!pages_) throw Error(folder_, fmt::format("cannot write the capture: {}", std::strerror(errno)));
  }

  void before(LaunchRow& row, const Kernel& kernel, const isa::KernelLaunch& launch) {
    const LaunchSelection::Choice choice = selection_.choose(row.launch, kernel.mangled, kernel.plain);
    may_drop_ = choice == LaunchSelection::Choice::first_of_kind;
    if (choice == LaunchSelection::Choice::no) return;
    row.captured =
        fmt::format("{}/{:04}-{}", folder_, row.launch, plain(kernel.plain).substr(0, kLongestName));
    kernel_ = &kernel;
    parameters_ = launch.parameters;
    dynamic_shared_ = launch.dynamic_shared_bytes;
    cooperative_ = launch.cooperative;
    // The file of pages can only grow. If it is not yet known whether this launch will be captured, keep an image of
    // its memory, and write the pages only when the launch is captured.
    if (may_drop_)
      waiting_ = memory_.image();
    else
      before_ = images(memory_.image());
  }

  bool selects_representatives() const { return selection_.selects_representatives(); }

  void drop(LaunchRow& row) {
    if (may_drop_) row.captured.clear();
  }

  void after(const LaunchRow& row) {
    if (row.captured.empty()) return;
    if (may_drop_) before_ = images(waiting_);
    const std::vector<Image> after = images(memory_.image());
    pages_.flush();
    std::error_code ec;
    fs::create_directories(row.captured, ec);
    launch::write_text(row.captured + "/launch.json", to_json(launch_file(row, after)));
  }

 private:
  static constexpr std::size_t kLongestName = 48;

  /// the pages of a block of memory: their positions in the file of pages, and their hashes
  struct Contents {
    std::vector<std::uint64_t> pages;
    std::vector<PageKey> keys;
    bool operator==(const Contents& other) const { return pages == other.pages; }
  };

  struct Image {
    DeviceMemory::Block block;
    std::uint64_t first = 0, bytes = 0;
    Contents contents;
  };
  /// Contents of a block of memory when it was last stored. A block that has not changed since then is not
  /// stored again.
  struct Known {
    std::vector<std::uint8_t> data;
    Contents contents;
  };

  static ConfigNode runs_of(const Contents& contents) {
    ConfigNode runs = list_of({});
    for (std::size_t i = 0; i < contents.pages.size();) {
      std::size_t end = i + 1;
      while (end < contents.pages.size() && contents.pages[end] == contents.pages[end - 1] + 1) ++end;
      runs.items.push_back(list_of({contents.pages[i], end - i}));
      i = end;
    }
    return runs;
  }

  static std::string hash_of(const Contents& contents) {
    launch::PagesHash hash;
    for (const PageKey& key : contents.keys) hash.add(key);
    return hash.text();
  }

  std::vector<Image> images(const MemoryImage& memory) {
    std::vector<Image> all;
    for (const auto& [address, block] : memory_.blocks()) {
      Image image;
      image.block = block;
      const std::uint64_t padding = block.has_padding() ? memory_.padding() : 0;
      image.first = address - padding;
      image.bytes = block.bytes + 2 * padding;
      const std::uint8_t* const data = memory.find(image.first, image.bytes);
      image.contents = contents_of(image.first, {data, image.bytes});
      all.push_back(std::move(image));
    }
    return all;
  }

  const Contents& contents_of(std::uint64_t address, std::span<const std::uint8_t> data) {
    Known& known = known_[address];
    const std::size_t pages = (data.size() + kPageBytes - 1) / kPageBytes;
    const bool fresh = known.data.size() != data.size();
    if (fresh) {
      known.data.assign(data.begin(), data.end());
      known.contents.pages.assign(pages, 0);
      known.contents.keys.assign(pages, {});
    } else if (std::memcmp(known.data.data(), data.data(), data.size()) == 0) {
      return known.contents;
    }
    for (std::size_t i = 0; i < pages; ++i) {
      const std::span<const std::uint8_t> page =
          data.subspan(i * kPageBytes, std::min(kPageBytes, data.size() - i * kPageBytes));
      std::uint8_t* const old = known.data.data() + i * kPageBytes;
      if (!fresh && std::memcmp(old, page.data(), page.size()) == 0) continue;
      std::memcpy(old, page.data(), page.size());
      known.contents.keys[i] = launch::key_of(page);
      known.contents.pages[i] = place_of(known.contents.keys[i], page);
    }
    return known.contents;
  }

  /// Returns the position of a page in the file. Writes the page if the file does not have it yet.
  std::uint64_t place_of(const PageKey& key, std::span<const std::uint8_t> page) {
    const auto [place, first] = places_.emplace(key, places_.size());
    if (first) {
      static const std::vector<char> zeros(kPageBytes);
      pages_.write(reinterpret_cast<const char*>(page.data()), static_cast<std::streamsize>(page.size()));
      pages_.write(zeros.data(), static_cast<std::streamsize>(kPageBytes - page.size()));
    }
    return place->second;
  }

  std::string program_file(const Kernel& kernel) {
    const auto [file, first] =
        programs_.emplace(kernel.text.get(), fmt::format("module-{}.ptx", programs_.size()));
    if (first) launch::write_text(folder_ + "/" + file->second, *kernel.text);
    return "../" + file->second;
  }

  ConfigNode buffer_node(const Image& image, const Contents& after) const {
    ConfigNode node = ConfigNode::make_object();
    const auto put = [&node](const char* key, ConfigNode value) {
      node.members.emplace_back(key, std::move(value));
    };
    const bool words = image.bytes % sizeof(std::uint32_t) == 0;
    put("type", ConfigNode::make_string(words ? "u32" : "u8"));
    put("count", ConfigNode::make_count(words ? image.bytes / sizeof(std::uint32_t) : image.bytes));
    put("address", ConfigNode::make_count(image.first));
    if (is_variable(image)) put("variable", ConfigNode::make_string(image.block.name));
    put("pages", runs_of(image.contents));
    put("hash", ConfigNode::make_string(hash_of(image.contents)));
    if (image.contents == after) return node;
    ConfigNode expected = ConfigNode::make_object();
    expected.members.emplace_back("pages", runs_of(after));
    expected.members.emplace_back("hash", ConfigNode::make_string(hash_of(after)));
    put("expected", std::move(expected));
    return node;
  }

  /// Returns true for a variable of the kernel's own module. Variables of other modules are captured as plain
  /// memory.
  bool is_variable(const Image& image) const {
    for (const isa::ModuleVariable& variable : kernel_->module->variables())
      if (variable.address == image.block.address) return true;
    return false;
  }

  ConfigNode launch_file(const LaunchRow& row, const std::vector<Image>& after) {
    ConfigNode file = ConfigNode::make_object();
    const auto put = [&file](const char* key, ConfigNode value) {
      file.members.emplace_back(key, std::move(value));
    };
    put("format", ConfigNode::make_integer(1));
    put("description",
        ConfigNode::make_string(fmt::format("launch {} of a program: {}", row.launch, row.kernel)));
    put("ptx", ConfigNode::make_string(program_file(*kernel_)));
    put("ptx_hash", ConfigNode::make_string(launch::hash_of_text(*kernel_->text)));
    ConfigNode places = ConfigNode::make_object();
    places.members.emplace_back("global", ConfigNode::make_count(kernel_->variables_at.global));
    places.members.emplace_back("constant", ConfigNode::make_count(kernel_->variables_at.constant));
    put("variables_at", std::move(places));
    if (kernel_->stack_bytes != ptx::kDefaultStackBytes)
      put("stack_bytes", ConfigNode::make_count(kernel_->stack_bytes));
    if (kernel_->variables_at.heap_bytes != ptx::kDefaultHeapBytes)
      put("heap_bytes", ConfigNode::make_count(kernel_->variables_at.heap_bytes));
    put("pages", ConfigNode::make_string(std::string("../") + kPagesFile));
    ConfigNode buffers = ConfigNode::make_object();
    for (std::size_t i = 0; i < before_.size(); ++i)
      buffers.members.emplace_back(fmt::format("m{}_{}", i, plain(before_[i].block.name)),
                                   buffer_node(before_[i], after[i].contents));
    if (!before_.empty()) put("buffers", std::move(buffers));
    ConfigNode step = ConfigNode::make_object();
    step.members.emplace_back("kernel", ConfigNode::make_string(kernel_->mangled));
    step.members.emplace_back("grid", list_of({row.grid.x, row.grid.y, row.grid.z}));
    step.members.emplace_back("block", list_of({row.block.x, row.block.y, row.block.z}));
    if (dynamic_shared_) step.members.emplace_back("shared_bytes", ConfigNode::make_count(dynamic_shared_));
    if (cooperative_) step.members.emplace_back("cooperative", ConfigNode::make_boolean(true));
    step.members.emplace_back("parameters", ConfigNode::make_string(hexadecimal(parameters_)));
    ConfigNode steps = list_of({});
    steps.items.push_back(std::move(step));
    put("steps", std::move(steps));
    return file;
  }

  std::string folder_;
  DeviceMemory& memory_;
  LaunchSelection selection_;
  std::ofstream pages_;
  std::map<PageKey, std::uint64_t> places_;
  std::map<std::uint64_t, Known> known_;
  std::map<const std::string*, std::string> programs_;
  const Kernel* kernel_ = nullptr;
  std::vector<std::uint8_t> parameters_;
  std::uint32_t dynamic_shared_ = 0;
  bool cooperative_ = false;
  std::vector<Image> before_;
  bool may_drop_ = false;
  MemoryImage waiting_;
};

Capture::Capture(const ExecParameters& parameters, DeviceMemory& memory)
    : store_(std::make_unique<Store>(parameters, memory)) {}

Capture::~Capture() = default;

bool Capture::selects_representatives() const { return store_->selects_representatives(); }

void Capture::drop(LaunchRow& row) { store_->drop(row); }

void Capture::before(LaunchRow& row, const Kernel& kernel, const isa::KernelLaunch& launch) {
  store_->before(row, kernel, launch);
}

void Capture::after(const LaunchRow& row) { store_->after(row); }

}  // namespace heddle::program
