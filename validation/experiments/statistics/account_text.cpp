#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/experiments/statistics/detail/parts.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim::statistics_experiment {
namespace {

using agpusim::detail::decimal_text;
using agpusim::detail::integer_text;
using agpusim::detail::percent_text;
using agpusim::detail::signed_percent_text;
using agpusim::detail::text_table;

std::string or_free(double constant, const std::string& text) { return constant > 0 ? text : "-"; }

std::vector<std::string> constants_line(const Card& card, const Fit& fit, bool trained) {
  const TimeModel& model = fit.model;
  const double rate = model.gigabytes_per_second();
  return {fit.trained_on,
          or_free(model.launch_us, decimal_text(model.launch_us)),
          or_free(model.time_unit_us, decimal_text(1e3 * model.time_unit_us)),
          or_free(model.time_unit_us, decimal_text(model.time_unit_us * card.clock_mhz)),
          or_free(model.byte_us, decimal_text(rate)),
          or_free(model.byte_us, fmt::format("{:.0f} %", 100 * rate / card.bandwidth_peak)),
          percent_text(fit.training_mape),
          trained ? "the other problem" : "nothing"};
}

/// The constants of both halves, and of all rows together.
std::string constants_table(const Card& card, const CrossFit& fit) {
  std::vector<std::vector<std::string>> lines;
  for (const Fit& half : fit.fits) lines.push_back(constants_line(card, half, true));
  lines.push_back(constants_line(card, fit.both, false));
  return text_table({"fitted to", "us/launch", "ns/T", "cycles/T", "GB/s", "of peak",
                     "its own error", "predicts"},
                    lines, 1);
}

std::string rows_table(const CrossFit& lg, const CrossFit& ln) {
  std::vector<std::vector<std::string>> lines;
  for (std::size_t i = 0; i < lg.rows.size(); ++i) {
    const AccountRow& row = lg.rows[i];
    lines.push_back({row.problem, integer_text(row.n), fmt::format("{:.0f}", row.charges.launches),
                     fmt::format("{:.0f}", row.charges.time),
                     fmt::format("{:.0f}", row.charges.bytes), decimal_text(row.measured_us),
                     decimal_text(row.predicted_us), signed_percent_text(row.error),
                     decimal_text(ln.rows.at(i).predicted_us),
                     signed_percent_text(ln.rows.at(i).error)});
  }
  return text_table({"Tm", "N", "launches", "T", "bytes", "measured us", "predicted us", "error",
                     "with ln", "error"},
                    lines, 1);
}

/// What one number costs a single lane, and one unit of T.
std::string single_constants(const CardAccount& account) {
  std::vector<std::vector<std::string>> lines;
  const auto add = [&](const char* law, const CrossFit& fit) {
    for (const Fit& half : {fit.fits.at(0), fit.fits.at(1), fit.both}) {
      const double us = half.model.time_unit_us;
      lines.push_back({half.trained_on, law, decimal_text(1e3 * us),
                       decimal_text(us * account.card.clock_mhz),
                       percent_text(half.training_mape)});
    }
  };
  add("N", account.single_by_n);
  if (account.single) add("T", *account.single);
  return text_table({"fitted to", "Ts in proportion to", "ns", "cycles", "its own error"}, lines,
                    2);
}

std::string single_table(const CardAccount& account) {
  std::vector<std::vector<std::string>> lines;
  const CrossFit& by_n = account.single_by_n;
  for (std::size_t i = 0; i < by_n.rows.size(); ++i) {
    const AccountRow& row = by_n.rows[i];
    lines.push_back({row.problem, integer_text(row.n), decimal_text(row.measured_us),
                     decimal_text(row.predicted_us), signed_percent_text(row.error)});
    if (!account.single) continue;
    const AccountRow& by_time = account.single->rows.at(i);
    lines.back().insert(lines.back().end(),
                        {fmt::format("{:.0f}", by_time.charges.time),
                         decimal_text(by_time.predicted_us), signed_percent_text(by_time.error)});
  }
  std::vector<std::string> header = {"Ts", "N", "measured us", "by N us", "error"};
  if (account.single) header.insert(header.end(), {"T", "by T us", "error"});
  return text_table(header, lines, 1);
}

/// How fast the counted bytes of the longest runs went by.
std::string stream_text(const Card& card, const CrossFit& fit) {
  std::int64_t largest = 0;
  for (const AccountRow& row : fit.rows) largest = std::max(largest, row.n);
  std::vector<std::string> parts;
  for (const AccountRow& row : fit.rows) {
    if (row.n != largest) continue;
    const double rate = 1e-3 * row.charges.bytes / row.measured_us;
    parts.push_back(fmt::format("{} {:.2f} GB/s ({:.0f} % of the peak)", row.problem, rate,
                                100 * rate / card.bandwidth_peak));
  }
  return fmt::format("bytes over measured time at N = {}: {}\n", integer_text(largest),
                     fmt::join(parts, ", "));
}

std::string summary(const char* what, const CrossFit& fit) {
  const AccountRow& worst = fit.rows.at(fit.worst);
  return fmt::format("{}: mean error {}, worst {} ({}, N = {})\n", what, percent_text(fit.mape),
                     signed_percent_text(worst.error), worst.problem, integer_text(worst.n));
}

std::string card_text(const CardAccount& account) {
  const Card& card = account.card;
  std::string text =
      fmt::format("\n{}: machine {} = {}, {:.0f} MHz, peak {} GB/s\n", card.name, card.machine,
                  card.spec.to_string(), card.clock_mhz, card.bandwidth_peak);
  text += constants_table(card, account.lg) + rows_table(account.lg, account.ln);
  text += summary("Tm, ceil(log2 N) rounds", account.lg);
  text += summary("Tm, floor(ln N) rounds", account.ln);
  text += summary("Tm, ceil(log2 N) rounds, sums of 64 bits", account.wide);
  text += stream_text(card, account.lg);
  text += single_constants(account) + single_table(account);
  text += summary("Ts in proportion to N", account.single_by_n);
  if (account.single) text += summary("Ts in proportion to T", *account.single);
  return text;
}

/// Mean errors of two hypotheses about the authors' program, card by card and over all rows.
std::string contest(const std::vector<CardAccount>& cards, CrossFit CardAccount::*first,
                    CrossFit CardAccount::*second) {
  double first_sum = 0;
  double second_sum = 0;
  double rows = 0;
  std::vector<std::string> parts;
  for (const CardAccount& account : cards) {
    const auto count = static_cast<double>((account.*first).rows.size());
    first_sum += (account.*first).mape * count;
    second_sum += (account.*second).mape * count;
    rows += count;
    parts.push_back(fmt::format("{}: {} against {}", account.card.name,
                                percent_text((account.*first).mape),
                                percent_text((account.*second).mape)));
  }
  return fmt::format("{}; all {:.0f} times: {} against {}", fmt::join(parts, "; "), rows,
                     percent_text(first_sum / rows), percent_text(second_sum / rows));
}

std::string hypotheses_text(const std::vector<CardAccount>& cards) {
  return fmt::format(
      "\nWhat did the authors run? Mean errors of two hypotheses:\n"
      "rounds: ceil(log2 N) against floor(ln N), C's log(N): {}. The two numbers of rounds are "
      "nearly proportional (ln 2 = 0.69): the constants absorb most of the difference.\n"
      "sums: 32 bits, which overflow beyond N = 65,536, against 64 bits: {}.\n",
      contest(cards, &CardAccount::lg, &CardAccount::ln),
      contest(cards, &CardAccount::lg, &CardAccount::wide));
}

}  // namespace

std::string detail::account_text(const Account& account) {
  std::string text =
      "The paper's times, accounted for\n" + account.source +
      "\nt = a launch + b T + c bytes, a, b, c >= 0. Every row is predicted with constants that "
      "were "
      "fitted to the other problem\nof the same card; \"both\" is for the reader and predicts "
      "nothing.\n";
  if (!account.missing.empty()) {
    text += fmt::format("this build has no row {}: what needs it is left out\n",
                        fmt::join(account.missing, ", "));
  }
  for (const CardAccount& card : account.cards) text += card_text(card);
  if (!account.cards.empty()) text += hypotheses_text(account.cards);
  return text;
}

}  // namespace agpusim::statistics_experiment
