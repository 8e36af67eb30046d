// Mutations of JSON that leave it JSON, which those of bytes seldom do: libFuzzer calls
// LLVMFuzzerCustomMutator in place of its own. A third of the time its own are used.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Json = nlohmann::ordered_json;

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_()) % end; }

  void mutate(Json& root) {
    nodes_.clear();
    collect(root, nullptr);
    const std::size_t i = below(nodes_.size());
    Json& node = *nodes_[i].first;
    Json* parent = nodes_[i].second;
    switch (below(6)) {
      case 0:
        if (parent != nullptr) remove(*parent, node);
        break;
      case 1:
        if (parent != nullptr && parent->is_array()) {
          parent->push_back(Json(node));
          break;
        }
        [[fallthrough]];
      case 2:
        node = Json(*nodes_[below(nodes_.size())].first);
        break;
      case 3:
        node = some_value();
        break;
      default:
        change(node);
    }
  }

 private:
  void collect(Json& node, Json* parent) {
    nodes_.emplace_back(&node, parent);
    if (node.is_structured()) {
      for (Json& each : node) collect(each, &node);
    }
  }

  static void remove(Json& parent, const Json& node) {
    for (auto each = parent.begin(); each != parent.end(); ++each) {
      if (&*each == &node) {
        parent.erase(each);
        return;
      }
    }
  }

  Json some_value() {
    static const std::vector<Json> values = {nullptr,
                                             true,
                                             false,
                                             0,
                                             1,
                                             -1,
                                             2,
                                             53,
                                             "0",
                                             "1",
                                             "-1",
                                             "1/2",
                                             "1e-10",
                                             "inf",
                                             "1e300",
                                             "",
                                             "1/3",
                                             INT64_MAX,
                                             INT64_MIN,
                                             UINT64_MAX,
                                             "1e1000",
                                             0.5,
                                             Json::array(),
                                             Json::object()};
    return values[below(values.size())];
  }

  void change(Json& node) {
    if (node.is_number_integer()) {
      static constexpr std::int64_t steps[] = {1, -1, 2, -2, 10, 1000, -1000, 1 << 20};
      const auto value = static_cast<std::uint64_t>(node.get<std::int64_t>());
      const auto step = static_cast<std::uint64_t>(steps[below(std::size(steps))]);
      node = static_cast<std::int64_t>(below(3) == 0 ? value * step : value + step);
    } else if (node.is_string()) {
      node = changed(node.get<std::string>());
    } else {
      node = some_value();
    }
  }

  /// A digit that is another, or whatever libFuzzer makes of the bytes.
  std::string changed(std::string text) {
    const std::size_t digit =
        text.find_first_of("0123456789", text.empty() ? 0 : below(text.size()));
    if (digit != std::string::npos && below(3) != 0) {
      text[digit] = static_cast<char>('0' + below(10));
      return text;
    }
    const std::size_t size = text.size();
    text.resize(size + 16);
    text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
    return text;
  }

  std::minstd_rand random_;
  std::vector<std::pair<Json*, Json*>> nodes_;  ///< each with its parent
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  Mutator mutator(seed);
  if (mutator.below(3) == 0) return LLVMFuzzerMutate(data, size, most);
  Json root = Json::parse(data, data + size, nullptr, false);
  if (root.is_discarded()) return LLVMFuzzerMutate(data, size, most);
  for (std::size_t i = 0, count = 1 + mutator.below(3); i < count; ++i) mutator.mutate(root);
  const std::string text = root.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
