#include "decoder.h"
#include "parsed_mcu_queue.h"

#include <stdlib.h>
#include <string.h>

// No other place checks this. The entropy decoders shift 64-bit words, and read eight bytes as a word whose lowest byte
// is the first. Offsets in a file are of type size_t. On other processors libjpeg decodes every file.
bool prep_jpeg_fast_decoder_is_available(void) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && SIZE_MAX == UINT64_MAX;
}

static scan_coding scan_coding_of(const prep_jpeg_fast_decoder *decoder, const scan_state *scan) {
    return !decoder->is_progressive ? SEQUENTIAL_SCAN : scan->is_refinement ? REFINEMENT_SCAN : FIRST_SCAN;
}

// Initializes the tables of component `i` of a scan. A table that is equal to that of an earlier component, which is
// common for Cb and Cr, is shared, so that it is in the cache only once.
static bool init_scan_tables(
    prep_jpeg_fast_decoder *decoder, scan_state *scan, const prep_jpeg_fast_scan *description, int32_t i) {
    const size_t base = (size_t)(scan - decoder->scans) * PREP_JPEG_FAST_MAX_COMPONENTS;
    int32_t dc = 0, ac = 0;
    while (memcmp(&description->dc_tables[dc], &description->dc_tables[i], sizeof *description->dc_tables) != 0) dc++;
    while (memcmp(&description->ac_tables[ac], &description->ac_tables[i], sizeof *description->ac_tables) != 0) ac++;
    dc_huffman_table *dc_tables = decoder->dc_tables + base;
    ac_huffman_table *ac_tables = decoder->ac_tables + base;
    scan->components[i].dc_table = &dc_tables[dc];
    scan->components[i].ac_table = &ac_tables[ac];
    const bool has_dc = scan->spectral_start == 0 && !scan->is_refinement, has_ac = scan->spectral_end > 0;
    return (!has_dc || dc < i || prep_dc_huffman_table_init(&dc_tables[i], &description->dc_tables[i])) &&
        (!has_ac || ac < i ||
         prep_ac_huffman_table_init(
             &ac_tables[i], &description->ac_tables[i], scan_coding_of(decoder, scan), scan->approximation_low));
}

// Initializes the lookup tables of a sequential scan. Components with the same codes share them, too.
static void init_pairs(prep_jpeg_fast_decoder *decoder, scan_state *scan) {
    for (int32_t i = 0; i < scan->component_count; i++) {
        scan_component_state *component = &scan->components[i];
        int32_t same = 0;
        while (scan->components[same].dc_table != component->dc_table ||
               scan->components[same].ac_table != component->ac_table) same++;
        if (same == i)
            prep_component_pairs_init(&decoder->pairs[i], &component->dc_table->code, &component->ac_table->code);
        component->dc_pairs = decoder->pairs[same].dc;
        component->ac_pairs = decoder->pairs[same].ac;
    }
}

static bool init_scan(prep_jpeg_fast_decoder *decoder, scan_state *state, const prep_jpeg_fast_scan *description) {
    state->reader.next_byte = description->data_start;
    state->reader.end_byte = description->data_end;
    state->component_count = description->component_count;
    state->spectral_start = description->spectral_start;
    state->spectral_end = description->spectral_end;
    state->is_refinement = description->is_refinement;
    state->approximation_low = description->approximation_low;
    state->restart_interval = description->restart_interval;
    state->mcus_until_restart = description->restart_interval > 0 ? description->restart_interval : UINT32_MAX;
    int32_t blocks = 0;
    for (int32_t i = 0; i < description->component_count; i++) {
        const int32_t index = description->component_indices[i];
        const component_state *component = &decoder->components[index];
        state->components[i] = (scan_component_state){
            .component_index = index, .horizontal_sampling = component->horizontal_sampling,
            .vertical_sampling = component->vertical_sampling};
        blocks += component->horizontal_sampling * component->vertical_sampling;
        if (!init_scan_tables(decoder, state, description, i)) return false;
    }
    return blocks <= MAX_BLOCKS_PER_MCU || description->component_count == 1;
}

