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
	"fmt"
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
		info, _ = f.infos.LoadOrStore(t, f.info(t))
	}
	return info.(*protoimpl.MessageInfo).MessageOf(m)
}

// info ties a struct to its message. The library panics where it lacks a field of that.
func (f *File) info(t reflect.Type) *protoimpl.MessageInfo {
	desc := f.schema().Messages().ByName(protoreflect.Name(t.Elem().Name()))
	if desc == nil {
		panic(fmt.Sprintf("messages: the schema has no message %s", t.Elem().Name()))
	}
	info := &protoimpl.MessageInfo{GoReflectType: t, Desc: desc}
	fields := 0
	for i := range t.Elem().NumField() {
		switch field := t.Elem().Field(i); {
		case field.Tag.Get("protobuf") != "":
			fields++
		case field.Tag.Get("protobuf_oneof") != "":
			for _, o := range f.oneofs {
				if reflect.TypeOf(o).Implements(field.Type) {
					info.OneofWrappers = append(info.OneofWrappers, o)
				}
			}
		}
	}
	if has := fields + len(info.OneofWrappers); has != desc.Fields().Len() {
		panic(fmt.Sprintf("messages: %s has %d fields, in the schema %d", t.Elem().Name(), has, desc.Fields().Len()))
	}
	return info
}
