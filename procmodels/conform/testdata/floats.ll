; ModuleID = 'floats.c'
source_filename = "floats.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.particle = type { double, double, float, <4 x float> }

; Function Attrs: nofree noinline nounwind memory(write, argmem: readwrite) uwtable
define dso_local double @norm(ptr nocapture noundef readonly %p, i32 noundef %n) local_unnamed_addr #0 !dbg !9 {
entry:
  %cmp8 = icmp sgt i32 %n, 0, !dbg !12
  br i1 %cmp8, label %for.body.preheader, label %for.cond.cleanup, !dbg !13

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext i32 %n to i64, !dbg !12
  br label %for.body, !dbg !13

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %s.0.lcssa = phi double [ 0.000000e+00, %entry ], [ %1, %for.body ], !dbg !14
  %call = tail call double @sqrt(double noundef %s.0.lcssa) #5, !dbg !15
  ret double %call, !dbg !16

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %s.09 = phi double [ 0.000000e+00, %for.body.preheader ], [ %1, %for.body ]
  %arrayidx = getelementptr inbounds double, ptr %p, i64 %indvars.iv, !dbg !17
  %0 = load double, ptr %arrayidx, align 8, !dbg !17, !tbaa !18
  %1 = tail call double @llvm.fmuladd.f64(double %0, double %0, double %s.09), !dbg !22
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1, !dbg !23
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count, !dbg !12
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !dbg !13, !llvm.loop !24
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #1

; Function Attrs: mustprogress nofree nounwind willreturn memory(write)
declare !dbg !28 double @sqrt(double noundef) local_unnamed_addr #2

; Function Attrs: nofree noinline nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @step(ptr nocapture noundef %p, i32 noundef %n, float noundef %dt) local_unnamed_addr #3 !dbg !29 {
entry:
  %cmp32 = icmp sgt i32 %n, 0, !dbg !30
  br i1 %cmp32, label %for.body.lr.ph, label %for.cond.cleanup, !dbg !31

for.body.lr.ph:                                   ; preds = %entry
  %conv = fpext float %dt to double
  %wide.trip.count = zext i32 %n to i64, !dbg !30
  br label %for.body, !dbg !31

for.cond.cleanup:                                 ; preds = %for.body, %entry
  ret void, !dbg !32

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %arrayidx = getelementptr inbounds %struct.particle, ptr %p, i64 %indvars.iv, !dbg !33
  %y = getelementptr inbounds %struct.particle, ptr %p, i64 %indvars.iv, i32 1, !dbg !34
  %0 = load double, ptr %y, align 8, !dbg !34, !tbaa !35
  %mul = fmul double %0, %conv, !dbg !38
  %mass = getelementptr inbounds %struct.particle, ptr %p, i64 %indvars.iv, i32 2, !dbg !39
  %1 = load float, ptr %mass, align 16, !dbg !39, !tbaa !40
  %conv3 = fpext float %1 to double, !dbg !41
  %div = fdiv double %mul, %conv3, !dbg !42
  %2 = load double, ptr %arrayidx, align 16, !dbg !43, !tbaa !44
  %add = fadd double %2, %div, !dbg !43
  store double %add, ptr %arrayidx, align 16, !dbg !43, !tbaa !44
  %spin = getelementptr inbounds %struct.particle, ptr %p, i64 %indvars.iv, i32 3, !dbg !45
  %3 = load <4 x float>, ptr %spin, align 16, !dbg !45, !tbaa !46
  %4 = tail call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %3, <4 x float> %3, <4 x float> %3), !dbg !47
  store <4 x float> %4, ptr %spin, align 16, !dbg !48, !tbaa !46
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1, !dbg !49
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count, !dbg !30
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !dbg !31, !llvm.loop !50
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>) #1

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local i32 @convert(float noundef %f, double noundef %d, i64 noundef %l) local_unnamed_addr #4 !dbg !52 {
entry:
  %conv = fptosi float %f to i32, !dbg !53
  %cmp = fcmp olt double %d, 0.000000e+00, !dbg !54
  %fneg = fneg double %d, !dbg !55
  %cond = select i1 %cmp, double %fneg, double %d, !dbg !55
  %conv2 = fptosi double %cond to i32, !dbg !56
  %add = add nsw i32 %conv2, %conv, !dbg !57
  %conv3 = sitofp i64 %l to double, !dbg !58
  %mul = fmul double %conv3, 5.000000e-01, !dbg !59
  %conv4 = fptosi double %mul to i32, !dbg !60
  %add5 = add nsw i32 %add, %conv4, !dbg !61
  ret i32 %add5, !dbg !62
}

