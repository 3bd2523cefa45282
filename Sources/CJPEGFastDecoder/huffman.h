// Huffman tables for decoding. Private to the scan decoder.
#pragma once

#include "jpeg_fast_decoder.h"

// Bits that are looked up at once.
//
// For the first coefficient of a block its code alone, whose value is often long. For the others code and value
// together: in photos 97 to 99% of them fit, and the tables of luma and chroma fit the first-level cache; with 10 bits
// a 12-megapixel photo takes 15% more time, with 12 bits 10%.
enum { CODE_LOOKUP_BITS = 9, VALUE_LOOKUP_BITS = 11 };

// A code in its lowest byte the bits of the code, above them its symbol; 0 stands for bits that are no code.
typedef uint16_t huffman_code_entry;

static inline int32_t code_entry_length(huffman_code_entry entry) { return entry & 255; }
static inline int32_t code_entry_symbol(huffman_code_entry entry) { return entry >> 8; }

// A code with its value: in the lowest byte the bits of both together; in the next how many coefficients it goes on by,
// the zeros and its own; in the upper half the value. 0 stands for bits that are no code.
typedef uint32_t huffman_value_entry;

// More coefficients than a block has, so that one comparison finds all that isn't a mere value.
enum {
    CODE_EXCEEDS_LOOKUP = 64 << 8,    // it doesn't fit the lookup
    END_OF_BLOCK = 128 << 8 // and its length; its value: how many blocks to come it ends too
};

static inline int32_t value_entry_length(huffman_value_entry entry) { return entry & 255; }
static inline int32_t value_entry_advance(huffman_value_entry entry) { return entry >> 8 & 255; }
static inline int32_t value_entry_coefficient(huffman_value_entry entry) { return (int32_t)entry >> 16; }

// What `size` bits behind a code of `length` say: those that begin with 1 are a positive number, others a negative one
// less all ones. Without branches, which could not be foreseen. Source: T.81, F.2.2.1, EXTEND.
static inline int32_t decode_signed_value(uint64_t bits, int32_t length, int32_t size) {
    const uint64_t value_bits = bits << length;
    const int32_t ones = (int32_t)(((uint64_t)1 << size) - 1);
    return (int32_t)(value_bits >> 1 >> (63 - size)) - (ones & ~(int32_t)((int64_t)value_bits >> 63));
}

// How many blocks to come a code of `length` ends besides this one, by the `size` bits behind it. Source: T.81,
// G.1.2.2.
static inline uint32_t decode_eob_run(uint64_t bits, int32_t length, int32_t size) {
    return (1u << size) + (uint32_t)(bits << length >> 1 >> (63 - size)) - 1;
}

// A prefix code: of each length the first code, left-aligned to 16 bits, that is too large for it, and where its
// symbols are.
typedef struct {
    uint32_t code_limits[18];
    int32_t symbol_offsets[17];
    uint8_t symbols[256];
} prefix_code;

// What symbols stand for, by T.81: in a scan of all bits (F.1.2.2), in one of the highest bits (G.1.2.2), and in one
// that adds a bit (G.1.2.3).
typedef enum { SEQUENTIAL_SCAN, FIRST_SCAN, REFINEMENT_SCAN } scan_coding;

typedef struct {
    huffman_code_entry code_lookup[1 << CODE_LOOKUP_BITS]; // 0 for longer ones too
    prefix_code code;
} dc_huffman_table;

typedef struct {
    union {
        huffman_value_entry value_lookup[1 << VALUE_LOOKUP_BITS];
        huffman_code_entry code_lookup[1 << CODE_LOOKUP_BITS]; // if it is one for refining; 0 for longer ones too
    };
    prefix_code code;
    scan_coding coding;
} ac_huffman_table;

// False if the counts describe no prefix code, or its symbols no coefficients.
bool prep_dc_huffman_table_init(dc_huffman_table *table, const prep_jpeg_fast_huffman_table *stated);
bool prep_ac_huffman_table_init(ac_huffman_table *table, const prep_jpeg_fast_huffman_table *stated, scan_coding kind, int32_t low_bits);

// What `bits` begin with, however long.
huffman_code_entry prep_find_huffman_code(const prefix_code *code, uint64_t bits);
huffman_value_entry prep_find_huffman_value(const ac_huffman_table *table, uint64_t bits);
