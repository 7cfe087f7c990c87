#include <string>
namespace shop { namespace detail {
template <typename T, class U = std::less<T>>
class Box final : public Base<T>, private Other {
 public:
  explicit Box(int n) : n_(n), list_{1, 2} {}
  ~Box();
  bool operator==(const Box& other) const { return n_ == other.n_; }
  virtual int size() const = 0;
  template <typename V> V as(V v) { return v; }
  enum class Kind : int { A, B };
 private:
  int n_ = 0;
};
} }  // namespace

struct Point { int x, y; };
using Name = std::string;

int shop::detail::helper(const std::string& s = "{") {
  auto f = [](int x) { return R"(} ")"; };
  return 1;
}
static void free_function() noexcept {
}
extern "C" {
int c_function(void) { return 1; }
}
