#include "png_fast_decoder.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#include "adler32.h"
#include "debug_assert.h"
#include "unfilter.h"

struct prep_png_fast_decoder {
    struct inflate_state inflate;
    prep_png_unfilter_function *unfilter;
    prep_png_unfilter_paeth_rows_function *unfilter_paeth_rows; // may be NULL
    prep_adler32_function *adler32;
    size_t bytes_per_row, max_row_count;
    int32_t bytes_per_pixel;
    size_t next_chunk, chunks_end; // offsets in the file
    size_t next_input_offset;      // the offset of the next byte to inflate, valid between calls
    size_t declared_window_bytes;  // the window size that the zlib header declares; 0 before the header
    size_t inflated_bytes;
    uint32_t checksum; // of the rows that were returned
    uint8_t *rows; // a batch of inflated rows, each with its filter type, whose filters are reversed in place
    size_t row_count, next_row;
    size_t reconstructed_count; // the rows from `next_row` on whose filters are reversed already
    const uint8_t *previous_row; // the last row with its filter reversed: in `rows`, or `row_before_batch`
    uint8_t *row_before_batch;   // zeros before the first batch
};

// Checked here alone. Offsets in a file are of type size_t, and ISA-L is tested on little-endian processors only. On
// other processors libpng decodes every file.
bool prep_png_fast_decoder_is_available(void) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && SIZE_MAX == UINT64_MAX;
}

// ISA-L counts the bytes of its output in 32 bits.
static bool is_valid_image(const prep_png_fast_image *image) {
    if (image->bytes_per_pixel != 3 && image->bytes_per_pixel != 4) return false;
    if (image->bytes_per_row == 0 || image->bytes_per_row % (size_t)image->bytes_per_pixel != 0) return false;
    if (image->bytes_per_row >= UINT32_MAX || image->max_row_count == 0) return false;
    return image->max_row_count <= UINT32_MAX / (image->bytes_per_row + 1) &&
        image->chunks_start <= image->chunks_end;
}

prep_png_fast_decoder *prep_png_fast_decoder_create(
    const prep_png_fast_image *image, prep_png_fast_instruction_set instruction_set) {
    prep_png_unfilter_function *unfilter = prep_png_unfilter_kernel(instruction_set);
    if (!prep_png_fast_decoder_is_available() || !unfilter || !is_valid_image(image)) return NULL;
    prep_png_fast_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->unfilter = unfilter;
    decoder->unfilter_paeth_rows = prep_png_unfilter_paeth_rows_kernel(instruction_set);
    decoder->adler32 = prep_adler32_kernel(instruction_set);
    decoder->checksum = 1;
    decoder->bytes_per_row = image->bytes_per_row;
    decoder->bytes_per_pixel = image->bytes_per_pixel;
    decoder->max_row_count = image->max_row_count;
    decoder->next_chunk = decoder->next_input_offset = image->chunks_start;
    decoder->chunks_end = image->chunks_end;
    decoder->rows = malloc(image->max_row_count * (image->bytes_per_row + 1) + UNFILTER_READ_PADDING);
    decoder->row_before_batch = calloc(1, image->bytes_per_row + UNFILTER_READ_PADDING);
    decoder->previous_row = decoder->row_before_batch;
    if (!decoder->rows || !decoder->row_before_batch) {
        prep_png_fast_decoder_destroy(decoder);
        return NULL;
    }
    isal_inflate_init(&decoder->inflate);
    decoder->inflate.crc_flag = ISAL_DEFLATE; // the header and the checksum are read here
    return decoder;
}

void prep_png_fast_decoder_destroy(prep_png_fast_decoder *decoder) {
    free(decoder->rows);
    free(decoder->row_before_batch);
    free(decoder);
}

static uint32_t read_big_endian_32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Points the inflate state at the same position in bytes that may have moved. ISA-L only reads them, although its
// pointer is not const.
static void set_input(prep_png_fast_decoder *decoder, const uint8_t *bytes) {
    decoder->inflate.next_in = (uint8_t *)bytes + decoder->next_input_offset;
}

static void save_input_offset(prep_png_fast_decoder *decoder, const uint8_t *bytes) {
    decoder->next_input_offset = (size_t)(decoder->inflate.next_in - bytes);
}

