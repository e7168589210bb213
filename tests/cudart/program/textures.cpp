#include <algorithm>
#include <array>
#include <numeric>

#include "agpusim/cudart/abi.hpp"
#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"
#include "agpusim/tests/cudart/program/registered.hpp"
#include "agpusim/tests/cudart/texture_cases.hpp"
#include "agpusim/tests/support/temp_folder.hpp"

// Sizes and coordinates are numbers with a sign, as in kernels.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

using agpusim::cudart::ChannelFormat, agpusim::cudart::Copy3, agpusim::cudart::PitchedPointer,
    agpusim::cudart::ResourceDescription, agpusim::cudart::ResourceType, agpusim::cudart::Size3,
    agpusim::cudart::TextureDescription, agpusim::cudart::TextureHandle;

extern "C" {
int cudaMalloc3DArray(Handle*, const ChannelFormat*, Size3 extent, unsigned flags);
int cudaFreeArray(Handle);
int cudaArrayGetInfo(ChannelFormat*, Size3*, unsigned* flags, Handle);
int cudaGetChannelDesc(ChannelFormat*, Handle);
int cudaMemcpy3D(const Copy3*);
int cudaMemcpy2DToArray(Handle, std::size_t x, std::size_t y, const void*, std::size_t pitch,
                        std::size_t width, std::size_t height, int kind);
int cudaMemcpy2DFromArray(void*, std::size_t pitch, Handle, std::size_t x, std::size_t y,
                          std::size_t width, std::size_t height, int kind);
int cudaMemcpy2DArrayToArray(Handle, std::size_t x, std::size_t y, Handle, std::size_t from_x,
                             std::size_t from_y, std::size_t width, std::size_t height, int kind);
int cudaMemcpyToArray(Handle, std::size_t x, std::size_t y, const void*, std::size_t, int kind);
int cudaMemcpyFromArray(void*, Handle, std::size_t x, std::size_t y, std::size_t, int kind);
int cudaMemcpyArrayToArray(Handle, std::size_t x, std::size_t y, Handle, std::size_t from_x,
                           std::size_t from_y, std::size_t bytes, int kind);
int cudaCreateTextureObject(TextureHandle*, const ResourceDescription*, const TextureDescription*,
                            const void* view);
int cudaDestroyTextureObject(TextureHandle);
int cudaGetTextureObjectTextureDesc(TextureDescription*, TextureHandle);
int cudaCreateSurfaceObject(TextureHandle*, const ResourceDescription*);
int cudaDestroySurfaceObject(TextureHandle);
}

namespace agpusim::test {
namespace {

std::array<char, 4> stand;  // addresses that stand for kernels

template <class... Arguments>
int launch(int kernel, unsigned grid, unsigned block, Arguments... arguments) {
  static const Registered code(fat_binary(content(AGPUSIM_TEST_DIR "/cudart/textures.ptx")));
  static const bool registered = [] {
    const std::array names = {"fetches", "words", "widths", "fetch_one"};
    for (std::size_t i = 0; i < names.size(); ++i) code.kernel(&stand[i], names[i]);
    return true;
  }();
  EXPECT(registered);
  std::array<void*, sizeof...(arguments)> addresses = {&arguments...};
  return cudaLaunchKernel(&stand[static_cast<std::size_t>(kernel)], {grid}, {block},
                          addresses.data(), 0, nullptr);
}

template <class T>
T* on_device(const std::vector<T>& values) {
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, values.size() * sizeof(T)) == success);
  EXPECT(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), host_to_device) == success);
  return static_cast<T*>(pointer);
}

ChannelFormat format_of(int bits, int channels, int kind) {
  const auto from = [&](int c) { return c < channels ? bits : 0; };
  return {{bits, from(1), from(2), from(3)}, static_cast<ptx::ChannelKind>(kind)};
}

Handle array_of(const ChannelFormat& format, const Size3& extent, unsigned flags) {
  Handle array = nullptr;
  EXPECT(cudaMalloc3DArray(&array, &format, extent, flags) == success);
  return array;
}

ResourceDescription resource_of(Handle array) {
  ResourceDescription result{};
  result.array = static_cast<cudart::Array*>(array);
  return result;
}

