// SPDX-License-Identifier: Apache-2.0
//
// Has the libraries that programs load run with glibc 2.17 and later (2012; what
// CentOS 7 has), whatever they are built with: a container brings its own glibc.
// The compiler includes this before every file of theirs (Makefile).
//
// glibc keeps what a function was called before it moved from libpthread into libc,
// in 2.32 and 2.34. There is no such name for memfd_create (2.27) and for stat and fstat
// (inline functions before 2.33), so these are calls of the kernel's: a struct stat
// is the kernel's on the processors below.
#ifndef AXON_GLIBC_H
#define AXON_GLIBC_H

#include <features.h>

#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define AXON_FIRST_GLIBC "GLIBC_2.2.5"
#else
#define AXON_FIRST_GLIBC "GLIBC_2.17"
#endif
#define AXON_OLD(name) __asm__(".symver " #name ", " #name "@" AXON_FIRST_GLIBC)

AXON_OLD(pthread_attr_getstack);
AXON_OLD(pthread_attr_setstack);
AXON_OLD(pthread_attr_setstacksize);
AXON_OLD(pthread_create);
AXON_OLD(pthread_detach);
AXON_OLD(pthread_getattr_np);
AXON_OLD(pthread_join);
AXON_OLD(pthread_key_create);
AXON_OLD(pthread_mutex_trylock);
AXON_OLD(pthread_mutexattr_destroy);
AXON_OLD(pthread_mutexattr_init);
AXON_OLD(pthread_mutexattr_settype);
AXON_OLD(pthread_once);
AXON_OLD(pthread_rwlock_rdlock);
AXON_OLD(pthread_rwlock_unlock);
AXON_OLD(pthread_rwlock_wrlock);
AXON_OLD(pthread_setspecific);
AXON_OLD(pthread_sigmask);

static inline int axon_fstat(int fd, struct stat *st)
{
	return (int)syscall(SYS_fstat, fd, st);
}

static inline int axon_stat(const char *path, struct stat *st)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, st, 0);
}

static inline int axon_memfd_create(const char *name, unsigned flags)
{
	return (int)syscall(SYS_memfd_create, name, flags);
}

#define stat(path, st)		  axon_stat(path, st)
#define fstat(fd, st)		  axon_fstat(fd, st)
#define memfd_create(name, flags) axon_memfd_create(name, flags)

#endif
#endif
