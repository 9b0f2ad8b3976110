// Package messages makes plain Go structs the messages of a schema of protocol buffers:
//
//	//go:generate protoc -o loc.binpb loc.proto
//	//go:embed loc.binpb
//	var schema []byte
//	var file = messages.New(schema)
//
//	type Loc struct {
//		File int32 `protobuf:"1"`
//		Line int32 `protobuf:"2"`
//	}
//
//	func (m *Loc) ProtoReflect() protoreflect.Message { return file.Reflect(m) }
//
// A struct has the name of its message, and for each field of it one with its number; any
// other panics when the type is first used. From then on the library encodes and decodes it
// as it does what protoc-gen-go generates, which says the same in ten times as many lines.
// Fields that a struct lacks because the schema of who wrote them is newer are passed over.
package messages

import (
	"reflect"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
	"google.golang.org/protobuf/types/descriptorpb"
)

// File holds the messages of one schema, which imports no other.
type File struct {
	schema func() protoreflect.FileDescriptor
	oneofs []any
	infos  sync.Map // *protoimpl.MessageInfo, by reflect.Type
}

// New reads a schema as protoc -o writes it. Each alternative of a oneof is a struct of its
// own, of which oneofs has a nil pointer.
func New(schema []byte, oneofs ...any) *File {
	return &File{oneofs: oneofs, schema: sync.OnceValue(func() protoreflect.FileDescriptor {
		var set descriptorpb.FileDescriptorSet
		if err := proto.Unmarshal(schema, &set); err != nil {
			panic(err)
		}
		file, err := protodesc.NewFile(set.File[0], nil)
		if err != nil {
			panic(err)
		}
		return file
	})}
}

// Reflect is what the method ProtoReflect of a message returns. It takes a pointer to its struct.
func (f *File) Reflect(m any) protoreflect.Message {
	t := reflect.TypeOf(m)
	info, ok := f.infos.Load(t)
	if !ok {
		info, _ = f.infos.LoadOrStore(t, &protoimpl.MessageInfo{
			GoReflectType: t, Desc: f.schema().Messages().ByName(protoreflect.Name(t.Elem().Name())), OneofWrappers: f.alternatives(t.Elem()),
		})
	}
	return info.(*protoimpl.MessageInfo).MessageOf(m)
}

// alternatives are those of the oneofs of a struct.
func (f *File) alternatives(t reflect.Type) []any {
	var out []any
	for i := range t.NumField() {
		if field := t.Field(i); field.Tag.Get("protobuf_oneof") != "" {
			for _, o := range f.oneofs {
				if reflect.TypeOf(o).Implements(field.Type) {
					out = append(out, o)
				}
			}
		}
	}
	return out
}
