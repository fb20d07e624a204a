// SPDX-License-Identifier: Apache-2.0
//
// CUDA_VISIBLE_DEVICES is the program's own: what it says when cuInit is called
// counts. Written to the driver API alone; passes on the vendor's library as on
// axon's, with one device or more.
#include "check.h"

static int count_with(const char *value)
{
	int n = -1;

	if (value)
		setenv("CUDA_VISIBLE_DEVICES", value, 1);
	else
		unsetenv("CUDA_VISIBLE_DEVICES");
	CUresult r = cuInit(0);
	if (r == CUDA_ERROR_NO_DEVICE)
		return 0;
	OK(r);
	OK(cuDeviceGetCount(&n));
	return n;
}

// The UUID of a device as a process of its own sees it, where `value` is set.
static CUuuid uuid_with(const char *value, int ordinal)
{
	int ends[2], status;
	CUuuid uuid;

	if (pipe(ends))
		FAIL("pipe");
	pid_t child = fork();
	if (child == 0) {
		CUdevice d;
		if (count_with(value) <= ordinal || cuDeviceGet(&d, ordinal) || cuDeviceGetUuid(&uuid, d) ||
		    write(ends[1], &uuid, sizeof uuid) != sizeof uuid)
			_exit(9);
		_exit(0);
	}
	TRUE(read(ends[0], &uuid, child > 0 ? sizeof uuid : 0) == sizeof uuid);
	TRUE(waitpid(child, &status, 0) == child && status == 0);
	return uuid;
}

static void nothing_named_is_no_device(void) { EQUAL(0, count_with("")); }
static void minus_one_is_no_device(void) { EQUAL(0, count_with("-1")); }
static void a_number_that_is_none_is_no_device(void) { EQUAL(0, count_with("99")); }
static void the_first_can_be_named(void) { EQUAL(1, count_with("0")); }
static void the_list_ends_at_what_is_none(void) { EQUAL(1, count_with("0,99,0")); }
static void nothing_after_what_is_none(void) { EQUAL(0, count_with("99,0")); }

static void a_uuid_names_a_device(void)
{
	CUuuid want = uuid_with(NULL, 0), got;
	char text[48], *t = text;
	CUdevice d;

	t += sprintf(t, "GPU-");
	for (int i = 0; i < 16; i++)
		t += sprintf(t, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", (unsigned char)want.bytes[i]);
	EQUAL(1, count_with(text));
	OK(cuDeviceGet(&d, 0));
	OK(cuDeviceGetUuid(&got, d));
	TRUE(!memcmp(&want, &got, sizeof got));
}

static void the_order_is_the_lists(void)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(count_with(NULL));
	TRUE(waitpid(child, &status, 0) == child && WIFEXITED(status));
	if (WEXITSTATUS(status) < 2)
		SKIP("one device here");
	CUuuid first = uuid_with(NULL, 0), second = uuid_with(NULL, 1), swapped = uuid_with("1,0", 0);
	TRUE(!memcmp(&second, &swapped, sizeof second));
	swapped = uuid_with("1,0", 1);
	TRUE(!memcmp(&first, &swapped, sizeof first));
	EQUAL(1, count_with("1"));
}

static const struct test_case cases[] = {
	CASE(nothing_named_is_no_device),
	CASE(minus_one_is_no_device),
	CASE(a_number_that_is_none_is_no_device),
	CASE(the_first_can_be_named),
	CASE(the_list_ends_at_what_is_none),
	CASE(nothing_after_what_is_none),
	CASE(a_uuid_names_a_device),
	CASE(the_order_is_the_lists),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
