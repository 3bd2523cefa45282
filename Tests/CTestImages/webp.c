#if defined(PREP_WEBP)
#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/encode.h>

#include "test_images.h"

// RIFF and WEBP, and VP8X if there is an alpha chunk.
static size_t container_header_size(const uint8_t *bytes, size_t count) {
    return count > 30 && memcmp(bytes + 12, "VP8X", 4) == 0 ? 30 : 12;
}

static bool encode(
    WebPPicture *picture, const WebPConfig *config, uint8_t **output, size_t *count) {
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture->writer = WebPMemoryWrite;
    picture->custom_ptr = &writer;
    bool is_written = WebPEncode(config, picture);
    WebPPictureFree(picture);
    const size_t header = is_written ? container_header_size(writer.mem, writer.size) : 0;
    *output = is_written ? malloc(writer.size - header) : NULL;
    if (*output) {
        *count = writer.size - header;
        memcpy(*output, writer.mem + header, *count);
    }
    WebPMemoryWriterClear(&writer);
    return *output != NULL;
}

bool test_webp_write_pixels(
    const uint8_t *pixels, uint32_t width, uint32_t height, bool is_lossless, bool has_alpha, uint8_t **output,
    size_t *count) {
    WebPPicture picture;
    WebPConfig config;
    if (!WebPPictureInit(&picture) || !WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, 90)) return false;
    config.lossless = is_lossless;
    config.exact = 1; // the colors of transparent pixels too
    picture.width = (int)width;
    picture.height = (int)height;
    picture.use_argb = 1;
    const int stride = (int)width * 4;
    if (!(has_alpha ? WebPPictureImportRGBA : WebPPictureImportRGBX)(&picture, pixels, stride)) return false;
    return encode(&picture, &config, output, count);
}

bool test_webp_write_planes(
    const test_plane *planes, uint32_t width, uint32_t height, int32_t quality, uint8_t **output, size_t *count) {
    WebPPicture picture;
    WebPConfig config;
    if (!WebPPictureInit(&picture) || !WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, (float)quality)) return false;
    picture.width = (int)width;
    picture.height = (int)height;
    if (!WebPPictureAlloc(&picture)) return false;
    uint8_t *const targets[] = {picture.y, picture.u, picture.v};
    const int strides[] = {picture.y_stride, picture.uv_stride, picture.uv_stride};
    for (int c = 0; c < 3; c++)
        for (uint32_t y = 0; y < planes[c].rows; y++)
            memcpy(targets[c] + (size_t)y * strides[c], planes[c].samples + y * planes[c].stride, planes[c].width);
    return encode(&picture, &config, output, count);
}

bool test_webp_read_planes(const uint8_t *bytes, size_t count, const test_plane *planes) {
    int width = 0, height = 0, stride = 0, chroma_stride = 0;
    uint8_t *cb = NULL, *cr = NULL;
    uint8_t *luma = WebPDecodeYUV(bytes, count, &width, &height, &cb, &cr, &stride, &chroma_stride);
    if (!luma) return false;
    const uint8_t *const sources[] = {luma, cb, cr};
    for (int c = 0; c < 3; c++)
        for (uint32_t y = 0; y < planes[c].rows; y++)
            memcpy(
                planes[c].samples + y * planes[c].stride,
                sources[c] + (size_t)y * (size_t)(c == 0 ? stride : chroma_stride), planes[c].width);
    WebPFree(luma);
    return true;
}

bool test_webp_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity) {
    int width = 0, height = 0;
    if (!WebPGetInfo(bytes, count, &width, &height)) return false;
    return WebPDecodeRGBAInto(bytes, count, pixels, capacity, width * 4) != NULL;
}
#endif
