#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "dynamic_planners/grid/cost.hpp"
#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// The priority of a vertex, compared lexicographically, the smallest first. Both parts must stay
/// below 2^48.
struct Key {
  Cost first;
  Cost second;

  auto operator<=>(const Key&) const = default;  // NOLINT(modernize-use-nullptr): there is none
};

/// An array that can grow, never shrinks, and is never initialised. Its elements share cache lines
/// as their alignment says.
template <typename T>
class RawArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit RawArray(std::size_t size) : size_(size), data_(allocate(size)) {}

  T& operator[](std::size_t index) { return data_.get()[index]; }
  const T& operator[](std::size_t index) const { return data_.get()[index]; }
  std::size_t size() const { return size_; }
  std::size_t memory_bytes() const { return size_ * sizeof(T); }

  void grow(std::size_t size) {
    auto larger = allocate(size);
    std::memcpy(static_cast<void*>(larger.get()), data_.get(), size_ * sizeof(T));
    data_ = std::move(larger);
    size_ = size;
  }

 private:
  static constexpr std::size_t kCacheLine = 64;
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };

  static std::unique_ptr<T, Free> allocate(std::size_t size) {
    const std::size_t bytes = (size * sizeof(T) + kCacheLine - 1) / kCacheLine * kCacheLine;
    std::unique_ptr<T, Free> data(static_cast<T*>(std::aligned_alloc(kCacheLine, bytes)));
    if (data == nullptr) throw std::bad_alloc();
    return data;
  }

  std::size_t size_;
  std::unique_ptr<T, Free> data_;
};

/// A priority queue of cells in which every cell can be found again and given another key.
///
/// Keys that are soon due are near, exactly ordered. All others wait in buckets by the first part
/// of their key, unordered: to insert, move or remove one there takes a few instructions, whatever
/// the size of the map. When nothing is near any more, the next bucket is sorted into a run. What
/// is inserted from then on mostly comes before all others, and is put on top of the run; the rest
/// goes into a small 4-ary heap beside it. Each vertex remembers where it waits
/// (`Vertex::position`, 0 when it is not queued), so an entry of a cell that has gone elsewhere
/// since is known to be void, and stays where it is until it comes up.
///
/// Cells come out in the order of their keys; of equal ones that are near, the last one first.
/// bench/open_list.cpp compares it with heaps, lazy deletion and plain buckets.
template <typename Vertex>
class OpenList {
 public:
  /// More than a search inserts and updates between two looks at has_room(), be it every cell
  /// within two steps of one.
  static constexpr std::size_t kRoom = 32;

  /// A straight step over free ground makes keys larger by `step`.
  OpenList(Vertices<Vertex>& vertices, Cost step)
      : vertices_(&vertices),
        bucket_shift_(std::bit_width(step / kBucketsPerStep)),
        near_(kPadding + std::max<std::size_t>(vertices.size() / 8, kMinCapacity)),
        tickets_(near_capacity() + 1),
        chunks_(chunks_for(std::max<std::size_t>(vertices.size() / 2, kMinCapacity))) {
    clear();
  }

  bool empty() const { return near_size_ + far_size_ == 0; }

  /// Whether there can be kRoom insertions and updates before it must grow(). What is near could be
  /// rewound into the buckets at any time.
  bool has_room() const {
    return last_ticket_ + kRoom <= near_capacity() &&
           far_entries_ + near_size_ + kRoom <= far_capacity();
  }

  /// Lets top() be the least, and sees that there is room after it. `key_of(cell)` is the key that
  /// a queued cell ought to have now, which is never less than the key it was queued with. False
  /// when it must grow() first.
  template <typename KeyOf>
  bool bring_near(KeyOf&& key_of);

  /// The least, after bring_near() and where not empty.
  Cell top() const { return tickets_[top_.ticket()]; }
  Key top_key() const { return top_.key(); }

  /// The cell's vertex has been touched and is not queued.
  void insert(Cell cell, const Key& key) {
    ++operations_;
    put(cell, key);
  }

  /// Gives a queued cell another key, smaller or larger.
  void update(Cell cell, const Key& key) {
    ++operations_;
    const std::uint32_t position = vertices_->touched(cell).position;
    const std::uint32_t bucket = bucket_of(key);
    if (position == (kFar | bucket)) return;
    take_out(position);
    put(cell, key);
  }

