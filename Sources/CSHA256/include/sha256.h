// SHA-256 by CommonCrypto on Apple platforms, and by Nettle elsewhere. Nettle uses the processor's instructions.
// libcrypto is a tenth faster, but is ten times as large to load.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct prep_sha256_context prep_sha256_context;

// Returns NULL if memory is exhausted.
prep_sha256_context *_Nullable prep_sha256_create(void);
void prep_sha256_destroy(prep_sha256_context *_Nonnull context);
void prep_sha256_update(prep_sha256_context *_Nonnull context, const void *_Nullable bytes, size_t count);
// Writes the 32 bytes of the digest. The context must then only be destroyed.
void prep_sha256_finish(prep_sha256_context *_Nonnull context, uint8_t *_Nonnull digest);
