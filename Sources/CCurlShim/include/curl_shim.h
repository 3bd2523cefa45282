// libcurl behind functions of fixed types: its setters and getters take `...`, which Swift can't call. Swift sees only
// this header, and only these files include curl.h.
//
// Handles are for one thread at a time; `prep_curl_multi_wake` alone may be called on any.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How a transfer ended.
typedef enum __attribute__((enum_extensibility(closed))) {
    PREP_CURL_COMPLETED __attribute__((swift_name("done"))),
    PREP_CURL_INVALID_URL __attribute__((swift_name("invalidURL"))),
    // No connection came about.
    PREP_CURL_CONNECT_FAILED __attribute__((swift_name("connect"))),
    PREP_CURL_TLS_FAILED __attribute__((swift_name("tls"))),
    // The connection broke.
    PREP_CURL_CONNECTION_LOST __attribute__((swift_name("lost"))),
    PREP_CURL_TIMED_OUT __attribute__((swift_name("timeout"))),
    // Not HTTP, or refused by `receive_header_line` or `receive_body`.
    PREP_CURL_BAD_RESPONSE __attribute__((swift_name("badResponse"))),
    // By `will_send_request`, `read_body` or `rewind_body`.
    PREP_CURL_ABORTED __attribute__((swift_name("aborted"))),
    // No memory, or a libcurl that lacks what is needed.
    PREP_CURL_OUT_OF_RESOURCES __attribute__((swift_name("resources"))),
} prep_curl_outcome;

// What `read_body` returns besides a count.
enum { PREP_CURL_READ_ABORT = -1, PREP_CURL_READ_PAUSE = -2 };

// Who is called during a transfer, always on the thread that runs it. `false` ends the transfer.
typedef struct {
    void *_Nonnull context;
    // The request is about to be sent: first, or again where a kept connection proved to be dead.
    bool (*_Nonnull will_send_request)(void *_Nonnull context);
    // Fills the buffer with the body's next bytes: how many, or one of the two above. After HOLD nothing more is sent
    // until `prep_curl_easy_resume`.
    int64_t (*_Nonnull read_body)(void *_Nonnull context, uint8_t *_Nonnull buffer, size_t capacity);
    // The body is to be read from its beginning again.
    bool (*_Nonnull rewind_body)(void *_Nonnull context);
    // One line of a response's head, with its line end.
    bool (*_Nonnull receive_header_line)(void *_Nonnull context, const uint8_t *_Nonnull bytes, size_t count);
    bool (*_Nonnull receive_body)(void *_Nonnull context, const uint8_t *_Nonnull bytes, size_t count);
    // How many bytes of the body the network has taken.
    void (*_Nonnull report_upload_progress)(void *_Nonnull context, int64_t sent);
} prep_curl_callbacks;

// Once in a process, before all else. False if libcurl can't be used.
bool prep_curl_global_init(void);

// Whether it is an absolute http or https URL without user information.
bool prep_curl_is_supported_url(const char *_Nonnull url);

typedef struct prep_curl_easy prep_curl_easy;

// NULL without memory. Setters remember their failure: `prep_curl_multi_add` tells it.
prep_curl_easy *_Nullable prep_curl_easy_create(const prep_curl_callbacks *_Nonnull callbacks);
// Not while it is in a multi handle.
void prep_curl_easy_destroy(prep_curl_easy *_Nonnull easy);
void prep_curl_easy_disable_proxies(prep_curl_easy *_Nonnull easy);
void prep_curl_easy_set_method_and_url(prep_curl_easy *_Nonnull easy, const char *_Nonnull method, const char *_Nonnull url);
// "Name: value", or "Name;" for an empty value, or "Name:" to leave out what libcurl would send.
void prep_curl_easy_add_header(prep_curl_easy *_Nonnull easy, const char *_Nonnull line);
void prep_curl_easy_set_bearer_token(prep_curl_easy *_Nonnull easy, const char *_Nonnull token);
// A body of that length comes from `read_body`, which is asked for at most `chunk` bytes.
void prep_curl_easy_set_body(prep_curl_easy *_Nonnull easy, int64_t length, int64_t max_chunk);
// Takes no connection that was used before.
void prep_curl_easy_require_new_connection(prep_curl_easy *_Nonnull easy);
// A file of PEM, in place of the system's authorities.
void prep_curl_easy_set_ca_file(prep_curl_easy *_Nonnull easy, const char *_Nonnull path);
void prep_curl_easy_set_timeouts(prep_curl_easy *_Nonnull easy, int64_t connect_ms, int64_t total_ms);
// How long a connection may have been idle to be used again.
void prep_curl_easy_set_max_idle_age(prep_curl_easy *_Nonnull easy, int64_t seconds);
void prep_curl_easy_set_user_agent(prep_curl_easy *_Nonnull easy, const char *_Nonnull name);
// After HOLD: has `read_body` called again.
void prep_curl_easy_resume(prep_curl_easy *_Nonnull easy);
// How many bytes of the body the network has taken.
int64_t prep_curl_easy_sent_body_bytes(const prep_curl_easy *_Nonnull easy);
// Whether any byte of a request left.
bool prep_curl_easy_has_sent_request_bytes(const prep_curl_easy *_Nonnull easy);
// What the response says of its body's length; -1 for nothing.
int64_t prep_curl_easy_response_content_length(const prep_curl_easy *_Nonnull easy);
// What went wrong, without anything of the request. Valid until the handle is destroyed.
const char *_Nonnull prep_curl_easy_error_message(const prep_curl_easy *_Nonnull easy);

typedef struct prep_curl_multi prep_curl_multi;

prep_curl_multi *_Nullable prep_curl_multi_create(void);
// Not while an easy handle is in it.
void prep_curl_multi_destroy(prep_curl_multi *_Nonnull multi);
bool prep_curl_multi_add(prep_curl_multi *_Nonnull multi, prep_curl_easy *_Nonnull easy);
void prep_curl_multi_remove(prep_curl_multi *_Nonnull multi, prep_curl_easy *_Nonnull easy);
// Does what can be done without waiting.
void prep_curl_multi_perform(prep_curl_multi *_Nonnull multi);
// The `context` of a transfer that ended, to be removed next; NULL if there is none.
void *_Nullable prep_curl_multi_next_completed(prep_curl_multi *_Nonnull multi, prep_curl_outcome *_Nonnull outcome);
// Waits for the network, for a wake-up, or for so many milliseconds.
void prep_curl_multi_wait(prep_curl_multi *_Nonnull multi, int32_t timeout_ms);
// Ends the wait, or the next one.
void prep_curl_multi_wake(prep_curl_multi *_Nonnull multi);

// Seconds since 1970; -1 for what is no date.
int64_t prep_curl_parse_http_date(const char *_Nonnull text);
