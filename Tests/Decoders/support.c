#define _GNU_SOURCE
#include "support.h"

#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t state;

void random_seed(uint64_t seed) { state = seed; }

// SplitMix64.
uint64_t random_bits(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

uint32_t random_below(uint32_t limit) { return (uint32_t)((random_bits() >> 32) * limit >> 32); }
int32_t random_between(int32_t low, int32_t high) { return low + (int32_t)random_below((uint32_t)(high - low) + 1); }
bool random_once_in(uint32_t n) { return random_below(n) == 0; }

void random_fill(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        const uint64_t bits = random_bits();
        memcpy(bytes + i, &bits, count - i < 8 ? count - i : 8);
    }
}

void guarded_create(guarded *areas, int count, size_t capacity) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), rounded = (capacity + page - 1) / page * page;
    const size_t whole = page + (size_t)count * (rounded + page);
    uint8_t *base = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) fail("no memory");
    for (int i = 0; i < count; i++) {
        uint8_t *start = base + page + (size_t)i * (rounded + page);
        if (mprotect(start, rounded, PROT_READ | PROT_WRITE) != 0) fail("no memory");
        ASAN_POISON_MEMORY_REGION(start, rounded);
        areas[i] = (guarded){.start = start, .capacity = rounded, .placed = start, .count = 0};
    }
}

uint8_t *guarded_place(guarded *area, size_t count) {
    if (count > area->capacity) fail("a harness asks for too much");
    ASAN_POISON_MEMORY_REGION(area->placed, area->count);
    area->placed = random_once_in(4) ? area->start : area->start + area->capacity - count;
    area->count = count;
    ASAN_UNPOISON_MEMORY_REGION(area->placed, count);
    return area->placed;
}

enum { FILE_CAPACITY = 1 << 18 };

void moving_file_set(moving_file *file, const uint8_t *bytes, size_t count) {
    if (!file->areas[0].start) guarded_create(file->areas, 2, FILE_CAPACITY);
    uint8_t *place = guarded_place(&file->areas[file->current], count);
    if (count > 0) memcpy(place, bytes, count);
    file->bytes = place;
    file->count = count;
}

const uint8_t *moving_file_move(moving_file *file) {
    if (!random_once_in(4) || file->count == 0) return file->bytes;
    guarded *from = &file->areas[file->current], *to = &file->areas[1 - file->current];
    uint8_t *place = guarded_place(to, file->count);
    memcpy(place, from->placed, file->count);
    memset(from->placed, 0xAA, file->count);
    guarded_place(from, 0);
    file->current = 1 - file->current;
    return file->bytes = place;
}

static size_t change(uint8_t *bytes, size_t count, size_t capacity) {
    const size_t at = random_below((uint32_t)count), other = random_below((uint32_t)count);
    const size_t from = at < other ? at : other, to = at < other ? other : at;
    const size_t length = 1 + random_below(16);
    switch (random_below(8)) {
    case 0: bytes[at] = (uint8_t)random_bits(); return count;
    case 1: bytes[at] = random_once_in(2) ? 0xFF : 0; return count;
    case 2: return at + 1; // cut off
    case 3: // a piece taken out
        memmove(bytes + from, bytes + to, count - to);
        return count - (to - from);
    case 4: // a piece over another
        memmove(bytes + at, bytes + other, length < count - (at > other ? at : other) ? length : 1);
        return count;
    case 5: // put in
        if (count + length > capacity) return count;
        memmove(bytes + at + length, bytes + at, count - at);
        random_fill(bytes + at, length);
        return count + length;
    default: bytes[at] ^= (uint8_t)(1 << random_below(8)); return count;
    }
}

size_t mutate(uint8_t *bytes, size_t count, size_t capacity) {
    for (uint32_t times = 1 + random_below(4); times > 0 && count > 0; times--) count = change(bytes, count, capacity);
    return count;
}

void fail(const char *what) {
    fprintf(stderr, "FAILED: %s\n", what);
    abort();
}
