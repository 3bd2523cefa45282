// The scans of a progressive file, whose tokens are made from those of the blocks. Source: T.81, annex G.
#include <stdlib.h>

#include "encoder.h"

// The scans of an image with chroma: DC, the lowest frequencies of luma, chroma, the rest of luma. Cr comes before Cb,
// because it has more of the visible detail in photos of skin.
static const scan_description color_scans[] = {
    {.first_component = 0, .component_count = 3},
    {.first_component = 0, .component_count = 1, .spectral_start = 1, .spectral_end = 2},
    {.first_component = 2, .component_count = 1, .spectral_start = 1, .spectral_end = 63},
    {.first_component = 1, .component_count = 1, .spectral_start = 1, .spectral_end = 63},
    {.first_component = 0, .component_count = 1, .spectral_start = 3, .spectral_end = 63},
};

// The same with the last bit of luma in a scan of its own, which saves bytes if few of its coefficients are 1 or -1.
static const scan_description refined_color_scans[] = {
    {.first_component = 0, .component_count = 3},
    {.first_component = 0, .component_count = 1, .spectral_start = 1, .spectral_end = 2, .approximation_low = 1},
    {.first_component = 2, .component_count = 1, .spectral_start = 1, .spectral_end = 63},
    {.first_component = 1, .component_count = 1, .spectral_start = 1, .spectral_end = 63},
    {.first_component = 0, .component_count = 1, .spectral_start = 3, .spectral_end = 63, .approximation_low = 1},
    {.first_component = 0, .component_count = 1, .spectral_start = 1, .spectral_end = 63, .approximation_high = 1},
};

static const scan_description gray_scans[] = {
    {.first_component = 0, .component_count = 1},
    {.first_component = 0, .component_count = 1, .spectral_start = 1, .spectral_end = 2},
    {.first_component = 0, .component_count = 1, .spectral_start = 3, .spectral_end = 63},
};

static const scan_description refined_gray_scans[] = {
    {.first_component = 0, .component_count = 1},
    {.first_component = 0, .component_count = 1, .spectral_start = 1, .spectral_end = 2, .approximation_low = 1},
    {.first_component = 0, .component_count = 1, .spectral_start = 3, .spectral_end = 63, .approximation_low = 1},
    {.first_component = 0, .component_count = 1, .spectral_start = 1, .spectral_end = 63, .approximation_high = 1},
};

typedef struct {
    const scan_description *scans;
    size_t count;
} scan_script;

#define SCRIPT(scans) ((scan_script){scans, sizeof scans / sizeof *scans})

// Of photos, the files with a scan of last bits are smaller from about this quality on.
enum { MIN_REFINED_QUALITY = 86 };

static scan_script script_of(const prep_jpeg_compact_encoder *encoder) {
    const bool is_refined = encoder->quality >= MIN_REFINED_QUALITY;
    if (encoder->image.component_count == 1) return is_refined ? SCRIPT(refined_gray_scans) : SCRIPT(gray_scans);
    return is_refined ? SCRIPT(refined_color_scans) : SCRIPT(color_scans);
}

enum { MAX_EOB_RUN = 0x7FFF, MAX_CORRECTION_BITS = 1000, MAX_NEW_TOKENS = 512 };

// Correction bits, each in a byte.
typedef struct {
    uint8_t bits[MAX_CORRECTION_BITS + 64];
    int32_t count;
} correction_bits;

typedef struct {
    const scan_description *description;
    token_buffer tokens;
    uint32_t counts[SYMBOLS];
    uint32_t eob_run;             // blocks that ended, whose token is not yet added
    correction_bits eob_run_bits; // those of these blocks
    bool has_failed;
} scan_builder;

static void add_symbol(scan_builder *scan, uint32_t symbol, uint32_t value_bits) {
    scan->tokens.items[scan->tokens.count++] = symbol << 16 | value_bits;
    scan->counts[symbol]++;
}

