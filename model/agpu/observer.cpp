#include "agpusim/model/agpu/observer.hpp"

#include <cstring>

#include <fmt/format.h>

namespace agpusim {
namespace {

template <class T>
std::string text_of(const void* data, std::int64_t lane) {
  T value;
  std::memcpy(&value, static_cast<const T*>(data) + lane, sizeof(T));
  return fmt::format("{}", value);
}

template <class T1, class T2, class T4, class T8>
std::string text_of_size(const void* data, std::int64_t lane, std::size_t bytes) {
  switch (bytes) {
    case 1:
      return text_of<T1>(data, lane);
    case 2:
      return text_of<T2>(data, lane);
    case 4:
      return text_of<T4>(data, lane);
    default:
      return text_of<T8>(data, lane);
  }
}

}  // namespace

std::string LaneValues::text(std::int64_t lane) const {
  switch (type_) {
    case Type::floating:
      return bytes_ == sizeof(float) ? text_of<float>(data_, lane) : text_of<double>(data_, lane);
    case Type::signed_integer:
      return text_of_size<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(data_, lane,
                                                                                 bytes_);
    default:
      return text_of_size<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(data_, lane,
                                                                                     bytes_);
  }
}

}  // namespace agpusim