// Passes the next chunk's payload to the inflate state. Returns false if there is no chunk, or its checksum is wrong.
static bool feed_next_chunk(prep_png_fast_decoder *decoder, const uint8_t *bytes) {
    enum { CHUNK_HEADER_BYTES = 8, CHUNK_CHECKSUM_BYTES = 4 }; // before the payload: length and type; after it: CRC
    DEBUG_ASSERT(decoder->next_chunk <= decoder->chunks_end);
    const size_t rest = decoder->chunks_end - decoder->next_chunk;
    if (rest < CHUNK_HEADER_BYTES + CHUNK_CHECKSUM_BYTES) return false;
    const uint8_t *chunk = bytes + decoder->next_chunk;
    const uint32_t count = read_big_endian_32(chunk);
    if (count > rest - CHUNK_HEADER_BYTES - CHUNK_CHECKSUM_BYTES) return false;
    if (crc32_gzip_refl(0, chunk + 4, (uint64_t)count + 4) != read_big_endian_32(chunk + CHUNK_HEADER_BYTES + count))
        return false;
    decoder->next_chunk += CHUNK_HEADER_BYTES + (size_t)count + CHUNK_CHECKSUM_BYTES;
    decoder->inflate.next_in = (uint8_t *)chunk + CHUNK_HEADER_BYTES;
    decoder->inflate.avail_in = count;
    return true;
}

// Reads a byte that is not compressed.
static bool read_byte(prep_png_fast_decoder *decoder, const uint8_t *bytes, uint8_t *byte) {
    while (decoder->inflate.avail_in == 0) {
        if (!feed_next_chunk(decoder, bytes)) return false;
    }
    *byte = *decoder->inflate.next_in++;
    decoder->inflate.avail_in--;
    return true;
}

// Source: RFC 1950, section 2.2.
static bool read_zlib_header(prep_png_fast_decoder *decoder, const uint8_t *bytes) {
    enum { DEFLATE = 8, HAS_DICTIONARY = 0x20 };
    uint8_t method, flags;
    if (!read_byte(decoder, bytes, &method) || !read_byte(decoder, bytes, &flags)) return false;
    decoder->declared_window_bytes = (size_t)256 << (method >> 4);
    return (method & 15) == DEFLATE && (method << 8 | flags) % 31 == 0 && !(flags & HAS_DICTIONARY);
}

// Reads the bytes after the end of the compressed data. Before version 2.32.1, ISA-L keeps up to 7 of them among the
// bits that it has read. Returns whether they are the checksum, and the last of the file's data.
static bool read_zlib_trailer(prep_png_fast_decoder *decoder, const uint8_t *bytes) {
    struct inflate_state *inflate = &decoder->inflate;
    uint64_t kept = inflate->read_in >> (inflate->read_in_length % 8);
    int32_t kept_count = inflate->read_in_length / 8;
    uint32_t checksum = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t byte = (uint8_t)kept;
        if (kept_count > 0) {
            kept >>= 8;
            kept_count--;
        } else if (!read_byte(decoder, bytes, &byte)) {
            return false;
        }
        checksum = checksum << 8 | byte;
    }
    return checksum == decoder->checksum && kept_count == 0 && inflate->avail_in == 0 &&
        decoder->next_chunk == decoder->chunks_end;
}

// Inflates until `avail_out` is 0.
static bool inflate_full_output(prep_png_fast_decoder *decoder, const uint8_t *bytes) {
    struct inflate_state *inflate = &decoder->inflate;
    while (inflate->avail_out > 0) {
        const uint32_t missing = inflate->avail_out;
        if (inflate->block_state == ISAL_BLOCK_FINISH || isal_inflate(inflate) != ISAL_DECOMP_OK) return false;
        // ISA-L may have buffered output. It needs more input only when it has none left and made no progress.
        if (inflate->avail_out == missing && inflate->avail_in == 0 && !feed_next_chunk(decoder, bytes)) return false;
    }
    return true;
}

// Whether no distance can exceed the declared window: it is the maximum, or all data fits in it. ISA-L ignores a window
// that is declared too small, and zlib rejects the data.
static bool fits_declared_window(const prep_png_fast_decoder *decoder) {
    enum { MAX_WINDOW_BYTES = 32768 };
    return decoder->declared_window_bytes == MAX_WINDOW_BYTES ||
        (decoder->declared_window_bytes < MAX_WINDOW_BYTES &&
         decoder->inflated_bytes <= decoder->declared_window_bytes);
}

