#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>

namespace dynamic_planners {

/// Makes a folder where there is none. Throws InputError.
void make_directory(const std::filesystem::path& directory);

/// A file that appears under its name only when it is complete: it is written beside it under a
/// temporary name, which is gone afterwards either way. All members throw InputError.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& file);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  std::ostream& stream() { return stream_; }

  /// Throws when something could not be written.
  void check() const;

  /// The file is complete.
  void commit();

 private:
  std::filesystem::path file_;
  std::filesystem::path temporary_;
  std::ofstream stream_;
};

}  // namespace dynamic_planners
