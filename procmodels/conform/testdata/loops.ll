; ModuleID = 'loops.c'
source_filename = "loops.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@switch.table.classify = private unnamed_addr constant [9 x i32] [i32 7, i32 1, i32 1, i32 7, i32 7, i32 7, i32 7, i32 7, i32 4], align 4

; Function Attrs: nofree noinline nosync nounwind memory(argmem: read) uwtable
define dso_local i32 @checksum(ptr nocapture noundef readonly %p, i32 noundef %n) local_unnamed_addr #0 !dbg !9 {
entry:
  %cmp5 = icmp sgt i32 %n, 0, !dbg !12
  br i1 %cmp5, label %for.body.preheader, label %for.cond.cleanup, !dbg !13

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext i32 %n to i64, !dbg !12
  br label %for.body, !dbg !13

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %s.0.lcssa = phi i32 [ 1, %entry ], [ %xor, %for.body ], !dbg !14
  ret i32 %s.0.lcssa, !dbg !15

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %s.06 = phi i32 [ 1, %for.body.preheader ], [ %xor, %for.body ]
  %or = tail call i32 @llvm.fshl.i32(i32 %s.06, i32 %s.06, i32 5), !dbg !16
  %arrayidx = getelementptr inbounds i8, ptr %p, i64 %indvars.iv, !dbg !17
  %0 = load i8, ptr %arrayidx, align 1, !dbg !17, !tbaa !18
  %conv = zext i8 %0 to i32, !dbg !17
  %xor = xor i32 %or, %conv, !dbg !21
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1, !dbg !22
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count, !dbg !12
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !dbg !13, !llvm.loop !23
}

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local i32 @classify(i32 noundef %x) local_unnamed_addr #1 !dbg !27 {
entry:
  %switch.tableidx = add i32 %x, -1, !dbg !28
  %0 = icmp ult i32 %switch.tableidx, 9, !dbg !28
  br i1 %0, label %switch.hole_check, label %sw.default, !dbg !28

sw.default:                                       ; preds = %switch.hole_check, %entry
  %rem = srem i32 %x, 10, !dbg !29
  %tobool.not = icmp eq i32 %rem, 0, !dbg !29
  %sub = sub nsw i32 0, %x, !dbg !30
  %mul = mul nsw i32 %x, %x, !dbg !30
  %cond = select i1 %tobool.not, i32 %mul, i32 %sub, !dbg !30
  br label %return, !dbg !31

switch.hole_check:                                ; preds = %entry
  %switch.maskindex = trunc i32 %switch.tableidx to i16, !dbg !28
  %switch.shifted = lshr i16 263, %switch.maskindex, !dbg !28
  %1 = and i16 %switch.shifted, 1, !dbg !28
  %switch.lobit.not = icmp eq i16 %1, 0, !dbg !28
  br i1 %switch.lobit.not, label %sw.default, label %switch.lookup, !dbg !28

switch.lookup:                                    ; preds = %switch.hole_check
  %2 = sext i32 %switch.tableidx to i64, !dbg !28
  %switch.gep = getelementptr inbounds [9 x i32], ptr @switch.table.classify, i64 0, i64 %2, !dbg !28
  %switch.load = load i32, ptr %switch.gep, align 4, !dbg !28
  br label %return, !dbg !28

return:                                           ; preds = %switch.lookup, %sw.default
  %retval.0 = phi i32 [ %cond, %sw.default ], [ %switch.load, %switch.lookup ], !dbg !32
  ret i32 %retval.0, !dbg !33
}

; Function Attrs: nofree noinline norecurse nosync nounwind memory(argmem: readwrite) uwtable
define dso_local i64 @matrix(ptr nocapture noundef %a, ptr nocapture noundef readonly %b) local_unnamed_addr #2 !dbg !34 {
entry:
  br label %for.cond1.preheader, !dbg !35

for.cond1.preheader:                              ; preds = %entry, %for.cond.cleanup3
  %indvars.iv42 = phi i64 [ 0, %entry ], [ %indvars.iv.next43, %for.cond.cleanup3 ]
  %sum.039 = phi i64 [ 0, %entry ], [ %sum.2, %for.cond.cleanup3 ]
  br label %for.body4, !dbg !36

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3
  ret i64 %sum.2, !dbg !37

for.cond.cleanup3:                                ; preds = %for.body4
  %indvars.iv.next43 = add nuw nsw i64 %indvars.iv42, 1, !dbg !38
  %exitcond45.not = icmp eq i64 %indvars.iv.next43, 8, !dbg !39
  br i1 %exitcond45.not, label %for.cond.cleanup, label %for.cond1.preheader, !dbg !35, !llvm.loop !40

