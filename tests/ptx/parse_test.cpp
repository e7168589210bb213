// What the parser of PTX makes of each form that a text may have, and what it refuses.
#include <bit>

#include "agpusim/ptx/text/module.hpp"
#include "agpusim/tests/ptx/fixtures.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::ptx {
namespace {

using Kind = Operand::Kind;

Module parsed(const std::string& text) { return Module::parse(text, "test.ptx"); }

/// A kernel f of this body, whose first line is line 2.
Module kernel(const std::string& body) {
  return parsed(".visible .entry f(.param .u64 in, .param .align 8 .b8 all[24]) {\n" + body +
                "\n}");
}

const Function& only(const Module& module) {
  REQUIRE(module.functions().size() == 1);
  return module.functions()[0];
}

/// The operands of the first instruction of this body.
std::vector<Operand> operands(const std::string& body) {
  static std::vector<Module> kept;  // they hold the names
  kept.push_back(kernel(".reg .b32 %r<9>; .reg .pred %p<3>; .reg .b64 %rd<3>;\n" + body));
  return only(kept.back()).body.at(0).operands;
}

std::string message(const std::string& text) {
  try {
    static_cast<void>(parsed(text));
  } catch (const PtxError& error) {
    CHECK(std::string(error.what()).starts_with("line " + std::to_string(error.line) + ": "));
    return error.what();
  }
  return "";
}

/// Message on a kernel of this body.
std::string body_message(const std::string& body) {
  return message(".entry f() {\n" + body + "\n}");
}

std::string link_message(const std::vector<std::string>& texts) {
  std::vector<Module> modules;
  for (const std::string& text : texts) modules.push_back(parsed(text));
  try {
    static_cast<void>(Module::link(std::move(modules)));
  } catch (const PtxError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::uint8_t> initial(const Variable& variable) {
  std::vector<std::uint8_t> bytes;
  for (const std::byte each : variable.initial)
    bytes.push_back(std::to_integer<std::uint8_t>(each));
  return bytes;
}

using Bytes = std::vector<std::uint8_t>;

TEST_CASE("PTX: types have names and sizes", "[ptx]") {
  CHECK(type_named("u32") == Type::u32);
  CHECK(type_named("bf16x2") == Type::bf16x2);
  CHECK(type_named("") == Type::none);
  CHECK(type_named("texref") == Type::none);
  CHECK(to_string(Type::s16) == "s16");
  CHECK(bytes_of(Type::b128) == 16);
  CHECK(bytes_of(Type::none) == 0);
}

TEST_CASE("PTX: a header, a file, sections and comments", "[ptx]") {
  const Module module = parsed(
      "// comment\n.version 8.4\n.target sm_90, debug\n.address_size 64 /* two\nlines */\n"
      ".file 7 \"folder/reduce.cu\", 12, 34\n.pragma \"nounroll\";\n"
      ".section .debug_str { $L: .b8 1,2 { } .b64 a-b }\n.entry f { .loc 7 12 1 ret; }");
  CHECK(module.name() == "test.ptx");
  CHECK(module.file(7) == "folder/reduce.cu");
  CHECK(module.file(0).empty());
  CHECK(module.kernels() == std::vector<std::string>{"f"});
  CHECK(only(module).sites.at(0).at == Location{7, 12, 1});
  CHECK(only(module).body.at(0).line == 9);
  CHECK(parsed("").functions().empty());
  CHECK(message(".address_size 32") == "line 1: addresses of 64 bits only are supported");
}

TEST_CASE("PTX: variables", "[ptx]") {
  const Module module = parsed(
      ".visible .global .align 16 .b8 a[40];\n.const .v4 .f32 v;\n.weak .shared .u16 m[2][3], n;\n"
      ".extern .shared .align 8 .b8 dynamic[];\n.common .global .u32 c;\n"
      ".global .attribute(.managed) .s64 managed;\n.local .f16x2 l;");
  REQUIRE(module.variables().size() == 8);
  const Variable& a = *module.variable("a");
  CHECK((a.space == Space::global && a.type == Type::b8 && a.alignment == 16 && a.bytes == 40));
  CHECK((a.is_visible && !a.is_weak && !a.is_extern && a.line == 1 && a.initial.empty()));
  const Variable& v = *module.variable("v");
  CHECK((v.space == Space::constant && v.alignment == 16 && v.bytes == 16 && !v.is_visible));
  CHECK(module.variable("m")->bytes == 12);
  CHECK(module.variable("m")->is_weak);
  CHECK(module.variable("n")->bytes == 2);
  CHECK(module.variable("dynamic")->is_extern);
  CHECK(module.variable("dynamic")->bytes == 0);
  CHECK(module.variable("c")->is_weak);
  CHECK(module.variable("managed")->bytes == 8);
  CHECK(module.variable("l")->space == Space::local);
  CHECK(module.variable("other") == nullptr);
}

TEST_CASE("PTX: initial values", "[ptx]") {
  const Module module = parsed(
      ".global .u32 hex = 0x1F, octal = 017, binary = 0b101, unsigned = 7U, minus = -2;\n"
      ".global .f32 single = 0f3F800000, narrowed = 0d4000000000000000, decimal = -1.5e0;\n"
      ".global .f64 twice = 0d3FF0000000000000, widened = 2;\n"
      ".global .b8 open[] = {1, 2, 255, -128};\n"
      ".global .u8 rows[][2] = {{1}, {2, 3}};\n.global .u8 flat[2][2] = {1, 2, 3};\n"
      ".global .v2 .u16 pairs[2] = {{1, 2}, {3}};\n");
  const auto bytes = [&](std::string_view name) { return initial(*module.variable(name)); };
  CHECK(bytes("hex") == Bytes{31, 0, 0, 0});
  CHECK(bytes("octal") == Bytes{15, 0, 0, 0});
  CHECK(bytes("binary") == Bytes{5, 0, 0, 0});
  CHECK(bytes("unsigned") == Bytes{7, 0, 0, 0});
  CHECK(bytes("minus") == Bytes{254, 255, 255, 255});
  CHECK(bytes("single") == Bytes{0, 0, 128, 63});
  CHECK(bytes("narrowed") == Bytes{0, 0, 0, 64});
  CHECK(bytes("decimal") == Bytes{0, 0, 192, 191});
  CHECK(bytes("twice") == Bytes{0, 0, 0, 0, 0, 0, 240, 63});
  CHECK(bytes("widened") == Bytes{0, 0, 0, 0, 0, 0, 0, 64});
  CHECK(bytes("open") == Bytes{1, 2, 255, 128});
  CHECK(module.variable("open")->bytes == 4);
  CHECK(bytes("rows") == Bytes{1, 0, 2, 3});
  CHECK(module.variable("rows")->bytes == 4);
  CHECK(bytes("flat") == Bytes{1, 2, 3});
  CHECK(module.variable("flat")->bytes == 4);
  CHECK(bytes("pairs") == Bytes{1, 0, 2, 0, 3, 0});
}

TEST_CASE("PTX: addresses as initial values", "[ptx]") {
  const Module module = parsed(
      ".global .u32 a;\n.global .u64 p[3] = {a, generic(a)+8, a - 4};\n"
      ".global .u8 m[2] = {0xFF00(generic(a)), 0xFF(a+1)};\n.func f;");
  const auto& p = module.variable("p")->relocations;
  REQUIRE(p.size() == 3);
  CHECK((p[0].offset == 0 && p[0].symbol == "a" && p[0].addend == 0 && !p[0].generic));
  CHECK((p[1].offset == 8 && p[1].symbol == "a" && p[1].addend == 8 && p[1].generic));
  CHECK((p[2].offset == 16 && p[2].addend == -4 && p[2].bytes == 8 && p[2].mask == ~0ULL));
  const auto& m = module.variable("m")->relocations;
  REQUIRE(m.size() == 2);
  CHECK((m[0].generic && m[0].mask == 0xFF00 && m[0].bytes == 1));
  CHECK((!m[1].generic && m[1].mask == 0xFF && m[1].offset == 1 && m[1].addend == 1));
}

TEST_CASE("PTX: the heads of functions", "[ptx]") {
  const Module module = parsed(
      ".visible .entry k(\n.param .u64 .ptr .global .align 4 p,\n.param .align 8 .b8 s[24],\n"
      ".param .v2 .f32 v\n)\n.maxntid 8, 4, 2\n.minnctapersm 2\n.maxnreg 32\n{ ret; }\n"
      ".entry e .reqntid 64 .reqnctapercluster 2, 1, 1 .explicitcluster { }\n"
      ".weak .func (.param .b32 r) g (.param .b32 x, .param .b8 rest[]) .noreturn { ret; }\n"
      ".extern .func h(.param .b64 _, .param .b64 _);\n.func (.reg .u32 r) old(.reg .u32 x) {\n"
      "add.u32 r, x, 1; ret; }");
  const Function& k = *module.function("k");
  CHECK((k.is_kernel && k.is_visible && !k.is_extern && k.line == 1));
  CHECK((k.max_threads == 64 && !k.exact_threads));
  CHECK(k.threads == std::vector<std::uint32_t>{8, 4, 2});
  REQUIRE((k.results == 0 && k.parameters == 3));
  CHECK((k.variables[0].space == Space::param && k.variables[0].type == Type::u64));
  CHECK((k.variables[0].alignment == 8 && k.variables[0].bytes == 8));
  CHECK((k.variables[1].alignment == 8 && k.variables[1].bytes == 24));
  CHECK((k.variables[2].alignment == 8 && k.variables[2].bytes == 8));
  const Function& e = *module.function("e");
  CHECK((e.exact_threads && e.max_threads == 64 && !e.is_visible && e.body.empty()));
  CHECK(e.cluster == std::vector<std::uint32_t>{2, 1, 1});
  const Function& g = *module.function("g");
  CHECK((!g.is_kernel && g.is_weak && g.results == 1 && g.parameters == 2));
  CHECK(g.variables[2].bytes == 0);
  CHECK((module.function("h")->is_extern && module.function("h")->parameters == 2));
  const Function& old = *module.function("old");
  CHECK((old.registers.size() == 2 && old.variables[0].space == Space::reg));
  CHECK((old.body.at(0).operands[0].index == 0 && old.body[0].operands[1].index == 1));
}

TEST_CASE("PTX: a definition stands for its declarations", "[ptx]") {
  const Module module = parsed(
      ".func f(.param .b32 a);\n.extern .global .u32 x;\n.entry k() { call f, (1); ret; }\n"
      ".visible .global .u32 x = 3;\n.func f(.param .b32 b) { ret; }\n.extern .func f(.param .b32 "
      "c);\n"
      ".func g(.param .b32 a);\n.alias g, f;");
  CHECK(module.functions().size() == 3);
  CHECK(module.function("f")->body.size() == 1);
  CHECK(module.function("g") == module.function("f"));
  CHECK(!module.variable("x")->is_extern);
  CHECK(module.variables().size() == 1);
}

TEST_CASE("PTX: registers exist once they are named", "[ptx]") {
  const Module module = kernel(
      ".reg .b32 %r<44>, a; .reg .pred %p<2>;\n.reg .v2 .f32 v;\n"
      "mov.b32 %r7, a; mov.b32 v.y, %r7; mov.v2.f32 v, {v.x, v.g};\n@!%p1 bra end; end: ret;");
  const Function& f = only(module);
  REQUIRE(f.registers.size() == 5);
  CHECK((f.registers[0].name == "a" && f.registers[0].type == Type::b32));
  CHECK((f.registers[1].name == "v" && f.registers[1].type == Type::f32));
  CHECK((f.registers[3].name == "%r7" && f.registers[4].type == Type::pred));
  CHECK(f.body[0].operands[0].index == 3);
  CHECK(f.body[1].operands[0].index == 2);
  const Operand& whole = f.body[2].operands[0];
  REQUIRE((whole.kind == Kind::vector && whole.elements.size() == 2));
  CHECK((whole.elements[0].index == 1 && whole.elements[1].index == 2));
  CHECK(f.body[2].operands[1].elements[1].index == 2);
  CHECK((f.body[3].guard == 4 && f.body[3].guard_negated && f.body[4].guard == -1));
  CHECK(f.body[4].opcode == "ret");
}

TEST_CASE("PTX: operands", "[ptx]") {
  auto all = operands("add.u32 %r1, %tid.x, -3;");
  CHECK((all[0].kind == Kind::reg && all[1].kind == Kind::special && all[1].name == "%tid.x"));
  CHECK((all[2].kind == Kind::integer && all[2].bits == ~std::uint64_t{2}));
  all =
      operands("x %clock64, WARP_SZ, 0f3F800000, 0d3FF0000000000000, 0.5, 0xFFFFFFFFFFFFFFFF, _;");
  CHECK((all[0].kind == Kind::special && all[1].kind == Kind::special));
  CHECK((all[2].kind == Kind::floating && all[2].single && all[2].bits == 0x3F800000));
  CHECK((all[3].kind == Kind::floating && !all[3].single));
  CHECK(all[3].bits == std::bit_cast<std::uint64_t>(1.0));
  CHECK(all[4].bits == std::bit_cast<std::uint64_t>(0.5));
  CHECK((all[5].bits == ~std::uint64_t{0} && all[6].kind == Kind::sink));
  all = operands("x [%rd1+8], [%rd1+-8], [%rd1-4], [%rd1], [in+4], [16], [%rd1, {%r1, %r2}];");
  for (const Operand& each : all) CHECK(each.kind == Kind::address);
  CHECK((all[0].offset == 8 && all[0].elements[0].kind == Kind::reg));
  CHECK(all[0].elements[0].offset == 0);
  CHECK((all[1].offset == -8 && all[2].offset == -4 && all[3].offset == 0));
  CHECK((all[4].elements[0].kind == Kind::variable && all[4].offset == 4));
  CHECK((all[5].elements[0].kind == Kind::integer && all[5].elements[0].bits == 16));
  CHECK((all[6].elements.size() == 2 && all[6].elements[1].kind == Kind::vector));
  all = operands("x {%r1, _, 3}, %p1|%p2, !%p1, (%r1, in), all+8, ();");
  CHECK((all[0].kind == Kind::vector && all[0].elements[1].kind == Kind::sink));
  CHECK((all[1].kind == Kind::pair && all[1].elements.size() == 2));
  CHECK((all[2].kind == Kind::reg && all[2].negated && !all[1].elements[0].negated));
  CHECK((all[3].kind == Kind::group && all[3].elements[1].kind == Kind::variable));
  CHECK((all[4].kind == Kind::variable && all[4].index == 1 && all[4].offset == 8));
  CHECK((all[5].kind == Kind::group && all[5].elements.empty()));
}

TEST_CASE("PTX: symbols of the module", "[ptx]") {
  const Module module = parsed(
      ".entry f() { .reg .b64 r; mov.u64 r, table+4; ld.global.u32 r, [table+12]; mov.u64 r, g; }\n"
      ".global .u32 table[9];\n.func g() { ret; }");
  const auto& body = module.function("f")->body;
  CHECK((body[0].operands[1].kind == Kind::symbol && body[0].operands[1].name == "table"));
  CHECK(body[0].operands[1].offset == 4);
  CHECK((body[1].operands[1].elements[0].name == "table" && body[1].operands[1].offset == 12));
  CHECK(body[2].operands[1].name == "g");
}

TEST_CASE("PTX: opcodes are kept whole", "[ptx]") {
  const Module module = kernel(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [in], [in];\n"
      "ld.global.L2::128B.v4.f32 _, [in]; mul24.lo.u32 _, 1, 2;");
  const auto& body = only(module).body;
  CHECK(body[0].opcode == "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes");
  CHECK(body[1].opcode == "ld.global.L2::128B.v4.f32");
  CHECK(body[2].opcode == "mul24.lo.u32");
}

TEST_CASE("PTX: labels are known in all of their scope", "[ptx]") {
  const Module module = kernel(
      "begin: bra end;\n{ bra begin; bra end; { bra inner; } inner: bra.uni inner; }\n"
      "{ inner: bra inner; begin: bra begin; }\nend:");
  const auto& body = only(module).body;
  const std::vector<std::uint32_t> targets = {7, 0, 7, 4, 4, 5, 6};
  REQUIRE(body.size() == targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    CHECK(body[i].operands[0].kind == Kind::label);
    CHECK(body[i].operands[0].index == targets[i]);
  }
}

TEST_CASE("PTX: tables of targets, and calls with their prototypes", "[ptx]") {
  const Module module = parsed(
      ".func (.param .b32 r) g(.param .b32 a) { ret; }\n.func h() { ret; }\n"
      ".entry f() { .reg .b64 %rd<2>; .reg .b32 i;\n"
      "ts: .branchtargets one, two,\none;\none: brx.idx i, ts;\ntwo: ret;\n"
      "{ .param .b32 retval0; .param .b32 param0;\ncall.uni (retval0),\ng,\n(\nparam0\n)\n;\n"
      "p : .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _) .noreturn;\n"
      "call (retval0), %rd1, (param0), p; call h; call g, (param0); }\n}");
  const Function& f = *module.function("f");
  REQUIRE(f.tables.size() == 1);
  CHECK(f.tables[0] == std::vector<std::uint32_t>{0, 1, 0});
  CHECK((f.body[0].operands[1].kind == Kind::table && f.body[0].operands[1].index == 0));
  const auto& call = f.body[2].operands;
  REQUIRE(call.size() == 3);
  CHECK((call[0].kind == Kind::group && call[0].elements[0].index == 0));
  CHECK((call[1].kind == Kind::symbol && call[1].name == "g"));
  CHECK((call[2].kind == Kind::group && call[2].elements[0].index == 1));
  REQUIRE(f.prototypes.size() == 1);
  CHECK((f.prototypes[0].results.size() == 1 && f.prototypes[0].parameters.size() == 2));
  CHECK((f.body[3].operands[1].kind == Kind::reg && f.body[3].operands[3].kind == Kind::table));
  CHECK((f.body[4].operands.size() == 1 && f.body[4].operands[0].name == "h"));
  CHECK(f.body[5].operands.size() == 2);
}

TEST_CASE("PTX: an inner scope hides names of the outer", "[ptx]") {
  const Module module = kernel(
      ".reg .b32 a; .reg .b32 %r<3>;\nmov.b32 a, %r1;\n"
      "{ .reg .b64 a; .reg .b64 %r<2>; .param .b32 in; mov.b64 a, %r1; mov.b64 %r2, in; }\n"
      "{ .reg .f32 a; .pragma \"nounroll\"; mov.b32 a, in; }\nmov.b32 a, %r1;");
  const Function& f = only(module);
  const auto type = [&](std::size_t statement, std::size_t operand) {
    return f.registers[f.body[statement].operands[operand].index].type;
  };
  CHECK((type(0, 0) == Type::b32 && type(0, 1) == Type::b32));
  CHECK((type(1, 0) == Type::b64 && type(1, 1) == Type::b64));
  CHECK(type(2, 0) == Type::b32);
  CHECK(f.body[2].operands[1].index == 2);
  CHECK(type(3, 0) == Type::f32);
  CHECK(f.body[3].operands[1].index == 0);
  CHECK(f.body[4].operands[1].index == f.body[0].operands[1].index);
  REQUIRE(f.variables.size() == 3);
  CHECK(f.variables[2].space == Space::param);
}

TEST_CASE("PTX: errors of declarations name their line", "[ptx]") {
  CHECK(message("\n\nfoo") == "line 3: expected a directive");
  CHECK(message(".global .u32 x") == "line 1: expected ; before the end");
  CHECK(message(".global .u32 x\n.global .u32 y;") == "line 1: expected ; before '.global'");
  CHECK(message("\n.nothing x;") == "line 2: unknown directive .nothing");
  CHECK(message(".global .texref t;") == "line 1: .texref is not a type that is supported");
  CHECK(message(".global .pred p;") == "line 1: a predicate is in a register only");
  CHECK(message(".global .b8 a[];") == "line 1: the array a has no size");
  CHECK(message(".global .b8 a[0];") == "line 1: an array without elements");
  CHECK(message(".global .b8 a[2] = {1, 2,\n3};") ==
        "line 2: a has more initial values than elements");
  CHECK(message(".global .u8 a = 256;") == "line 1: an initial value of a does not fit its type");
  CHECK_THAT(message(".global .u32 a = 0d3FF0000000000000;"), says("does not fit"));
  CHECK(message(".global .u64 a = 18446744073709551616;") ==
        "line 1: '18446744073709551616' is out of range");
  CHECK(message(".global .u64 a = 0d12;") == "line 1: '0d12' has not 16 digits");
  CHECK(message(".global .u64 a = 0xZ;") == "line 1: '0xZ' is not a number");
  CHECK(message(".global .u64 a = -9223372036854775809;") ==
        "line 1: -9223372036854775809 is out of range");
  CHECK(message(".global .b8 a[1099511627777];") == "line 1: 1099511627777 is out of range");
  CHECK(message(".global .b32 a[549755813888];") == "line 1: a has more than 2^40 bytes");
  CHECK(message(".global .b8 a[1048576][2097152];") == "line 1: a has more than 2^40 bytes");
  CHECK(message(".global .b8 a[3][268435456] = {{1}, {1}};") ==
        "line 1: more than 2^28 bytes of initial values");
  CHECK(message(".global .align 3 .b8 a;") ==
        "line 1: an alignment of 3 bytes is not a power of 2");
  CHECK(message(".global .u64 a = b;") == "line 1: unknown name b");
  CHECK(message(".global .u16 a = a;") == "line 1: an address does not fit in 2 bytes");
  CHECK(message(".global .u32 a;\n.global .u32 a;") == "line 2: a is defined twice");
  CHECK(message(".global .u32 a;\n.func a() { }") == "line 2: a is a variable already");
  CHECK(message(".func a() { }\n.func a() { }") == "line 2: a is defined twice");
  CHECK(message(".func a();\n.alias b, a;") == "line 2: a is no function of this file");
  CHECK(message(".entry a .maxntid 65536, 65536 { }") == "line 1: too many threads");
  CHECK(message("\n/* no end") == "line 2: a comment without end");
  CHECK(message(".file 1 \"no end\n\"") == "line 1: a string without end");
  CHECK(message("\x80") == "line 1: a byte of value 128 is no part of PTX");
  CHECK(message(".section .debug_str {") == "line 1: a section without its }");
}

TEST_CASE("PTX: errors of bodies name their line", "[ptx]") {
  CHECK(body_message("\nadd 1") == "line 3: expected ; before '}'");
  CHECK(body_message(".reg .b32 a;\n@a ret;") == "line 3: the guard a is not a predicate");
  CHECK(body_message("@b ret;") == "line 2: the guard b is not a predicate");
  CHECK(body_message("bra nowhere;") == "line 2: unknown label nowhere");
  CHECK(body_message("{ l: }\nbra l;") == "line 3: unknown label l");
  CHECK(body_message("mov.b32 _, x;") == "line 2: unknown name x");
  CHECK(body_message("st.b32 [x], 1;") == "line 2: unknown name x");
  CHECK(body_message("ts: .branchtargets a;") == "line 2: unknown label a");
  CHECK(body_message("ts: .branchtargets ts;") == "line 2: ts is not a label");
  CHECK(body_message("ts: .calltargets f;") == "line 2: .calltargets is not supported");
  CHECK(body_message("l: l: ret;") == "line 2: l is declared twice");
  CHECK(body_message(".reg .b32 a;\n.reg .b32 a;") == "line 3: a is declared twice");
  CHECK(body_message(".reg .b32 a<2>;\n.reg .b32 a<2>;") == "line 3: a is declared twice");
  CHECK(body_message(".reg .b32 %r<4000000000>;") ==
        "line 2: a function of more than 2^20 registers");
  CHECK(body_message(".reg .b32 %r<1048576>, a;") ==
        "line 2: a function of more than 2^20 registers");
  CHECK(body_message("add 1, ;") == "line 2: expected an operand before ';'");
  CHECK(body_message("add [];") == "line 2: an empty address");
  CHECK(body_message("add {};") == "line 2: an empty vector");
  CHECK(body_message("add " + std::string(100000, '{') + ";") ==
        "line 2: more than 8 brackets in one another");
  CHECK(body_message(std::string(100000, '{')) == "line 2: more than 100 scopes in one another");
  CHECK(body_message(".local .b8 a[];") == "line 2: the array a has no size");
  CHECK(message(".entry f() {\nret;\n{") == "line 3: a { without its }");
  CHECK(body_message(".entry g() { }") == "line 2: unknown directive .entry");
}

TEST_CASE("PTX: modules are linked by name", "[ptx]") {
  std::vector<Module> modules;
  modules.push_back(
      parsed(".file 1 \"a.cu\"\n.extern .func g();\n.extern .global .u32 shared_x;\n"
             ".extern .shared .align 4 .b8 d[];\n.extern .func vprintf();\n.global .u32 own = 1;\n"
             ".func local() { .loc 1 3 1 ret; }\n.weak .func w() { ret; }\n"
             ".visible .entry k() { .loc 1 5 1 call g; call local; st.u32 [own], 1; }"));
  modules.push_back(parsed(
      ".file 1 \"b.cu\"\n.file 2 \"a.cu\"\n.extern .shared .align 16 .b8 d[];\n"
      ".extern .func vprintf();\n.global .u32 own = 2;\n.visible .global .u32 shared_x;\n"
      ".func local() { .loc 2 4 1 ret; }\n.visible .func w() { ret; ret; }\n"
      ".global .u64 p = own;\n.func h();\n.alias h, local;\n"
      ".visible .func g() { .loc 1 6 1 call local; call h; st.u32 [own], 2; call vprintf; }"));
  const Module module = Module::link(std::move(modules));
  CHECK(module.kernels() == std::vector<std::string>{"k"});
  CHECK(module.function("w")->body.size() == 2);
  CHECK(!module.variable("shared_x")->is_extern);
  CHECK(module.variable("d")->alignment == 16);
  CHECK(module.function("vprintf")->is_extern);
  const Function& k = *module.function("k");
  const Function& g = *module.function("g");
  CHECK((k.body[1].operands[0].name == "local" && g.body[0].operands[0].name == "local$1"));
  CHECK(g.body[2].operands[0].elements[0].name == "own$1");
  CHECK(initial(*module.variable("own")) == Bytes{1, 0, 0, 0});
  CHECK(initial(*module.variable("own$1")) == Bytes{2, 0, 0, 0});
  CHECK(module.variable("p")->relocations[0].symbol == "own$1");
  CHECK(module.function("h") == module.function("local$1"));
  CHECK(module.file(k.sites.at(0).at.file) == "a.cu");
  CHECK(module.file(g.sites.at(0).at.file) == "b.cu");
  CHECK(module.file(module.function("local$1")->sites.at(0).at.file) == "a.cu");
  CHECK(module.functions().size() == 6);
}

TEST_CASE("PTX: what cannot be linked", "[ptx]") {
  const std::string f = "\n.visible .func f() { ret; }";
  CHECK(link_message({f, f}) == "line 2: f is defined in another module too");
  CHECK(link_message({f, "\n.weak .func f() { ret; }", ".func f() { }"}).empty());
  CHECK(link_message({"\n.extern .func f();", ".func f() { }"}).empty());  // its calls are refused
  CHECK(link_message({"\n.extern .global .u32 x;"}) == "line 2: x is declared and defined nowhere");
  CHECK(link_message({f, "\n\n.visible .global .u32 f;"}) ==
        "line 3: f is a function in another module");
  CHECK(link_message(
            {".extern .func malloc();", ".common .global .u32 c;", ".common .global .u32 c;"})
            .empty());
}

TEST_CASE("PTX: what compilers write is parsed", "[ptx]") {
  std::vector<Module> modules;
  for (const std::string& name : fixture_names()) {
    INFO(name);
    modules.push_back(Module::parse(fixture(name), name));
    CHECK(!modules.back().kernels().empty());
    for (const Function& function : modules.back().functions()) {
      if (function.is_extern) continue;
      for (const Statement& each : function.body) CHECK(each.site > 0);
    }
  }
  const Module module = Module::link(std::move(modules));
  const Function* const transform = module.function("_Z9transformIiEvPKT_PS0_i");
  REQUIRE(transform != nullptr);
  std::vector<Location> sites;
  for (const Statement& each : transform->body) {
    if (each.opcode != "shl.b32" && each.opcode != "max.s32") continue;
    sites.push_back(transform->sites[each.site - 1].at);
  }
  REQUIRE(sites.size() == 2);
  CHECK(module.file(sites[0].file) == "tests/ptx/fixtures/inlined.cu");
  CHECK(sites[0].line == 4);
  CHECK(module.file(sites[1].file) == "tests/ptx/fixtures/inlined.cuh");
  CHECK(module.function("tables")->tables.at(0).size() == 3);
  CHECK(module.variable("head")->relocations.size() == 2);
}

}  // namespace
}  // namespace agpusim::ptx
