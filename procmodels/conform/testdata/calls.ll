; ModuleID = 'calls.cpp'
source_filename = "calls.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@.str = private unnamed_addr constant [4 x i8] c"%d\0A\00", align 1
@_ZTIi = external constant ptr

; Function Attrs: mustprogress noinline uwtable
define dso_local i32 @library(ptr nocapture noundef writeonly %to, ptr nocapture noundef readonly %from, i32 noundef %n) local_unnamed_addr #0 !dbg !9 {
entry:
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(64) %to, ptr noundef nonnull align 1 dereferenceable(64) %from, i64 64, i1 false), !dbg !12
  %conv = sext i32 %n to i64, !dbg !13
  tail call void @llvm.memset.p0.i64(ptr align 1 %to, i8 0, i64 %conv, i1 false), !dbg !14
  %call = tail call i32 @no_library_has_this(i32 noundef %n), !dbg !15
  %call1 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str, i32 noundef %call), !dbg !16
  %call2 = tail call i32 @puts(ptr noundef nonnull dereferenceable(1) %from), !dbg !17
  %add = add nsw i32 %call2, %call1, !dbg !18
  ret i32 %add, !dbg !19
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #1

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #2

; Function Attrs: nofree nounwind
declare !dbg !20 noundef i32 @printf(ptr nocapture noundef readonly, ...) local_unnamed_addr #3

declare !dbg !21 i32 @no_library_has_this(i32 noundef) local_unnamed_addr #4

; Function Attrs: nofree nounwind
declare !dbg !22 noundef i32 @puts(ptr nocapture noundef readonly) local_unnamed_addr #3

; Function Attrs: mustprogress nofree noinline nosync nounwind willreturn memory(none) uwtable
define dso_local i32 @recursive(i32 noundef %n) local_unnamed_addr #5 !dbg !23 {
entry:
  br label %tailrecurse, !dbg !24

tailrecurse:                                      ; preds = %cond.false, %entry
  %accumulator.tr = phi i32 [ 0, %entry ], [ %add, %cond.false ]
  %n.tr = phi i32 [ %n, %entry ], [ %sub1, %cond.false ]
  %cmp = icmp slt i32 %n.tr, 2, !dbg !25
  br i1 %cmp, label %cond.end, label %cond.false, !dbg !26

cond.false:                                       ; preds = %tailrecurse
  %sub = add nsw i32 %n.tr, -1, !dbg !27
  %call = tail call i32 @recursive(i32 noundef %sub), !dbg !28
  %sub1 = add nsw i32 %n.tr, -2, !dbg !29
  %add = add nsw i32 %accumulator.tr, %call, !dbg !30
  br label %tailrecurse, !dbg !24

cond.end:                                         ; preds = %tailrecurse
  %accumulator.ret.tr = add nsw i32 %accumulator.tr, %n.tr, !dbg !30
  ret i32 %accumulator.ret.tr, !dbg !31
}

; Function Attrs: mustprogress noinline uwtable
define dso_local i32 @indirect(ptr nocapture noundef readonly %f, i32 noundef %n) local_unnamed_addr #0 !dbg !32 {
entry:
  %call = tail call noundef i32 %f(i32 noundef %n), !dbg !33
  %call1 = tail call i32 @recursive(i32 noundef %n), !dbg !34
  %add = add nsw i32 %call1, %call, !dbg !35
  ret i32 %add, !dbg !36
}

; Function Attrs: mustprogress noinline nounwind uwtable
define dso_local i32 @assembly(i32 noundef %x) local_unnamed_addr #6 !dbg !37 {
entry:
  %0 = tail call i32 asm sideeffect "nop", "=r,0,~{dirflag},~{fpsr},~{flags}"(i32 %x) #9, !dbg !38, !srcloc !39
  callbr void asm sideeffect "", "!i,~{dirflag},~{fpsr},~{flags}"() #9
          to label %return [label %out], !dbg !40, !srcloc !41

out:                                              ; preds = %entry
  %sub = sub nsw i32 0, %0, !dbg !42
  br label %return, !dbg !43

return:                                           ; preds = %entry, %out
  %retval.0 = phi i32 [ %sub, %out ], [ %0, %entry ], !dbg !44
  ret i32 %retval.0, !dbg !45
}

; Function Attrs: mustprogress noinline uwtable
define dso_local i32 @jumps(ptr noundef %buffer) local_unnamed_addr #0 !dbg !46 {
entry:
  %call = call i32 @_setjmp(ptr noundef %buffer) #10, !dbg !47
  %tobool.not = icmp eq i32 %call, 0, !dbg !47
  br i1 %tobool.not, label %cond.false, label %cond.end, !dbg !47

cond.false:                                       ; preds = %entry
  %call1 = call i32 @no_library_has_this(i32 noundef 0), !dbg !48
  br label %cond.end, !dbg !47

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi i32 [ %call1, %cond.false ], [ 1, %entry ], !dbg !47
  ret i32 %cond, !dbg !49
}

; Function Attrs: returns_twice
declare !dbg !50 i32 @_setjmp(ptr noundef) local_unnamed_addr #7

; Function Attrs: mustprogress noinline uwtable
define dso_local noundef i32 @_Z8throwingi(i32 noundef %n) local_unnamed_addr #0 personality ptr @__gxx_personality_v0 !dbg !51 {
entry:
  %call = invoke i32 @no_library_has_this(i32 noundef %n)
          to label %return unwind label %lpad, !dbg !52

