#include "agpusim/commands/exec/program_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/exec/nvidia_libraries.hpp"

namespace agpusim::exec {
namespace {

#ifdef __aarch64__
constexpr Elf64_Half own_processor = EM_AARCH64;
#else
constexpr Elf64_Half own_processor = EM_X86_64;
#endif

/// Parts of a file, which may be damaged: what lies beyond its end is nothing.
class Bytes {
 public:
  explicit Bytes(const std::filesystem::path& path) : in_(path, std::ios::binary) {
    in_.seekg(0, std::ios::end);
    size_ = in_ ? static_cast<std::uint64_t>(in_.tellg()) : 0;
  }

  template <class T>
  std::vector<T> at(std::uint64_t offset, std::uint64_t count) {
    if (offset > size_ || count > (size_ - offset) / sizeof(T)) return {};
    std::vector<T> values(count);
    in_.seekg(static_cast<std::streamoff>(offset));
    in_.read(reinterpret_cast<char*>(values.data()),
             static_cast<std::streamsize>(count * sizeof(T)));
    return values;
  }
  std::string text(std::uint64_t offset) {
    std::string result;
    if (offset >= size_) return result;
    in_.seekg(static_cast<std::streamoff>(offset));
    std::getline(in_, result, '\0');
    in_.clear();
    return result;
  }

 private:
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

/// Where the file has what the program finds at an address.
std::optional<std::uint64_t> offset_of(const std::vector<Elf64_Phdr>& segments,
                                       std::uint64_t address) {
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t within = address - segment.p_vaddr;
    if (within < segment.p_filesz) return segment.p_offset + within;
  }
  return std::nullopt;
}

std::vector<std::string> needed_by(Bytes& file, const Elf64_Ehdr& header) {
  const auto segments = file.at<Elf64_Phdr>(header.e_phoff, header.e_phnum);
  std::vector<std::string> needed;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    const auto entries = file.at<Elf64_Dyn>(segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn));
    const auto texts = std::find_if(entries.begin(), entries.end(),
                                    [](const Elf64_Dyn& one) { return one.d_tag == DT_STRTAB; });
    if (texts == entries.end()) continue;
    const auto offset = offset_of(segments, texts->d_un.d_ptr);
    for (const Elf64_Dyn& entry : entries) {
      if (entry.d_tag == DT_NEEDED && offset)
        needed.push_back(file.text(*offset + entry.d_un.d_val));
    }
  }
  return needed;
}

/// The sections, which may be none, and their names.
std::pair<std::vector<Elf64_Shdr>, std::vector<std::string>> sections_of(Bytes& file,
                                                                         const Elf64_Ehdr& header) {
  auto sections = file.at<Elf64_Shdr>(header.e_shoff, header.e_shnum);
  if (header.e_shstrndx >= sections.size()) return {};
  const std::uint64_t texts = sections[header.e_shstrndx].sh_offset;
  std::vector<std::string> names;
  for (const Elf64_Shdr& section : sections) names.push_back(file.text(texts + section.sh_name));
  return {std::move(sections), std::move(names)};
}

}  // namespace

ProgramFile read_program(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) {
    throw UsageError(fmt::format("no program '{}'", path.string()));
  }
  if (!std::filesystem::is_regular_file(path, none) || access(path.c_str(), X_OK) != 0) {
    throw UsageError(
        fmt::format("'{0}' is not executable: name a program, or chmod +x '{0}'", path.string()));
  }
  Bytes file(path);
  ProgramFile program;
  const auto begin = file.at<char>(0, 2);
  program.is_script = begin == std::vector<char>{'#', '!'};
  if (program.is_script) return program;
  const auto headers = file.at<Elf64_Ehdr>(0, 1);
  if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      headers[0].e_ident[EI_CLASS] != ELFCLASS64 || headers[0].e_machine != own_processor) {
    throw UsageError(
        fmt::format("'{}' is neither a program for this machine nor a script that begins with #!",
                    path.string()));
  }
  program.needed = needed_by(file, headers[0]);
  const std::vector<std::string> names = sections_of(file, headers[0]).second;
  program.has_kernels = std::find(names.begin(), names.end(), ".nv_fatbin") != names.end();
  return program;
}

std::map<std::string, std::string> functions_of(const std::filesystem::path& library) {
  Bytes file(library);
  const auto [sections, names] = sections_of(file, file.at<Elf64_Ehdr>(0, 1).at(0));
  std::map<std::string, std::string> functions;
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_DYNSYM) continue;
    const std::uint64_t texts = sections.at(table.sh_link).sh_offset;
    for (const auto& symbol :
         file.at<Elf64_Sym>(table.sh_offset, table.sh_size / sizeof(Elf64_Sym))) {
      const Elf64_Half section = symbol.st_shndx;
      const bool is_defined = section != SHN_UNDEF && section < names.size();
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || !is_defined) continue;
      functions[file.text(texts + symbol.st_name)] = names[section];
    }
  }
  return functions;
}

void require_runtime(const ProgramFile& program, const std::string& name) {
  constexpr std::string_view runtime = "libcudart.so.";
  bool is_shared = false;
  for (const std::string& library : program.needed) {
    if (library.starts_with(runtime)) {
      is_shared = true;
      const std::string version = library.substr(runtime.size());
      if (std::ranges::find(runtime_versions, version) != runtime_versions.end()) continue;
      throw Unavailable(fmt::format(
          "'{}' is built with {}: build it again with nvcc of CUDA 11, 12 or 13", name, library));
    }
    if (is_own_library(library)) continue;
    if (is_foreign_library(library)) {
      throw Unavailable(
          fmt::format("'{}' needs {}, a library of NVIDIA's for a GPU: of these agpusim has {}",
                      name, library, fmt::join(own_libraries, ", ")));
    }
  }
  if (!program.has_kernels || is_shared) return;
  throw Unavailable(
      fmt::format("'{}' is built with a static CUDA runtime: build it again from scratch, with "
                  "`agpusim build -- make -B` or as `agpusim help exec` says",
                  name));
}

}  // namespace agpusim::exec
