// Lookup tables for sequential scans, whose entries hold up to two coefficients. Private to the fast decoder.
#pragma once

#include "huffman.h"

// The number of bits that index a table. Two components with two tables each take half of an L1 cache of 32 KiB. With 9
// bits decoding takes 4% more time, and with 11 bits no less.
enum { PAIR_LOOKUP_BITS = 10, PAIR_LOOKUP_COUNT = 1 << PAIR_LOOKUP_BITS };

// The coefficients that the next bits begin with: one, or two, or one and the end of the block.
//
//               first          last
//     bits:  | code | value | code | value | ...
//            |<- PAIR_LOOKUP_BITS ->|
//            |<---------- length --------->|
//
// All but the last value fit in the lookup. The value of `first` is in the entry; that of `last` is decoded from the
// bits, so that codes with long values need no other path. The end of a block is a `last` without a value. A single
// coefficient is `last`; `first` is then a zero, at a place that is zero anyway or that `last` overwrites.
//
//     advance:     | ends block | other | number of coefficients, with the zeros before them |
//                    7            6       5                                                  0
//     last_shift:  | advance of first - 1 | (64 - number of bits of the last value) mod 64 |
//                    7                  6   5                                            0
//
// An entry with the bit "other" stands for everything else: a longer code, a run of 16 zeros, a DC coefficient of 0
// alone, and bits that are no code. An advance is added to the number of coefficients so far. The sum also has this bit
// if the block has its 64th coefficient, or would have more. So one test finds all exceptions.
typedef struct {
    uint8_t length, advance;
    int8_t first;
    uint8_t last_shift;
} coefficient_pair;

enum { PAIR_ENDS_BLOCK = 128, PAIR_IS_OTHER = 64 };

// The maximum length of an entry, so that three fit in the 56 bits of a refill. Longer ones are rare.
enum { MAX_PAIR_LENGTH = 18 };

// The tables of a component: for the DC coefficient and the one after it, and for all others.
typedef struct {
    coefficient_pair dc[PAIR_LOOKUP_COUNT], ac[PAIR_LOOKUP_COUNT];
} component_pairs;

// Initializes the tables from valid codes.
void prep_component_pairs_init(component_pairs *pairs, const prefix_code *dc_code, const prefix_code *ac_code);
