#include "agpusim/validation/records/config_json.hpp"

#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim {

std::string config_to_json(const RunConfig& config) {
  return config.pram ? detail::encode_on_pram(config).dump() : detail::encode(config).dump();
}

RunConfig config_from_json(std::string_view text) {
  try {
    return detail::decode_config(detail::parse_object(text));
  } catch (const detail::JsonError& error) {
    throw FileError(std::string("run configuration: ") + error.what());
  }
}

}  // namespace agpusim
