#include "testbench/synthesis/tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "models/core/error.h"
#include "models/core/read_file.h"

namespace heddle::synthesis {
namespace {

constexpr int kNotFound = 127;

[[noreturn]] void become(const std::string& folder, const std::string& log, std::vector<char*> arguments) {
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int in = ::open("/dev/null", O_RDONLY);
  if (out < 0 || in < 0 || ::chdir(folder.c_str()) != 0) ::_exit(1);
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(out, 2);
  ::execvp(arguments[0], arguments.data());
  ::_exit(kNotFound);
}

std::string last_lines(const std::string& text) {
  std::size_t begin = text.find_last_not_of('\n');
  for (int lines = 0; begin != std::string::npos && begin > 0 && lines < 3; ++lines)
    begin = text.rfind('\n', begin - 1);
  return begin == std::string::npos ? text : text.substr(begin);
}

}  // namespace

std::string run_tool(const std::string& folder, const std::string& log, const std::string& program,
                     const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string log_file = folder + "/" + log;
  const pid_t child = ::fork();
  if (child < 0) throw Error(program, "cannot be started");
  if (child == 0) become(folder, log_file, pointers);
  int status = 0;
  ::waitpid(child, &status, 0);
  const int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (exit_status == kNotFound)
    throw Error(program, "is not installed", "scripts/setup --rtl installs it, on Debian");
  std::string text = read_text(log_file);
  if (exit_status != 0) throw Error(program, fmt::format("failed, see {}: {}", log_file, last_lines(text)));
  return text;
}

std::string read_text(const std::string& file) {
  require_file(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(file, "cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_text(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw Error(file, "cannot write this file");
}

double number_after(const std::string& text, const std::string& key, const std::string& where) {
  const std::size_t at = text.rfind(key);
  if (at == std::string::npos) throw Error(where, fmt::format("there is no \"{}\"", key));
  const char* begin = text.c_str() + at + key.size();
  char* end = nullptr;
  const double number = std::strtod(begin, &end);
  if (end == begin) throw Error(where, fmt::format("no number follows \"{}\"", key));
  return number;
}

}  // namespace heddle::synthesis
