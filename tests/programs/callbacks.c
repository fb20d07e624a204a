// SPDX-License-Identifier: Apache-2.0
//
// Functions of the program's that the driver calls by itself: with what it logs,
// and when a device's memory is over its budget.
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "check.h"
#include "graphs.h"
#include "kernels.h"

// --- the log

struct heard {
	int count;
	CUlogLevel level;
	size_t length;
	char text[512];
	pthread_t thread;
};

static void hear(void *data, CUlogLevel level, char *message, size_t length)
{
	struct heard *h = data;
	h->count++;
	h->level = level;
	h->length = length;
	h->thread = pthread_self();
	snprintf(h->text, sizeof h->text, "%s", message);
}

static const char no_ptx[] = PTX_HEAD "this is no instruction at all\n";

static void a_message_comes_before_its_call_returns(void)
{
	struct heard a = {0}, b = {0};
	CUlogsCallbackHandle ha, hb;
	CUmodule m;
	start();
	HAVE("callbacks for its log", cuLogsRegisterCallback(hear, &a, &ha));
	OK(cuLogsRegisterCallback(hear, &b, &hb));
	TRUE(cuModuleLoadData(&m, no_ptx) != CUDA_SUCCESS);
	if (!a.count)
		SKIP("this driver logs nothing of it");
	EQUAL(a.count, b.count);
	TRUE(a.length > 4 && strlen(a.text) == (a.length < sizeof a.text ? a.length : sizeof a.text - 1));
	EQUAL(CU_LOG_LEVEL_ERROR, a.level);
	TRUE(pthread_equal(a.thread, pthread_self()));
	// One that has gone hears no more, the other does.
	int before = b.count;
	OK(cuLogsUnregisterCallback(hb));
	a.count = 0;
	TRUE(cuModuleLoadData(&m, no_ptx) != CUDA_SUCCESS);
	TRUE(a.count > 0);
	EQUAL(before, b.count);
	OK(cuLogsUnregisterCallback(ha));
	a.count = 0;
	TRUE(cuModuleLoadData(&m, no_ptx) != CUDA_SUCCESS);
	EQUAL(0, a.count);
	OK(cuLogsRegisterCallback(hear, &a, &ha)); // and anew
	TRUE(cuModuleLoadData(&m, no_ptx) != CUDA_SUCCESS);
	TRUE(a.count > 0);
}

static void leave_at_once(void *data, CUlogLevel level, char *message, size_t length)
{
	CUlogsCallbackHandle *h = data;
	(void)level, (void)message, (void)length;
	if (cuLogsUnregisterCallback(*h) == CUDA_SUCCESS)
		*h = NULL;
}

static void what_is_no_callback_is_refused(void)
{
	struct heard a = {0};
	CUlogsCallbackHandle h, many[200];
	int n = 0;
	start();
	HAVE("callbacks for its log", cuLogsRegisterCallback(hear, &a, &h));
	TRUE(cuLogsRegisterCallback(NULL, NULL, &h) != CUDA_SUCCESS);
	TRUE(cuLogsUnregisterCallback(NULL) != CUDA_SUCCESS);
	OK(cuLogsUnregisterCallback(h));
	TRUE(cuLogsUnregisterCallback(h) != CUDA_SUCCESS);
	while (n < 200 && cuLogsRegisterCallback(hear, &a, &many[n]) == CUDA_SUCCESS)
		n++;
	TRUE(n > 10);
	while (n)
		OK(cuLogsUnregisterCallback(many[--n]));
	OK(cuCtxSynchronize());
}

