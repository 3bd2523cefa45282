#include "png_maker.h"

#include <string.h>
#include <zlib.h>

#include "support.h"

enum { LARGEST_SIDE = 40, RAW = 40 * (40 * 8 + 1) + 8 * 40 };

static void put_number(uint8_t *bytes, uint32_t value) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

uint32_t png_number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static size_t put_chunk(uint8_t *target, const char *type, const uint8_t *payload, size_t count) {
    put_number(target, (uint32_t)count);
    memcpy(target + 4, type, 4);
    if (count > 0) memcpy(target + 8, payload, count);
    put_number(target + 8 + count, (uint32_t)crc32(0, target + 4, (uInt)count + 4));
    return count + 12;
}

// Returns the bytes of the filtered rows of a pass, which has every `step`th pixel.
static size_t pass_bytes(uint32_t width, uint32_t height, uint32_t bits, const uint32_t pass[4]) {
    if (width <= pass[0] || height <= pass[1]) return 0;
    const size_t columns = (width - pass[0] + pass[2] - 1) / pass[2], rows = (height - pass[1] + pass[3] - 1) / pass[3];
    return rows * (1 + (columns * bits + 7) / 8);
}

// Fills rows with noise or a slope, each after a filter byte.
static void fill_rows(uint8_t *raw, size_t rows, size_t row_bytes) {
    const uint32_t amplitude = random_once_in(2) ? 256 : 1 + random_below(20), step = random_below(7);
    const uint8_t filter = (uint8_t)random_below(6); // 5: another for each row
    for (size_t y = 0; y < rows; y++) {
        *raw++ = filter < 5 ? filter : (uint8_t)random_below(5);
        for (size_t x = 0; x < row_bytes; x++) *raw++ = (uint8_t)(x * step + random_below(amplitude));
    }
}

static size_t make_raw(uint8_t *raw, uint32_t width, uint32_t height, uint32_t bits, bool is_interlaced) {
    static const uint32_t passes[8][4] = {
        {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}, {0, 0, 1, 1}};
    uint8_t *next = raw;
    for (int i = is_interlaced ? 0 : 7; i < (is_interlaced ? 7 : 8); i++) {
        const size_t count = pass_bytes(width, height, bits, passes[i]);
        if (count == 0) continue;
        const size_t rows = (height - passes[i][1] + passes[i][3] - 1) / passes[i][3];
        fill_rows(next, rows, count / rows - 1);
        next += count;
    }
    return (size_t)(next - raw);
}

static void compress_rows(png_parts *parts, const uint8_t *raw, size_t count) {
    static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED};
    z_stream stream = {0};
    const int level = random_between(0, 9), window = random_between(9, 15), memory = random_between(1, 9);
    const int strategy = strategies[random_below(5)];
    if (deflateInit2(&stream, level, Z_DEFLATED, window, memory, strategy) != Z_OK) fail("no memory");
    stream.next_in = (Bytef *)raw;
    stream.avail_in = (uInt)count;
    stream.next_out = parts->data;
    stream.avail_out = sizeof parts->data;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) fail("PNG: rows can't be compressed");
    parts->data_count = stream.total_out;
    deflateEnd(&stream);
}

void png_make(png_parts *parts) {
    static const uint8_t kinds[][3] = { // color type, depth, samples of a pixel
        {0, 1, 1}, {0, 2, 1}, {0, 4, 1}, {0, 8, 1}, {0, 16, 1}, {2, 16, 3}, {3, 1, 1}, {3, 2, 1}, {3, 4, 1}, {3, 8, 1},
        {4, 8, 2}, {4, 16, 2}, {6, 16, 4}, {2, 8, 3}, {6, 8, 4}};
    static uint8_t raw[RAW];
    // Mostly a kind that the fast decoder supports.
    const uint8_t *kind = kinds[random_once_in(4) ? random_below(15) : 13 + random_below(2)];
    const uint32_t width = 1 + random_below(LARGEST_SIDE), height = 1 + random_below(LARGEST_SIDE);
    const bool is_interlaced = random_once_in(8);
    uint8_t header[13] = {[8] = kind[1], [9] = kind[0], [12] = is_interlaced}, payload[768];
    put_number(header, width);
    put_number(header + 4, height);
    memcpy(parts->head, "\x89PNG\r\n\x1A\n", 8);
    uint8_t *next = parts->head + 8;
    next += put_chunk(next, "IHDR", header, sizeof header);
    random_fill(payload, sizeof payload);
    if (random_once_in(8)) next += put_chunk(next, "gAMA", (const uint8_t[]){0, 1, payload[0], payload[1]}, 4);
    if (kind[0] == 3) next += put_chunk(next, "PLTE", payload, 3u << kind[1]);
    if (kind[0] == 3 && random_once_in(2)) next += put_chunk(next, "tRNS", payload, 1u << kind[1] >> 1);
    if (kind[0] == 2 && random_once_in(16)) next += put_chunk(next, "tRNS", (const uint8_t[]){0, 1, 0, 2, 0, 3}, 6);
    parts->head_count = (size_t)(next - parts->head);
    compress_rows(parts, raw, make_raw(raw, width, height, (uint32_t)kind[1] * kind[2], is_interlaced));
}

// Writes one stored block.
void png_make_wrong_rows(png_parts *parts) {
    const size_t count = random_below(4000);
    uint8_t *data = parts->data;
    const uint8_t low = (uint8_t)count, high = (uint8_t)(count >> 8);
    const uint8_t head[7] = {0x78, 1, 1, low, high, (uint8_t)~low, (uint8_t)~high};
    memcpy(data, head, sizeof head);
    random_fill(data + 7, count);
    for (size_t i = 0; i < count; i++) data[7 + i] &= random_once_in(50) ? 7 : 3; // mostly what may be a filter
    put_number(data + 7 + count, (uint32_t)adler32(1, data + 7, (uInt)count));
    parts->data_count = 7 + count + 4;
}

void png_change_window(png_parts *parts) {
    parts->data[0] = (uint8_t)(8 | random_below(8) << 4);
    parts->data[1] &= 0xE0;
    parts->data[1] |= (uint8_t)(31 - (parts->data[0] << 8 | parts->data[1]) % 31); // which divides both
}

size_t png_join(const png_parts *parts, uint8_t *stream) {
    memcpy(stream, parts->head, parts->head_count);
    uint8_t *next = stream + parts->head_count;
    // The bytes of a chunk. Only small files have room for small chunks.
    const bool has_small_chunks = parts->data_count < PNG_STREAM / 64 && random_once_in(3);
    const uint32_t most = has_small_chunks ? 1 + random_below(40) : PNG_STREAM;
    size_t done = 0;
    do {
        const size_t rest = parts->data_count - done, some = random_once_in(16) ? 0 : 1 + random_below(most);
        const size_t count = some < rest ? some : rest;
        next += put_chunk(next, "IDAT", parts->data + done, count);
        done += count;
    } while (done < parts->data_count);
    next += put_chunk(next, "IEND", NULL, 0);
    return (size_t)(next - stream);
}
