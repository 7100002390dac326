#include "tests/ptx/ptx_text.h"

#include "models/core/error.h"
#include "models/ptx/module.h"

namespace heddle::test {

std::string kernel_text(const std::string& body, const std::string& top) {
  return ".version 7.5\n.target sm_75\n.address_size 64\n" + top +
         "\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
         "  .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>;\n"
         "  .reg .f32 %f<99>; .reg .b64 %d<99>; .reg .f64 %fd<9>;\n\n" +
         body + "\n  ret;\n}\n";
}

isa::Program lower(const std::string& body, const std::string& top) {
  const auto module = ptx::parse_module(kernel_text(body, top), "t.ptx");
  return ptx::lower_kernel(*module, "k");
}

std::vector<std::string> listing(const std::string& body, const std::string& top) {
  const isa::Program program = lower(body, top);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i + 1 < program.code.size(); ++i) lines.push_back(isa::to_string(program.code[i]));
  return lines;
}

std::string complaint(const std::string& body, const std::string& top) {
  try {
    lower(body, top);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

}  // namespace heddle::test
