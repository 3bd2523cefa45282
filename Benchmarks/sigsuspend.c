// Valgrind writes to the mask that a program passes to sigsuspend. The mask of libdispatch, with which the first thread
// of `prep` waits, is read-only. `check` preloads this function, which passes a copy.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, (size_t)8); // the kernel's masks have 64 bits
}
