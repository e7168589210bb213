#include "agpusim/cudart/driver_image.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <string_view>
#include <vector>

#include "agpusim/cudart/api.hpp"
#include "agpusim/cudart/fat_binary.hpp"
#include "agpusim/cudart/machine_code.hpp"

namespace agpusim::cudart {
namespace {

constexpr std::uint32_t fat_binary_magic = 0xba55ed50;

/// A structure at an offset; zeros where the bytes end before.
template <class T>
T at(std::string_view bytes, std::uint64_t offset) {
  T value{};
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof value) {
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  }
  return value;
}

bool is_cubin(std::string_view bytes) { return bytes.starts_with(ELFMAG); }

/// Its size is what its header says.
std::string_view cubin_at(std::string_view readable) {
  const auto header = at<Elf64_Ehdr>(readable, 0);
  std::uint64_t end = header.e_shoff + std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = at<Elf64_Shdr>(readable, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_NOBITS) end = std::max(end, section.sh_offset + section.sh_size);
  }
  return readable.substr(0, end);
}

/// The PTX in a cubin, of which ptxas has ended each line with a null byte; empty: there is none.
std::string ptx_of_cubin(std::string_view cubin) {
  const auto header = at<Elf64_Ehdr>(cubin, 0);
  const auto section_at = [&](std::uint64_t i) {
    return at<Elf64_Shdr>(cubin, header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  const Elf64_Shdr names = section_at(header.e_shstrndx);
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    constexpr std::string_view wanted = ".nv_debug_ptx_txt";
    const Elf64_Shdr section = section_at(i);
    const std::uint64_t name = names.sh_offset + section.sh_name;
    if (name >= cubin.size() || !cubin.substr(name).starts_with(wanted)) continue;
    if (section.sh_offset >= cubin.size()) continue;
    std::string text(cubin.substr(section.sh_offset, section.sh_size));
    std::replace(text.begin(), text.end(), '\0', '\n');
    return text;
  }
  return {};
}

/// Throws Failure where nothing can be run.
std::unique_ptr<DeviceCode> code_of_cubin(std::string_view cubin, const std::string& name) {
  const std::string text = ptx_of_cubin(cubin);
  if (text.empty()) {
    throw Failure{Status::no_binary,
                  "machine code without PTX: let ptxas keep it with -lineinfo, or load the PTX", "",
                  true};
  }
  return std::make_unique<DeviceCode>(ptx::Module::parse(text, name), machine_codes_of(cubin));
}

std::unique_ptr<DeviceCode> code_of_fat_binary(const FatBinaryWrapper& wrapper,
                                               const std::string& name) {
  std::vector<ptx::Module> modules;
  MachineCodes machine_codes;
  std::optional<FatBinaryEntry> cubin;
  for (const void* const each : fat_binaries_of(wrapper)) {
    const auto text = entry_of(each, FatBinaryKind::ptx, compute_capability);
    if (text) modules.push_back(ptx::Module::parse(text->content, name));
    cubin = entry_of(each, FatBinaryKind::cubin, compute_capability);
    if (cubin) machine_codes.merge(machine_codes_of(cubin->content));
  }
  if (modules.empty()) return code_of_cubin(cubin.value_or(FatBinaryEntry{}).content, name);
  return std::make_unique<DeviceCode>(
      modules.size() == 1 ? std::move(modules.front()) : ptx::Module::link(std::move(modules)),
      std::move(machine_codes));
}

std::unique_ptr<DeviceCode> code_of_texts(std::string_view texts, const std::string& name) {
  std::vector<ptx::Module> modules;
  while (!texts.empty()) {
    const std::size_t end = std::min(texts.find(next_ptx), texts.size());
    modules.push_back(ptx::Module::parse(texts.substr(0, end), name));
    texts.remove_prefix(std::min(texts.size(), end + std::strlen(next_ptx)));
  }
  return std::make_unique<DeviceCode>(
      modules.size() == 1 ? std::move(modules.front()) : ptx::Module::link(std::move(modules)),
      MachineCodes{});
}

}  // namespace

std::unique_ptr<DeviceCode> code_of_image(const void* image, const std::string& name) {
  const std::string_view bytes(static_cast<const char*>(image), readable_bytes(image));
  const auto magic = at<std::uint32_t>(bytes, 0);
  if (is_cubin(bytes)) return code_of_cubin(cubin_at(bytes), name);
  if (magic == fat_binary_magic) return code_of_fat_binary({.data = image}, name);
  if (magic == FatBinaryWrapper{}.magic) {
    return code_of_fat_binary(at<FatBinaryWrapper>(bytes, 0), name);
  }
  const std::string_view text = bytes.substr(0, bytes.find('\0'));
  if (text.find(".version") == std::string_view::npos) {
    throw Failure{Status::invalid_image, "neither PTX nor a fat binary nor a cubin"};
  }
  return code_of_texts(text, name);
}

}  // namespace agpusim::cudart
