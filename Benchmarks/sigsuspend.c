// Valgrind writes into the mask that a program gives to sigsuspend, and libdispatch's, with which `prep` waits in its
// first thread, can't be written to. `check` loads this before libc: it hands on a copy.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, (size_t)8); // the kernel's masks have 64 bits
}