lpad:                                             ; preds = %entry
  %0 = landingpad { ptr, i32 }
          catch ptr @_ZTIi, !dbg !53
  %1 = extractvalue { ptr, i32 } %0, 1, !dbg !53
  %2 = tail call i32 @llvm.eh.typeid.for(ptr nonnull @_ZTIi) #9, !dbg !54
  %matches = icmp eq i32 %1, %2, !dbg !54
  br i1 %matches, label %catch, label %eh.resume, !dbg !54

catch:                                            ; preds = %lpad
  %3 = extractvalue { ptr, i32 } %0, 0, !dbg !53
  %4 = tail call ptr @__cxa_begin_catch(ptr %3) #9, !dbg !54
  %5 = load i32, ptr %4, align 4, !dbg !54, !tbaa !55
  tail call void @__cxa_end_catch() #9, !dbg !59
  br label %return

return:                                           ; preds = %entry, %catch
  %retval.0 = phi i32 [ %5, %catch ], [ %call, %entry ], !dbg !60
  ret i32 %retval.0, !dbg !53

eh.resume:                                        ; preds = %lpad
  resume { ptr, i32 } %0, !dbg !54
}

declare i32 @__gxx_personality_v0(...)

; Function Attrs: nofree nosync nounwind memory(none)
declare i32 @llvm.eh.typeid.for(ptr) #8

declare ptr @__cxa_begin_catch(ptr) local_unnamed_addr

declare void @__cxa_end_catch() local_unnamed_addr

attributes #0 = { mustprogress noinline uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nofree nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nofree noinline nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress noinline nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { returns_twice "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nofree nosync nounwind memory(none) }
attributes #9 = { nounwind }
attributes #10 = { returns_twice }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 16.0.6 (15~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "calls.cpp", directory: ".", checksumkind: CSK_MD5, checksum: "678aade678ccc896fdcd4b5c09f10d47")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!9 = distinct !DISubprogram(name: "library", scope: !1, file: !1, line: 10, type: !10, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !DILocation(line: 11, column: 3, scope: !9)
!13 = !DILocation(line: 12, column: 32, scope: !9)
!14 = !DILocation(line: 12, column: 3, scope: !9)
!15 = !DILocation(line: 13, column: 25, scope: !9)
!16 = !DILocation(line: 13, column: 10, scope: !9)
!17 = !DILocation(line: 13, column: 51, scope: !9)
!18 = !DILocation(line: 13, column: 49, scope: !9)
!19 = !DILocation(line: 13, column: 3, scope: !9)
!20 = !DISubprogram(name: "printf", scope: !1, file: !1, line: 4, type: !10, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!21 = !DISubprogram(name: "no_library_has_this", scope: !1, file: !1, line: 7, type: !10, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!22 = !DISubprogram(name: "puts", scope: !1, file: !1, line: 3, type: !10, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!23 = distinct !DISubprogram(name: "recursive", scope: !1, file: !1, line: 16, type: !10, scopeLine: 16, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!24 = !DILocation(line: 16, column: 62, scope: !23)
!25 = !DILocation(line: 16, column: 33, scope: !23)
!26 = !DILocation(line: 16, column: 31, scope: !23)
!27 = !DILocation(line: 16, column: 55, scope: !23)
!28 = !DILocation(line: 16, column: 43, scope: !23)
!29 = !DILocation(line: 16, column: 74, scope: !23)
!30 = !DILocation(line: 16, column: 60, scope: !23)
!31 = !DILocation(line: 16, column: 24, scope: !23)
!32 = distinct !DISubprogram(name: "indirect", scope: !1, file: !1, line: 18, type: !10, scopeLine: 18, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!33 = !DILocation(line: 18, column: 45, scope: !32)
!34 = !DILocation(line: 18, column: 52, scope: !32)
!35 = !DILocation(line: 18, column: 50, scope: !32)
!36 = !DILocation(line: 18, column: 38, scope: !32)
!37 = distinct !DISubprogram(name: "assembly", scope: !1, file: !1, line: 20, type: !10, scopeLine: 20, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!38 = !DILocation(line: 21, column: 3, scope: !37)
!39 = !{i64 622}
!40 = !DILocation(line: 22, column: 3, scope: !37)
!41 = !{i64 651}
!42 = !DILocation(line: 25, column: 10, scope: !37)
!43 = !DILocation(line: 25, column: 3, scope: !37)
!44 = !DILocation(line: 0, scope: !37)
!45 = !DILocation(line: 26, column: 1, scope: !37)
!46 = distinct !DISubprogram(name: "jumps", scope: !1, file: !1, line: 28, type: !10, scopeLine: 28, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!47 = !DILocation(line: 28, column: 34, scope: !46)
!48 = !DILocation(line: 28, column: 56, scope: !46)
!49 = !DILocation(line: 28, column: 27, scope: !46)
!50 = !DISubprogram(name: "_setjmp", scope: !1, file: !1, line: 8, type: !10, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!51 = distinct !DISubprogram(name: "throwing", scope: !1, file: !1, line: 31, type: !10, scopeLine: 31, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!52 = !DILocation(line: 33, column: 12, scope: !51)
!53 = !DILocation(line: 37, column: 1, scope: !51)
!54 = !DILocation(line: 34, column: 3, scope: !51)
!55 = !{!56, !56, i64 0}
!56 = !{!"int", !57, i64 0}
!57 = !{!"omnipotent char", !58, i64 0}
!58 = !{!"Simple C++ TBAA"}
!59 = !DILocation(line: 36, column: 3, scope: !51)
!60 = !DILocation(line: 0, scope: !51)