bool prep_png_fast_decoder_inflate_rows(prep_png_fast_decoder *decoder, const uint8_t *bytes, size_t count) {
    if (count > decoder->max_row_count || decoder->next_row < decoder->row_count) return false;
    if (decoder->row_count > 0) memcpy(decoder->row_before_batch, decoder->previous_row, decoder->bytes_per_row);
    decoder->previous_row = decoder->row_before_batch;
    decoder->row_count = decoder->next_row = 0;
    const size_t byte_count = count * (decoder->bytes_per_row + 1);
    decoder->inflate.next_out = decoder->rows;
    decoder->inflate.avail_out = (uint32_t)byte_count;
    set_input(decoder, bytes);
    if (decoder->declared_window_bytes == 0 && !read_zlib_header(decoder, bytes)) return false;
    if (!inflate_full_output(decoder, bytes)) return false;
    save_input_offset(decoder, bytes);
    DEBUG_ASSERT(decoder->inflate.next_out == decoder->rows + byte_count);
    decoder->inflated_bytes += byte_count;
    decoder->row_count = count;
    return fits_declared_window(decoder);
}

// Whether several rows can be reconstructed at once, from `filtered` on.
static bool begins_paeth_rows(const prep_png_fast_decoder *decoder, const uint8_t *filtered) {
    if (!decoder->unfilter_paeth_rows || decoder->row_count - decoder->next_row < PAETH_ROWS) return false;
    if (decoder->bytes_per_row < (size_t)(PAETH_ROWS * decoder->bytes_per_pixel)) return false;
    for (size_t r = 0; r < PAETH_ROWS; r++)
        if (filtered[r * (decoder->bytes_per_row + 1)] != PAETH_FILTER) return false;
    return true;
}

// Reconstructs the next row, or several. Returns the next row; NULL for an invalid filter type.
static const uint8_t *reconstruct_rows(prep_png_fast_decoder *decoder, uint8_t *filtered) {
    const size_t bytes_per_row = decoder->bytes_per_row;
    const bool is_group = begins_paeth_rows(decoder, filtered);
    decoder->reconstructed_count = is_group ? PAETH_ROWS : 1;
    decoder->checksum = decoder->adler32(
        decoder->checksum, filtered, decoder->reconstructed_count * (bytes_per_row + 1));
    if (!is_group)
        return decoder->unfilter(filtered, decoder->previous_row, bytes_per_row, decoder->bytes_per_pixel);
    decoder->unfilter_paeth_rows(filtered, decoder->previous_row, bytes_per_row, decoder->bytes_per_pixel);
    return filtered;
}

const uint8_t *prep_png_fast_decoder_next_row(prep_png_fast_decoder *decoder) {
    if (decoder->next_row == decoder->row_count) return NULL;
    uint8_t *filtered = decoder->rows + decoder->next_row * (decoder->bytes_per_row + 1);
    // The rows of a group begin where their filter types were.
    const uint8_t *row = decoder->reconstructed_count > 0 ? filtered : reconstruct_rows(decoder, filtered);
    if (!row) return NULL;
    decoder->reconstructed_count--;
    decoder->next_row++;
    decoder->previous_row = row;
    return row;
}

bool prep_png_fast_decoder_has_consumed_all(prep_png_fast_decoder *decoder, const uint8_t *bytes) {
    struct inflate_state *inflate = &decoder->inflate;
    uint8_t extra_byte;
    if (decoder->declared_window_bytes == 0 || decoder->next_row < decoder->row_count) return false;
    set_input(decoder, bytes);
    while (inflate->block_state != ISAL_BLOCK_FINISH) {
        const uint32_t left = inflate->avail_in;
        inflate->next_out = &extra_byte;
        inflate->avail_out = 1;
        if (isal_inflate(inflate) != ISAL_DECOMP_OK || inflate->avail_out == 0) return false;
        if (inflate->block_state != ISAL_BLOCK_FINISH && inflate->avail_in == left && !feed_next_chunk(decoder, bytes))
            return false;
    }
    return read_zlib_trailer(decoder, bytes);
}