static void a_kernels_fault_is_heard_of_where_it_shows(void)
{
	struct heard a = {0};
	CUlogsCallbackHandle h;
	start();
	CUfunction wild = function(load(PTX_HEAD PTX_WILD), "wild");
	HAVE("callbacks for its log", cuLogsRegisterCallback(hear, &a, &h));
	OK(cuLaunchKernel(wild, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	TRUE(cuCtxSynchronize() != CUDA_SUCCESS);
	if (!a.count)
		SKIP("this driver logs nothing of it");
	TRUE(a.length > 4);
}

static void the_log_is_written_where_the_program_says(void)
{
	CUlogIterator from;
	CUmodule m;
	char text[4096], path[] = "/tmp/axon-logs-XXXXXX";
	size_t size = sizeof text;
	start();
	HAVE("log", cuLogsCurrent(&from, 0));
	TRUE(cuModuleLoadData(&m, no_ptx) != CUDA_SUCCESS);
	CUlogIterator to = from;
	OK(cuLogsDumpToMemory(&to, text, &size, 0));
	if (!size)
		SKIP("this driver logs nothing of it");
	TRUE(to != from);
	int fd = mkstemp(path);
	TRUE(fd >= 0);
	OK(cuLogsDumpToFile(&from, path, 0));
	char read_back[4096] = "";
	ssize_t n = read(fd, read_back, sizeof read_back - 1);
	unlink(path);
	TRUE(n > 0 && !strncmp(text, read_back, (size_t)n));
	TRUE(cuLogsDumpToFile(&from, NULL, 0) != CUDA_SUCCESS);
	TRUE(cuLogsDumpToFile(&from, "/nowhere/at/all", 0) != CUDA_SUCCESS);
}

// --- notifications

static struct {
	pthread_mutex_t lock;
	pthread_cond_t came;
	int count;
	unsigned long long over;
	CUasyncCallbackHandle handle;
	void *data;
} told = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, NULL, NULL};

static void over_budget(CUasyncNotificationInfo *info, void *data, CUasyncCallbackHandle handle)
{
	pthread_mutex_lock(&told.lock);
	told.count++;
	told.over = info->type == CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET ? info->info.overBudget.bytesOverBudget : 0;
	told.handle = handle;
	told.data = data;
	pthread_cond_broadcast(&told.came);
	pthread_mutex_unlock(&told.lock);
}

static bool comes(int n)
{
	struct timespec end;
	int late = 0;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += 20;
	pthread_mutex_lock(&told.lock);
	while (told.count < n && !late)
		late = pthread_cond_timedwait(&told.came, &told.lock, &end);
	bool came = told.count >= n;
	pthread_mutex_unlock(&told.lock);
	return came;
}

static void a_device_over_its_budget_tells(void)
{
	CUasyncCallbackHandle h, second;
	size_t left, total;
	CUdeviceptr p;
	static int mine;
	start();
	HAVE("notifications", cuDeviceRegisterAsyncNotification(device, over_budget, &mine, &h));
	OK(cuMemGetInfo(&left, &total));
	size_t most = total - total / 16;
	if (left < most || cuMemAlloc(&p, most))
		SKIP("other programs use this device's memory");
	if (!comes(1)) {
		OK(cuMemFree(p));
		SKIP("this device has no budget");
	}
	TRUE(told.over > 0 && told.over < total);
	TRUE(told.handle == h && told.data == &mine);
	OK(cuMemFree(p));
	OK(cuCtxSynchronize());
	// The first has gone; the second one's message shows that the first one's would have been here.
	OK(cuDeviceRegisterAsyncNotification(device, over_budget, NULL, &second));
	OK(cuDeviceUnregisterAsyncNotification(device, h));
	OK(cuMemAlloc(&p, most));
	TRUE(comes(2));
	TRUE(told.handle == second && told.data == NULL);
	OK(cuDeviceUnregisterAsyncNotification(device, second));
	EQUAL(2, told.count);
}

static void what_is_no_notification_is_refused(void)
{
	CUasyncCallbackHandle h;
	start();
	HAVE("notifications", cuDeviceRegisterAsyncNotification(device, over_budget, NULL, &h));
	TRUE(cuDeviceRegisterAsyncNotification(device, NULL, NULL, &h) != CUDA_SUCCESS);
	TRUE(cuDeviceRegisterAsyncNotification(device, over_budget, NULL, NULL) != CUDA_SUCCESS);
	TRUE(cuDeviceRegisterAsyncNotification(1000, over_budget, NULL, &h) != CUDA_SUCCESS);
	OK(cuDeviceRegisterAsyncNotification(device, over_budget, NULL, &h));
	TRUE(cuDeviceUnregisterAsyncNotification(1000, h) != CUDA_SUCCESS);
	OK(cuDeviceUnregisterAsyncNotification(device, h));
	TRUE(cuDeviceUnregisterAsyncNotification(device, h) != CUDA_SUCCESS);
	TRUE(cuDeviceUnregisterAsyncNotification(device, NULL) != CUDA_SUCCESS);
	OK(cuCtxSynchronize());
}

static void a_callback_may_end_itself(void)
{
	CUlogsCallbackHandle h;
	CUmodule m;
	start();
	HAVE("callbacks for its log", cuLogsRegisterCallback(leave_at_once, &h, &h));
	TRUE(cuModuleLoadData(&m, no_ptx) != CUDA_SUCCESS);
	TRUE(h == NULL);
}

static const struct test_case cases[] = {
	CASE(a_message_comes_before_its_call_returns),
	CASE(what_is_no_callback_is_refused),
	CASE(a_kernels_fault_is_heard_of_where_it_shows),
	CASE(the_log_is_written_where_the_program_says),
	CASE(a_callback_may_end_itself),
	CASE(a_device_over_its_budget_tells),
	CASE(what_is_no_notification_is_refused),
};

int main(int argc, char **argv)
{
	return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
