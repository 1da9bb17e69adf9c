#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "dynamic_planners/grid/cost.hpp"
#include "dynamic_planners/grid/grid.hpp"
#include "dynamic_planners/search/vertices.hpp"

namespace dynamic_planners {

/// How a vertex hangs in a list: `slot` says in which, and is 0 when it is in none.
struct QueueLinks {
  Cell previous = kNoCell;
  Cell next = kNoCell;
  std::uint32_t slot = 0;
};

/// A doubly linked list of cells through their vertices, which have `QueueLinks links`.
class CellList {
 public:
  bool empty() const { return first_ == 0; }
  Cell first() const { return first_ - 1; }

  template <typename Vertex>
  void push_back(Vertices<Vertex>& vertices, Cell cell, std::uint32_t slot) {
    vertices.touched(cell).links = {.previous = last_ - 1, .next = kNoCell, .slot = slot};
    if (empty()) {
      first_ = cell + 1;
    } else {
      vertices.touched(last_ - 1).links.next = cell;
    }
    last_ = cell + 1;
  }

  template <typename Vertex>
  void push_front(Vertices<Vertex>& vertices, Cell cell, std::uint32_t slot) {
    vertices.touched(cell).links = {.previous = kNoCell, .next = first_ - 1, .slot = slot};
    if (empty()) {
      last_ = cell + 1;
    } else {
      vertices.touched(first_ - 1).links.previous = cell;
    }
    first_ = cell + 1;
  }

  template <typename Vertex>
  void remove(Vertices<Vertex>& vertices, Cell cell) {
    QueueLinks& links = vertices.touched(cell).links;
    if (links.previous == kNoCell) {
      first_ = links.next + 1;
    } else {
      vertices.touched(links.previous).links.next = links.next;
    }
    if (links.next == kNoCell) {
      last_ = links.previous + 1;
    } else {
      vertices.touched(links.next).links.previous = links.previous;
    }
    links = {};
  }

 private:
  // One more than the cells, so that zeroed memory is an empty list; kNoCell + 1 is 0.
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
};

/// The open list of a search that must not take longer in a larger world. To insert a cell, to
/// remove it and to find the least one takes the same few instructions at worst, not on average,
/// however many are queued: nothing is sorted, copied or grown.
///
/// Keys fall into buckets, each a list through the vertices themselves, in a ring with bits that
/// tell which are not empty. Within a bucket the order is that of insertion, at either end. A key
/// that is too large for the ring takes its last place: to wait in an earlier bucket than one's own
/// is allowed, since the search looks at the key again when a cell comes to the front (D* Lite's
/// k_old < CalculateKey(u)) and requeues it.
///
/// `Vertex` has `QueueLinks links`.
template <typename Vertex>
class BucketQueue {
 public:
  /// A bucket is 2^shift wide.
  BucketQueue(Vertices<Vertex>& vertices, int shift)
      : vertices_(&vertices), shift_(shift), lists_(kSlots) {
    lists_.prefault();
  }

  bool empty() const { return size_ == 0; }

  std::uint64_t bucket_of(Cost key) const { return key >> shift_; }

  enum class End { kFront, kBack };
  /// Vertices may be in lists of other kinds, under this slot.
  static constexpr std::uint32_t kElsewhere = ~std::uint32_t{0};

  /// The cell's vertex has been touched and is in no list.
  void insert(Cell cell, Cost key, End end) {
    std::uint64_t bucket = bucket_of(key);
    if (empty() || bucket < front_) front_ = bucket;
    bucket = std::min(bucket, front_ + kSlots - 1);
    const auto slot = static_cast<std::uint32_t>(bucket % kSlots);
    CellList& list = lists_[slot];
    if (!is_marked(slot)) {
      list = {};  // what it says is of before a clear()
      mark(slot);
    }
    if (end == End::kBack) {
      list.push_back(*vertices_, cell, slot + 1);
    } else {
      list.push_front(*vertices_, cell, slot + 1);
    }
    ++size_;
  }

