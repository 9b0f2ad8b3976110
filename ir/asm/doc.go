// Package asm reads, edits and writes textual LLVM assembly without loss.
//
// It reads what LLVM 14 to 22 print. What it understands (functions, blocks,
// instructions with opcode, types, operands, callee, successors, debug
// locations, attribute groups, metadata) it structures; everything else it
// keeps as it was written, so that an unedited module prints back byte for
// byte and syntax it has never seen is carried along, never rejected.
//
// # Example
//
// Count how often every edge of every function is taken:
//
//	m, err := asm.Parse(src)
//	if err != nil { ... }
//	m.AddDecl("declare void @hit(i32)")
//	for _, f := range m.Funcs() {
//		if err := f.CheckEditable(); err != nil { ... }
//		for _, b := range slices.Clone(f.Blocks) {
//			for k := range b.Succs() {
//				_, err := f.InsertOnEdge(b, k, "call void @hit(i32 1)")
//				if errors.Is(err, asm.ErrUnsplittable) { ... }
//			}
//		}
//	}
//	m.WriteTo(out)
//
// # Reading
//
// [Parse] returns a [Module]. Functions, blocks and instructions are found at
// once; what is inside an instruction is parsed when it is first asked for.
// Names are always given bare: without %, @ or $, unquoted, with escapes such
// as \01 decoded. [LocalRef] and [GlobalRef] spell a name again. Types and
// operand values are given as spelled in the text.
//
//	Module: Funcs Func Decls Decl Globals Global NamedType Triple DataLayout
//	        OpaquePointers Pointer Element Meta NamedMeta NextMetaID AttrGroupAttrs Instrs
//	Func:   Name RetType Params Linkage HasAttr Attr Dbg Blocks Block Instrs FreshName Named
//	Block:  Name Instrs Term Succs Preds FirstNonPhi StartIndex Index
//	Instr:  Result Op Type ResultType Indexed Operands Uses GlobalRefs MetaRefs
//	        Succs Phi Cases Call HasCallAttr Dbg Attachment IsDebug IsTerminator Text
//
// An instruction whose inside is not understood has Opaque() true: its Op,
// Result and Text hold, its references are found by their spelling, and its
// operands are empty.
//
// # Editing
//
// Edits take the text of instructions, one or more lines each, as LLVM would
// print them. They refuse a function that holds unnamed values or blocks
// ([ErrUnnamed]), since inserting there would shift LLVM's numbering: run
// opt -passes=instnamer first, or [Module.NameValues] (instnamer passes over
// optnone functions, as clang -O0 makes them). Pointers are spelled with [Module.Pointer].
//
//	Module: AddGlobal AddDecl AddFunc RemoveFunc CloneFunc AddMeta
//	        SetMeta AddAttrGroup StripDebug NumberValues RehomeScopes NameValues
//	Func:   SetLinkage AddAttr RemoveAttr SetDbg AddBlock RemoveBlock DeleteIf
//	        SplitBlock RetargetSucc InsertOnEdge EdgeBlock Invoke SetPersonality
//	Block:  InsertBefore InsertAfter InsertAtStart InsertAtEnd Replace Delete RemovePhiPred
//	Instr:  SetText SetResult SetCallee SetPhi
//	        SetDbg SetAttachment RemapMeta RemoveCallAttr
//
// # What it does not do
//
// It does not check modules (opt -passes=verify does), does not read bitcode,
// does not evaluate constants, and keeps no use lists: finding the users of a
// value is a walk over the function. A Module and everything in it must be
// used by one goroutine at a time, reading included, because reading parses.
package asm