  void remove(Cell cell) {
    ++operations_;
    std::uint32_t& position = vertices_->touched(cell).position;
    // The usual case, and the entry need not be found void later.
    if (run_size_ > 0 && run_top()->ticket() == position) --run_size_;
    take_out(std::exchange(position, 0));
  }

  /// Empties it. The caller has started the vertices over.
  void clear() {
    forget_near();
    far_size_ = 0;
    far_entries_ = 0;
    horizon_ = 0;
    slots_.fill(Slot{});
    occupied_.fill(0);
    unused_chunk_ = kNone;
    fresh_chunk_ = 0;
  }

  /// Lets nothing be near: before many cells with keys of all kinds are inserted.
  void rewind() {
    horizon_ = 0;
    for_each_near([&](const Entry& entry) {
      put_far(tickets_[entry.ticket()], bucket_of(entry.key()));
      return true;
    });
    forget_near();
  }

  /// The vertices have moved with the cells of their grid; what has left it was removed before, and
  /// nothing is near.
  void move(const Grid& grid, const Shift& shift);

  /// Visits all queued cells in no order, some more than once, until a visit returns false. Whether
  /// all were visited.
  template <typename Visit>
  bool for_each(Visit&& visit) const;

  /// Makes room, and lets bring_near() succeed. Nothing else allocates after the construction.
  void grow();

  /// Insertions, updates and removals so far.
  std::uint64_t operations() const { return operations_; }
  std::size_t memory_bytes() const {
    return near_.memory_bytes() + tickets_.memory_bytes() + chunks_.memory_bytes();
  }

  /// Whether a queued vertex waits where it is found no later than this key is due.
  bool is_due_by(const Vertex& vertex, const Key& key) const {
    if ((vertex.position & kFar) != 0) return (vertex.position & ~kFar) <= bucket_of(key);
    return !for_each_near(
        [&](const Entry& entry) { return entry.ticket() != vertex.position || entry.key() > key; });
  }

  /// Whether the run is sorted, nothing in the heap comes before its parent, whatever is near has
  /// one entry there, and there was room for all of them.
  bool valid() const {
    if (last_ticket_ > near_capacity() || far_entries_ + near_size_ > far_capacity()) return false;
    for (std::size_t index = 1; index < heap_size_; ++index) {
      if (heap(index) < heap(parent(index))) return false;
    }
    std::size_t size = 0;
    for_each_near([&](const Entry&) { return ++size > 0; });
    return size == near_size_ && std::is_sorted(run_top(), run_end());
  }

 private:
  /// Half of it is free after grow().
  static constexpr std::size_t kMinCapacity = 2 * kRoom;

  // --- near: a sorted run and a heap, from either end of one array ---

  static constexpr std::size_t kArity = 4;
  /// The root lies behind three unused entries, so that siblings share one cache line.
  static constexpr std::size_t kPadding = kArity - 1;

  /// 48 bits of each key part and a ticket, packed so that entries compare like two numbers. Of
  /// equal keys, the later ticket comes first.
  class Entry {
   public:
    Entry() = default;
    Entry(const Key& key, std::uint32_t ticket)
        : high_(key.first << 16U | key.second >> 32U), low_(key.second << 32U | ~ticket) {}

    std::uint32_t ticket() const { return ~static_cast<std::uint32_t>(low_); }
    Key key() const { return {high_ >> 16U, (high_ & 0xFFFFU) << 32U | low_ >> 32U}; }
    /// Without a branch, which nobody could predict.
    bool operator<(const Entry& other) const {
      __extension__ using Wide = unsigned __int128;
      return (Wide{high_} << 64U | low_) < (Wide{other.high_} << 64U | other.low_);
    }

   private:
    std::uint64_t high_;
    std::uint64_t low_;
  };
  static_assert(sizeof(Entry) == 16);

  static std::size_t parent(std::size_t index) { return (index - 1) / kArity; }
  Entry& heap(std::size_t index) { return near_[index + kPadding]; }
  const Entry& heap(std::size_t index) const { return near_[index + kPadding]; }
  /// The run grows downwards: its top is its least.
  Entry* run_top() { return &near_[near_.size() - run_size_]; }
  const Entry* run_top() const { return &near_[near_.size() - run_size_]; }
  Entry* run_end() { return &near_[near_.size() - 1] + 1; }
  const Entry* run_end() const { return &near_[near_.size() - 1] + 1; }
  std::size_t near_capacity() const { return near_.size() - kPadding; }

