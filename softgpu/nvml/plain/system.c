/* SPDX-License-Identifier: Apache-2.0
 *
 * Versions: those of the driver that softgpu's libcuda claims to be (cuDriverGetVersion).
 */
#include "plain.h"

#define DRIVER "580.00.00"

static nvmlReturn_t plain_nvmlSystemGetDriverVersion(char *version, unsigned length) { return plain_text(version, length, DRIVER); }
static nvmlReturn_t plain_nvmlSystemGetNVMLVersion(char *version, unsigned length) { return plain_text(version, length, "13." DRIVER); }

static nvmlReturn_t plain_nvmlSystemGetCudaDriverVersion(int *version)
{
	*version = 13000;
	return NVML_SUCCESS;
}
#define plain_nvmlSystemGetCudaDriverVersion_v2 plain_nvmlSystemGetCudaDriverVersion

const struct plain_function plain_system[] = {
	PLAIN(nvmlSystemGetDriverVersion), PLAIN(nvmlSystemGetNVMLVersion), PLAIN(nvmlSystemGetCudaDriverVersion),
	PLAIN(nvmlSystemGetCudaDriverVersion_v2), { NULL, NULL },
};
