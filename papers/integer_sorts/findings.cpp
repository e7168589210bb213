#include "agpusim/papers/integer_sorts/findings.hpp"

#include <stdexcept>

#include "agpusim/papers/integer_sorts/detail/finding_judges_json.hpp"

namespace agpusim {

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::partly:
      return "partly";
    case Verdict::fails:
      return "does not hold";
    case Verdict::unknown:
      return "cannot be seen";
  }
  throw std::logic_error("verdict without a name");
}

std::vector<Finding> integer_sorts_findings(const std::vector<ExperimentRow>& rows) {
  static const auto stated =
      detail::load_findings(detail::findings_file("integer_sorts"), detail::judge_kinds());
  const std::vector<detail::FindingTimes> all_times = detail::finding_times();
  detail::Selection all;
  for (const ExperimentRow& row : rows) all.push_back(&row);
  std::vector<Finding> findings;
  for (const auto& [section, statement, judge] : stated) {
    Finding finding{section, statement, {}};
    for (const detail::FindingTimes& times : all_times) {
      finding.judgements.push_back(judge(all, times));
      finding.judgements.back().times = times.name;
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace agpusim