static void add_raw_bits(scan_builder *scan, uint32_t bits, uint32_t count) {
    scan->tokens.items[scan->tokens.count++] = (RAW_BITS + count) << 16 | bits;
}

static void add_correction_bits(scan_builder *scan, correction_bits *correction) {
    for (int32_t i = 0; i < correction->count; i += MAX_RAW_BITS) {
        const int32_t rest = correction->count - i, count = rest < MAX_RAW_BITS ? rest : MAX_RAW_BITS;
        uint32_t bits = 0;
        for (int32_t j = 0; j < count; j++) bits = bits << 1 | correction->bits[i + j];
        add_raw_bits(scan, bits, (uint32_t)count);
    }
    correction->count = 0;
}

// Adds the token of the blocks that ended, with the correction bits in them.
static void flush_eob_run(scan_builder *scan) {
    if (scan->eob_run == 0) return;
    const uint32_t size = 31 - (uint32_t)__builtin_clz(scan->eob_run);
    add_symbol(scan, LUMA_AC + (size << 4), 0);
    if (size > 0) add_raw_bits(scan, scan->eob_run & ((1u << size) - 1), size);
    scan->eob_run = 0;
    add_correction_bits(scan, &scan->eob_run_bits);
}

// The AC coefficients of a block that are not zero, in order.
typedef struct {
    int32_t count;
    uint8_t indices[63]; // in zigzag order
    int16_t values[63];
} block_coefficients;

// Reads a block's coefficients from its tokens, of which the first is for DC.
static void read_block(const token *tokens, block_coefficients *block) {
    block->count = 0;
    for (uint32_t k = 0; k < 63;) {
        const uint32_t symbol = *++tokens >> 16 & 255, size = symbol & 15;
        if (symbol == END_OF_BLOCK) return;
        k += (symbol >> 4) + 1;
        if (size == 0) continue;
        const int32_t bits = (int32_t)(*tokens & 0xFFFF);
        block->indices[block->count] = (uint8_t)k;
        block->values[block->count++] = (int16_t)(bits >> (size - 1) ? bits : bits - (1 << size) + 1);
    }
}

static uint32_t add_zero_runs(scan_builder *scan, uint32_t run) {
    for (; run > 15; run -= 16) add_symbol(scan, LUMA_AC + ZERO_RUN, 0);
    return run;
}

// Adds a block's tokens in the first scan of its coefficients. Source: T.81, G.1.2.2.
static void add_first_block(scan_builder *scan, const block_coefficients *block) {
    const scan_description *description = scan->description;
    int32_t last = description->spectral_start - 1;
    for (int32_t i = 0; i < block->count; i++) {
        const int32_t k = block->indices[i], value = block->values[i];
        if (k < description->spectral_start || k > description->spectral_end) continue;
        const uint32_t magnitude = magnitude_of(value) >> description->approximation_low;
        if (magnitude == 0) continue;
        flush_eob_run(scan);
        const uint32_t run = add_zero_runs(scan, (uint32_t)(k - last - 1)), size = size_of_magnitude(magnitude);
        const uint32_t bits = value < 0 ? ~magnitude & ((1u << size) - 1) : magnitude;
        add_symbol(scan, LUMA_AC + (run << 4) + size, bits);
        last = k;
    }
    if (last < description->spectral_end && ++scan->eob_run == MAX_EOB_RUN) flush_eob_run(scan);
}

