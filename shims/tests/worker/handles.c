// SPDX-License-Identifier: Apache-2.0
//
// Names and what they stand for.
#include "fake.h"

#include "cuda_worker.h"
#include "name.h"

#define KIND AXH_CUevent

static void *object(uint64_t n) { return (void *)(uintptr_t)(0x10000 + n * 16); }

static void *get(struct axw_session *s, unsigned kind, uint64_t name)
{
	void *handle;
	return axw_get(s, kind, name, &handle) ? NULL : handle;
}

static void a_name_finds_its_object(struct axw_session *s)
{
	for (uint32_t i = 0; i < 5000; i++)
		EXPECT(axw_put(s, KIND, axr_name(KIND, 0, 0, i), object(i)) == 0, "object %u was not taken", i);
	for (uint32_t i = 0; i < 5000; i++) {
		EXPECT(get(s, KIND, axr_name(KIND, 0, 0, i)) == object(i), "name %u finds another object", i);
		EXPECT(axw_name(s, KIND, object(i)) == axr_name(KIND, 0, 0, i), "object %u has another name", i);
	}
	EXPECT(axw_put(s, KIND, axr_name(KIND, 0, 0, 7), object(9999)) == -1, "a name was given twice");
}

static void an_ended_object_stays_dead(struct axw_session *s)
{
	uint64_t old = axr_name(KIND, 0, 0, 7), new = axr_name(KIND, 0, 1, 7);
	axw_del(s, KIND, old);
	EXPECT(!get(s, KIND, old), "an ended object's name still works");
	EXPECT(axw_put(s, KIND, new, object(7)) == 0, "the slot cannot be used again");
	EXPECT(!get(s, KIND, old) && get(s, KIND, new) == object(7), "generations are mixed up");
	axw_del(s, KIND, old); // once more, too late
	EXPECT(get(s, KIND, new) == object(7), "an old name ended a new object");
	EXPECT(axw_name(s, KIND, object(7)) == new, "the object kept its old name");
}

static void forged_names_find_nothing(struct axw_session *s)
{
	uint64_t good = axr_name(KIND, 0, 0, 8);
	const uint64_t forged[] = { 1, 2, 16, (uint64_t)(uintptr_t)&good, good + 1, good ^ 1ull << 35, good ^ 1ull << 63,
				    axr_name(KIND + 1, 0, 0, 8), axr_name(KIND, 0, 9, 8), axr_name(KIND, 1, 0, 0), UINT64_MAX };
	for (unsigned i = 0; i < sizeof forged / sizeof *forged; i++) {
		EXPECT(!get(s, KIND, forged[i]), "forged name %u finds an object", i);
		axw_del(s, KIND, forged[i]);
	}
	EXPECT(!get(s, KIND + 1, good), "a name of another kind finds an object");
	EXPECT(!get(s, 300, good), "there is no kind 300");
	EXPECT(get(s, KIND, good) == object(8), "ending forged names ended a good one");
	EXPECT(axw_put(s, KIND, axr_name(KIND, 1, 0, 5), object(1)) == -1, "a client named an object in the worker's place");
	EXPECT(axw_put(s, KIND, 16, object(1)) == -1, "16 is no name");
}

static void objects_that_we_find_get_names(struct axw_session *s)
{
	uint64_t name[3000];
	for (uint32_t i = 0; i < 3000; i++) {
		name[i] = axw_name(s, KIND, object(100000 + i));
		EXPECT(axr_name_is(name[i], KIND) && axr_name_from_worker(name[i]), "%llx is no name", (unsigned long long)name[i]);
		EXPECT(get(s, KIND, name[i]) == object(100000 + i), "a made-up name does not work");
		EXPECT(axw_name(s, KIND, object(100000 + i)) == name[i], "the object has two names");
	}
	for (uint32_t i = 0; i < 3000; i++)
		axw_del(s, KIND, name[i]);
	for (uint32_t i = 0; i < 3000; i++) {
		uint64_t again = axw_name(s, KIND, object(100000 + i));
		EXPECT(again != name[i] && !get(s, KIND, name[i]), "an ended object's made-up name came back");
	}
}