/// All of an array: to it from the host, or back.
void copy_all(Handle array, void* host, std::size_t row_bytes, const Size3& extent, bool into) {
  const auto one_at_least = [](std::size_t size) { return size > 0 ? size : 1; };
  const PitchedPointer rows = {host, row_bytes, row_bytes, one_at_least(extent.y)};
  Copy3 copy;
  copy.extent = {extent.x, one_at_least(extent.y), one_at_least(extent.z)};
  copy.kind = into ? cudart::CopyKind::h2d : cudart::CopyKind::d2h;
  (into ? copy.target_array : copy.source_array) = static_cast<cudart::Array*>(array);
  (into ? copy.source : copy.target) = rows;
  EXPECT(cudaMemcpy3D(&copy) == success);
}

// --- fetches, by the formulas of the programming guide, appendix "Texture Fetching"

using Real = long double;

/// T[i, j, k], of which the channel is asked for; outside it is 0.
Real texel(const TextureCase& of, const std::vector<unsigned char>& texels,
           const std::array<long, 3>& at, int channel) {
  if (channel >= of.channels) return 0;
  for (int d = 0; d < 3; ++d) {
    if (at[d] < 0 || at[d] >= of.count(d)) return 0;
  }
  const auto number = (at[2] * of.count(1) + at[1]) * of.count(0) + at[0];
  const unsigned char* const from = &texels[(number * of.channels + channel) * of.bits / 8];
  unsigned long bits = 0;
  for (int byte = of.bits / 8; byte-- > 0;) bits = bits << 8 | from[byte];
  const Real half = std::pow(Real{2}, of.bits - 1);
  if (of.kind == 2 && of.bits == 32) {
    float value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  if (of.kind == 2) {  // 1 sign, 5 bits of exponent, 10 bits
    const long exponent = bits >> 10 & 31;
    const Real fraction = static_cast<Real>(bits & 1023) / 1024 + (exponent > 0 ? 1 : 0);
    return (bits >> 15 != 0 ? -1 : 1) *
           std::ldexp(fraction, static_cast<int>(std::max(exponent, 1L)) - 15);
  }
  const Real value =
      of.kind == 1 || bits < half ? static_cast<Real>(bits) : static_cast<Real>(bits) - 2 * half;
  if (!of.fractions) return value;
  return of.kind == 1 ? value / (2 * half - 1) : std::max(value / (half - 1), Real{-1});
}

/// One direction: texels i and i + 1, and the weight of the second.
struct Direction {
  std::array<long, 2> texel;
  Real weight;
};
Direction direction(const TextureCase& of, Real x, long size) {
  if (std::isnan(x)) x = 0;
  const Real whole_part = std::floor(x);
  if (of.normalized && of.mode == 0) x -= whole_part;
  if (of.normalized && of.mode == 2) {
    x = std::fmod(whole_part, Real{2}) == 0 ? x - whole_part : 1 - (x - whole_part);
  }
  if (of.normalized) x *= size;
  x = std::clamp<Real>(x, -1e6L, 1e6L);
  const auto placed = [&](long i) {
    if (of.mode == 0) return i < 0 ? size - 1 : i >= size ? 0 : i;
    return of.mode == 3 ? i : std::clamp(i, 0L, size - 1);  // a mirror is at the edge
  };
  if (!of.linear) return {{placed(std::floor(x)), 0}, 0};
  const Real fixed = std::floor((x - 0.5L) * 256 + 0.5L);  // 8 bits of fraction
  const Real first = std::floor(fixed / 256);
  return {{placed(first), placed(first + 1)}, fixed / 256 - first};
}

std::array<unsigned, 4> expected(const TextureCase& of, const std::vector<unsigned char>& texels,
                                 const Coordinates& point) {
  std::array<Real, 3> at = {point.at[0], point.at[1], point.at[2]};
  std::array<Direction, 3> along{};
  int directions = of.geometry == space ? 3 : of.geometry == line || of.geometry == lines ? 1 : 2;
  if (of.is_layered()) {  // unsigned, and clamped
    along[2].texel[0] =
        point.integer < 0 ? of.count(2) - 1 : std::min(point.integer, of.count(2) - 1);
  }
  if (of.geometry == cube) {  // the guide's table: face, m, s, t
    const auto [x, y, z] = at;
    const Real m = std::max({std::abs(x), std::abs(y), std::abs(z)});
    const std::array<std::array<Real, 3>, 6> table = {
        {{x, -z, -y}, {-x, z, -y}, {y, x, z}, {-y, x, -z}, {z, x, -y}, {-z, -x, -y}}};
    for (const long face : {0, 1, 2, 3, 4, 5}) {  // the last where several are as far
      if (table[face][0] == m) along[2].texel[0] = face;
    }
    const auto& [major, s, t] = table[along[2].texel[0]];
    at = {(s / m + 1) / 2, (t / m + 1) / 2, 0};
  }
  for (int d = 0; d < directions && of.geometry != whole; ++d) {
    along[d] = direction(of, at[d], of.count(d));
  }
  if (of.geometry == whole) along[0].texel[0] = point.integer;
  std::array<unsigned, 4> result{};
  for (int c = 0; c < 4; ++c) {
    Real sum = of.linear ? 0 : -0.0L;  // which keeps the sign of a zero
    for (int corner = 0; corner < 8; ++corner) {
      Real weight = 1;
      std::array<long, 3> place{};
      for (int d = 0; d < 3; ++d) {
        const int second = corner >> d & 1;
        weight *= second != 0 ? along[d].weight : 1 - along[d].weight;
        place[d] = along[d].texel[second];
      }
      if (weight > 0) sum += weight * texel(of, texels, place, c);
    }
    const auto number = static_cast<float>(sum);
    if (of.kind == 2 || of.fractions) {
      std::memcpy(&result[c], &number, sizeof number);
    } else {
      result[c] = static_cast<unsigned>(static_cast<long>(sum));
    }
  }
  return result;
}

TextureHandle texture_of(const TextureCase& of, std::vector<unsigned char>& texels,
                         ResourceDescription& resource) {
  const ChannelFormat format = format_of(of.bits, of.channels, of.kind);
  const auto size = [&](int d) { return static_cast<std::size_t>(of.size[d]); };
  const Size3 extent = {size(0), size(1), size(2)};
  if (of.geometry == whole) {
    resource.type = ResourceType::linear;
    resource.memory = {on_device(texels), format, texels.size(), 0, 0};
  } else {
    resource.array = static_cast<cudart::Array*>(array_of(format, extent,
                                                          of.is_layered()       ? 1
                                                          : of.geometry == cube ? 4
                                                                                : 0));
    const int rows = of.count(1) * of.count(2);
    copy_all(resource.array, texels.data(), texels.size() / static_cast<std::size_t>(rows), extent,
             true);
  }
  TextureDescription how;
  for (ptx::AddressMode& mode : how.modes) mode = static_cast<ptx::AddressMode>(of.mode);
  how.filter = of.linear ? 1 : 0;
  how.read = of.fractions ? 1 : 0;
  how.normalized = of.normalized ? 1 : 0;
  TextureHandle texture = 0;
  EXPECT(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == success);
  return texture;
}

void fetches() {
  constexpr unsigned seed = 17;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  auto* const out = on_device(std::vector<std::array<unsigned, 4>>(points_of_case));
  for (const TextureCase& of : texture_cases()) {
    std::vector<unsigned char> texels = texels_of(of, random);
    const std::vector<Coordinates> points = coordinates_of(of, random);
    ResourceDescription resource{};
    const TextureHandle texture = texture_of(of, texels, resource);
    EXPECT(launch(0, 1, points_of_case, texture, of.geometry, on_device(points), out) == success);
    std::vector<std::array<unsigned, 4>> got(points.size());
    EXPECT(cudaMemcpy(got.data(), out, sizeof got[0] * got.size(), device_to_host) == success);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::array<unsigned, 4> wanted = expected(of, texels, points[i]);
      if (got[i] == wanted) continue;
      std::printf(
          "geometry %d, %d x %d bits, kind %d, mode %d, linear %d, normalized %d, fractions "
          "%d: point %zu (%.9g, %.9g, %.9g, %d) is %x %x %x %x, not %x %x %x %x\n",
          of.geometry, of.channels, of.bits, of.kind, of.mode, of.linear, of.normalized,
          of.fractions, i, double{points[i].at[0]}, double{points[i].at[1]},
          double{points[i].at[2]}, points[i].integer, got[i][0], got[i][1], got[i][2], got[i][3],
          wanted[0], wanted[1], wanted[2], wanted[3]);
      EXPECT(false);
    }
    EXPECT(cudaDestroyTextureObject(texture) == success);
    EXPECT((of.geometry == whole ? cudaFree(resource.memory.begin)
                                 : cudaFreeArray(resource.array)) == success);
  }
}

