#include "engine/buffer_name.h"

#include <algorithm>
#include <tuple>

#include "engine/state.h"

namespace offgrid::emu {
namespace {

/// The allocation as one of its names sees it.
struct View {
  std::string name;         ///< without quotes; empty: the allocation has only its number
  std::uintptr_t base = 0;  ///< element 0
  std::size_t size = 1;
  bool has_elements = false;  ///< else bytes are counted
  std::string shape;
};

std::string number_of(const Allocation& a) { return "allocation #" + std::to_string(a.id); }

std::string quoted(const std::string& name) { return "`" + name + "`"; }

bool lies_in(const KernelArgument& p, const Allocation& a) { return p.value >= a.begin && p.value < a.end(); }

View own_view(const Allocation& a) {
  View view{a.name, a.begin, std::max<std::size_t>(a.shape.element_bytes, 1), !a.shape.dims.empty(), ""};
  if (!view.has_elements) {
    view.shape = std::to_string(a.bytes) + " bytes";
    return view;
  }
  for (const Shape::Dimension& d : a.shape.dims) {
    view.shape += view.shape.empty() ? a.shape.element + "[" : ", ";
    view.shape += (d.name.empty() ? "" : d.name + " ") + std::to_string(d.size);
  }
  view.shape += "]";
  return view;
}

View parameter_view(const KernelArgument& p, const Allocation& a) {
  View view{p.name, p.value, p.pointee_bytes, p.has_elements, ""};
  const std::size_t rest = a.end() - p.value;
  view.shape = std::to_string(rest) + " bytes";
  if (p.has_elements) {
    view.shape = p.pointee + "[" + std::to_string(rest / p.pointee_bytes) + "]";
    if (const std::size_t odd = rest % p.pointee_bytes) view.shape += " and " + std::to_string(odd) + " bytes";
  }
  if (p.value != a.begin) {
    view.shape += " at byte " + std::to_string(p.value - a.begin) + " of ";
    view.shape += a.name.empty() ? number_of(a) : quoted(a.name);
  }
  return view;
}

/// The parameter whose name the allocation takes, or null.
const KernelArgument* choose(const std::vector<KernelArgument>& arguments, const Allocation& a,
                             std::uintptr_t address) {
  const auto rank = [&](const KernelArgument& p) {
    return std::tuple(p.value != a.begin, !p.is_pointer, address - p.value);
  };
  const KernelArgument* best = nullptr;
  for (const KernelArgument& p : arguments) {
    if (p.name.empty() || !lies_in(p, a) || (p.value != a.begin && p.value > address)) continue;
    if (!best || rank(p) < rank(*best)) best = &p;
  }
  return best;
}

/// The declared pointers that begin closest before the address, or closest behind it.
std::vector<const KernelArgument*> closest(const std::vector<KernelArgument>& arguments, const Allocation& a,
                                           std::uintptr_t address) {
  const auto rank = [&](const KernelArgument& p) {
    return p.value <= address ? std::pair(false, address - p.value) : std::pair(true, p.value - address);
  };
  std::vector<const KernelArgument*> found;
  for (const KernelArgument& p : arguments) {
    if (p.name.empty() || !p.is_pointer || !lies_in(p, a)) continue;
    if (!found.empty() && rank(p) < rank(*found.front())) found.clear();
    if (found.empty() || rank(p) == rank(*found.front())) found.push_back(&p);
  }
  return found;
}

/// "[pages 40, slot 0, d 0]", or nothing if there are no two dimensions. Past the end, the outermost goes on.
std::string coordinates(const Shape& shape, std::size_t index) {
  std::string text;
  for (std::size_t i = shape.dims.size(); i-- > 0;) {
    const Shape::Dimension& d = shape.dims[i];
    const std::size_t size = std::max<std::size_t>(d.size, 1);
    const std::size_t coordinate = i == 0 ? index : index % size;
    index /= size;
    text = (i == 0 ? "[" : ", ") + (d.name.empty() ? "" : d.name + " ") + std::to_string(coordinate) + text;
  }
  return shape.dims.size() < 2 ? "" : text + "]";
}

/// The bytes as element numbers of a view.
struct Range {
  std::ptrdiff_t first = 0, last = 0;
  std::size_t offset = 0;  ///< of the first byte in its element

