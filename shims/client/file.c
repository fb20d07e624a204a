// SPDX-License-Identifier: Apache-2.0
//
// The kernel gives a mapping's own file only to who may checkpoint processes
// (/proc/self/map_files). Everybody else has to find it: under its name, if that
// is still the same file, or among the descriptors that the program has kept.
#include "file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "files.h"

#define LINE 256

// Whether it is the mapping's file. Some file systems say another device here than there: what tells is a mapping of both.
static bool same(int fd, const struct axc_mapping *m)
{
	struct stat st;
	struct axc_mapping other;
	unsigned long page;
	char line[LINE];

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_ino != m->inode)
		return false;
	if (st.st_dev == makedev(m->major, m->minor))
		return true;
	if (!axr_file_is_memory(fd, &page))
		return false;
	page = page ? page : (unsigned long)sysconf(_SC_PAGESIZE);
	void *p = mmap(NULL, page, PROT_NONE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	bool is = axc_mapping_at((uint64_t)(uintptr_t)p, &other, line, sizeof line) && other.inode == m->inode &&
		  other.major == m->major && other.minor == m->minor;
	munmap(p, page);
	return is;
}

static bool open_for(int fd, bool write)
{
	int flags = fcntl(fd, F_GETFL);
	return flags >= 0 && !(flags & O_PATH) && (write ? (flags & O_ACCMODE) == O_RDWR : (flags & O_ACCMODE) != O_WRONLY);
}

static int at_path(const char *path, const struct axc_mapping *m, bool write)
{
	struct stat st;

	// Looked at first: something else may lie there by now, and opening a device may do something.
	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_ino != m->inode)
		return -1;
	int fd = open(path, (write ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && !same(fd, m)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int among_ours(const struct axc_mapping *m, bool write)
{
	DIR *dir = opendir("/proc/self/fd");
	int found = -1;

	for (struct dirent *e; dir && found < 0 && (e = readdir(dir));) {
		struct stat st;
		int fd = atoi(e->d_name);
		if (e->d_name[0] == '.' || fd == dirfd(dir) || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_ino != m->inode)
			continue;
		// Another thread may close it at any moment, so what is looked at is a descriptor of our own.
		found = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		if (found >= 0 && !(open_for(found, write) && same(found, m))) {
			close(found);
			found = -1;
		}
	}
	if (dir)
		closedir(dir);
	return found;
}

// The kernel writes a newline as four characters.
static void unescape(char *path)
{
	char *to = path;
	for (const char *from = path; *from; to++)
		if (!strncmp(from, "\\012", 4)) {
			*to = '\n';
			from += 4;
		} else {
			*to = *from++;
		}
	*to = 0;
}

int axc_file_behind(const struct axc_mapping *m, bool write)
{
	char path[AXC_FILE_LINE];

	snprintf(path, sizeof path, "/proc/self/map_files/%llx-%llx", (unsigned long long)m->start, (unsigned long long)m->end);
	int fd = at_path(path, m, write);
	if (fd < 0 && m->path[0] == '/') {
		snprintf(path, sizeof path, "%s", m->path);
		unescape(path);
		fd = at_path(path, m, write);
	}
	return fd >= 0 ? fd : among_ours(m, write);
}