// --- surfaces

TextureHandle surface_of(Handle array) {
  TextureHandle surface = 0;
  const ResourceDescription resource = resource_of(array);
  EXPECT(cudaCreateSurfaceObject(&surface, &resource) == success);
  return surface;
}

/// Words at all places of arrays, and one beyond on each side.
void surfaces() {
  const std::array<Size3, 5> sizes = {{{9, 0, 0}, {7, 5, 0}, {5, 4, 3}, {6, 0, 4}, {5, 3, 4}}};
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    const std::array<int, 3> size = {static_cast<int>(sizes[g].x),
                                     static_cast<int>(std::max<std::size_t>(1, sizes[g].y)),
                                     static_cast<int>(std::max<std::size_t>(1, sizes[g].z))};
    const Handle array = array_of(format_of(32, 1, 1), sizes[g], g < 3 ? 2 : 3);
    std::vector<unsigned> values(static_cast<std::size_t>(size[0] * size[1] * size[2]));
    std::iota(values.begin(), values.end(), 100U);
    copy_all(array, values.data(), sizes[g].x * 4, sizes[g], true);
    std::vector<std::array<int, 4>> at;
    for (int z = g > 2 ? 0 : -1; z <= size[2] - (g > 2 ? 1 : 0); ++z) {  // layers are clamped
      for (int y = -1; y <= size[1]; ++y) {
        for (int x = -1; x <= size[0]; ++x) at.push_back({x, y, z, 0});
      }
    }
    const bool has_y = sizes[g].y > 0;
    const bool has_z = sizes[g].z > 0;
    std::erase_if(at,
                  [&](const auto& p) { return (!has_y && p[1] != 0) || (!has_z && p[2] != 0); });
    const TextureHandle surface = surface_of(array);
    auto* const out = on_device(std::vector<unsigned>(at.size()));
    for (const bool zero : {false, true}) {
      EXPECT(launch(1, static_cast<unsigned>(at.size()), 1, surface, static_cast<int>(g), zero,
                    on_device(at), out) == success);
      std::vector<unsigned> got(at.size());
      EXPECT(cudaMemcpy(got.data(), out, 4 * got.size(), device_to_host) == success);
      for (std::size_t i = 0; i < at.size(); ++i) {
        std::array<int, 3> inside{};
        for (std::size_t d = 0; d < 3; ++d) inside[d] = std::clamp(at[i][d], 0, size[d] - 1);
        const bool is_inside = std::equal(inside.begin(), inside.end(), at[i].begin());
        unsigned& value = values[static_cast<std::size_t>(
            (inside[2] * size[1] + inside[1]) * size[0] + inside[0])];
        EXPECT(got[i] == (zero && !is_inside ? 0 : value));
        if (zero && is_inside) ++value;
      }
    }
    std::vector<unsigned> after(values.size());
    copy_all(array, after.data(), sizes[g].x * 4, sizes[g], false);
    EXPECT(after == values);
    EXPECT(cudaDestroySurfaceObject(surface) == success &&
           cudaDestroySurfaceObject(surface) == invalid_value);
  }
  // Rows of 32 accesses of 1, 2, 4, 8, 2, 8, 16 and 16 bytes.
  const std::array<Handle, 2> arrays = {array_of(format_of(8, 1, 1), {512, 8, 0}, 2),
                                        array_of(format_of(8, 1, 1), {512, 8, 0}, 2)};
  std::vector<unsigned char> from(4096);
  std::iota(from.begin(), from.end(), static_cast<unsigned char>(1));
  std::vector<unsigned char> to(from.size(), 0);
  copy_all(arrays[0], from.data(), 512, {512, 8, 0}, true);
  copy_all(arrays[1], to.data(), 512, {512, 8, 0}, true);
  EXPECT(launch(2, 1, 32, surface_of(arrays[0]), surface_of(arrays[1])) == success);
  copy_all(arrays[1], to.data(), 512, {512, 8, 0}, false);
  constexpr std::array<std::size_t, 8> bytes = {1, 2, 4, 8, 2, 8, 16, 16};
  for (std::size_t i = 0; i < from.size(); ++i)
    EXPECT(to[i] == (i % 512 < 32 * bytes[i / 512] ? from[i] : 0));
}

