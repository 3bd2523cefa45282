// Private to this target.
#pragma once

// Denies all system calls except those for computing in memory and for reading and writing open descriptors. Returns 0
// or an errno. Has no effect on systems other than Linux for x86-64 and arm64.
int prep_filter_system_calls(void);