  Range(const View& view, std::uintptr_t address, std::size_t bytes) {
    const auto size = static_cast<std::ptrdiff_t>(view.size);
    const auto distance = static_cast<std::ptrdiff_t>(address - view.base);
    const auto below = [&](std::ptrdiff_t d) { return d >= 0 ? d / size : -((size - 1 - d) / size); };
    first = below(distance);
    last = below(distance + static_cast<std::ptrdiff_t>(std::max<std::size_t>(bytes, 1)) - 1);
    offset = static_cast<std::size_t>(distance - first * size);
  }
  std::string numbers() const { return std::to_string(first) + (last == first ? "" : ".." + std::to_string(last)); }
  /// "byte 2 of " if that is where the bytes begin, inside one element.
  std::string inside() const { return last == first && offset ? "byte " + std::to_string(offset) + " of " : ""; }
};

std::string element_text(const View& view, const Range& range) {
  const std::string unit = view.has_elements ? "element" : "byte";
  return range.inside() + unit + (range.last == range.first ? " " : "s ") + range.numbers();
}

std::string sentence_of(const View& view, std::uintptr_t address, std::size_t bytes) {
  return element_text(view, Range(view, address, bytes)) + " of " + quoted(view.name) + ", which is " + view.shape;
}

/// The allocation under the name that `p` gives it, if it has none; with the types of `p`, if it has none.
View named_view(const Allocation& a, const KernelArgument* p) {
  View own = own_view(a);
  if (!p) return own;
  View theirs = parameter_view(*p, a);
  if (p->value != a.begin) return a.name.empty() ? theirs : own;
  if (!own.has_elements) std::swap(own, theirs);
  own.name = a.name.empty() ? p->name : a.name;
  return own;
}

}  // namespace

std::string BufferName::sentence() const { return element + " of " + name + ", which is " + shape + ", " + memory; }

BufferName name_of_buffer(const std::vector<KernelArgument>& arguments, const Allocation& allocation,
                          std::uintptr_t address, std::size_t bytes) {
  const KernelArgument* chosen = choose(arguments, allocation, address);
  const View view = named_view(allocation, chosen);
  const Range range(view, address, bytes);
  BufferName name;
  name.name = view.name.empty() ? number_of(allocation) : quoted(view.name);
  name.element = element_text(view, range);
  if (view.base == allocation.begin && range.first == range.last && range.first >= 0) {
    const std::string place = coordinates(allocation.shape, static_cast<std::size_t>(range.first));
    if (!place.empty()) name.element += " = " + place;
  }
  name.shape = view.shape;
  name.memory = allocation.kind == MemoryKind::kDevice ? "global memory" : "host-visible memory";
  name.item = view.has_elements && !view.name.empty() ? range.inside() + quoted(view.name + "[" + range.numbers() + "]")
                                                      : element_text(view, range) + " of " + name.name;
  for (const KernelArgument* p : closest(arguments, allocation, address)) {
    const bool told = p == chosen && quoted(p->name) == name.name;
    const bool same_as_own = !allocation.name.empty() && p->value == allocation.begin;
    if (!told && !same_as_own) name.also.push_back(sentence_of(parameter_view(*p, allocation), address, bytes));
  }
  return name;
}

BufferName name_of_buffer(const LaunchState& launch, const Allocation& allocation, std::uintptr_t address,
                          std::size_t bytes) {
  return name_of_buffer(kernel_arguments(*launch.kernel, launch.closure), allocation, address, bytes);
}

void describe_buffer(Finding& finding, const BufferName& name, const Allocation& allocation) {
  finding.notes.push_back(name.sentence());
  for (const std::string& other : name.also) finding.notes.push_back("this is also " + other);
  if (allocation.site.file || allocation.site_pc)
    finding.sites.push_back({"allocated", allocation.site, allocation.site_pc, ""});
}

}  // namespace offgrid::emu
