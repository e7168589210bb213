#include "agpusim/validation/io/atomic_file.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{1} << 30;  // largest file that is read

/// Why the last library call failed; streams keep no reason of their own.
std::string reason() {
  return errno == 0 ? "the operation failed" : std::generic_category().message(errno);
}

IoError cannot(const char* what, const fs::path& path, const std::string& why) {
  const bool is_full = why == std::generic_category().message(ENOSPC);
  return IoError(fmt::format("cannot {} {}: {}; give a path {}", what, path.string(), why,
                             is_full ? "on another disk" : "in a folder you may write to"));
}

fs::path unique_sibling(const fs::path& path) {
  std::random_device random;
  return path.parent_path() /
         fmt::format(".{}.{:08x}{:08x}.tmp", path.filename().string(), random(), random());
}

/// What is at `path`, links followed; nothing when nothing is there.
std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

/// The descriptor of standard output or error when that is this file: opened again, it would be
/// written from its beginning, over what the stream has written.
std::optional<int> standard_stream(const struct stat& file) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat status {};
    if (fstat(stream, &status) == 0 && status.st_dev == file.st_dev &&
        status.st_ino == file.st_ino) {
      return stream;
    }
  }
  return std::nullopt;
}

bool in_place(const struct stat& file) {
  return !(S_ISREG(file.st_mode) || S_ISDIR(file.st_mode)) || standard_stream(file);
}

/// False with the reason in errno.
bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(file, content.data(), content.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Writes and closes; false with the reason in errno.
bool write_and_close(int file, std::string_view content) {
  const bool written = write_all(file, content);
  const int why = errno;
  const bool closed = close(file) == 0;
  if (!written) errno = why;
  return written && closed;
}

/// Throws nothing; false with the reason in errno.
bool write_in_place(const fs::path& path, const struct stat& status, std::string_view content) {
  if (const auto stream = standard_stream(status)) return write_all(*stream, content);
  const int file = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  return file >= 0 && write_and_close(file, content);
}

}  // namespace

void read_parts(const fs::path& path, const std::function<void(std::string_view part)>& use) {
  const auto fail = [&](const std::string& why) {
    throw IoError(fmt::format("cannot read {}: {}", path.string(), why));
  };
  errno = 0;
  const auto status = status_of(path);
  if (!status) fail(reason());
  if (S_ISDIR(status->st_mode)) fail("it is a folder");
  // Opening a pipe may wait for ever, unless it is open already, as standard input is.
  const bool is_open = fs::path(path).parent_path() == "/dev/fd" || path == "/dev/stdin";
  if (!S_ISREG(status->st_mode) && !is_open) fail("it is a device, a pipe or a socket, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(reason());
  std::array<char, 1 << 16> part{};
  while (in.read(part.data(), part.size()) || in.gcount() > 0) {
    use({part.data(), static_cast<std::size_t>(in.gcount())});
  }
  if (in.bad()) fail(reason());
}

std::string read_file(const fs::path& path) {
  std::string content;
  read_parts(path, [&](std::string_view part) {
    content += part;
    if (content.size() <= most_bytes) return;
    throw IoError(fmt::format("cannot read {}: it has more than 1 GiB", path.string()));
  });
  return content;
}

void append_file(const fs::path& path, std::string_view content) {
  if (is_written_in_place(path)) return write_file(path, content);
  constexpr mode_t permissions = 0666;  // less the umask
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, permissions);
  const off_t end = file < 0 ? -1 : lseek(file, 0, SEEK_END);
  if (end >= 0 && write_all(file, content) && fsync(file) == 0) {
    close(file);
    return;
  }
  const std::string why = reason();
  if (end >= 0) static_cast<void>(ftruncate(file, end));
  if (file >= 0) close(file);
  throw cannot("add to", path, why);
}

fs::path file_of(const fs::path& path) {
  constexpr int most_links = 40;  // as many as the kernel follows
  fs::path file = path;
  std::error_code error;
  for (int links = 0; links < most_links && fs::is_symlink(file, error); ++links) {
    file = file.parent_path() / fs::read_symlink(file, error);
  }
  return file;
}

fs::path make_private_folder(const std::string& name) {
  std::string path = (fs::temp_directory_path() / (name + "-XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr) {
    throw IoError(fmt::format("cannot make a folder in {}: choose another with TMPDIR",
                              fs::temp_directory_path().string()));
  }
  return path;
}

bool is_written_in_place(const fs::path& path) {
  const auto status = status_of(path);
  return status && in_place(*status);
}

void require_writable(const fs::path& path, const std::string& remedy) {
  const auto refuse = [&](const std::string& why) {
    throw IoError(fmt::format("cannot write '{}': {}; {}", path.string(), why, remedy));
  };
  const auto status = status_of(path);
  if (!status && errno != ENOENT) refuse(reason());
  if (path.filename().empty() || (status && S_ISDIR(status->st_mode))) refuse("it names a folder");
  if (status && standard_stream(*status)) return;
  if (status && access(path.c_str(), W_OK) != 0) refuse(reason());
  if (status && in_place(*status)) return;
  // Only an attempt knows about read-only file systems, quotas and folders that were removed.
  std::string probe = (file_of(path).parent_path() / ".agpusim-XXXXXX").string();
  const int file = mkstemp(probe.data());
  if (file < 0) refuse(reason());
  close(file);
  unlink(probe.c_str());
}

void write_file(const fs::path& path, std::string_view content) {
  const auto fail = [&](const std::string& why) { throw cannot("write", path, why); };
  const auto status = status_of(path);
  if (!status && errno != ENOENT) fail(reason());
  if (status && S_ISDIR(status->st_mode)) fail("it is a folder");
  if (status && in_place(*status)) {
    if (!write_in_place(path, *status, content)) fail(reason());
    return;
  }
  if (status && access(path.c_str(), W_OK) != 0) fail(reason());
  const fs::path target = file_of(path);
  const fs::path temporary = unique_sibling(target);
  constexpr mode_t permissions = 0666;  // less the umask
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
  if (file < 0) fail(reason());
  if (status) static_cast<void>(fchmod(file, status->st_mode & 07777));
  if (!write_and_close(file, content) || rename(temporary.c_str(), target.c_str()) != 0) {
    const std::string why = reason();
    unlink(temporary.c_str());
    fail(why);
  }
}

}  // namespace agpusim
