#include "agpusim/validation/sweep/point_json.hpp"
#include "agpusim/validation/sweep/writers.hpp"

namespace agpusim::sweep {
namespace {

using agpusim::detail::Json;

Json encode(const Law& law) {
  Json terms = Json::array();
  for (const Part& part : law.parts) {
    terms.push_back({{"term", part.term.text}, {"coefficient", part.coefficient}});
  }
  return {{"law", law.text()},
          {"leading_term", law.lead().text},
          {"terms", std::move(terms)},
          {"held_out_rms_error", law.error},
          {"held_out_largest_error", law.worst}};
}

Json encode(const std::vector<Law>& laws) {
  Json json = Json::array();
  for (const Law& law : laws) json.push_back(encode(law));
  return json;
}

Json encode(const Fit& fit) {
  Json json = {{"program", fit.program},    {"type", fit.type},
               {"input", fit.input},        {"quantity", fit.quantity},
               {"machines", fit.machines},  {"extrapolated_points_left_out", fit.left_out},
               {"stated_bound", fit.stated}};
  if (fit.law) {
    json["fitted_from_n"] = fit.law->fitted_from;
    json["fitted_to_n"] = fit.law->fitted_to;
    json["judged_from_n"] = fit.law->judged_from;
    json["judged_to_n"] = fit.law->judged_to;
    json["points"] = fit.law->points;
    json["best"] = encode(fit.law->best);
    json["as_good_of_the_same_growth"] = encode(fit.law->spellings);
    json["as_good_of_another_growth"] = encode(fit.law->rivals);
    json["runners_up"] = encode(fit.law->runners_up);
  } else {
    json["why_not"] = fit.why_not;
  }
  if (fit.bound) {
    json["count_over_bound"] = {{"least", fit.bound->low},
                                {"most", fit.bound->high},
                                {"drift_per_doubling", fit.bound->drift}};
  }
  return json;
}

}  // namespace

std::string to_json(const Result& result) {
  Json points = Json::array();
  for (const Point& point : result.points) {
    Json one = encode(point);
    one.erase("key");
    points.push_back(std::move(one));
  }
  Json json = {{"points", std::move(points)}, {"notes", result.notes}};
  if (!result.fits.empty()) {
    Json fits = Json::array();
    for (const Fit& fit : result.fits) fits.push_back(encode(fit));
    json["fits"] = std::move(fits);
  }
  return json.dump(2) + "\n";
}

}  // namespace agpusim::sweep
