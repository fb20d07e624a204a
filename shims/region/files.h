// SPDX-License-Identifier: Apache-2.0
//
// Which files a client and its worker may both map.
#ifndef AXON_FILES_H
#define AXON_FILES_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/vfs.h>

// Whether the descriptor is of a regular file in memory (a memfd, /dev/shm, huge pages) or on a disk of this machine's. Others'
// pages are answered by somebody's server (FUSE, a network, an overlay over either), who could hold up the worker in a page fault
// in the middle of the vendor's driver, or are no memory at all (/proc, /sys, devices). *pages: the file's page size if it is
// of huge pages, else 0.
static inline bool axr_file_is_memory(int fd, unsigned long *pages)
{
	struct stat st;
	struct statfs fs;

	*pages = 0;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || fstatfs(fd, &fs))
		return false;
	// The numbers are those of statfs(2).
	switch ((unsigned long)fs.f_type & 0xffffffffu) {
	case 0x958458f6: // hugetlbfs
		*pages = (unsigned long)fs.f_bsize;
		return true;
	case 0x01021994: // tmpfs
	case 0xef53:     // ext2, 3 and 4
	case 0x58465342: // XFS
	case 0x9123683e: // Btrfs
	case 0xf2f52010: // F2FS
	case 0xca451a4e: // bcachefs
	case 0x2fc12fc1: // ZFS
		return true;
	}
	return false;
}

#endif
