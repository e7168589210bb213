#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "agpusim/validation/io/json.hpp"

/// Files of sealed JSON lines: every line says its schema and kind and carries a digest of itself.
namespace agpusim::detail {

/// Version of the line format that this agpusim writes and reads.
inline constexpr std::int64_t record_schema = 1;

/// 64-bit FNV-1a.
[[nodiscard]] std::uint64_t fnv1a(std::string_view bytes);

/// `body` with "schema", "kind" and "digest" as one line with sorted keys, without the newline. The
/// digest is FNV-1a over the same line without "digest".
[[nodiscard]] std::string seal(Json body, std::string_view kind);

/// Checks schema and digest of one line and returns it. Throws JsonError with a remedy.
[[nodiscard]] Json unseal(std::string_view line);

/// What is wrong with the last line where a process was killed while it wrote.
inline constexpr const char* truncated = "the last line is truncated";

/// Is told of a line that cannot be used: its place ("file:line") and why.
using DamagedLine = std::function<void(const std::string& origin, const std::string& reason)>;

/// Whether the text of a line is read; where empty, all are.
using WantedLine = std::function<bool(std::string_view line)>;

/// Whether a folder's file is one of these: *.jsonl or, compressed, *.jsonl.xz.
[[nodiscard]] bool is_json_lines(const std::filesystem::path& path);

/// What such a file holds, decompressed. Throws IoError.
[[nodiscard]] std::string content_of(const std::filesystem::path& path);

/// Calls `use(json, "file:line")` for every wanted line of a file; `use` throws JsonError for a
/// line it cannot use. Throws IoError when the file cannot be read, FileError that names file and
/// line, unless `damaged` is to be told.
void for_each_line(const std::filesystem::path& path,
                   const std::function<void(const Json&, const std::string& origin)>& use,
                   const DamagedLine& damaged = {}, const WantedLine& wanted = {});

}  // namespace agpusim::detail
