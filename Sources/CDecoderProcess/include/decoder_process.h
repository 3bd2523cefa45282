// Starts a process that decodes images, exchanges bytes with it, and confines it. Swift sees only this header.
//
// The process talks to its host through a socket, which is its descriptor 0. A function that returns an int returns 0
// or an errno.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The host

typedef struct {
    int32_t pid;
    int32_t socket;
} prep_worker;

// How a process ended: by a signal, or else with a status.
typedef struct {
    int32_t signal;
    int32_t status;
} prep_worker_end;

// Starts the program at `path`. `arguments` are `count` texts, each with its terminating zero, one after another; the
// first of them is the program's name. The program gets no descriptors except its socket and /dev/null. Its environment
// is the host's LD_LIBRARY_PATH, if there is one, and SWIFT_BACKTRACE=enable=no.
int prep_worker_start(
    const char *_Nonnull path, const char *_Nonnull arguments, size_t count, prep_worker *_Nonnull worker);

// Limits the address space of a process, in bytes. Does nothing where the system cannot do that.
int prep_worker_limit_memory(prep_worker worker, uint64_t byte_count);

// The time in nanoseconds, on a clock that only goes forward.
int64_t prep_worker_now(void);

static const int prep_worker_timed_out = ETIMEDOUT;

// Writes or reads `count` bytes. The error is ETIMEDOUT at the deadline, and EPIPE if the process closed its socket.
int prep_worker_write(prep_worker worker, const void *_Nonnull bytes, size_t count, int64_t deadline);
int prep_worker_read(prep_worker worker, void *_Nonnull bytes, size_t count, int64_t deadline);

// Returns whether the process has ended. It can still be passed to `prep_worker_destroy`.
bool prep_worker_has_ended(prep_worker worker);

// Kills the process if it still runs after `grace` nanoseconds, waits for its end, and closes the socket. If the host
// has waited for the process elsewhere, its number may be reused, so nothing is killed. The end is then {0, 0}.
prep_worker_end prep_worker_destroy(prep_worker worker, int64_t grace);

// MARK: The worker

// Returns whether descriptor 0 is a socket.
bool prep_worker_has_socket(void);

// The size of this process's address space in bytes, or 0 if it is not known.
uint64_t prep_worker_address_space(void);

// Confines this process for the rest of its life. It keeps descriptors 0 to 2, can open no other, creates no process,
// thread, or file, leaves no core dump, and takes at most `cpu_seconds` of CPU time. On Linux for x86-64 and arm64, all
// system calls fail that computing in memory does not need; memory cannot be made executable.
int prep_worker_confine(uint64_t cpu_seconds);

// Between these calls the process ends itself soon after its host has ended.
void prep_worker_begin_work(void);
void prep_worker_finish_work(void);

// The CPU time of this process, in milliseconds.
int64_t prep_worker_cpu_milliseconds(void);

// Writes or reads `count` bytes through the socket. Returns false if the host has closed it.
bool prep_worker_send(const void *_Nonnull bytes, size_t count);
bool prep_worker_receive(void *_Nonnull bytes, size_t count);
