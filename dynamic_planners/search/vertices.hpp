#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include "dynamic_planners/grid/cost.hpp"
#include "dynamic_planners/grid/grid.hpp"

namespace dynamic_planners {

/// A path cost in the kCostBits that it needs, so that a vertex of D* Lite fits into 16 bytes.
class PackedCost {
 public:
  PackedCost() = default;
  constexpr PackedCost(Cost cost)  // NOLINT(google-explicit-constructor): it is a Cost in every way
      : low_(std::bit_cast<Low>(static_cast<std::uint32_t>(cost))),
        high_(static_cast<std::uint8_t>(cost >> 32U)) {}
  constexpr operator Cost() const {  // NOLINT(google-explicit-constructor)
    return Cost{high_} << 32U | std::bit_cast<std::uint32_t>(low_);
  }

 private:
  static_assert(kCostBits == 40);
  using Low = std::array<std::uint8_t, 4>;
  Low low_;
  std::uint8_t high_;
};

/// Memory that begins as zeros without being touched: the operating system hands out zeroed pages
/// only as they are first used, so a large map costs what is searched of it.
template <typename T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit ZeroedArray(std::size_t size)
      : size_(size), data_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (data_ == nullptr) throw std::bad_alloc();
  }

  T& operator[](std::size_t index) { return data_.get()[index]; }
  const T& operator[](std::size_t index) const { return data_.get()[index]; }
  std::size_t size() const { return size_; }
  /// Brings an element into the cache, another one when there is none of this index.
  void prefetch(std::size_t index) const {
    __builtin_prefetch(&data_.get()[std::min(index, size_ - 1)]);
  }

  /// Has all of it handed out now, in large pages: then nobody who waits for a search waits for the
  /// operating system, or for walks through its tables where each row of a wide map lies on pages
  /// of its own. Where memory is touched bit by bit, large pages take longer than they spare: a
  /// first path of AD* over 4000 x 4000 cells 20 times as long. All elements must be zero.
  void prefault() {
    constexpr std::size_t kPage = 4096;
    const std::size_t bytes = size_ * sizeof(T);
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(data_.get()) % kPage;
    // It is only a wish; what becomes of it does not matter.
    if (bytes > before + kPage) {
      madvise(reinterpret_cast<char*>(data_.get()) + before, bytes - before, MADV_HUGEPAGE);
    }
    std::memset(static_cast<void*>(data_.get()), 0, bytes);
  }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };

  std::size_t size_;
  std::unique_ptr<T, Free> data_;
};

/// What a search knows of each cell. `Vertex` has a default state that a cell is in before the
/// search touches it, and a `generation` that tells whether it has: starting over is counting up.
template <typename Vertex>
class Vertices {
 public:
  explicit Vertices(Cell size) : vertices_(size) {}

  /// To be called before the first search.
  void prefault() { vertices_.prefault(); }

  /// All vertices are as new. Nobody has to wait for a large map to be cleared: a part of it is
  /// each time, so that between two times of the same generation all of it has been.
  void start_over() {
    generation_ = generation_ % Vertex::kMaxGeneration + 1;
    const std::size_t part = vertices_.size() / Vertex::kMaxGeneration + 1;
    const std::size_t begin = std::min((generation_ - 1) * part, vertices_.size());
    const std::size_t end = std::min(begin + part, vertices_.size());
    for (std::size_t cell = begin; cell < end; ++cell) vertices_[cell].generation = 0;
  }

  /// The vertex, to be changed.
  Vertex& operator[](Cell cell) {
    Vertex& vertex = vertices_[cell];
    if (vertex.generation != generation_) {
      vertex = Vertex{};
      vertex.generation = static_cast<std::uint16_t>(generation_ & Vertex::kMaxGeneration);
    }
    return vertex;
  }

  /// The vertices follow the cells of their grid, whose new ones are untouched. Those of former
  /// generations are cleared, lest they come to where it has been done already.
  void move(const Grid& grid, const Shift& shift) {
    const std::ptrdiff_t by = static_cast<std::ptrdiff_t>(shift.dy) * grid.width() + shift.dx;
    const auto size = static_cast<std::ptrdiff_t>(vertices_.size());
    const auto move_to = [&](std::ptrdiff_t to) {
      const Vertex& from = vertices_[static_cast<std::size_t>(to + by)];
      Vertex& vertex = vertices_[static_cast<std::size_t>(to)];
      if (from.generation == generation_) {
        vertex = from;
      } else if (vertex.generation != 0) {
        vertex.generation = 0;
      }
    };
    if (by > 0) {
      for (std::ptrdiff_t to = 0; to < size - by; ++to) move_to(to);
    } else {
      for (std::ptrdiff_t to = size - 1; to >= -by; --to) move_to(to);
    }
    grid.for_each_leaving(-shift, [&](Cell cell) { vertices_[cell].generation = 0; });
  }

  /// A vertex that was touched since the last start_over().
  Vertex& touched(Cell cell) { return vertices_[cell]; }
  const Vertex& touched(Cell cell) const { return vertices_[cell]; }

  /// The vertex will be needed soon. The cell may lie outside the grid.
  void prefetch(Cell cell) const { vertices_.prefetch(cell); }

  /// The vertex as it is, in its default state when untouched.
  const Vertex& peek(Cell cell) const {
    static constexpr Vertex kUntouched{};
    const Vertex& vertex = vertices_[cell];
    return vertex.generation == generation_ ? vertex : kUntouched;
  }

  Cell size() const { return static_cast<Cell>(vertices_.size()); }
  std::size_t memory_bytes() const { return vertices_.size() * sizeof(Vertex); }

 private:
  ZeroedArray<Vertex> vertices_;
  std::uint32_t generation_ = 1;  // 0 is what untouched memory says
};

}  // namespace dynamic_planners
