// Which open list? The queue operations of real D* Lite runs (a first plan, then repairs) are
// recorded once and replayed on each candidate. `./run bench open-list`.
//
// All candidates give cells in the order of their keys, except the plain buckets, which are only
// ordered by the first part of a key to the width of a bucket: a search on them would expand more.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "bench/worlds.hpp"
#include "dynamic_planners/grid/space.hpp"
#include "dynamic_planners/search/open_list.hpp"

namespace {

using dynamic_planners::Cell;
using dynamic_planners::Cost;
using dynamic_planners::Grid;
using dynamic_planners::GridSpace;
using dynamic_planners::Key;
using dynamic_planners::kInfinity;
using dynamic_planners::kNoCell;

// --- what is replayed --------------------------------------------------------------------------

struct Operation {
  enum class Kind : std::uint8_t { kInsert, kUpdate, kRemove, kTop, kChange } kind;
  Cell cell;  // of kTop: the least cell; of kChange, which precedes a batch of changes: none
  Key key;
};

/// A plain D* Lite that writes down what it asks of its queue.
class Recorder {
 public:
  explicit Recorder(Grid& grid)
      : grid_(&grid), space_(grid, {}), query_(bench::across(grid)), vertices_(grid.size()) {
    vertices_[query_.goal].rhs = 0;
    update_vertex(query_.goal);
  }

  void search() {
    while (!queue_.empty()) {
      const auto [key, cell] = *queue_.begin();
      const Vertex& start = vertices_[query_.start];
      if (key >= key_of(query_.start) && start.rhs <= start.g) return;
      operations_.push_back({Operation::Kind::kTop, cell, key});
      Vertex& vertex = vertices_[cell];
      if (vertex.g > vertex.rhs) {
        vertex.g = vertex.rhs;
        update_vertex(cell);
        update_around(cell);
      } else {
        vertex.g = kInfinity;
        update_around(cell);
        update_rhs(cell);
      }
    }
  }

  void change(double share, std::uint64_t seed) {
    const auto count = static_cast<std::size_t>(share * grid_->size());
    const auto changes = bench::toggle(*grid_, bench::draw_cells(*grid_, count, seed));
    operations_.push_back({Operation::Kind::kChange, kNoCell, {0, 0}});
    for (const auto& change : changes) {
      space_.for_each_affected(change.cell, [&](Cell cell) { update_rhs(cell); });
    }
  }

  std::vector<Operation> take() { return std::move(operations_); }

 private:
  struct Vertex {
    Cost g = kInfinity;
    Cost rhs = kInfinity;
    bool queued = false;
    Key key{0, 0};
  };

  Key key_of(Cell cell) const {
    const Cost least = std::min(vertices_[cell].g, vertices_[cell].rhs);
    return {least + space_.heuristic(query_.start, cell), least};
  }

  void update_around(Cell cell) {
    space_.for_each_neighbour(cell, [&](Cell neighbour, Cost) { update_rhs(neighbour); });
  }

  void update_rhs(Cell cell) {
    if (cell == query_.goal) return;
    Cost rhs = kInfinity;
    space_.for_each_neighbour(cell, [&](Cell neighbour, Cost step) {
      rhs = std::min(rhs, step + vertices_[neighbour].g);
    });
    vertices_[cell].rhs = rhs;
    update_vertex(cell);
  }

  void update_vertex(Cell cell) {
    Vertex& vertex = vertices_[cell];
    const bool wanted = vertex.g != vertex.rhs;
    const Key key = key_of(cell);
    if (wanted == vertex.queued && (!wanted || key == vertex.key)) return;
    if (vertex.queued) queue_.erase({vertex.key, cell});
    if (wanted) queue_.insert({key, cell});
    operations_.push_back({!wanted         ? Operation::Kind::kRemove
                           : vertex.queued ? Operation::Kind::kUpdate
                                           : Operation::Kind::kInsert,
                           cell, key});
    vertex.queued = wanted;
    vertex.key = key;
  }