  /// A vertex that is near has the ticket of its entry as its position; an older entry has another.
  bool is_void(const Entry& entry) const {
    return vertices_->touched(tickets_[entry.ticket()]).position != entry.ticket();
  }

  /// Visits each entry that counts until a visit returns false. Whether all were visited.
  template <typename Visit>
  bool for_each_near(Visit&& visit) const {
    const auto passes = [&](const Entry& entry) { return is_void(entry) || visit(entry); };
    return std::all_of(run_top(), run_end(), passes) &&
           std::all_of(&heap(0), &heap(0) + heap_size_, passes);
  }

  void forget_near() {
    near_size_ = 0;
    run_size_ = 0;
    heap_size_ = 0;
    last_ticket_ = 0;
  }

  /// A new entry for a cell that is near from now on.
  Entry issue(Cell cell, const Key& key) {
    tickets_[++last_ticket_] = cell;
    vertices_->touched(cell).position = last_ticket_;
    ++near_size_;
    return {key, last_ticket_};
  }

  void put_on_run(const Entry& entry) {
    ++run_size_;
    *run_top() = entry;
  }

  void push(Cell cell, const Key& key) {
    const Entry entry = issue(cell, key);
    if (run_size_ == 0 || entry < *run_top()) {
      put_on_run(entry);
    } else {
      push_on_heap(entry);
    }
  }

  void push_on_heap(const Entry& entry) {
    std::size_t index = heap_size_++;
    while (index > 0 && entry < heap(parent(index))) {
      heap(index) = heap(parent(index));
      index = parent(index);
    }
    heap(index) = entry;
  }

  void pop_heap() {
    const Entry last = heap(--heap_size_);
    std::size_t index = 0;
    for (;;) {
      const std::size_t first = kArity * index + 1;
      if (first >= heap_size_) break;
      std::size_t least = first;
      if (first + kArity <= heap_size_) {
        const std::size_t left = first + (heap(first + 1) < heap(first));
        const std::size_t right = first + 2 + (heap(first + 3) < heap(first + 2));
        least = heap(right) < heap(left) ? right : left;
      } else {
        for (std::size_t child = first + 1; child < heap_size_; ++child) {
          if (heap(child) < heap(least)) least = child;
        }
      }
      if (!(heap(least) < last)) break;
      heap(index) = heap(least);
      index = least;
    }
    heap(index) = last;
  }

  /// Finds the least entry that counts and drops the void ones before it. False when nothing is
  /// near.
  bool find_top() {
    while (run_size_ + heap_size_ > 0) {
      const bool in_run = heap_size_ == 0 || (run_size_ > 0 && *run_top() < heap(0));
      top_ = in_run ? *run_top() : heap(0);
      if (!is_void(top_)) return true;
      if (in_run) {
        --run_size_;
      } else {
        pop_heap();
      }
    }
    return false;
  }

  // --- far: buckets, in a ring of slots ---

  /// Of a vertex's position: it waits in the bucket that the other bits name.
  static constexpr std::uint32_t kFar = 0x80000000U;
  /// Keys beyond share the last bucket: those of paths over 35 million cells.
  static constexpr std::uint32_t kLastBucket = kFar - 2;
  static constexpr Cost kBucketsPerStep = 64;
  static constexpr std::uint32_t kSlots = 2048;
  static constexpr std::uint32_t kWord = 64;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct alignas(64) Chunk {
    static constexpr std::uint32_t kCells = 15;

    std::uint32_t next;
    std::array<Cell, kCells> cells;
  };
  static_assert(sizeof(Chunk) == 64);

  /// The entries of all buckets that are equal modulo kSlots. The first chunk is the one that is
  /// being filled.
  struct Slot {
    std::uint32_t chunk = kNone;
    std::uint32_t filled = Chunk::kCells;
    std::uint32_t entries = 0;
    std::uint32_t least = kNone;  // no bucket in it is less
  };

  std::uint32_t bucket_of(const Key& key) const {
    return static_cast<std::uint32_t>(std::min<Cost>(key.first >> bucket_shift_, kLastBucket));
  }

  /// However the entries spread over the slots, so many chunks hold them.
  static std::size_t chunks_for(std::size_t entries) {
    return (entries + Chunk::kCells - 1) / Chunk::kCells + kSlots;
  }
  std::size_t far_capacity() const { return (chunks_.size() - kSlots) * Chunk::kCells; }