for.body4:                                        ; preds = %for.cond1.preheader, %for.body4
  %indvars.iv = phi i64 [ 0, %for.cond1.preheader ], [ %indvars.iv.next, %for.body4 ]
  %sum.137 = phi i64 [ %sum.039, %for.cond1.preheader ], [ %sum.2, %for.body4 ]
  %arrayidx6 = getelementptr inbounds [8 x i32], ptr %b, i64 %indvars.iv, i64 %indvars.iv42, !dbg !42
  %0 = load i32, ptr %arrayidx6, align 4, !dbg !42, !tbaa !43
  %arrayidx10 = getelementptr inbounds [8 x i32], ptr %a, i64 %indvars.iv42, i64 %indvars.iv, !dbg !45
  %1 = load i32, ptr %arrayidx10, align 4, !dbg !46, !tbaa !43
  %add = add nsw i32 %1, %0, !dbg !46
  store i32 %add, ptr %arrayidx10, align 4, !dbg !46, !tbaa !43
  %cmp15 = icmp sgt i32 %add, 100, !dbg !47
  %narrow = select i1 %cmp15, i32 %add, i32 0, !dbg !48
  %add20 = zext i32 %narrow to i64, !dbg !48
  %sum.2 = add nsw i64 %sum.137, %add20, !dbg !48
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1, !dbg !49
  %exitcond.not = icmp eq i64 %indvars.iv.next, 8, !dbg !50
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !dbg !36, !llvm.loop !51
}

; Function Attrs: nofree noinline nosync nounwind memory(argmem: read) uwtable
define dso_local i32 @both(ptr nocapture noundef readonly %p, i32 noundef %n) local_unnamed_addr #0 !dbg !52 {
entry:
  %call = tail call i32 @classify(i32 noundef %n), !dbg !53
  %call1 = tail call i32 @checksum(ptr noundef %p, i32 noundef %n), !dbg !54
  %add = add nsw i32 %call1, %call, !dbg !55
  ret i32 %add, !dbg !56
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fshl.i32(i32, i32, i32) #3

attributes #0 = { nofree noinline nosync nounwind memory(argmem: read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nofree noinline norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 16.0.6 (15~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "loops.c", directory: ".", checksumkind: CSK_MD5, checksum: "b60a47c0ab105731109dd2296eff9545")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!9 = distinct !DISubprogram(name: "checksum", scope: !1, file: !1, line: 2, type: !10, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !DILocation(line: 4, column: 21, scope: !9)
!13 = !DILocation(line: 4, column: 3, scope: !9)
!14 = !DILocation(line: 0, scope: !9)
!15 = !DILocation(line: 6, column: 3, scope: !9)
!16 = !DILocation(line: 5, column: 17, scope: !9)
!17 = !DILocation(line: 5, column: 30, scope: !9)
!18 = !{!19, !19, i64 0}
!19 = !{!"omnipotent char", !20, i64 0}
!20 = !{!"Simple C/C++ TBAA"}
!21 = !DILocation(line: 5, column: 28, scope: !9)
!22 = !DILocation(line: 4, column: 27, scope: !9)
!23 = distinct !{!23, !13, !24, !25, !26}
!24 = !DILocation(line: 5, column: 33, scope: !9)
!25 = !{!"llvm.loop.mustprogress"}
!26 = !{!"llvm.loop.unroll.disable"}
!27 = distinct !DISubprogram(name: "classify", scope: !1, file: !1, line: 9, type: !10, scopeLine: 9, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!28 = !DILocation(line: 10, column: 3, scope: !27)
!29 = !DILocation(line: 15, column: 21, scope: !27)
!30 = !DILocation(line: 15, column: 19, scope: !27)
!31 = !DILocation(line: 15, column: 12, scope: !27)
!32 = !DILocation(line: 0, scope: !27)
!33 = !DILocation(line: 17, column: 1, scope: !27)
!34 = distinct !DISubprogram(name: "matrix", scope: !1, file: !1, line: 19, type: !10, scopeLine: 19, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!35 = !DILocation(line: 21, column: 3, scope: !34)
!36 = !DILocation(line: 22, column: 5, scope: !34)
!37 = !DILocation(line: 27, column: 3, scope: !34)
!38 = !DILocation(line: 21, column: 27, scope: !34)
!39 = !DILocation(line: 21, column: 21, scope: !34)
!40 = distinct !{!40, !35, !41, !25, !26}
!41 = !DILocation(line: 26, column: 5, scope: !34)
!42 = !DILocation(line: 23, column: 18, scope: !34)
!43 = !{!44, !44, i64 0}
!44 = !{!"int", !19, i64 0}
!45 = !DILocation(line: 23, column: 7, scope: !34)
!46 = !DILocation(line: 23, column: 15, scope: !34)
!47 = !DILocation(line: 24, column: 19, scope: !34)
!48 = !DILocation(line: 24, column: 11, scope: !34)
!49 = !DILocation(line: 22, column: 29, scope: !34)
!50 = !DILocation(line: 22, column: 23, scope: !34)
!51 = distinct !{!51, !36, !41, !25, !26}
!52 = distinct !DISubprogram(name: "both", scope: !1, file: !1, line: 30, type: !10, scopeLine: 30, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!53 = !DILocation(line: 30, column: 50, scope: !52)
!54 = !DILocation(line: 30, column: 69, scope: !52)
!55 = !DILocation(line: 30, column: 62, scope: !52)
!56 = !DILocation(line: 30, column: 43, scope: !52)