// Else what is kept by slots would grow with every object that there ever was.
static void objects_that_come_and_go_use_few_slots(struct axw_session *s)
{
	uint32_t most = 0;
	uint64_t first = 0;
	for (uint32_t i = 0; i < 100000; i++) {
		uint64_t name = axw_name(s, KIND, object(700000 + i % 7));
		EXPECT(name && name != first && get(s, KIND, name) == object(700000 + i % 7), "object %u has no name of its own", i);
		first = first ? first : name;
		axw_del(s, KIND, name);
		most = axr_name_slot(name) > most ? axr_name_slot(name) : most;
	}
	EXPECT(most < 8000, "one object at a time took slot %u", most);
}

// A module's functions end with it, and the client uses their slots again without a word to us.
static void a_slot_may_be_used_again_without_an_end(struct axw_session *s)
{
	EXPECT(axw_put(s, KIND, axr_name(KIND, 0, 5, 8), object(20008)) == 0, "the slot was not taken over");
	EXPECT(!get(s, KIND, axr_name(KIND, 0, 0, 8)), "the old name still works");
	EXPECT(get(s, KIND, axr_name(KIND, 0, 5, 8)) == object(20008), "the new name does not work");
}

static CUmodule parent_now;

static CUresult get_module(CUmodule *module, CUfunction f)
{
	(void)f;
	*module = parent_now;
	return CUDA_SUCCESS;
}

// The client keeps what it knows of a function under its name: another function at the same address needs another.
static void a_function_of_the_next_module_has_another_name(struct axw_session *s)
{
	void *f = object(300000), *other = object(300001);
	axg_vendor.cuFuncGetModule = get_module;
	parent_now = object(400000);
	uint64_t first = axw_name_new(s, AXH_CUmodule, parent_now), old = axw_name(s, AXH_CUfunction, f);
	EXPECT(axw_name(s, AXH_CUfunction, f) == old, "a function has two names");
	parent_now = object(400001);
	uint64_t second = axw_name_new(s, AXH_CUmodule, parent_now), stays = axw_name(s, AXH_CUfunction, other);
	axw_del(s, AXH_CUmodule, first);
	EXPECT(!get(s, AXH_CUfunction, old), "a function outlived its module");
	EXPECT(get(s, AXH_CUfunction, stays) == other && axw_name(s, AXH_CUfunction, other) == stays, "another module's function ended");
	EXPECT(axw_name(s, AXH_CUfunction, f) != old, "a new function has an old one's name");
	// The next module is made where the last one was, before the last one's end has been told.
	uint64_t third = axw_name_new(s, AXH_CUmodule, parent_now);
	EXPECT(third != second, "a new module has the old one's name");
	uint64_t fresh = axw_name(s, AXH_CUfunction, other);
	EXPECT(fresh != stays, "a new module's function has the old one's name");
	axw_del(s, AXH_CUmodule, second);
	EXPECT(get(s, AXH_CUmodule, third) == parent_now && get(s, AXH_CUfunction, fresh) == other, "the old module's end took the new one along");
}

static void a_vendor_that_does_not_say_whose_a_function_is(struct axw_session *s)
{
	axg_vendor.cuFuncGetModule = NULL;
	uint64_t module = axw_name_new(s, AXH_CUmodule, object(500000)), old = axw_name(s, AXH_CUfunction, object(500001));
	EXPECT(axw_name(s, AXH_CUfunction, object(500001)) == old, "a function has two names");
	axw_del(s, AXH_CUmodule, module);
	EXPECT(axw_name(s, AXH_CUfunction, object(500001)) != old, "a new function may have an old one's name");
	EXPECT(get(s, AXH_CUfunction, old) == object(500001), "a function that may be alive has ended");
}

static void null_is_null(struct axw_session *s)
{
	void *handle = s;
	EXPECT(axw_get(s, KIND, 0, &handle) == 0 && !handle, "0 is not NULL");
	EXPECT(axw_name(s, KIND, NULL) == 0, "NULL is not 0");
}

int main(void)
{
	struct axw_session *s = fake_session_still(1);
	a_name_finds_its_object(s);
	an_ended_object_stays_dead(s);
	forged_names_find_nothing(s);
	objects_that_we_find_get_names(s);
	objects_that_come_and_go_use_few_slots(s);
	a_slot_may_be_used_again_without_an_end(s);
	a_function_of_the_next_module_has_another_name(s);
	a_vendor_that_does_not_say_whose_a_function_is(s);
	null_is_null(s);
	return 0;
}