static bool init_component(
    prep_jpeg_fast_decoder *decoder, int32_t c, const prep_jpeg_fast_component *description,
    prep_jpeg_fast_instruction_set set) {
    const inverse_dct_kernels *inverse_dct = prep_inverse_dct_kernels(set, description->block_size);
    if (!inverse_dct) return false;
    component_state *state = &decoder->components[c];
    state->horizontal_sampling = description->horizontal_sampling;
    state->vertical_sampling = description->vertical_sampling;
    state->blocks_per_row = description->blocks_per_row;
    state->block_row_count = description->block_row_count;
    state->block_size = description->block_size;
    state->inverse_dct = *inverse_dct;
    for (int k = 0; k < 64; k++)
        state->quantization_steps.values[prep_block_index_of_zigzag[k]] = (int16_t)description->quantization_table[k];
    if (!decoder->is_progressive) return true;
    coefficient_row_buffer *rows = &decoder->row_buffers[c];
    rows->blocks_per_row = decoder->mcus_per_row * state->horizontal_sampling;
    const size_t count = (size_t)rows->blocks_per_row * (size_t)state->vertical_sampling;
    rows->blocks = aligned_alloc(_Alignof(coefficient_block), count * sizeof *rows->blocks);
    rows->nonzero_masks = malloc(count * sizeof *rows->nonzero_masks);
    if (!rows->blocks || !rows->nonzero_masks) return false;
    memset(rows->blocks, 0, count * sizeof *rows->blocks);
    return true;
}

static bool is_in_range(int32_t value, int32_t first, int32_t last) { return value >= first && value <= last; }

// Returns whether the sizes of an image fit those of the decoder's buffers. A single component with sampling factors
// above 1 would exceed the blocks of an MCU.
static bool is_valid_image(const prep_jpeg_fast_image *image, int32_t scan_count) {
    const int32_t max_mcus_per_row = 65535 / 8 + 1;
    if (!is_in_range(image->component_count, 1, PREP_JPEG_FAST_MAX_COMPONENTS)) return false;
    if (!is_in_range(image->mcus_per_row, 1, max_mcus_per_row) || scan_count < 1) return false;
    if (!image->is_progressive && scan_count > 1) return false;
    const int32_t max_sampling = image->component_count == 1 ? 1 : 4;
    for (int32_t c = 0; c < image->component_count; c++) {
        const prep_jpeg_fast_component *component = &image->components[c];
        if (!is_in_range(component->horizontal_sampling, 1, max_sampling)) return false;
        if (!is_in_range(component->vertical_sampling, 1, max_sampling)) return false;
        if (!is_in_range(component->blocks_per_row, 1, image->mcus_per_row * component->horizontal_sampling))
            return false;
        if (component->block_row_count < 1) return false;
        for (int k = 0; k < 64; k++)
            if (component->quantization_table[k] > PREP_JPEG_FAST_MAX_QUANTIZATION_STEP) return false;
    }
    return true;
}

// Returns whether a scan refers to components of the image, in ascending order, and to coefficients of a block.
static bool is_valid_scan(const prep_jpeg_fast_image *image, const prep_jpeg_fast_scan *scan) {
    const int32_t min_count = image->is_progressive ? 1 : image->component_count;
    if (!is_in_range(scan->component_count, min_count, image->component_count)) return false;
    int32_t previous = -1;
    for (int32_t i = 0; i < scan->component_count; i++) {
        if (!is_in_range(scan->component_indices[i], previous + 1, image->component_count - 1)) return false;
        previous = scan->component_indices[i];
    }
    // In a progressive image, DC coefficients have scans of their own, and only these are interleaved. A sequential
    // scan has all coefficients.
    const bool is_dc_scan = scan->spectral_start == 0;
    if (image->is_progressive ? (is_dc_scan ? scan->spectral_end != 0 : scan->component_count != 1)
                              : !is_dc_scan || scan->spectral_end != 63 || scan->is_refinement ||
                                    scan->approximation_low != 0)
        return false;
    return is_in_range(scan->spectral_start, 0, 63) && is_in_range(scan->spectral_end, scan->spectral_start, 63) &&
        is_in_range(scan->approximation_low, 0, 10) && scan->data_start <= scan->data_end;
}

