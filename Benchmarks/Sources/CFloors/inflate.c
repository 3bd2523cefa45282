#include <string.h>

#include <zlib.h>

#include "CFloors.h"

enum { SIGNATURE = 8, CHUNK = 12, BUFFER = 64 << 10 };

static uint32_t big_endian(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// Inflates the data of one IDAT chunk. Returns false if it is not a deflate stream.
static int inflate_chunk(z_stream *stream, const uint8_t *bytes, uint32_t count, uint8_t *buffer) {
    int status = Z_OK;
    stream->next_in = (Bytef *)bytes;
    stream->avail_in = count;
    // A full buffer means that there may be more output without more input.
    do {
        stream->next_out = buffer;
        stream->avail_out = BUFFER;
        status = inflate(stream, Z_NO_FLUSH);
    } while (status == Z_OK && (stream->avail_in > 0 || stream->avail_out == 0));
    return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR;
}

int64_t floor_inflate_png(const uint8_t *bytes, size_t count) {
    uint8_t buffer[BUFFER];
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit(&stream) != Z_OK) return -1;
    int sound = 1;
    size_t at = SIGNATURE;
    while (sound && count >= CHUNK && at <= count - CHUNK) {
        const uint32_t length = big_endian(bytes + at);
        if (length > count - CHUNK - at) break;
        if (memcmp(bytes + at + 4, "IDAT", 4) == 0) sound = inflate_chunk(&stream, bytes + at + 8, length, buffer);
        at += CHUNK + length;
    }
    const int64_t total = (int64_t)stream.total_out;
    inflateEnd(&stream);
    return sound && total > 0 ? total : -1;
}