  void remove(Cell cell) {
    const std::uint32_t slot = vertices_->touched(cell).links.slot - 1;
    CellList& list = lists_[slot];
    list.remove(*vertices_, cell);
    if (list.empty()) unmark(slot);
    --size_;
  }

  /// The first of the first bucket, where not empty.
  Cell top() {
    const auto slot = static_cast<std::uint32_t>(front_ % kSlots);
    if (!is_marked(slot)) front_ += (next_marked(slot) - slot) % kSlots;
    return lists_[front_ % kSlots].first();
  }

  /// The bucket of top(), after that was called. No queued key belongs into an earlier one.
  std::uint64_t front() const { return front_; }

  /// Whether top() ought to wait, now that its key is this one.
  bool is_too_early(Cost key) const { return bucket_of(key) > front_; }

  /// Empties it. The caller has started the vertices over.
  void clear() {
    words_.fill(0);
    size_ = 0;
  }

  std::size_t memory_bytes() const { return kSlots * sizeof(CellList) + sizeof(words_); }

 private:
  static constexpr int kSlotBits = 18;
  static constexpr std::uint32_t kSlots = 1U << kSlotBits;

  // --- which slots are not empty: a bit each, and a bit for each word of bits, and so on ---

  static constexpr std::uint32_t kWord = 64;
  static constexpr int kLevels = kSlotBits / 6;
  static_assert(kSlotBits % 6 == 0);
  /// The words of each level begin after those of the levels above it.
  static constexpr std::array<std::uint32_t, kLevels> kBegin{0, 1, 1 + kWord};

  std::uint64_t& word(int level, std::uint32_t index) { return words_[kBegin[level] + index]; }
  std::uint64_t word(int level, std::uint32_t index) const { return words_[kBegin[level] + index]; }

  bool is_marked(std::uint32_t slot) const {
    return (word(kLevels - 1, slot / kWord) >> slot % kWord & 1U) != 0;
  }

  void mark(std::uint32_t slot) {
    for (int level = kLevels - 1; level >= 0; --level, slot /= kWord) {
      std::uint64_t& bits = word(level, slot / kWord);
      const bool was_empty = bits == 0;
      bits |= std::uint64_t{1} << slot % kWord;
      if (!was_empty) return;
    }
  }

  void unmark(std::uint32_t slot) {
    for (int level = kLevels - 1; level >= 0; --level, slot /= kWord) {
      std::uint64_t& bits = word(level, slot / kWord);
      bits &= ~(std::uint64_t{1} << slot % kWord);
      if (bits != 0) return;
    }
  }

  /// The first marked slot from this one on, around the ring. There is one.
  std::uint32_t next_marked(std::uint32_t slot) const {
    const std::uint32_t found = first_marked_from(slot);
    return found < kSlots ? found : first_marked_from(0);
  }

  /// kSlots when there is none.
  std::uint32_t first_marked_from(std::uint32_t slot) const {
    // Up until a word has a bit at or after the place, down to that bit's first slot.
    int level = kLevels - 1;
    std::uint32_t place = slot;
    for (;;) {
      const std::uint64_t bits = word(level, place / kWord) & (~std::uint64_t{0} << place % kWord);
      if (bits != 0) {
        place = place / kWord * kWord + static_cast<std::uint32_t>(std::countr_zero(bits));
        break;
      }
      // Beyond this word.
      place = place / kWord + 1;
      if (level == 0 || place == size_of(level - 1)) return kSlots;
      --level;
    }
    for (; level < kLevels - 1; ++level) {
      place = place * kWord + static_cast<std::uint32_t>(std::countr_zero(word(level + 1, place)));
    }
    return place;
  }

  /// How many bits a level has.
  static constexpr std::uint32_t size_of(int level) { return 1U << 6 * (level + 1); }

  Vertices<Vertex>* vertices_;
  int shift_;
  ZeroedArray<CellList> lists_;
  std::array<std::uint64_t, 1 + kWord + kWord * kWord> words_{};
  std::uint64_t front_ = 0;
  std::size_t size_ = 0;
};

}  // namespace dynamic_planners