prep_jpeg_fast_decoder *prep_jpeg_fast_decoder_create(
    const prep_jpeg_fast_image *image, const prep_jpeg_fast_scan *scans, int32_t scan_count,
    prep_jpeg_fast_instruction_set instruction_set) {
    if (!prep_jpeg_fast_decoder_is_available() || !is_valid_image(image, scan_count)) return NULL;
    for (int32_t i = 0; i < scan_count; i++)
        if (!is_valid_scan(image, &scans[i])) return NULL;
    prep_jpeg_fast_decoder *decoder = aligned_alloc(_Alignof(prep_jpeg_fast_decoder), sizeof *decoder);
    if (!decoder) return NULL;
    memset(decoder, 0, sizeof *decoder);
    decoder->component_count = image->component_count;
    decoder->mcus_per_row = image->mcus_per_row;
    const prep_jpeg_fast_component *first = &image->components[0];
    decoder->mcu_row_count = (first->block_row_count + first->vertical_sampling - 1) / first->vertical_sampling;
    for (int32_t c = 0; c < image->component_count; c++)
        decoder->blocks_per_mcu += image->components[c].horizontal_sampling * image->components[c].vertical_sampling;
    decoder->is_progressive = image->is_progressive;
#if defined(__x86_64__)
    decoder->has_bmi2 = instruction_set == PREP_JPEG_FAST_AVX2 && __builtin_cpu_supports("bmi2");
#endif
    decoder->scan_count = scan_count;
    const size_t tables = (size_t)scan_count * PREP_JPEG_FAST_MAX_COMPONENTS;
    decoder->scans = calloc((size_t)scan_count, sizeof *decoder->scans);
    decoder->dc_tables = malloc(tables * sizeof *decoder->dc_tables);
    decoder->ac_tables = malloc(tables * sizeof *decoder->ac_tables);
    decoder->pairs = malloc(PREP_JPEG_FAST_MAX_COMPONENTS * sizeof *decoder->pairs);
    bool is_valid = decoder->scans && decoder->dc_tables && decoder->ac_tables && decoder->pairs;
    for (int32_t c = 0; is_valid && c < image->component_count; c++) {
        is_valid = init_component(decoder, c, &image->components[c], instruction_set);
    }
    for (int32_t i = 0; is_valid && i < scan_count; i++) is_valid = init_scan(decoder, &decoder->scans[i], &scans[i]);
    if (is_valid && !decoder->is_progressive) init_pairs(decoder, decoder->scans);
    if (is_valid) return decoder;
    prep_jpeg_fast_decoder_destroy(decoder);
    return NULL;
}

void prep_jpeg_fast_decoder_destroy(prep_jpeg_fast_decoder *decoder) {
    if (decoder->queue) prep_parsed_mcu_queue_destroy(decoder->queue);
    for (int32_t c = 0; c < decoder->component_count; c++) {
        free(decoder->row_buffers[c].blocks);
        free(decoder->row_buffers[c].nonzero_masks);
    }
    free(decoder->scans);
    free(decoder->dc_tables);
    free(decoder->ac_tables);
    free(decoder->pairs);
    free(decoder);
}

bool prep_jpeg_fast_decoder_has_consumed_all(const prep_jpeg_fast_decoder *decoder) {
    if (decoder->next_mcu_row != decoder->mcu_row_count) return false;
    if (decoder->queue) prep_parsed_mcu_queue_wait_until_ended(decoder->queue);
    for (int32_t i = 0; i < decoder->scan_count; i++) {
        const scan_state *scan = &decoder->scans[i];
        if (scan->reader.bit_count >= 8 || scan->reader.next_byte != scan->reader.end_byte || scan->eob_run > 0)
            return false;
    }
    return true;
}

bool prep_jpeg_fast_decoder_read_mcu_row(
    prep_jpeg_fast_decoder *decoder, const uint8_t *bytes, uint8_t *rows, const size_t *offsets,
    const size_t *strides) {
    const bool is_read = decoder->queue ? prep_write_parsed_mcu_row(decoder, rows, offsets, strides)
        : decoder->is_progressive       ? prep_decode_progressive_mcu_row(decoder, bytes, rows, offsets, strides)
                                        : prep_decode_sequential_mcu_row(decoder, bytes, rows, offsets, strides);
    if (is_read) decoder->next_mcu_row++;
    return is_read;
}
