#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace agpusim {

/// Gives `use` the bytes of a file, or of standard input (/dev/stdin), part by part. Throws IoError
/// that names the path, also for any other device or pipe: reading it may never end.
void read_parts(const std::filesystem::path& path,
                const std::function<void(std::string_view part)>& use);

/// The bytes of a file of at most 1 GiB. Throws as read_parts does.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Puts `content` at `path`: written beside it first and renamed when complete, so that the file is
/// the old one or the new one, never a part; a link stays a link to it. What is no regular file (a
/// device, a pipe) and what standard output or error go to is written to instead. Throws IoError
/// that names the path, and leaves nothing.
void write_file(const std::filesystem::path& path, std::string_view content);

/// Adds `content` to the end of a file, which is created when there is none: all of it or, with an
/// IoError that names the path, none. A process that is killed may leave a part.
void append_file(const std::filesystem::path& path, std::string_view content);

/// Throws IoError that names the path and ends with `remedy` when write_file could not put anything
/// there: asked before long work.
void require_writable(const std::filesystem::path& path, const std::string& remedy);

/// The path itself or, where it is a link, what it leads to, which need not exist.
[[nodiscard]] std::filesystem::path file_of(const std::filesystem::path& path);

/// Whether write_file writes to what is there instead of replacing it.
[[nodiscard]] bool is_written_in_place(const std::filesystem::path& path);

/// A new folder of this user alone, among those for temporary files; `name` is its begin. Throws
/// IoError.
[[nodiscard]] std::filesystem::path make_private_folder(const std::string& name);

}  // namespace agpusim
