// What the harnesses share: random numbers, buffers between pages that trap, changes to streams.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void random_seed(uint64_t seed);
uint64_t random_bits(void);
// 0 to `limit` - 1.
uint32_t random_below(uint32_t limit);
// `low` to `high`.
int32_t random_between(int32_t low, int32_t high);
// Once in `n` times.
bool random_once_in(uint32_t n);
void random_fill(uint8_t *bytes, size_t count);

// `capacity` bytes between two pages that trap. Of them only those of the last placement may be touched.
typedef struct {
    uint8_t *start;
    size_t capacity;
    uint8_t *placed;
    size_t count;
} guarded;

enum { MAX_AREAS = 4 };

// Areas of `capacity` bytes each, one after another in one mapping.
void guarded_create(guarded *areas, int count, size_t capacity);
// A place for `count` bytes, with any content: mostly right before the page that traps, else right after one.
uint8_t *guarded_place(guarded *area, size_t count);

// A file that is handed to a decoder again and again, each time perhaps at another place.
typedef struct {
    guarded areas[2];
    int current;
    const uint8_t *bytes;
    size_t count;
} moving_file;

void moving_file_set(moving_file *file, const uint8_t *bytes, size_t count);
// Where the file is now. Where it was is poisoned, and overwritten.
const uint8_t *moving_file_move(moving_file *file);

// Changes a stream at random in one to four ways: bits, bytes, cut off, pieces moved, taken out and put in. Returns the
// new count.
size_t mutate(uint8_t *bytes, size_t count, size_t capacity);

// Ends the process: a decoder gave something else than it promises.
_Noreturn void fail(const char *what);

// Each does one round, and returns how often it had a decoder or a kernel run.
uint64_t jpeg_round(void);
uint64_t png_round(void);
uint64_t kernel_round(void);
// What they compared so far: valid images, or changed ones that were still read.
extern uint64_t jpeg_compared, png_compared, kernel_compared;