  Grid* grid_;
  GridSpace<8> space_;
  dynamic_planners::Query query_;
  std::vector<Vertex> vertices_;
  std::set<std::pair<Key, Cell>> queue_;
  std::vector<Operation> operations_;
};

struct Trace {
  Cell cells;
  std::vector<Operation> operations;
};

constexpr int kSize = 1000;

Trace record(Grid grid) {
  Recorder recorder(grid);
  recorder.search();
  for (std::uint64_t round = 0; round < 4; ++round) {
    recorder.change(0.001, round / 2);
    recorder.search();
  }
  return {grid.size(), recorder.take()};
}

const Trace& trace(int world) {
  static const std::vector<Trace> traces{record(bench::scattered(kSize, 20, 1)),
                                         record(bench::rooms(kSize, 1)),
                                         record(bench::hills(kSize))};
  return traces[static_cast<std::size_t>(world)];
}

// --- the candidates ----------------------------------------------------------------------------

/// What a search has at hand for each cell: the list's own part, and what the key is computed from.
struct Vertex {
  static constexpr std::uint32_t kMaxGeneration = 0xFFFF;

  std::uint16_t generation = 0;
  std::uint32_t position = 0;
  Key key{0, 0};
};
using Vertices = dynamic_planners::Vertices<Vertex>;

/// The project's own: what is near in exact order, buckets of what is far.
class NearAndFar {
 public:
  explicit NearAndFar(Vertices& vertices)
      : vertices_(&vertices), open_(vertices, dynamic_planners::kStraight) {}

  void insert(Cell cell, const Key& key) {
    if (!open_.has_room()) open_.grow();
    open_.insert(cell, key);
  }
  void update(Cell cell, const Key& key) {
    if (!open_.has_room()) open_.grow();
    open_.update(cell, key);
  }
  void remove(Cell cell) { open_.remove(cell); }
  void rewind() { open_.rewind(); }
  Cell top() {
    while (!open_.bring_near([&](Cell cell) { return vertices_->touched(cell).key; })) open_.grow();
    return open_.top();
  }

 private:
  Vertices* vertices_;
  dynamic_planners::OpenList<Vertex> open_;
};

/// An indexed d-ary heap.
template <std::size_t kArity>
class IndexedHeap {
 public:
  explicit IndexedHeap(Vertices& vertices) : vertices_(&vertices) {}

  void insert(Cell cell, const Key& key) {
    entries_.push_back({key, cell});
    up(entries_.size() - 1);
  }
  void update(Cell cell, const Key& key) {
    const std::size_t index = vertices_->touched(cell).position;
    const bool less = key < entries_[index].first;
    entries_[index].first = key;
    less ? up(index) : down(index);
  }
  void remove(Cell cell) {
    const std::size_t index = vertices_->touched(cell).position;
    const auto last = entries_.back();
    entries_.pop_back();
    if (index == entries_.size()) return;
    const bool less = last < entries_[index];
    entries_[index] = last;
    less ? up(index) : down(index);
  }
  void rewind() {}
  Cell top() const { return entries_.front().second; }

 private:
  using Entry = std::pair<Key, Cell>;

  void place(std::size_t index, const Entry& entry) {
    entries_[index] = entry;
    vertices_->touched(entry.second).position = static_cast<std::uint32_t>(index);
  }
  void up(std::size_t index) {
    const Entry moved = entries_[index];
    while (index > 0 && moved < entries_[(index - 1) / kArity]) {
      place(index, entries_[(index - 1) / kArity]);
      index = (index - 1) / kArity;
    }
    place(index, moved);
  }
  void down(std::size_t index) {
    const Entry moved = entries_[index];
    for (;;) {
      const std::size_t first = kArity * index + 1;
      if (first >= entries_.size()) break;
      const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end =
          entries_.begin() + static_cast<std::ptrdiff_t>(std::min(first + kArity, entries_.size()));
      const auto least = std::min_element(begin, end);
      if (!(*least < moved)) break;
      place(index, *least);
      index = static_cast<std::size_t>(least - entries_.begin());
    }
    place(index, moved);
  }

