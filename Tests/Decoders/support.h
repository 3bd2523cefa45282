// Shared by the harnesses: random numbers, buffers between protected pages, and mutation of streams.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void random_seed(uint64_t seed);
uint64_t random_bits(void);
// Returns a number from 0 to `limit` - 1.
uint32_t random_below(uint32_t limit);
// Returns a number from `low` to `high`.
int32_t random_between(int32_t low, int32_t high);
// Returns true once in `n` calls on average.
bool random_once_in(uint32_t n);
void random_fill(uint8_t *bytes, size_t count);

// `capacity` bytes between two protected pages. Only the bytes of the last placement may be accessed.
typedef struct {
    uint8_t *start;
    size_t capacity;
    uint8_t *placed;
    size_t count;
} guarded;

enum { MAX_AREAS = 4 };

// Creates areas of `capacity` bytes each in one mapping.
void guarded_create(guarded *areas, int count, size_t capacity);
// Returns a place for `count` bytes with undefined content: mostly right before a protected page, else right after one.
uint8_t *guarded_place(guarded *area, size_t count);

// A file that is passed to a decoder repeatedly, possibly at a different address each time.
typedef struct {
    guarded areas[2];
    int current;
    const uint8_t *bytes;
    size_t count;
} moving_file;

void moving_file_set(moving_file *file, const uint8_t *bytes, size_t count);
// Returns the new address of the file. The old bytes are poisoned and overwritten.
const uint8_t *moving_file_move(moving_file *file);

// Applies one to four random changes to a stream: flips bits, sets bytes, truncates, or moves, removes and inserts
// pieces. Returns the new count.
size_t mutate(uint8_t *bytes, size_t count, size_t capacity);

// Ends the process because a result is wrong.
_Noreturn void fail(const char *what);

// Each runs one round, and returns how many times it ran a decoder or a kernel.
uint64_t jpeg_round(void);
uint64_t png_round(void);
uint64_t kernel_round(void);
uint64_t encoder_round(void);
uint64_t encoder_kernel_round(void); // only the encoder's kernels; returns the number of comparisons
// Returns whether this processor must have the kernels of a set: the portable ones, and on arm64 those for NEON. The
// decoders of JPEG and PNG number the sets alike.
bool is_required_set(int set);
// Images compared so far: valid ones, and modified ones that were still decoded.
extern uint64_t jpeg_compared, png_compared, kernel_compared, encoder_compared;
