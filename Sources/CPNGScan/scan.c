#include "png_scan.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#include "unfilter.h"

struct prep_png_scan {
    struct inflate_state inflate;
    size_t row_bytes;
    int32_t pixel_bytes;
    prep_png_chunk *chunks;
    size_t chunk_count, next_chunk;
    uint8_t *filtered; // a batch of rows as they are inflated, each behind the byte that names its filter
    uint8_t *above;    // the row before the next
};

bool prep_png_scan_is_available(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

prep_png_scan *prep_png_scan_create(
    size_t row_bytes, int32_t pixel_bytes, size_t batch, const prep_png_chunk *chunks, size_t chunk_count) {
    prep_png_scan *scan = calloc(1, sizeof *scan);
    if (!scan) return NULL;
    scan->row_bytes = row_bytes;
    scan->pixel_bytes = pixel_bytes;
    scan->chunk_count = chunk_count;
    scan->chunks = malloc(chunk_count * sizeof *chunks);
    scan->filtered = malloc(batch * (row_bytes + 1) + UNFILTER_MARGIN);
    scan->above = calloc(1, row_bytes + UNFILTER_MARGIN);
    if (!scan->chunks || !scan->filtered || !scan->above) {
        prep_png_scan_destroy(scan);
        return NULL;
    }
    memcpy(scan->chunks, chunks, chunk_count * sizeof *chunks);
    isal_inflate_init(&scan->inflate);
    scan->inflate.crc_flag = ISAL_ZLIB;
    return scan;
}

void prep_png_scan_destroy(prep_png_scan *scan) {
    free(scan->chunks);
    free(scan->filtered);
    free(scan->above);
    free(scan);
}

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Hands the next chunk's payload to the inflate; false if there is none, or its checksum is wrong.
static bool enter_chunk(prep_png_scan *scan, const uint8_t *bytes) {
    if (scan->next_chunk == scan->chunk_count) return false;
    const prep_png_chunk chunk = scan->chunks[scan->next_chunk++];
    const size_t count = chunk.end - chunk.start;
    if (count > UINT32_MAX) return false;
    if (crc32_gzip_refl(0, bytes + chunk.start - 4, count + 4) != big_endian(bytes + chunk.end)) return false;
    scan->inflate.next_in = (uint8_t *)bytes + chunk.start; // read only, whatever its type says
    scan->inflate.avail_in = (uint32_t)count;
    return true;
}

// Inflates until `avail_out` bytes are there.
static bool inflate_all(prep_png_scan *scan, const uint8_t *bytes) {
    struct inflate_state *inflate = &scan->inflate;
    while (inflate->avail_out > 0) {
        const uint32_t missing = inflate->avail_out;
        if (inflate->block_state == ISAL_BLOCK_FINISH || isal_inflate(inflate) != ISAL_DECOMP_OK) return false;
        // It may have held back what it had inflated: only without input and without progress it needs more.
        if (inflate->avail_out == missing && inflate->avail_in == 0 && !enter_chunk(scan, bytes)) return false;
    }
    return true;
}

bool prep_png_scan_read_rows(prep_png_scan *scan, const uint8_t *bytes, uint8_t *rows, size_t count) {
    const size_t filtered_bytes = scan->row_bytes + 1;
    if (count * filtered_bytes > UINT32_MAX) return false;
    scan->inflate.next_out = scan->filtered;
    scan->inflate.avail_out = (uint32_t)(count * filtered_bytes);
    if (!inflate_all(scan, bytes)) return false;
    const uint8_t *above = scan->above;
    for (size_t y = 0; y < count; y++) {
        const uint8_t *filtered = scan->filtered + y * filtered_bytes;
        uint8_t *row = rows + y * scan->row_bytes;
        if (!prep_png_unfilter(filtered[0], filtered + 1, above, row, scan->row_bytes, scan->pixel_bytes)) return false;
        above = row;
    }
    if (count > 0) memcpy(scan->above, above, scan->row_bytes);
    return true;
}

bool prep_png_scan_is_at_end(prep_png_scan *scan, const uint8_t *bytes) {
    struct inflate_state *inflate = &scan->inflate;
    uint8_t beyond;
    while (inflate->block_state != ISAL_BLOCK_FINISH) {
        const uint32_t left = inflate->avail_in;
        inflate->next_out = &beyond;
        inflate->avail_out = 1;
        if (isal_inflate(inflate) != ISAL_DECOMP_OK || inflate->avail_out == 0) return false;
        if (inflate->block_state != ISAL_BLOCK_FINISH && inflate->avail_in == left && !enter_chunk(scan, bytes)) return false;
    }
    return inflate->avail_in == 0 && scan->next_chunk == scan->chunk_count;
}