// --- arrays

/// Copies of odd widths, against the same in memory of the host.
void array_copies() {
  constexpr std::size_t width = 37;
  constexpr std::size_t height = 11;
  const std::array<Handle, 2> arrays = {array_of(format_of(8, 1, 1), {width, height, 0}, 0),
                                        array_of(format_of(8, 1, 1), {width, height, 0}, 0)};
  std::array<std::vector<unsigned char>, 2> models;
  for (std::size_t a = 0; a < 2; ++a) {
    models[a].resize(width * height);
    std::iota(models[a].begin(), models[a].end(), static_cast<unsigned char>(100 * a));
    copy_all(arrays[a], models[a].data(), width, {width, height, 0}, true);
  }
  std::mt19937 random(17);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (int turn = 0; turn < 300; ++turn) {
    const std::size_t w = below(width + 1), h = below(height) + 1, x = below(width - w + 1),
                      y = below(height - h + 1);
    const std::size_t from_x = below(width - w + 1), from_y = below(height - h + 1),
                      pitch = w + below(5);
    const std::size_t count =
        below(width * (height - std::max(y, from_y)) - std::max(x, from_x) + 1);
    std::vector<unsigned char> host(std::max(pitch * h, count) + 1);
    std::generate(host.begin(), host.end(), [&] { return static_cast<unsigned char>(random()); });
    std::vector<unsigned char> wanted = host;
    const auto rows = [&](auto copy) {
      for (std::size_t r = 0; r < h; ++r) copy(r);
    };
    switch (turn % 6) {
      case 0:
        EXPECT(cudaMemcpy2DToArray(arrays[0], x, y, host.data(), pitch, w, h, host_to_device) ==
               success);
        rows([&](std::size_t r) {
          std::copy_n(&host[r * pitch], w, models[0].data() + (y + r) * width + x);
        });
        break;
      case 1:
        EXPECT(cudaMemcpy2DFromArray(host.data(), pitch, arrays[0], x, y, w, h, device_to_host) ==
               success);
        rows([&](std::size_t r) {
          std::copy_n(models[0].data() + (y + r) * width + x, w, &wanted[r * pitch]);
        });
        break;
      case 2:
        EXPECT(cudaMemcpy2DArrayToArray(arrays[1], x, y, arrays[0], from_x, from_y, w, h,
                                        device_to_device) == success);
        rows([&](std::size_t r) {
          std::copy_n(models[0].data() + (from_y + r) * width + from_x, w,
                      models[1].data() + (y + r) * width + x);
        });
        break;
      case 3:
        EXPECT(cudaMemcpyToArray(arrays[1], x, y, host.data(), count, host_to_device) == success);
        std::copy_n(host.data(), count, models[1].data() + y * width + x);
        break;
      case 4:
        EXPECT(cudaMemcpyFromArray(host.data(), arrays[1], x, y, count, device_to_host) == success);
        std::copy_n(models[1].data() + y * width + x, count, wanted.data());
        break;
      default:
        EXPECT(cudaMemcpyArrayToArray(arrays[0], x, y, arrays[1], from_x, from_y, count,
                                      device_to_device) == success);
        std::copy_n(models[1].data() + from_y * width + from_x, count,
                    models[0].data() + y * width + x);
    }
    EXPECT(host == wanted);
    for (std::size_t a = 0; a < 2; ++a) {
      std::vector<unsigned char> all(width * height);
      copy_all(arrays[a], all.data(), width, {width, height, 0}, false);
      EXPECT(all == models[a]);
    }
  }
}

