// SHA-256 by the system's library: CommonCrypto on Apple platforms, Nettle elsewhere. Nettle hashes 1.6 GB/s with the
// processor's instructions. libcrypto is a tenth faster, but loading it takes 2.4 ms and 3.6 MiB more.
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
