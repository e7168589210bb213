#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

/// Files that are too long to be held or written as a whole.
namespace agpusim {

/// Gives `use` the bytes of a file, or of standard input (/dev/stdin), part by part. Throws IoError
/// that names the path, also for any other device or pipe: reading it may never end.
void read_parts(const std::filesystem::path& path,
                const std::function<void(std::string_view part)>& use);

/// Adds `content` to the end of a file, which is created when there is none: all of it or, where
/// that fails with an IoError that names the path, none. A process that is killed may leave a part.
void append_file(const std::filesystem::path& path, std::string_view content);

namespace detail {
/// What for_each_line says of the last line where a killed process has left a part of it.
inline constexpr const char* truncated = "the last line is truncated";
}  // namespace detail

}  // namespace agpusim