attributes #0 = { nofree noinline nounwind memory(write, argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nofree nounwind willreturn memory(write) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree noinline nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 16.0.6 (15~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "floats.c", directory: ".", checksumkind: CSK_MD5, checksum: "fd95fa60f5e6515b1c41d0fffc582f1d")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!9 = distinct !DISubprogram(name: "norm", scope: !1, file: !1, line: 5, type: !10, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !DILocation(line: 7, column: 21, scope: !9)
!13 = !DILocation(line: 7, column: 3, scope: !9)
!14 = !DILocation(line: 0, scope: !9)
!15 = !DILocation(line: 9, column: 10, scope: !9)
!16 = !DILocation(line: 9, column: 3, scope: !9)
!17 = !DILocation(line: 8, column: 10, scope: !9)
!18 = !{!19, !19, i64 0}
!19 = !{!"double", !20, i64 0}
!20 = !{!"omnipotent char", !21, i64 0}
!21 = !{!"Simple C/C++ TBAA"}
!22 = !DILocation(line: 8, column: 7, scope: !9)
!23 = !DILocation(line: 7, column: 27, scope: !9)
!24 = distinct !{!24, !13, !25, !26, !27}
!25 = !DILocation(line: 8, column: 20, scope: !9)
!26 = !{!"llvm.loop.mustprogress"}
!27 = !{!"llvm.loop.unroll.disable"}
!28 = !DISubprogram(name: "__builtin_sqrt", scope: !1, file: !1, line: 9, type: !10, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !11)
!29 = distinct !DISubprogram(name: "step", scope: !1, file: !1, line: 12, type: !10, scopeLine: 12, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!30 = !DILocation(line: 13, column: 21, scope: !29)
!31 = !DILocation(line: 13, column: 3, scope: !29)
!32 = !DILocation(line: 17, column: 1, scope: !29)
!33 = !DILocation(line: 14, column: 15, scope: !29)
!34 = !DILocation(line: 14, column: 20, scope: !29)
!35 = !{!36, !19, i64 8}
!36 = !{!"particle", !19, i64 0, !19, i64 8, !37, i64 16, !20, i64 32}
!37 = !{!"float", !20, i64 0}
!38 = !DILocation(line: 14, column: 22, scope: !29)
!39 = !DILocation(line: 14, column: 34, scope: !29)
!40 = !{!36, !37, i64 16}
!41 = !DILocation(line: 14, column: 29, scope: !29)
!42 = !DILocation(line: 14, column: 27, scope: !29)
!43 = !DILocation(line: 14, column: 12, scope: !29)
!44 = !{!36, !19, i64 0}
!45 = !DILocation(line: 15, column: 22, scope: !29)
!46 = !{!20, !20, i64 0}
!47 = !DILocation(line: 15, column: 39, scope: !29)
!48 = !DILocation(line: 15, column: 15, scope: !29)
!49 = !DILocation(line: 13, column: 27, scope: !29)
!50 = distinct !{!50, !31, !51, !26, !27}
!51 = !DILocation(line: 16, column: 3, scope: !29)
!52 = distinct !DISubprogram(name: "convert", scope: !1, file: !1, line: 19, type: !10, scopeLine: 19, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !11)
!53 = !DILocation(line: 19, column: 49, scope: !52)
!54 = !DILocation(line: 19, column: 66, scope: !52)
!55 = !DILocation(line: 19, column: 64, scope: !52)
!56 = !DILocation(line: 19, column: 58, scope: !52)
!57 = !DILocation(line: 19, column: 56, scope: !52)
!58 = !DILocation(line: 19, column: 88, scope: !52)
!59 = !DILocation(line: 19, column: 90, scope: !52)
!60 = !DILocation(line: 19, column: 82, scope: !52)
!61 = !DILocation(line: 19, column: 80, scope: !52)
!62 = !DILocation(line: 19, column: 42, scope: !52)
