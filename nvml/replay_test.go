// SPDX-License-Identifier: Apache-2.0

package nvml

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func TestARecordingAnswersAsTheMachineDid(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# driver 580.159.04\n# gpu NVIDIA H200\n\nprocess 42 /usr/bin/python3 -c x\n")
	in := make([]byte, 16)
	in[0], in[8] = 1, 96
	out := make([]byte, 96)
	copy(out, "NVIDIA H200")
	for _, err := range []error{
		Write(&b, CallDeviceGetName, in, SUCCESS, out),
		Write(&b, CallDeviceGetCount_v2, nil, SUCCESS, []byte{8, 0, 0, 0, 0, 0, 0, 0}),
		Write(&b, CallDeviceGetCount_v2, nil, ERROR_UNKNOWN, nil),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	rec, err := ReadRecording(&b)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Head["driver"] != "580.159.04" || rec.Head["gpu"] != "NVIDIA H200" || rec.Processes[42] != "/usr/bin/python3 -c x" {
		t.Errorf("the head: %v, %v", rec.Head, rec.Processes)
	}
	c := New(rec)
	if n, ret := c.DeviceGetCount_v2(); n != 8 || ret != SUCCESS {
		t.Errorf("%d GPUs, %v", n, ret)
	}
	if name, ret := c.DeviceGetName(1); name != "NVIDIA H200" || ret != SUCCESS {
		t.Errorf("%q, %v", name, ret)
	}
	if _, ret := c.DeviceGetName(2); ret != ERROR_NOT_SUPPORTED {
		t.Errorf("a device that was not asked: %v", ret)
	}
	if _, ret := c.DeviceGetFanSpeed(1); ret != ERROR_FUNCTION_NOT_FOUND {
		t.Errorf("a function that was not called: %v", ret)
	}
}

func TestALineThatIsNoCallIsNamed(t *testing.T) {
	for _, line := range []string{"nvmlDeviceGetName", "x - -> no -", "x - -> 0", "x zz -> 0 -", "x - => 0 -", "process x y"} {
		_, err := ReadRecording(strings.NewReader("# driver 1\n" + line + "\n"))
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// constant answers every call with the same.
type constant struct {
	ret   Return
	out   []byte
	calls int
}

func (c *constant) Send(call uint32, in []byte, done func(Return, []byte)) {
	c.calls++
	done(c.ret, append([]byte(nil), c.out...))
}

func (c *constant) Close() error { return nil }

// everyMethod makes every call there is, with zeros, and gives what came of each.
func everyMethod(t testing.TB, c *Client, each func(name string, results []reflect.Value)) {
	v := reflect.ValueOf(c)
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		if byName()["nvml"+name] == 0 && byName()["ax"+name] == 0 {
			continue
		}
		m := v.Method(i)
		var args []reflect.Value
		for j := range m.Type().NumIn() {
			arg := m.Type().In(j)
			switch {
			case arg.Kind() == reflect.Pointer:
				args = append(args, reflect.New(arg.Elem()))
			case arg.Kind() == reflect.Slice:
				args = append(args, reflect.MakeSlice(arg, 2, 2))
			case arg.Kind() == reflect.Interface:
				args = append(args, reflect.ValueOf(new(Memory_v2)))
			default:
				args = append(args, reflect.Zero(arg))
			}
		}
		each(name, m.Call(args))
	}
}

func TestEveryCallHasAMethod(t *testing.T) {
	n := 0
	tr := &constant{ret: ERROR_NOT_SUPPORTED}
	everyMethod(t, New(tr), func(name string, results []reflect.Value) {
		n++
		if ret := results[len(results)-1].Interface().(Return); ret != ERROR_NOT_SUPPORTED {
			t.Errorf("%s: %v", name, ret)
		}
	})
	if n != len(calls)-1 || tr.calls != n {
		t.Errorf("%d methods made %d calls, there are %d", n, tr.calls, len(calls)-1)
	}
}

// Whatever comes back, a method ends with it.
func FuzzAnswer(f *testing.F) {
	f.Add(uint32(0), []byte(nil))
	f.Add(uint32(0), bytes.Repeat([]byte{0xff}, 4096))
	f.Add(uint32(7), []byte{255, 255, 255, 255, 0, 0, 0, 0})
	f.Add(uint32(7), []byte{65, 0, 0, 0, 0, 0, 0, 0})
	f.Add(uint32(0), make([]byte, 70000))
	f.Fuzz(func(t *testing.T, ret uint32, out []byte) {
		everyMethod(t, New(&constant{ret: Return(ret), out: out}), func(name string, results []reflect.Value) {
			got := results[len(results)-1].Interface().(Return)
			if got != Return(ret) && (ret != 0 || got != ERROR_UNKNOWN) {
				t.Errorf("%s: %v became %v", name, Return(ret), got)
			}
		})
	})
}

// Whatever stands in a recording, reading it ends with an error or with answers.
func FuzzRecording(f *testing.F) {
	f.Add("# driver 580\nnvmlDeviceGetCount_v2 - -> 0 0100000000000000\nprocess 1 init\n")
	f.Add("nvmlDeviceGetName 01000000000000006000000000000000 -> 0 -\n")
	f.Add("x - -> 4294967295 00")
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := ReadRecording(strings.NewReader(text))
		if err != nil {
			return
		}
		everyMethod(t, New(rec), func(string, []reflect.Value) {})
	})
}
