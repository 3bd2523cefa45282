#include "huffman.h"

code_entry prep_find_code(const prefix_code *code, uint64_t bits) {
    const uint32_t sixteen = (uint32_t)(bits >> 48);
    int32_t length = 1;
    while (sixteen >= code->limit[length]) length++;
    if (length > 16) return 0;
    const int32_t index = code->first_symbol[length] + (int32_t)(bits >> (64 - length));
    return index < 0 || index > 255 ? 0 : (code_entry)(length | code->symbols[index] << 8);
}

value_entry prep_find_value(const ac_table *table, uint64_t bits) {
    const code_entry entry = prep_find_code(&table->code, bits);
    if (entry == 0) return 0;
    const int32_t length = code_length(entry), run = code_symbol(entry) >> 4, size = code_symbol(entry) & 15;
    if (size == 0 && run < 15) {
        if (run > 0 && table->kind == SEQUENTIAL) return 0; // reserved
        return further_blocks(bits, length, run) << 16 | END_OF_BLOCK | (uint32_t)(length + run);
    }
    return (uint32_t)extend(bits, length, size) << 16 | (uint32_t)(run + 1) << 8 | (uint32_t)(length + size);
}

static bool init_code(prefix_code *own, const prep_scan_huffman *stated, uint8_t size_bits, int32_t largest_size) {
    uint32_t code = 0;
    int32_t used = 0;
    for (int32_t length = 1; length <= 16; length++) {
        own->first_symbol[length] = used - (int32_t)code;
        for (int32_t i = 0; i < stated->counts[length - 1]; i++, code++, used++) {
            // The code of all ones must stay free: libjpeg refuses tables that use it, so nothing else would read the file.
            if (used == 256 || code + 1 >= 1u << length) return false;
            if ((stated->symbols[used] & size_bits) > largest_size) return false;
            own->symbols[used] = stated->symbols[used];
        }
        own->limit[length] = code << (16 - length);
        code <<= 1;
    }
    own->limit[17] = UINT32_MAX;
    return used > 0;
}

static void init_lookup(code_entry *lookup, const prefix_code *code) {
    for (uint64_t bits = 0; bits < 1 << CODE_LOOKUP_BITS; bits++) {
        const code_entry entry = prep_find_code(code, bits << (64 - CODE_LOOKUP_BITS));
        lookup[bits] = code_length(entry) <= CODE_LOOKUP_BITS ? entry : 0;
    }
}

// A difference has 11 bits at most where samples have 8.
bool prep_dc_table_init(dc_table *table, const prep_scan_huffman *stated) {
    if (!init_code(&table->code, stated, 255, 11)) return false;
    init_lookup(table->lookup, &table->code);
    return true;
}

// A coefficient has 10 bits at most where samples have 8: so a code and its value have 26, or 30 with a number of blocks.
bool prep_ac_table_init(ac_table *table, const prep_scan_huffman *stated, symbol_kind kind, int32_t low_bits) {
    table->kind = kind;
    if (!init_code(&table->code, stated, 15, kind == REFINING ? 1 : 10 - low_bits)) return false;
    if (kind == REFINING) {
        init_lookup(table->codes, &table->code);
        return true;
    }
    for (uint64_t bits = 0; bits < 1 << VALUE_LOOKUP_BITS; bits++) {
        const value_entry entry = prep_find_value(table, bits << (64 - VALUE_LOOKUP_BITS));
        table->values[bits] = entry != 0 && value_length(entry) <= VALUE_LOOKUP_BITS ? entry : LONG_CODE;
    }
    return true;
}
