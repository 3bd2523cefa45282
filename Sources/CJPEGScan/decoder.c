#include "decoder.h"

#include <stdlib.h>
#include <string.h>

bool prep_scan_is_available(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

static symbol_kind kind_of(const prep_scan_decoder *decoder, const scan *scan) {
    return !decoder->is_progressive ? SEQUENTIAL : scan->refines ? REFINING : FIRST_BITS;
}

// The tables of component `i` in a scan; of those that it shares with one before it, which Cb and Cr mostly do, there is
// one in the cache too.
static bool set_tables(prep_scan_decoder *decoder, scan *scan, const prep_scan *stated, int32_t i) {
    const size_t base = (size_t)(scan - decoder->scans) * PREP_SCAN_MAX_COMPONENTS;
    int32_t dc = 0, ac = 0;
    while (memcmp(&stated->dc[dc], &stated->dc[i], sizeof *stated->dc) != 0) dc++;
    while (memcmp(&stated->ac[ac], &stated->ac[i], sizeof *stated->ac) != 0) ac++;
    dc_table *dc_tables = decoder->dc_tables + base;
    ac_table *ac_tables = decoder->ac_tables + base;
    scan->components[i].dc = &dc_tables[dc];
    scan->components[i].ac = &ac_tables[ac];
    const bool has_dc = scan->first == 0 && !scan->refines, has_ac = scan->last > 0;
    return (!has_dc || dc < i || prep_dc_table_init(&dc_tables[i], &stated->dc[i])) &&
        (!has_ac || ac < i || prep_ac_table_init(&ac_tables[i], &stated->ac[i], kind_of(decoder, scan), scan->low_bits));
}

static bool set_scan(prep_scan_decoder *decoder, scan *own, const prep_scan *stated) {
    own->source.position = stated->start;
    own->source.end = stated->end;
    own->component_count = stated->component_count;
    own->first = stated->first;
    own->last = stated->last;
    own->refines = stated->refines;
    own->low_bits = stated->low_bits;
    own->restart_interval = stated->restart_interval;
    own->until_restart = stated->restart_interval > 0 ? stated->restart_interval : UINT32_MAX;
    int32_t blocks = 0;
    for (int32_t i = 0; i < stated->component_count; i++) {
        const int32_t index = stated->components[i];
        const component *component = &decoder->components[index];
        own->components[i] = (scan_component){
            .index = index, .horizontal = component->horizontal, .vertical = component->vertical};
        blocks += component->horizontal * component->vertical;
        if (!set_tables(decoder, own, stated, i)) return false;
    }
    return blocks <= MOST_BLOCKS || stated->component_count == 1;
}

static bool set_component(prep_scan_decoder *decoder, int32_t c, const prep_scan_component *stated) {
    component *own = &decoder->components[c];
    own->horizontal = stated->horizontal;
    own->vertical = stated->vertical;
    own->blocks_across = stated->blocks_across;
    own->blocks_down = stated->blocks_down;
    for (int k = 0; k < 64; k++) own->steps.values[prep_block_place[k]] = (int16_t)stated->quantization[k];
    if (!decoder->is_progressive) return true;
    coefficient_rows *rows = &decoder->rows[c];
    rows->across = decoder->mcus_across * own->horizontal;
    const size_t count = (size_t)rows->across * (size_t)own->vertical;
    rows->blocks = aligned_alloc(_Alignof(coefficient_block), count * sizeof *rows->blocks);
    rows->nonzero = malloc(count * sizeof *rows->nonzero);
    return rows->blocks && rows->nonzero;
}

prep_scan_decoder *prep_scan_decoder_create(
    const prep_scan_picture *picture, const prep_scan *scans, int32_t scan_count) {
    prep_scan_decoder *decoder = aligned_alloc(_Alignof(prep_scan_decoder), sizeof *decoder);
    if (!decoder) return NULL;
    memset(decoder, 0, sizeof *decoder);
    decoder->component_count = picture->component_count;
    decoder->mcus_across = picture->mcus_across;
    decoder->is_progressive = picture->is_progressive;
    decoder->scan_count = scan_count;
    const size_t tables = (size_t)scan_count * PREP_SCAN_MAX_COMPONENTS;
    decoder->scans = calloc((size_t)scan_count, sizeof *decoder->scans);
    decoder->dc_tables = malloc(tables * sizeof *decoder->dc_tables);
    decoder->ac_tables = malloc(tables * sizeof *decoder->ac_tables);
    bool is_valid = decoder->scans && decoder->dc_tables && decoder->ac_tables;
    for (int32_t c = 0; is_valid && c < picture->component_count; c++) {
        is_valid = set_component(decoder, c, &picture->components[c]);
    }
    for (int32_t i = 0; is_valid && i < scan_count; i++) is_valid = set_scan(decoder, &decoder->scans[i], &scans[i]);
    if (is_valid) return decoder;
    prep_scan_decoder_destroy(decoder);
    return NULL;
}

void prep_scan_decoder_destroy(prep_scan_decoder *decoder) {
    for (int32_t c = 0; c < decoder->component_count; c++) {
        free(decoder->rows[c].blocks);
        free(decoder->rows[c].nonzero);
    }
    free(decoder->scans);
    free(decoder->dc_tables);
    free(decoder->ac_tables);
    free(decoder);
}

bool prep_scan_is_at_end(const prep_scan_decoder *decoder) {
    for (int32_t i = 0; i < decoder->scan_count; i++) {
        const scan *scan = &decoder->scans[i];
        if (scan->source.count >= 8 || scan->source.position != scan->source.end || scan->run > 0) return false;
    }
    return true;
}

bool prep_scan_read_row(
    prep_scan_decoder *decoder, const uint8_t *bytes, uint8_t *rows, const size_t *offsets, const size_t *strides) {
#if defined(__x86_64__)
    return decoder->is_progressive ? prep_read_progressive_row(decoder, bytes, rows, offsets, strides)
                                   : prep_read_sequential_row(decoder, bytes, rows, offsets, strides);
#else
    (void)decoder, (void)bytes, (void)rows, (void)offsets, (void)strides;
    return false;
#endif
}
