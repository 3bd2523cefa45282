#include "huffman.h"

#include "debug_assert.h"

huffman_code_entry prep_find_huffman_code(const prefix_code *code, uint64_t bits) {
    const uint32_t sixteen = (uint32_t)(bits >> 48);
    int32_t length = 1;
    while (sixteen >= code->code_limits[length]) length++;
    if (length > 16) return 0;
    const int32_t index = code->symbol_offsets[length] + (int32_t)(bits >> (64 - length));
    return index < 0 || index > 255 ? 0 : (huffman_code_entry)(length | code->symbols[index] << 8);
}

huffman_value_entry prep_find_huffman_value(const ac_huffman_table *table, uint64_t bits) {
    const huffman_code_entry entry = prep_find_huffman_code(&table->code, bits);
    if (entry == 0) return 0;
    const int32_t length = code_entry_length(entry), run = code_entry_symbol(entry) >> 4,
                  size = code_entry_symbol(entry) & 15;
    if (size == 0 && run < 15) {
        if (run > 0 && table->coding == SEQUENTIAL_SCAN) return 0; // reserved
        return decode_eob_run(bits, length, run) << 16 | END_OF_BLOCK | (uint32_t)(length + run);
    }
    return (uint32_t)decode_signed_value(bits, length, size) << 16 | (uint32_t)(run + 1) << 8 |
        (uint32_t)(length + size);
}

static bool init_prefix_code(
    prefix_code *prefix, const prep_jpeg_fast_huffman_table *description, uint8_t size_bits, int32_t largest_size) {
    uint32_t code = 0;
    int32_t used = 0;
    for (int32_t length = 1; length <= 16; length++) {
        prefix->symbol_offsets[length] = used - (int32_t)code;
        for (int32_t i = 0; i < description->code_counts[length - 1]; i++, code++, used++) {
            // The code of all ones must not be used. libjpeg rejects tables that use it, so other decoders would fail.
            if (used == 256 || code + 1 >= 1u << length) return false;
            if ((description->symbols[used] & size_bits) > largest_size) return false;
            prefix->symbols[used] = description->symbols[used];
        }
        prefix->code_limits[length] = code << (16 - length);
        code <<= 1;
    }
    prefix->code_limits[17] = UINT32_MAX;
    return used > 0;
}

static void init_code_lookup(huffman_code_entry *lookup, const prefix_code *code) {
    for (uint64_t bits = 0; bits < 1 << CODE_LOOKUP_BITS; bits++) {
        const huffman_code_entry entry = prep_find_huffman_code(code, bits << (64 - CODE_LOOKUP_BITS));
        DEBUG_ASSERT(code_entry_length(entry) <= 16);
        lookup[bits] = code_entry_length(entry) <= CODE_LOOKUP_BITS ? entry : 0;
    }
}

// A difference of DC coefficients has at most 11 bits for 8-bit samples.
bool prep_dc_huffman_table_init(dc_huffman_table *table, const prep_jpeg_fast_huffman_table *description) {
    if (!init_prefix_code(&table->code, description, 255, 11)) return false;
    init_code_lookup(table->code_lookup, &table->code);
    return true;
}

// An AC coefficient has at most 10 bits for 8-bit samples. So a code with its value has at most 26 bits, and one with a
// number of blocks at most 30.
bool prep_ac_huffman_table_init(
    ac_huffman_table *table, const prep_jpeg_fast_huffman_table *description, scan_coding kind, int32_t low_bits) {
    table->coding = kind;
    if (!init_prefix_code(&table->code, description, 15, kind == REFINEMENT_SCAN ? 1 : 10 - low_bits)) return false;
    if (kind == REFINEMENT_SCAN) {
        init_code_lookup(table->code_lookup, &table->code);
        return true;
    }
    if (kind == SEQUENTIAL_SCAN) return true; // coefficient pairs are its lookup
    for (uint64_t bits = 0; bits < 1 << VALUE_LOOKUP_BITS; bits++) {
        const huffman_value_entry entry = prep_find_huffman_value(table, bits << (64 - VALUE_LOOKUP_BITS));
        DEBUG_ASSERT(value_entry_length(entry) <= 30);
        table->value_lookup[bits] =
            entry != 0 && value_entry_length(entry) <= VALUE_LOOKUP_BITS ? entry : CODE_EXCEEDS_LOOKUP;
    }
    return true;
}
