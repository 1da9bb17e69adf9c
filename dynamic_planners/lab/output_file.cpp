#include "dynamic_planners/lab/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "dynamic_planners/grid/input_error.hpp"

namespace dynamic_planners {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& why) {
  throw InputError(file.string(), 0, "cannot be written: " + why);
}

}  // namespace

void make_directory(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw InputError(directory.string(), 0, "cannot be made: " + error.message());
}

OutputFile::OutputFile(const std::filesystem::path& file) : file_(file) {
  // Renaming would put a file in the place of a device such as /dev/null.
  std::error_code error;
  const auto status = std::filesystem::status(file_, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fail(file_, "it is there and not a regular file");
  }
  // What a link leads to is replaced, and not the link.
  const bool is_link = std::filesystem::is_symlink(file_, error);
  if (is_link && std::filesystem::exists(status)) file_ = std::filesystem::canonical(file_);
  temporary_ = file_;
  temporary_ += fmt::format(".{}.partial", getpid());
  errno = 0;
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail(file_, std::generic_category().message(errno));
}

OutputFile::~OutputFile() {
  std::error_code ignored;  // after commit() there is none any more
  std::filesystem::remove(temporary_, ignored);
}

void OutputFile::check() const {
  if (!stream_) fail(file_, "the disk may be full");
}

void OutputFile::commit() {
  stream_.close();
  check();
  std::error_code error;
  const auto before = std::filesystem::status(file_, error);
  if (std::filesystem::exists(before)) {  // who may read it stays as it was
    std::filesystem::permissions(temporary_, before.permissions(), error);
    if (error) fail(file_, error.message());
  }
  std::filesystem::rename(temporary_, file_, error);
  if (error) fail(file_, error.message());
}

}  // namespace dynamic_planners