void wrong_textures() {
  Handle array = nullptr;
  const auto makes = [&](const ChannelFormat& format, const Size3& extent, unsigned flags) {
    return cudaMalloc3DArray(&array, &format, extent, flags);
  };
  const ChannelFormat word = format_of(32, 1, 1);
  for (const ChannelFormat& wrong : {format_of(32, 3, 1), format_of(24, 1, 1), format_of(8, 1, 2),
                                     ChannelFormat{{8, 16, 0, 0}, {}}, format_of(8, 1, 9)}) {
    EXPECT(makes(wrong, {4, 4, 0}, 0) == invalid_value);
  }
  EXPECT(makes(word, {0, 4, 0}, 0) == invalid_value);
  EXPECT(makes(word, {4, 0, 4}, 0) == invalid_value);
  EXPECT(makes(word, {4, 4, 5}, 4) == invalid_value);
  EXPECT(makes(word, {4, 4, 0}, 1) == invalid_value);
  EXPECT(makes(word, {SIZE_MAX, 4, 0}, 0) == invalid_value);
  EXPECT(makes(word, {16384, 16384, 16384}, 0) == out_of_memory);
  EXPECT(makes(word, {4, 3, 0}, 0) == success);
  ChannelFormat format{};
  Size3 extent;
  unsigned flags = 7;
  EXPECT(cudaArrayGetInfo(&format, &extent, &flags, array) == success);
  EXPECT(format.bits[0] == 32 && format.bits[1] == 0 && extent.x == 4 && extent.y == 3 &&
         extent.z == 0 && flags == 0);
  EXPECT(cudaGetChannelDesc(nullptr, array) == invalid_value &&
         cudaGetChannelDesc(&format, &array) == invalid_value);
  std::array<char, 64> own{};
  EXPECT(cudaMemcpy2DToArray(array, 4, 0, own.data(), 16, 16, 1, host_to_device) == invalid_value);
  EXPECT(cudaMemcpy2DToArray(array, 0, 2, own.data(), 16, 16, 2, host_to_device) == invalid_value);
  EXPECT(cudaMemcpyToArray(array, 8, 2, own.data(), 9, host_to_device) == invalid_value);
  EXPECT(cudaMemcpy2DToArray(&array, 0, 0, own.data(), 16, 16, 1, host_to_device) == invalid_value);
  TextureHandle texture = 0;
  TextureDescription how;
  ResourceDescription resource = resource_of(array);
  const auto creates = [&] { return cudaCreateTextureObject(&texture, &resource, &how, nullptr); };
  EXPECT(cudaCreateTextureObject(&texture, nullptr, &how, nullptr) == invalid_value);
  EXPECT(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr) == invalid_value);
  EXPECT(cudaCreateTextureObject(nullptr, &resource, &how, nullptr) == invalid_value);
  EXPECT(cudaCreateSurfaceObject(&texture, &resource) == invalid_value);  // without its flag
  how.filter = 1;
  EXPECT(creates() == invalid_value);  // integers are not filtered
  how.filter = 0;
  EXPECT(creates() == success);
  how.modes[0] = static_cast<ptx::AddressMode>(7);
  EXPECT(creates() == invalid_value);
  EXPECT(cudaGetTextureObjectTextureDesc(&how, texture) == success &&
         how.modes[0] == ptx::AddressMode::wrap);
  auto* const memory = on_device(std::vector<char>(4096));
  resource.type = ResourceType::linear;
  const auto creates_in = [&](char* begin, std::size_t width, std::size_t height,
                              std::size_t pitch) {
    resource.memory = {begin, word, width, height, pitch};
    return creates();
  };
  EXPECT(creates_in(memory, 4096, 0, 0) == success &&
         creates_in(memory, 4100, 0, 0) == invalid_value);
  EXPECT(creates_in(memory + 4, 64, 0, 0) == invalid_value &&
         creates_in(own.data(), 64, 0, 0) == invalid_value);
  resource.type = ResourceType::pitched;
  EXPECT(creates_in(memory, 8, 128, 32) == success &&
         creates_in(memory, 8, 129, 32) == invalid_value);
  EXPECT(creates_in(memory, 8, 64, 40) == invalid_value &&
         creates_in(memory, 9, 64, 32) == invalid_value);
  EXPECT(cudaFreeArray(array) == success && cudaFreeArray(array) == invalid_value &&
         cudaFreeArray(nullptr) == success);
  EXPECT(cudaDestroyTextureObject(1) == invalid_value);
}

/// `destroys`: the texture, not its array. The kernel that fetches from it ends.
void freed(bool destroys) {
  const Handle array = array_of(format_of(32, 1, 2), {4, 4, 0}, 0);
  const ResourceDescription resource = resource_of(array);
  const TextureDescription how;
  TextureHandle texture = 0;
  EXPECT(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == success);
  EXPECT((destroys ? cudaDestroyTextureObject(texture) : cudaFreeArray(array)) == success);
  EXPECT(launch(3, 1, 1, texture, on_device(std::vector<float>(1))) == success);
  EXPECT(cudaDeviceSynchronize() == illegal_address);
}

}  // namespace

const std::map<std::string, std::function<void()>>& texture_programs() {
  static const std::map<std::string, std::function<void()>> all = {
      {"textures", fetches},
      {"surfaces", surfaces},
      {"array copies", array_copies},
      {"wrong textures", wrong_textures},
      {"freed array", [] { freed(false); }},
      {"destroyed texture", [] { freed(true); }},
  };
  return all;
}

}  // namespace agpusim::test
