// Writes all operand forms into a folder (scripts/ask-ptxas): Heddle runs form-N.ptx, and refuses
// refused-N.ptx with an error that names the form. The first line of a file names the form.

#include <cstdio>
#include <exception>
#include <fstream>

#include "tests/operand_forms/form_cases.h"

namespace {

using namespace heddle::operand_forms;

void write(const std::string& folder, const std::string& kind, std::size_t number, const std::string& name,
           const std::string& ptx) {
  std::ofstream out(folder + "/" + kind + "-" + std::to_string(number) + ".ptx");
  out << "// " << name << "\n" << ptx;
  if (!out.flush()) throw std::runtime_error("cannot write to " + folder);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "operand_forms_table FOLDER\n");
    return 1;
  }
  try {
    std::size_t number = 0;
    for (const auto& cases : {memory_cases(), move_cases(), conversion_cases(), set_cases(), source_cases()})
      for (const FormCase& one : cases) write(argv[1], "form", ++number, one.name, one.ptx);
    number = 0;
    for (const RefusedCase& one : refused_cases())
      write(argv[1], "refused", ++number, one.feature + ": " + one.text, refused_module(one));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "operand_forms_table: %s\n", error.what());
    return 1;
  }
  return 0;
}
