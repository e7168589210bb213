#include "agpusim/cudart/machine_code.hpp"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>
#include <vector>

namespace agpusim::cudart {
namespace {

// Attributes of the section .nv.info, as cuda-gdb's documentation and public readers name them.
constexpr std::uint8_t sized_value = 4;  // format: so many bytes follow
constexpr std::uint8_t register_count = 0x2f;
constexpr std::uint8_t frame_size = 0x11;

/// Reads bytes that may be damaged.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return {};
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  [[nodiscard]] std::string_view part(std::uint64_t offset, std::uint64_t bytes) const {
    if (offset > bytes_.size() || bytes > bytes_.size() - offset) return {};
    return bytes_.substr(offset, bytes);
  }
  [[nodiscard]] std::string_view name(std::uint64_t offset) const {
    const std::string_view rest = part(offset, offset > bytes_.size() ? 0 : bytes_.size() - offset);
    return rest.substr(0, rest.find('\0'));
  }

 private:
  std::string_view bytes_;
};

}  // namespace

MachineCodes machine_codes_of(std::string_view cubin) {
  MachineCodes result;
  const Reader file(cubin);
  const auto header = file.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return result;
  std::vector<Elf64_Shdr> sections;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = file.at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return result;
    sections.push_back(*section);
  }
  if (header->e_shstrndx >= sections.size()) return result;
  const auto bytes_of = [&](const Elf64_Shdr& s) { return file.part(s.sh_offset, s.sh_size); };
  const Reader names(bytes_of(sections[header->e_shstrndx]));
  for (const Elf64_Shdr& section : sections) {
    if (names.name(section.sh_name) != ".nv.info" || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& symbol_table = sections[section.sh_link];
    if (symbol_table.sh_link >= sections.size()) continue;
    const Reader symbols(bytes_of(symbol_table));
    const Reader symbol_names(bytes_of(sections[symbol_table.sh_link]));
    const Reader info(bytes_of(section));
    for (std::uint64_t at = 0; const auto format = info.at<std::uint8_t>(at);) {
      const auto attribute = info.at<std::uint8_t>(at + 1).value_or(0);
      const auto bytes = info.at<std::uint16_t>(at + 2).value_or(0);
      const auto symbol = symbols.at<Elf64_Sym>(info.at<std::uint32_t>(at + 4).value_or(0) *
                                                std::uint64_t{sizeof(Elf64_Sym)});
      const auto value = info.at<std::uint32_t>(at + 8);
      at += std::uint64_t{4} + (*format == sized_value ? bytes : std::uint16_t{0});
      if (*format != sized_value || bytes != 8 || !symbol || !value) continue;
      if (attribute != register_count && attribute != frame_size) continue;
      ptx::MachineCode& code = result[std::string(symbol_names.name(symbol->st_name))];
      (attribute == register_count ? code.registers : code.local_bytes) = *value;
    }
  }
  return result;
}

}  // namespace agpusim::cudart