  Vertices* vertices_;
  std::vector<Entry> entries_;
};

/// std::priority_queue; what was moved or removed is left behind and skipped later.
class LazyDeletion {
 public:
  explicit LazyDeletion(Vertices& vertices) : vertices_(&vertices) {}

  void insert(Cell cell, const Key& key) {
    vertices_->touched(cell).position = 1;
    queue_.push({key, cell});
  }
  void update(Cell cell, const Key& key) { insert(cell, key); }
  void remove(Cell cell) { vertices_->touched(cell).position = 0; }
  void rewind() {}
  Cell top() {
    for (;; queue_.pop()) {
      const auto& [key, cell] = queue_.top();
      const Vertex& vertex = vertices_->touched(cell);
      if (vertex.position == 1 && vertex.key == key) return cell;
    }
  }

 private:
  using Entry = std::pair<Key, Cell>;

  Vertices* vertices_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

/// Buckets of the first part alone, as wide as a sixteenth of a step; lazy deletion in them.
class Buckets {
 public:
  explicit Buckets(Vertices& vertices) : vertices_(&vertices) {}

  void insert(Cell cell, const Key& key) {
    const auto bucket = static_cast<std::size_t>(key.first >> 6U);
    if (bucket >= buckets_.size()) buckets_.resize(2 * bucket + 1);
    buckets_[bucket].push_back(cell);
    vertices_->touched(cell).position = static_cast<std::uint32_t>(bucket) + 1;
    first_ = std::min(first_, bucket);
  }
  void update(Cell cell, const Key& key) { insert(cell, key); }
  void remove(Cell cell) { vertices_->touched(cell).position = 0; }
  void rewind() {}
  Cell top() {
    for (;; ++first_) {
      auto& bucket = buckets_[first_];
      const auto is_void = [&](Cell cell) {
        return vertices_->touched(cell).position != first_ + 1;
      };
      while (!bucket.empty() && is_void(bucket.back())) bucket.pop_back();
      if (!bucket.empty()) return bucket.back();
    }
  }

 private:
  Vertices* vertices_;
  std::vector<std::vector<Cell>> buckets_;
  std::size_t first_ = 0;
};

template <typename List>
void replay(benchmark::State& state) {
  const Trace& recorded = trace(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    Vertices vertices(recorded.cells);
    List list(vertices);
    state.ResumeTiming();
    for (const Operation& operation : recorded.operations) {
      switch (operation.kind) {
        case Operation::Kind::kInsert:
          vertices[operation.cell].key = operation.key;
          list.insert(operation.cell, operation.key);
          break;
        case Operation::Kind::kUpdate:
          vertices[operation.cell].key = operation.key;
          list.update(operation.cell, operation.key);
          break;
        case Operation::Kind::kChange:
          list.rewind();
          break;
        case Operation::Kind::kRemove:
          list.remove(operation.cell);
          break;
        case Operation::Kind::kTop: {
          const Cell top = list.top();
          benchmark::DoNotOptimize(top);
          if (!std::is_same_v<List, Buckets> && vertices[top].key != operation.key) {
            state.SkipWithError("gave a cell whose key is not the least");
            return;
          }
          break;
        }
      }
    }
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(recorded.operations.size()));
}

void candidates(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("world")->DenseRange(0, 2)->Unit(benchmark::kMillisecond);
}

BENCHMARK(replay<NearAndFar>)->Apply(candidates);
BENCHMARK(replay<IndexedHeap<2>>)->Apply(candidates);
BENCHMARK(replay<IndexedHeap<4>>)->Apply(candidates);
BENCHMARK(replay<IndexedHeap<8>>)->Apply(candidates);
BENCHMARK(replay<LazyDeletion>)->Apply(candidates);
BENCHMARK(replay<Buckets>)->Apply(candidates);

}  // namespace

BENCHMARK_MAIN();
