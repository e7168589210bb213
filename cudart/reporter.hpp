#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "agpusim/cudart/abi.hpp"
#include "agpusim/validation/exec/launch_record.hpp"

namespace agpusim::cudart {

/// Appends what a process does to the file of the parent. A child of fork() begins anew.
class Reporter {
 public:
  /// `path`: empty: nothing is reported.
  explicit Reporter(std::string path);

  /// Gives the record its process and index.
  void launch(exec::LaunchRecord record);
  void refused(const std::string& kernel, const std::string& message);
  /// The first call of a function that is not supported, on stderr too.
  void unsupported(const char* function);
  void copied(CopyKind direction, std::size_t bytes);
  /// The process ends by itself.
  void end();

 private:
  void begin();
  void write(const exec::Record& record) const;

  std::string path_;
  std::int64_t pid_ = 0;  // that has begun
  std::int64_t index_ = 0;
  exec::Copies copies_;
  std::set<std::string> said_;
};

}  // namespace agpusim::cudart
