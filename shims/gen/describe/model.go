// SPDX-License-Identifier: Apache-2.0

package describe

// API is one library's description, in the order it was written.
type API struct {
	Library string            // "cuda"
	Head    map[string]string // the head's settings: result, success, invalid, ...
	Parts   []string          // file names after the head, in order
	Types   []*Type
	Consts  []Const
	Funcs   []*Func
	Sizes   map[string]*Sizes // by enum: how many bytes the value behind an attribute takes
	Texts   []*Texts          // the library's own words for an enum's values

	byName map[string]*Type
	funcs  map[string]*Func
}

// TypeKind says how a type was declared.
type TypeKind int

const (
	Scalar   TypeKind = iota // known to every description: int, size_t, float, ...
	Alias                    // type NAME = OTHER
	Enum                     // enum NAME : TAG { ... }
	Struct                   // struct NAME : TAG { ... }
	Union                    // union NAME : TAG { ... }
	Handle                   // handle NAME = struct TAG
	Callback                 // callback *NAME = RESULT (ARGS)
)

// A Type is one named type.
type Type struct {
	Name   string
	Kind   TypeKind
	Tag    string   // of an enum, a struct or a union; empty for none
	Target string   // of an alias or a handle, as C
	Body   []string // an enum's values or a struct's members, as C without separators
	Params string   // a callback's parameters, as C
	Direct bool     // a callback declared without '*': the function type itself
	Size   int      // a scalar's bytes
	Float  bool
	Signed bool

	// A handle's values that cross as they are (a null, a predefined stream), and the result that names a bad one.
	Pass    []string
	Missing string
	// A struct's members that do not cross as bytes.
	Carries []Carry

	Internal bool // a type of axon's own: it is in the frames' header, not in the library's

	Src *Statement
}

// A Carry says what a member of a struct holds that cannot cross as bytes: a handle, a pointer to an array of structs,
// or a pointer that means nothing on the other side.
type Carry struct {
	Member string // "hStream", "res.array.hArray"
	Type   string // the handle's or the element's type; empty for Drop
	Count  string // another member: how many elements are there
	Drop   bool   // the worker puts a null in its place
	// Only while this member has this value; both empty for always.
	WhenMember, WhenValue string
}

// Sizes is a table of the bytes that the value of each attribute takes.
type Sizes struct {
	Enum   string
	Values []SizeOf
	Src    *Statement
}

// SizeOf is a line of it.
type SizeOf struct {
	Value string
	Bytes int
}

// Texts are the library's own words for the values of an enum.
type Texts struct {
	Enum   string
	Values []TextOf
	Src    *Statement
}

// TextOf is a line of it.
type TextOf struct{ Value, Text string }

// A Const is a macro of the library's header.
type Const struct{ Name, Value string }

// Way says how a call is answered.
type Way int

const (
	Wait   Way = iota // sent, and the answer waited for
	Post              // sent, and not waited for
	Here              // answered inside the client
	Refuse            // never: the reason is permanent
	Later             // not there yet
)

// String gives the word that descriptions use.
func (w Way) String() string {
	return [...]string{"wait", "post", "here", "refuse", "later"}[w]
}

// Lookup is an entry of the library's own symbol lookup: Name answers with the symbol from Since on.
type Lookup struct {
	Name      string
	Since     int
	PerThread bool // only for callers that ask for the per-thread default stream
}

// Symbol is one exported name of a function.
type Symbol struct {
	Name   string
	Lookup *Lookup // nil: the library's lookup does not know it

	// Of a second symbol. With: it is the first one with these arguments changed from From to To. Apart: it is a
	// call of its own, with the same prototype and way. Neither: it is the first one under another name.
	With     []string
	From, To uint64
	Apart    bool
}

// A Func is one function: its prototype, its way, and the symbols that share both.
type Func struct {
	Symbol
	Way        Way
	Reason     string // for Refuse and Later
	Internal   bool   // a frame of axon's own, no export
	HandClient bool   // the client half is written by hand
	HandWorker bool   // so is the worker half
	Via        string // the call that the hand-written client half sends instead of one of its own
	OnError    bool   // its outs mean something when it fails, too
	Root       bool   // it changes the machine's state: for root only
	Result     string // what it returns in C, where that is not the head's result type; empty where it is
	// What Go passes for a number that only says how much room there is: an argument's name, and a number or a constant.
	Usual map[string]string
	Args  []*Arg
	Also  []Symbol

	Src *Statement
}

// Dir says which way an argument's bytes go.
type Dir int

const (
	Value  Dir = iota // by value
	In                // the client's bytes
	Out               // the worker's bytes
	InOut             // both
	New               // a handle that the client names
	Del               // a handle that ends with the call
	Str               // NUL-terminated text, client to worker
	Opaque            // a pointer that is only a number to the other side
	Text              // text that the library owns, worker to client: the client keeps a copy for good
	Sized             // a struct, both ways, that says its own size in the low 24 bits of its first word
)

// String gives the word that descriptions use; a plain value has none.
func (d Dir) String() string {
	return [...]string{"", "in", "out", "inout", "new", "del", "str", "opaque", "text", "sized"}[d]
}

// An Arg is one argument.
type Arg struct {
	Name     string
	Dir      Dir
	Type     string // without const and stars: "CUdeviceptr", "void", "char"
	Const    bool   // the pointed-to type is const
	Stars    int
	Nullable bool
	Count    string // elements (bytes for void), an expression of scalar arguments; empty for one
	C        string // the declaration as the prototype has it
}

// Packets says whether calls cross as packets that nobody shares memory for, each with all its bytes. Without that, they
// cross in a region.
func (a *API) Packets() bool { return a.Head["carrier"] == "packets" }

// Type finds a type by name; nil for none.
func (a *API) Type(name string) *Type { return a.byName[name] }

// Func finds a described function by its first symbol; nil for none.
func (a *API) Func(name string) *Func { return a.funcs[name] }