// Adds a block's tokens in a scan that adds the last bit. A coefficient that was not zero before gets a correction bit
// after the next token; one that becomes 1 or -1 has a token. Source: T.81, G.1.2.3.
static void add_refined_block(scan_builder *scan, const block_coefficients *block) {
    correction_bits correction = {.count = 0};
    int32_t last_new = -1; // the index of the last coefficient that becomes nonzero
    for (int32_t i = 0; i < block->count; i++)
        if (magnitude_of(block->values[i]) == 1) last_new = i;
    int32_t position = scan->description->spectral_start; // of the next coefficient
    uint32_t run = 0;                                     // zeros before it, without those that were nonzero before
    for (int32_t i = 0; i < block->count; i++) {
        const int32_t k = block->indices[i];
        const uint32_t magnitude = magnitude_of(block->values[i]);
        run += (uint32_t)(k - position);
        position = k + 1;
        for (; run > 15 && i <= last_new; run -= 16) {
            flush_eob_run(scan);
            add_symbol(scan, LUMA_AC + ZERO_RUN, 0);
            add_correction_bits(scan, &correction);
        }
        if (magnitude > 1) {
            correction.bits[correction.count++] = magnitude & 1;
            continue;
        }
        flush_eob_run(scan);
        add_symbol(scan, LUMA_AC + (run << 4) + 1, block->values[i] > 0);
        add_correction_bits(scan, &correction);
        run = 0;
    }
    if (position > scan->description->spectral_end && correction.count == 0) return;
    scan->eob_run++;
    for (int32_t i = 0; i < correction.count; i++)
        scan->eob_run_bits.bits[scan->eob_run_bits.count++] = correction.bits[i];
    if (scan->eob_run == MAX_EOB_RUN || scan->eob_run_bits.count > MAX_CORRECTION_BITS - 63) flush_eob_run(scan);
}

// Returns the tokens of the block in a row and column of a component.
static const token *block_tokens(
    const prep_jpeg_compact_encoder *encoder, const component_state *component, int32_t row, int32_t column) {
    const int32_t across = component->horizontal_sampling, down = component->vertical_sampling;
    const size_t mcu = (size_t)(row / down) * encoder->mcus_per_row + (size_t)(column / across);
    const int32_t block = component->first_block + row % down * across + column % across;
    return encoder->parts[0].tokens.items +
        encoder->block_starts[mcu * (size_t)encoder->blocks_per_mcu + (size_t)block];
}

static bool reserve_scan_tokens(scan_builder *scan) {
    if (!prep_token_buffer_reserve(&scan->tokens, MAX_NEW_TOKENS)) scan->has_failed = true;
    return !scan->has_failed;
}

// Adds the tokens of all DC coefficients.
static void build_dc_scan(scan_builder *scan, const prep_jpeg_compact_encoder *encoder) {
    const size_t mcus = (size_t)encoder->mcus_per_row * encoder->mcu_row_count;
    for (size_t i = 0; i < mcus * (size_t)encoder->blocks_per_mcu && reserve_scan_tokens(scan); i++) {
        const token token = encoder->parts[0].tokens.items[encoder->block_starts[i]];
        add_symbol(scan, token >> 16, token & 0xFFFF);
    }
}

// Adds the tokens of one component's AC coefficients. Only blocks with samples belong to such a scan.
static void build_ac_scan(scan_builder *scan, const prep_jpeg_compact_encoder *encoder) {
    const component_state *component = &encoder->components[scan->description->first_component];
    block_coefficients block;
    for (int32_t row = 0; row < component->block_row_count; row++) {
        for (int32_t column = 0; column < component->blocks_per_row && reserve_scan_tokens(scan); column++) {
            read_block(block_tokens(encoder, component, row, column), &block);
            if (scan->description->approximation_high > 0) add_refined_block(scan, &block);
            else add_first_block(scan, &block);
        }
    }
    if (reserve_scan_tokens(scan)) flush_eob_run(scan);
}

void prep_append_progressive_scans(output_buffer *output, const prep_jpeg_compact_encoder *encoder) {
    const scan_script script = script_of(encoder);
    token_buffer tokens = {0};
    for (size_t i = 0; i < script.count && !output->has_failed; i++) {
        tokens.count = 0;
        scan_builder scan = {.description = &script.scans[i], .tokens = tokens};
        if (scan.description->spectral_end == 0) build_dc_scan(&scan, encoder);
        else build_ac_scan(&scan, encoder);
        tokens = scan.tokens;
        if (scan.has_failed) output->has_failed = true;
        else prep_append_scan(output, encoder, scan.description, &tokens, 1, scan.counts);
    }
    free(tokens.items);
}
