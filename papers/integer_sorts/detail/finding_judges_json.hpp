#pragma once

#include <functional>
#include <map>
#include <string>

#include "agpusim/papers/common/findings_json.hpp"
#include "agpusim/papers/integer_sorts/detail/finding_times.hpp"

namespace agpusim::detail {

/// What a set of times says about a finding of seed 000; it takes the rows that it is about.
using Judge = std::function<Judgement(const Selection& rows, const FindingTimes& times)>;

/// The kinds of judges that findings.json names. Each takes `about`, a list of conditions of which
/// one must be true of a row: a family, and numbers of delta, sigma, n, range or len, or [smallest,
/// largest], null where there is none.
[[nodiscard]] const std::map<std::string, JudgeKind<Judge>>& judge_kinds();

}  // namespace agpusim::detail
