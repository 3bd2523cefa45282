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
    size_t next_chunk, end; // of the chunks, in the file
    size_t position;        // of the next byte to inflate, between calls
    size_t window;          // bytes that the data says it reaches back; 0 before its first byte
    size_t inflated;
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
    size_t row_bytes, int32_t pixel_bytes, size_t batch, size_t start, size_t end) {
    prep_png_scan *scan = calloc(1, sizeof *scan);
    if (!scan) return NULL;
    scan->row_bytes = row_bytes;
    scan->pixel_bytes = pixel_bytes;
    scan->next_chunk = scan->position = start;
    scan->end = end;
    scan->filtered = malloc(batch * (row_bytes + 1) + UNFILTER_MARGIN);
    scan->above = calloc(1, row_bytes + UNFILTER_MARGIN);
    if (!scan->filtered || !scan->above) {
        prep_png_scan_destroy(scan);
        return NULL;
    }
    isal_inflate_init(&scan->inflate);
    scan->inflate.crc_flag = ISAL_ZLIB;
    return scan;
}

void prep_png_scan_destroy(prep_png_scan *scan) {
    free(scan->filtered);
    free(scan->above);
    free(scan);
}

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Points the inflate at the same place in bytes that may have moved. It only reads them, although its pointer is not to
// const.
static void enter(prep_png_scan *scan, const uint8_t *bytes) {
    scan->inflate.next_in = (uint8_t *)bytes + scan->position;
}

static void leave(prep_png_scan *scan, const uint8_t *bytes) {
    scan->position = (size_t)(scan->inflate.next_in - bytes);
}

// Hands the next chunk's payload to the inflate; false if there is none, or its checksum is wrong.
static bool enter_chunk(prep_png_scan *scan, const uint8_t *bytes) {
    enum { BEFORE = 8, AFTER = 4 }; // the payload: length and type, and the checksum
    const size_t rest = scan->end - scan->next_chunk;
    if (rest < BEFORE + AFTER) return false;
    const uint8_t *chunk = bytes + scan->next_chunk;
    const uint32_t count = big_endian(chunk);
    if (count > rest - BEFORE - AFTER) return false;
    if (crc32_gzip_refl(0, chunk + 4, (uint64_t)count + 4) != big_endian(chunk + BEFORE + count)) return false;
    scan->next_chunk += BEFORE + (size_t)count + AFTER;
    if (scan->window == 0 && count > 0) scan->window = (size_t)256 << (chunk[BEFORE] >> 4);
    scan->inflate.next_in = (uint8_t *)chunk + BEFORE;
    scan->inflate.avail_in = count;
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

// Whether all that was inflated is within reach, or all that can be reached. ISA-L passes over a window that is stated
// too small, and zlib does not.
static bool is_within_window(const prep_png_scan *scan) {
    enum { LARGEST = 32768 };
    return scan->window == LARGEST || (scan->window < LARGEST && scan->inflated <= scan->window);
}

bool prep_png_scan_read_rows(prep_png_scan *scan, const uint8_t *bytes, uint8_t *rows, size_t count) {
    const size_t filtered_bytes = scan->row_bytes + 1;
    if (count * filtered_bytes > UINT32_MAX) return false;
    scan->inflate.next_out = scan->filtered;
    scan->inflate.avail_out = (uint32_t)(count * filtered_bytes);
    enter(scan, bytes);
    if (!inflate_all(scan, bytes)) return false;
    leave(scan, bytes);
    scan->inflated += count * filtered_bytes;
    if (!is_within_window(scan)) return false;
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
    enter(scan, bytes);
    while (inflate->block_state != ISAL_BLOCK_FINISH) {
        const uint32_t left = inflate->avail_in;
        inflate->next_out = &beyond;
        inflate->avail_out = 1;
        if (isal_inflate(inflate) != ISAL_DECOMP_OK || inflate->avail_out == 0) return false;
        if (inflate->block_state != ISAL_BLOCK_FINISH && inflate->avail_in == left && !enter_chunk(scan, bytes)) return false;
    }
    leave(scan, bytes);
    return inflate->avail_in == 0 && scan->next_chunk == scan->end;
}