  void put(Cell cell, const Key& key) {
    const std::uint32_t bucket = bucket_of(key);
    if (empty()) horizon_ = bucket + 1;
    if (bucket < horizon_) {
      push(cell, key);
    } else {
      put_far(cell, bucket);
    }
  }

  void put_far(Cell cell, std::uint32_t bucket) {
    vertices_->touched(cell).position = kFar | bucket;
    ++far_size_;
    append(cell, bucket);
  }

  void append(Cell cell, std::uint32_t bucket) {
    const std::uint32_t index = bucket % kSlots;
    Slot& slot = slots_[index];
    if (slot.filled == Chunk::kCells) {
      occupied_[index / kWord] |= std::uint64_t{1} << index % kWord;
      const std::uint32_t chunk = take_chunk();
      chunks_[chunk].next = slot.chunk;
      slot.chunk = chunk;
      slot.filled = 0;
    }
    chunks_[slot.chunk].cells[slot.filled++] = cell;
    ++slot.entries;
    ++far_entries_;
    slot.least = std::min(slot.least, bucket);
  }

  /// The entry of a vertex at this position no longer counts.
  void take_out(std::uint32_t position) { --((position & kFar) != 0 ? far_size_ : near_size_); }

  std::uint32_t take_chunk() {
    if (unused_chunk_ == kNone) return fresh_chunk_++;
    const std::uint32_t chunk = unused_chunk_;
    unused_chunk_ = chunks_[chunk].next;
    return chunk;
  }

  /// The next bucket that may have entries, from the horizon on. There is one.
  std::uint32_t next_bucket() const {
    const std::uint32_t first = horizon_ % kSlots;
    std::uint32_t least = kNone;
    // Once round the ring, which ends in the word where it began.
    for (std::uint32_t step = 0; step <= occupied_.size(); ++step) {
      const std::uint32_t word = (first / kWord + step) % occupied_.size();
      std::uint64_t bits = occupied_[word];
      if (step == 0) bits &= ~std::uint64_t{0} << first % kWord;
      for (; bits != 0; bits &= bits - 1) {
        const std::uint32_t index =
            word * kWord + static_cast<std::uint32_t>(std::countr_zero(bits));
        const std::uint32_t bucket = horizon_ + (index - first) % kSlots;
        if (slots_[index].least <= bucket) return bucket;
        least = std::min(least, slots_[index].least);
      }
    }
    return least;
  }

  /// Empties a slot and visits each entry that still counts, with its bucket.
  template <typename Visit>
  void empty_slot(Slot& slot, Visit&& visit) {
    empty_slot(
        slot, [](Cell cell) { return cell; }, visit);
  }
  /// The same where each cell has another number now; kNoCell where it has none.
  template <typename Renumber, typename Visit>
  void empty_slot(Slot& slot, Renumber&& renumber, Visit&& visit) {
    const auto number = static_cast<std::uint32_t>(&slot - slots_.data());
    occupied_[number / kWord] &= ~(std::uint64_t{1} << number % kWord);
    const Slot old = std::exchange(slot, Slot{});
    far_entries_ -= old.entries;
    std::uint32_t filled = old.filled;
    for (std::uint32_t index = old.chunk; index != kNone; filled = Chunk::kCells) {
      // Copied and given back first: a visit may need a chunk.
      const Chunk chunk = chunks_[index];
      chunks_[index].next = unused_chunk_;
      unused_chunk_ = index;
      for (std::uint32_t i = 0; i < filled; ++i) vertices_->prefetch(chunk.cells[i]);
      for (std::uint32_t i = 0; i < filled; ++i) {
        const Cell cell = renumber(chunk.cells[i]);
        if (cell == kNoCell) continue;
        const std::uint32_t position = vertices_->touched(cell).position;
        if ((position & kFar) == 0) continue;
        const std::uint32_t bucket = position & ~kFar;
        if (&slots_[bucket % kSlots] == &slot) visit(cell, bucket);
      }
      index = chunk.next;
    }
  }

  std::size_t largest_slot() const {
    return std::max_element(slots_.begin(), slots_.end(),
                            [](const Slot& a, const Slot& b) { return a.entries < b.entries; })
        ->entries;
  }

  /// Keeps one entry of each cell that waits in this slot.
  void drop_void_entries(Slot& slot);

