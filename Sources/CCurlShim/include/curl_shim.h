// Wraps libcurl in functions with fixed parameter types, because Swift cannot call libcurl's variadic setters and
// getters. Swift imports only this header; only this module includes curl.h.
//
// A handle must be used by one thread at a time. Only `prep_curl_multi_wake` can be called on any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The outcome of a transfer.
typedef enum __attribute__((enum_extensibility(closed))) {
    PREP_CURL_COMPLETED __attribute__((swift_name("done"))),
    PREP_CURL_INVALID_URL __attribute__((swift_name("invalidURL"))),
    // No connection could be established.
    PREP_CURL_CONNECT_FAILED __attribute__((swift_name("connect"))),
    PREP_CURL_TLS_FAILED __attribute__((swift_name("tls"))),
    // The connection was lost before the response was complete.
    PREP_CURL_CONNECTION_LOST __attribute__((swift_name("lost"))),
    PREP_CURL_TIMED_OUT __attribute__((swift_name("timeout"))),
    // The response is not HTTP, or was rejected by `receive_header_line` or `receive_body`.
    PREP_CURL_BAD_RESPONSE __attribute__((swift_name("badResponse"))),
    // The transfer was aborted by `will_send_request`, `read_body` or `rewind_body`.
    PREP_CURL_ABORTED __attribute__((swift_name("aborted"))),
    // Out of memory, or libcurl lacks a required feature.
    PREP_CURL_OUT_OF_RESOURCES __attribute__((swift_name("resources"))),
} prep_curl_outcome;

// Special return values of `read_body`.
enum { PREP_CURL_READ_ABORT = -1, PREP_CURL_READ_PAUSE = -2 };

// Callbacks of a transfer, called on the thread that runs it. Returning `false` ends the transfer.
typedef struct {
    void *_Nonnull context;
    // Called before the request is sent, and again before it is sent on a new connection because a reused one was dead.
    bool (*_Nonnull will_send_request)(void *_Nonnull context);
    // Fills the buffer with the next bytes of the body. Returns their number, or PREP_CURL_READ_ABORT or
    // PREP_CURL_READ_PAUSE. After PREP_CURL_READ_PAUSE nothing is sent until `prep_curl_easy_resume`.
    int64_t (*_Nonnull read_body)(void *_Nonnull context, uint8_t *_Nonnull buffer, size_t capacity);
    // Called when the body must be read again from its beginning.
    bool (*_Nonnull rewind_body)(void *_Nonnull context);
    // Receives one line of a response's head, including its line end.
    bool (*_Nonnull receive_header_line)(void *_Nonnull context, const uint8_t *_Nonnull bytes, size_t count);
    bool (*_Nonnull receive_body)(void *_Nonnull context, const uint8_t *_Nonnull bytes, size_t count);
    // Receives the number of bytes of the body that were passed to the network.
    void (*_Nonnull report_upload_progress)(void *_Nonnull context, int64_t sent);
} prep_curl_callbacks;

// Loads and initializes libcurl. Call once per process, before a transfer. Returns false if libcurl is missing or
// cannot be used.
bool prep_curl_global_init(void);

// Returns whether the text is an absolute http or https URL without user information; false if libcurl is missing.
bool prep_curl_is_supported_url(const char *_Nonnull url);

// Returns whether libcurl resolves all names below `localhost` to the loopback addresses; false if it is missing.
bool prep_curl_resolves_localhost_names(void);

typedef struct prep_curl_easy prep_curl_easy;

// Returns NULL if there is not enough memory, or libcurl is missing. Errors of the setters are kept and reported by
// `prep_curl_multi_add`.
prep_curl_easy *_Nullable prep_curl_easy_create(const prep_curl_callbacks *_Nonnull callbacks);
// The handle must not be in a multi handle.
void prep_curl_easy_destroy(prep_curl_easy *_Nonnull easy);
void prep_curl_easy_disable_proxies(prep_curl_easy *_Nonnull easy);
void prep_curl_easy_set_method_and_url(
    prep_curl_easy *_Nonnull easy, const char *_Nonnull method, const char *_Nonnull url);
// Adds "Name: value", "Name;" for an empty value, or "Name:" to omit a header that libcurl would send.
void prep_curl_easy_add_header(prep_curl_easy *_Nonnull easy, const char *_Nonnull line);
void prep_curl_easy_set_bearer_token(prep_curl_easy *_Nonnull easy, const char *_Nonnull token);
// Sets a body of `length` bytes from `read_body`, which is asked for at most `max_chunk` bytes per call.
void prep_curl_easy_set_body(prep_curl_easy *_Nonnull easy, int64_t length, int64_t max_chunk);
// Disables the reuse of connections for this transfer.
void prep_curl_easy_require_new_connection(prep_curl_easy *_Nonnull easy);
// Sets a PEM file of certificate authorities in place of the system's.
void prep_curl_easy_set_ca_file(prep_curl_easy *_Nonnull easy, const char *_Nonnull path);
void prep_curl_easy_set_timeouts(prep_curl_easy *_Nonnull easy, int64_t connect_ms, int64_t total_ms);
// Sets how long a connection may have been idle to be reused.
void prep_curl_easy_set_max_idle_age(prep_curl_easy *_Nonnull easy, int64_t seconds);
void prep_curl_easy_set_user_agent(prep_curl_easy *_Nonnull easy, const char *_Nonnull name);
// Resumes the calls of `read_body` after PREP_CURL_READ_PAUSE.
void prep_curl_easy_resume(prep_curl_easy *_Nonnull easy);
// Returns the number of bytes of the body that were passed to the network.
int64_t prep_curl_easy_sent_body_bytes(const prep_curl_easy *_Nonnull easy);
// Returns whether any byte of a request was sent.
bool prep_curl_easy_has_sent_request_bytes(const prep_curl_easy *_Nonnull easy);
// Returns the value of the response's Content-Length, or -1 if it has none.
int64_t prep_curl_easy_response_content_length(const prep_curl_easy *_Nonnull easy);
// Returns the error's message, without any part of the request. Valid until the handle is destroyed.
const char *_Nonnull prep_curl_easy_error_message(const prep_curl_easy *_Nonnull easy);

typedef struct prep_curl_multi prep_curl_multi;

prep_curl_multi *_Nullable prep_curl_multi_create(void);
// The multi handle must contain no easy handle.
void prep_curl_multi_destroy(prep_curl_multi *_Nonnull multi);
bool prep_curl_multi_add(prep_curl_multi *_Nonnull multi, prep_curl_easy *_Nonnull easy);
void prep_curl_multi_remove(prep_curl_multi *_Nonnull multi, prep_curl_easy *_Nonnull easy);
// Runs all transfers as far as possible without waiting.
void prep_curl_multi_perform(prep_curl_multi *_Nonnull multi);
// Returns the `context` of a completed transfer, or NULL if there is none. The caller must remove the transfer next.
void *_Nullable prep_curl_multi_next_completed(prep_curl_multi *_Nonnull multi, prep_curl_outcome *_Nonnull outcome);
// Waits for network activity, for a wake-up, or for at most `timeout_ms` milliseconds.
void prep_curl_multi_wait(prep_curl_multi *_Nonnull multi, int32_t timeout_ms);
// Interrupts the current wait, or the next one if none is in progress.
void prep_curl_multi_wake(prep_curl_multi *_Nonnull multi);
