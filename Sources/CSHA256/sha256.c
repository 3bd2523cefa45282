#include "sha256.h"

#include <stdlib.h>

#if defined(__APPLE__)
#include <CommonCrypto/CommonDigest.h>

struct prep_sha256_context {
    CC_SHA256_CTX state;
};

static void init(prep_sha256_context *context) { CC_SHA256_Init(&context->state); }

// The parameter has 32 bits.
static void update(prep_sha256_context *context, const uint8_t *bytes, size_t count) {
    for (size_t offset = 0; offset < count;) {
        const size_t part = count - offset < 1 << 30 ? count - offset : 1 << 30;
        CC_SHA256_Update(&context->state, bytes + offset, (CC_LONG)part);
        offset += part;
    }
}

static void finish(prep_sha256_context *context, uint8_t *digest) { CC_SHA256_Final(digest, &context->state); }
#else
#include <nettle/sha2.h>
#include <nettle/version.h>

struct prep_sha256_context {
    struct sha256_ctx state;
};

static void init(prep_sha256_context *context) { sha256_init(&context->state); }

static void update(prep_sha256_context *context, const uint8_t *bytes, size_t count) {
    sha256_update(&context->state, count, bytes);
}

static void finish(prep_sha256_context *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
    sha256_digest(&context->state, digest);
#else
    sha256_digest(&context->state, SHA256_DIGEST_SIZE, digest);
#endif
}
#endif

prep_sha256_context *prep_sha256_create(void) {
    prep_sha256_context *context = malloc(sizeof *context);
    if (context) init(context);
    return context;
}

void prep_sha256_destroy(prep_sha256_context *context) { free(context); }

void prep_sha256_update(prep_sha256_context *context, const void *bytes, size_t count) {
    if (count > 0) update(context, bytes, count);
}

void prep_sha256_finish(prep_sha256_context *context, uint8_t *digest) { finish(context, digest); }
