#include "huffman.h"

#include <string.h>

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
    if (size == 0 && run == 0) return END_OF_BLOCK | (uint32_t)length;
    if (size == 0 && run != 15) return 0; // reserved in a baseline scan
    return (uint32_t)extend(bits, length, size) << 16 | (uint32_t)(run + 1) << 8 | (uint32_t)(length + size);
}

static bool init_code(prefix_code *own, const prep_scan_huffman *stated, bool is_dc) {
    uint32_t code = 0;
    int32_t used = 0;
    for (int32_t length = 1; length <= 16; length++) {
        own->first_symbol[length] = used - (int32_t)code;
        for (int32_t i = 0; i < stated->counts[length - 1]; i++, code++, used++) {
            // The code of all ones must stay free: libjpeg refuses tables that use it, so nothing else would read the file.
            if (used == 256 || code + 1 >= 1u << length) return false;
            const uint8_t symbol = stated->symbols[used];
            // What 8 bits a sample can need: a code and its value then have 27 bits at most.
            if (is_dc ? symbol > 11 : (symbol & 15) > 10) return false;
            own->symbols[used] = symbol;
        }
        own->limit[length] = code << (16 - length);
        code <<= 1;
    }
    own->limit[17] = UINT32_MAX;
    return used > 0;
}

bool prep_dc_table_init(dc_table *table, const prep_scan_huffman *stated) {
    if (!init_code(&table->code, stated, true)) return false;
    for (uint64_t bits = 0; bits < 1 << DC_LOOKUP_BITS; bits++) {
        const code_entry entry = prep_find_code(&table->code, bits << (64 - DC_LOOKUP_BITS));
        table->lookup[bits] = code_length(entry) <= DC_LOOKUP_BITS ? entry : 0;
    }
    return true;
}

bool prep_ac_table_init(ac_table *table, const prep_scan_huffman *stated) {
    if (!init_code(&table->code, stated, false)) return false;
    for (uint64_t bits = 0; bits < 1 << AC_LOOKUP_BITS; bits++) {
        const value_entry entry = prep_find_value(table, bits << (64 - AC_LOOKUP_BITS));
        table->lookup[bits] = entry != 0 && value_length(entry) <= AC_LOOKUP_BITS ? entry : LONG_CODE;
    }
    return true;
}
