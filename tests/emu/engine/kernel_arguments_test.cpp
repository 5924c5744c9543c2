// What a launch's arguments look like to reports.
#include "engine/kernel_arguments.h"

#include <offgrid/emu/device/device.h>
#include <offgrid/emu/kernel_entry.h>

#include "catch.h"

using namespace offgrid::emu;

namespace {

struct Opaque;
enum class Mode { kOne };
struct Parameters {
  float* out;
  int rows, columns;
  const double* in;
};
class NotTrivial {
 public:
  explicit NotTrivial(int* data) : data_(data) {}
  NotTrivial(const NotTrivial& other) : tag_(other.tag_), data_(other.data_) {}

 private:
  char tag_ = 1;
  int* data_;
};

#define TEST_KERNEL(list, ...) \
  enter_kernel({__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 0, 0, list}, [](auto...) -> void {}, __VA_ARGS__)

[[gnu::noinline]] void pointers(int n, const float* __restrict__ in, unsigned* out, void* raw, Opaque* opaque,
                                const double (*rows)[4], char** text, Mode mode) {
  TEST_KERNEL("n,in,out,raw,opaque,rows,text,mode", n, in, out, raw, opaque, rows, text, mode);
}
[[gnu::noinline]] void objects(Parameters p, NotTrivial view, std::uint64_t handle, long signed_number) {
  TEST_KERNEL("p,view,handle,signed_number", p, view, handle, signed_number);
}
template <class... Ts>
[[gnu::noinline]] void pack(int* first, Ts*... rest) {
  TEST_KERNEL("first,rest...", first, rest...);
}
template <class... Ts>
[[gnu::noinline]] void unnamed(int* offgrid_unnamed_0, int* named, Ts*... offgrid_unnamed_1) {
  TEST_KERNEL(",named,...", offgrid_unnamed_0, named, offgrid_unnamed_1...);
}
[[gnu::noinline]] void without_list(int* a) {
  enter_kernel({__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 0, 0}, [](int*) -> void {}, a);
}

KernelCall last_call;

/// The arguments of a call, seen as a launch of it sees them.
template <class Call>
std::vector<KernelArgument> arguments_of(Call call) {
  const SubmitFunction before = set_submit([](KernelCall c) {
    last_call = std::move(c);
    return LaunchError::kNone;
  });
  configure_launch({__FILE__, __LINE__}, 1, 1);
  call();
  set_submit(before);
  return kernel_arguments(*last_call.kernel, last_call.closure.get());
}

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void* at(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

TEST_CASE("KernelArguments.PointersWithTheirTypes") {
  const auto a = arguments_of([] {
    pointers(7, static_cast<float*>(at(0x1000)), static_cast<unsigned*>(at(0x2000)), at(0x3000),
             static_cast<Opaque*>(at(0x4000)), static_cast<const double(*)[4]>(at(0x5000)),
             static_cast<char**>(at(0x6000)), Mode::kOne);
  });
  REQUIRE(a.size() == 8);
  struct Row {
    const char *name, *pointee;
    std::uintptr_t value;
    std::size_t bytes;
    bool is_pointer, has_elements, is_const, is_restrict;
  };
  const Row rows[] = {{"n", "", 0, 1, false, false, false, false},
                      {"in", "float", 0x1000, 4, true, true, true, true},
                      {"out", "unsigned int", 0x2000, 4, true, true, false, false},
                      {"raw", "void", 0x3000, 1, true, false, false, false},
                      {"opaque", "Opaque", 0x4000, 1, true, false, false, false},
                      {"rows", "double", 0x5000, 8, true, true, true, false},
                      {"text", "char*", 0x6000, 8, true, true, false, false},
                      {"mode", "", 0, 1, false, false, false, false}};
  for (unsigned i = 0; i < 8; ++i) {
    const Row& want = rows[i];
    INFO(want.name);
    CHECK(a[i].index == i);
    CHECK(a[i].name == want.name);
    CHECK(a[i].pointee == want.pointee);
    CHECK(a[i].value == want.value);
    CHECK(a[i].pointee_bytes == want.bytes);
    CHECK(a[i].is_pointer == want.is_pointer);
    CHECK(a[i].has_elements == want.has_elements);
    CHECK(a[i].is_const == want.is_const);
    CHECK(a[i].is_restrict == want.is_restrict);
  }
}

TEST_CASE("KernelArguments.WordsOfObjectsAndNumbers") {
  int data = 0;
  const auto a = arguments_of([&] {
    objects({static_cast<float*>(at(0x1000)), 0, 0, static_cast<double*>(at(0x2000))}, NotTrivial(&data), 0x3000, 5);
  });
  REQUIRE(a.size() >= 5);  // the bytes behind NotTrivial::tag_ may be anything
  CHECK(a[0].name == "p+0");
  CHECK(a[0].value == 0x1000);
  CHECK_FALSE(a[0].is_pointer);
  CHECK(a[1].name == "p+16");  // the two numbers are null, as a word
  CHECK(a[1].value == 0x2000);
  CHECK(a[1].index == 0);
  const KernelArgument& view = a[a.size() - 3];
  CHECK(view.name == "view+8");
  CHECK(view.value == address_of(&data));
  CHECK(view.index == 1);
  CHECK(a[a.size() - 2].name == "handle");
  CHECK(a[a.size() - 2].value == 0x3000);
  CHECK(a.back().name == "signed_number");
  CHECK(a.back().value == 0);
}

TEST_CASE("KernelArguments.PacksAndUnnamedParameters") {
  int i = 0;
  float f = 0;
  const auto names = [](const std::vector<KernelArgument>& arguments) {
    std::string text;
    for (const KernelArgument& a : arguments) text += a.name + ":" + a.pointee + " ";
    return text;
  };
  CHECK(names(arguments_of([&] { pack(&i, &f, &i); })) == "first:int rest...[0]:float rest...[1]:int ");
  CHECK(names(arguments_of([&] { pack(&i); })) == "first:int ");
  CHECK(names(arguments_of([&] { unnamed(&i, &i, &f); })) == ":int named:int :float ");
  CHECK(names(arguments_of([&] { without_list(&i); })) == ":int ");
  arguments_of([&] { pack(&i, &f, &i); });
  KernelDescriptor two_packs = *last_call.kernel;
  two_packs.parameters = "first,as...,bs...";
  CHECK(names(kernel_arguments(two_packs, last_call.closure.get())) == "first:int :float :int ");
  CHECK(kernel_arguments(KernelDescriptor{}, nullptr).empty());
}

TEST_CASE("KernelArguments.ValuesAreTheLaunchsOwnCopy") {
  int* pointer = static_cast<int*>(at(0x1000));
  void* array[] = {&pointer};
  const KernelCall call = make_call(reinterpret_cast<const void*>(&pack<>), {}, array);
  REQUIRE(call.kernel);
  pointer = nullptr;
  const auto arguments = kernel_arguments(*call.kernel, call.closure.get());
  REQUIRE(arguments.size() == 1);
  CHECK(arguments[0].value == 0x1000);
}

TEST_CASE("KernelArguments.TypeNamesFromBothCompilersSpellings") {
  struct Row {
    const char *text, *name;
  };
  const Row row = GENERATE(Row{"const char *type_text() [T = float]", "float"},
                           Row{"constexpr const char* type_text() [with T = float]", "float"},
                           Row{"f() [with T = long long unsigned int]", "unsigned long long"},
                           Row{"f() [with T = short int]", "short"}, Row{"f() [T = float *]", "float*"},
                           Row{"f() [T = (anonymous namespace)::P]", "P"}, Row{"f() [with T = {anonymous}::P]", "P"},
                           Row{"f() [with T = a::B<int[2]>]", "a::B<int[2]>"},
                           Row{"f() [with T = std::pair<int, char>; x = int]", "std::pair<int, char>"});
  INFO(row.text);
  CHECK(type_name(row.text) == row.name);
}
