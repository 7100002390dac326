#pragma once

// Declares the rows of the area report of heddle rtl. The file of each block states the sizes in which its
// module of rtl/ is synthesised, and the areas that papers give for this hardware.

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::cosim {

/// One row of the area report: a module of rtl/ in one size.
struct ReportRow {
  std::string name;
  std::string module;
  std::vector<std::pair<std::string, int>> parameters;
  std::string what;
};

struct PublishedArea {
  std::string row;  ///< name of the row (ReportRow) that the area belongs to
  std::string text;
  std::string name;  ///< name of the hardware in the paper
  /// Area in um2, scaled to 45 nm; 0 if the paper gives no area.
  double um2 = 0;
  double whole_mm2 = 0;         ///< area of the whole hardware, if the paper states only a share of it
  std::string whole = "an SM";  ///< the hardware whose area whole_mm2 states
};

/// A block that exists once per warp; `copies` is the number of warps. The report prints bits and area of all
/// copies as shares of the register file's bits and area.
struct StorageShare {
  std::string row;  ///< name of the row (ReportRow) that describes the block
  std::string name;
  int copies = 0;
  double file_bits = 0;
  double published_percent = 0;  ///< share in percent of file_bits that the paper states
  /// Areas of the register file: with a read port and a write port per bank, and with a single port per bank.
  double file_mm2 = 0, single_port_mm2 = 0;
};

struct ReportSection {
  std::vector<ReportRow> rows;
  std::vector<PublishedArea> published;
  std::vector<StorageShare> storage;
};

/// Sections of the area report, one for each file of blocks/ that registers one.
std::map<std::string, ReportSection>& report_sections();

struct ReportRegistration {
  ReportRegistration(const char* section, std::vector<ReportRow> rows,
                     std::vector<PublishedArea> published = {}, std::vector<StorageShare> storage = {}) {
    report_sections()[section] = {std::move(rows), std::move(published), std::move(storage)};
  }
};

}  // namespace heddle::cosim