  Vertices<Vertex>* vertices_;
  int bucket_shift_;
  /// Whatever belongs into a bucket before this one is near.
  std::uint32_t horizon_ = 0;

  RawArray<Entry> near_;
  std::size_t near_size_ = 0;  // cells
  std::size_t run_size_ = 0;   // void entries included, and in the heap
  std::size_t heap_size_ = 0;
  Entry top_;               // after bring_near()
  RawArray<Cell> tickets_;  // from 1 on
  std::uint32_t last_ticket_ = 0;

  std::array<Slot, kSlots> slots_;
  std::array<std::uint64_t, kSlots / kWord> occupied_;  // a bit for each slot with entries
  std::size_t far_size_ = 0;                            // cells
  std::size_t far_entries_ = 0;                         // void ones included
  RawArray<Chunk> chunks_;
  std::uint32_t unused_chunk_ = kNone;  // a list of them
  std::uint32_t fresh_chunk_ = 0;       // from here on never used

  std::uint64_t operations_ = 0;
};

template <typename Vertex>
template <typename KeyOf>
bool OpenList<Vertex>::bring_near(KeyOf&& key_of) {
  if (!has_room()) return false;
  while (!find_top() && far_size_ > 0) {
    const std::uint32_t due = next_bucket();
    Slot& slot = slots_[due % kSlots];
    if (slot.entries + kRoom > near_capacity()) return false;
    horizon_ = due + 1;
    last_ticket_ = 0;
    empty_slot(slot, [&](Cell cell, std::uint32_t bucket) {
      if (bucket > due) {
        append(cell, bucket);
        return;
      }
      --far_size_;
      const Key key = key_of(cell);
      if (bucket_of(key) < horizon_) {
        put_on_run(issue(cell, key));
      } else {
        put_far(cell, bucket_of(key));
      }
    });
    if (!std::is_sorted(run_top(), run_end())) std::sort(run_top(), run_end());
  }
  return true;
}

template <typename Vertex>
template <typename Visit>
bool OpenList<Vertex>::for_each(Visit&& visit) const {
  if (!for_each_near([&](const Entry& entry) { return visit(tickets_[entry.ticket()]); })) {
    return false;
  }
  for (const Slot& slot : slots_) {
    std::uint32_t filled = slot.filled;
    for (std::uint32_t index = slot.chunk; index != kNone; index = chunks_[index].next) {
      for (std::uint32_t i = 0; i < filled; ++i) {
        const Cell cell = chunks_[index].cells[i];
        const bool is_void = (vertices_->touched(cell).position & kFar) == 0;
        if (!is_void && !visit(cell)) return false;
      }
      filled = Chunk::kCells;
    }
  }
  return true;
}

template <typename Vertex>
void OpenList<Vertex>::drop_void_entries(Slot& slot) {
  // While a cell is claimed for another slot, its second entry in this one is void too.
  constexpr std::uint32_t kClaim = 1;
  empty_slot(slot, [&](Cell cell, std::uint32_t bucket) {
    append(cell, bucket);
    vertices_->touched(cell).position ^= kClaim;
  });
  std::uint32_t filled = slot.filled;
  for (std::uint32_t index = slot.chunk; index != kNone; index = chunks_[index].next) {
    for (std::uint32_t i = 0; i < filled; ++i) {
      vertices_->touched(chunks_[index].cells[i]).position ^= kClaim;
    }
    filled = Chunk::kCells;
  }
}

template <typename Vertex>
void OpenList<Vertex>::move(const Grid& grid, const Shift& shift) {
  for (Slot& slot : slots_) {
    empty_slot(
        slot, [&](Cell cell) { return grid.shifted(cell, shift); },
        [&](Cell cell, std::uint32_t bucket) { append(cell, bucket); });
  }
}

template <typename Vertex>
void OpenList<Vertex>::grow() {
  rewind();
  const auto is_far_short = [&] { return 2 * far_entries_ > far_capacity(); };
  const auto is_near_short = [&] { return 2 * largest_slot() > near_capacity(); };
  // Often it was only short of tickets.
  if (is_far_short() || is_near_short()) {
    for (Slot& slot : slots_) drop_void_entries(slot);
  }
  if (is_far_short()) chunks_.grow(chunks_for(2 * far_capacity()));
  if (is_near_short()) {
    near_.grow(kPadding + 4 * largest_slot());
    tickets_.grow(near_capacity() + 1);
  }
}

}  // namespace dynamic_planners
