source_filename = "sections.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.ident_t = type { i32, i32, i32, i32, ptr }

@total = dso_local global i32 0, align 4
@0 = private unnamed_addr constant [24 x i8] c";sections.c;main;13;1;;\00", align 1
@1 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 23, ptr @0 }, align 8
@2 = private unnamed_addr constant [24 x i8] c";sections.c;main;20;1;;\00", align 1
@3 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, ptr @2 }, align 8
@.gomp_critical_user_.var = common global [8 x i32] zeroinitializer, align 8
@4 = private unnamed_addr constant [25 x i8] c";sections.c;main;13;76;;\00", align 1
@5 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 24, ptr @4 }, align 8
@6 = private unnamed_addr constant [25 x i8] c";sections.c;main;13;62;;\00", align 1
@7 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 24, ptr @6 }, align 8
@8 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, ptr @0 }, align 8
@9 = private unnamed_addr constant [24 x i8] c";sections.c;main;26;1;;\00", align 1
@10 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 23, ptr @9 }, align 8
@11 = private unnamed_addr constant [24 x i8] c";sections.c;main;31;1;;\00", align 1
@12 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 23, ptr @11 }, align 8
@13 = private unnamed_addr constant [25 x i8] c";sections.c;main;31;47;;\00", align 1
@14 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 24, ptr @13 }, align 8
@.gomp_critical_user_.reduction.var = common global [8 x i32] zeroinitializer, align 8
@15 = private unnamed_addr constant %struct.ident_t { i32 0, i32 18, i32 0, i32 24, ptr @13 }, align 8
@16 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, ptr @11 }, align 8
@17 = private unnamed_addr constant [25 x i8] c";sections.c;main;26;28;;\00", align 1
@18 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 24, ptr @17 }, align 8
@19 = private unnamed_addr constant [24 x i8] c";sections.c;main;39;1;;\00", align 1
@20 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, ptr @19 }, align 8
@21 = private unnamed_addr constant %struct.ident_t { i32 0, i32 322, i32 0, i32 23, ptr @19 }, align 8
@22 = private unnamed_addr constant [24 x i8] c";sections.c;main;24;1;;\00", align 1
@23 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, ptr @22 }, align 8
@.str = private unnamed_addr constant [10 x i8] c"%d %d %d\0A\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %arg, ptr noundef %arg1) #0 !dbg !10 {
bb:
  %i = alloca i32, align 4
  %i2 = alloca i32, align 4
  %i3 = alloca ptr, align 8
  %i4 = alloca i32, align 4
  %i5 = alloca i32, align 4
  %i6 = alloca i32, align 4
  %i7 = alloca i64, align 8
  %i8 = alloca i32, align 4
  %i9 = alloca i32, align 4
  %i10 = call i32 @__kmpc_global_thread_num(ptr @7), !dbg !13
  store i32 0, ptr %i, align 4
  store i32 %arg, ptr %i2, align 4, !tbaa !14
  store ptr %arg1, ptr %i3, align 8, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %i4) #3, !dbg !20
  store i32 1, ptr %i4, align 4, !dbg !21, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %i5) #3, !dbg !20
  %i11 = load i32, ptr %i2, align 4, !dbg !22, !tbaa !14
  store i32 %i11, ptr %i5, align 4, !dbg !23, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %i6) #3, !dbg !20
  store i32 0, ptr %i6, align 4, !dbg !24, !tbaa !14
  call void @__kmpc_push_num_threads(ptr @7, i32 %i10, i32 2), !dbg !25
  %i12 = load i32, ptr %i5, align 4, !dbg !25, !tbaa !14
  store i32 %i12, ptr %i7, align 4, !dbg !25, !tbaa !14
  %i13 = load i64, ptr %i7, align 8, !dbg !25, !tbaa !26
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @8, i32 3, ptr @main.omp_outlined, ptr %i4, i64 %i13, ptr %i6), !dbg !25
  %i14 = load i32, ptr %i2, align 4, !dbg !28, !tbaa !14
  %i15 = icmp sgt i32 %i14, 1, !dbg !29
  br i1 %i15, label %bb16, label %bb17, !dbg !28

bb16:                                             ; preds = %bb
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @23, i32 1, ptr @main.omp_outlined.1, ptr %i4), !dbg !28
  br label %bb18, !dbg !28

bb17:                                             ; preds = %bb
  call void @__kmpc_serialized_parallel(ptr @23, i32 %i10), !dbg !28
  store i32 %i10, ptr %i8, align 4, !dbg !28, !tbaa !14
  store i32 0, ptr %i9, align 4, !dbg !28
  call void @main.omp_outlined.1(ptr %i8, ptr %i9, ptr %i4) #3, !dbg !30
  call void @__kmpc_end_serialized_parallel(ptr @23, i32 %i10), !dbg !28
  br label %bb18, !dbg !28

bb18:                                             ; preds = %bb17, %bb16
  %i19 = load i32, ptr %i4, align 4, !dbg !31, !tbaa !14
  %i20 = load i32, ptr %i6, align 4, !dbg !32, !tbaa !14
  %i21 = load i32, ptr @total, align 4, !dbg !33, !tbaa !14
  %i22 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %i19, i32 noundef %i20, i32 noundef %i21), !dbg !34
  %i23 = icmp slt i32 %i22, 0, !dbg !35
  %i24 = zext i1 %i23 to i32, !dbg !35
  call void @llvm.lifetime.end.p0(i64 4, ptr %i6) #3, !dbg !36
  call void @llvm.lifetime.end.p0(i64 4, ptr %i5) #3, !dbg !36
  call void @llvm.lifetime.end.p0(i64 4, ptr %i4) #3, !dbg !36
  ret i32 %i24, !dbg !37
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: alwaysinline norecurse nounwind uwtable
define internal void @main.omp_outlined(ptr noalias noundef %arg, ptr noalias noundef %arg1, ptr noundef nonnull align 4 dereferenceable(4) %arg2, i64 noundef %arg3, ptr noundef nonnull align 4 dereferenceable(4) %arg4) #2 !dbg !38 {
bb:
  %i = alloca ptr, align 8
  %i5 = alloca ptr, align 8
  %i6 = alloca ptr, align 8
  %i7 = alloca i64, align 8
  %i8 = alloca ptr, align 8
  %i9 = alloca i32, align 4
  %i10 = alloca i32, align 4
  %i11 = alloca i32, align 4
  %i12 = alloca i32, align 4
  %i13 = alloca i32, align 4
  %i14 = alloca i32, align 4
  store ptr %arg, ptr %i, align 8, !tbaa !18
  store ptr %arg1, ptr %i5, align 8, !tbaa !18
  store ptr %arg2, ptr %i6, align 8, !tbaa !18
  store i64 %arg3, ptr %i7, align 8, !tbaa !26
  store ptr %arg4, ptr %i8, align 8, !tbaa !18
  %i15 = load ptr, ptr %i6, align 8, !dbg !39, !tbaa !18
  %i16 = load ptr, ptr %i8, align 8, !dbg !39, !tbaa !18
  store i32 0, ptr %i9, align 4, !dbg !39, !tbaa !14
  store i32 1, ptr %i10, align 4, !dbg !39, !tbaa !14
  store i32 1, ptr %i11, align 4, !dbg !39, !tbaa !14
  store i32 0, ptr %i12, align 4, !dbg !39, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %i14) #3, !dbg !39
  %i17 = load ptr, ptr %i, align 8, !dbg !39
  %i18 = load i32, ptr %i17, align 4, !dbg !39, !tbaa !14
  call void @__kmpc_for_static_init_4(ptr @1, i32 %i18, i32 34, ptr %i12, ptr %i9, ptr %i10, ptr %i11, i32 1, i32 1), !dbg !39
  %i19 = load i32, ptr %i10, align 4, !dbg !39, !tbaa !14
  %i20 = icmp slt i32 %i19, 1, !dbg !39
  %i21 = select i1 %i20, i32 %i19, i32 1, !dbg !39
  store i32 %i21, ptr %i10, align 4, !dbg !39, !tbaa !14
  %i22 = load i32, ptr %i9, align 4, !dbg !39, !tbaa !14
  store i32 %i22, ptr %i13, align 4, !dbg !39, !tbaa !14
  br label %bb23, !dbg !39

bb23:                                             ; preds = %bb40, %bb
  %i24 = load i32, ptr %i13, align 4, !dbg !39, !tbaa !14
  %i25 = load i32, ptr %i10, align 4, !dbg !39, !tbaa !14
  %i26 = icmp sle i32 %i24, %i25, !dbg !39
  br i1 %i26, label %bb27, label %bb43, !dbg !39

bb27:                                             ; preds = %bb23
  %i28 = load i32, ptr %i13, align 4, !dbg !39, !tbaa !14
  switch i32 %i28, label %bb39 [
    i32 0, label %bb29
    i32 1, label %bb32
  ], !dbg !39

bb29:                                             ; preds = %bb27
  %i30 = load i32, ptr %i7, align 4, !dbg !40, !tbaa !14
  %i31 = call i32 @work(i32 noundef %i30), !dbg !41
  store i32 %i31, ptr %i15, align 4, !dbg !42, !tbaa !14
  br label %bb39, !dbg !43

bb32:                                             ; preds = %bb27
  %i33 = load i32, ptr %i15, align 4, !dbg !44, !tbaa !14
  %i34 = add nsw i32 %i33, 7, !dbg !45
  %i35 = call i32 @work(i32 noundef %i34), !dbg !46
  store i32 %i35, ptr %i14, align 4, !dbg !47, !tbaa !14
  call void @__kmpc_critical(ptr @3, i32 %i18, ptr @.gomp_critical_user_.var), !dbg !48
  %i36 = load i32, ptr %i14, align 4, !dbg !49, !tbaa !14
  %i37 = load i32, ptr @total, align 4, !dbg !50, !tbaa !14
  %i38 = add nsw i32 %i37, %i36, !dbg !50
  store i32 %i38, ptr @total, align 4, !dbg !50, !tbaa !14
  call void @__kmpc_end_critical(ptr @3, i32 %i18, ptr @.gomp_critical_user_.var), !dbg !51
  br label %bb39, !dbg !52

bb39:                                             ; preds = %bb32, %bb29, %bb27
  br label %bb40, !dbg !52

bb40:                                             ; preds = %bb39
  %i41 = load i32, ptr %i13, align 4, !dbg !39, !tbaa !14
  %i42 = add nsw i32 %i41, 1, !dbg !39
  store i32 %i42, ptr %i13, align 4, !dbg !39, !tbaa !14
  br label %bb23, !dbg !52, !llvm.loop !53

bb43:                                             ; preds = %bb23
  call void @__kmpc_for_static_fini(ptr @5, i32 %i18), !dbg !54
  %i44 = load i32, ptr %i12, align 4, !dbg !52, !tbaa !14
  %i45 = icmp ne i32 %i44, 0, !dbg !52
  br i1 %i45, label %bb46, label %bb48, !dbg !52

bb46:                                             ; preds = %bb43
  %i47 = load i32, ptr %i14, align 4, !dbg !55, !tbaa !14
  store i32 %i47, ptr %i16, align 4, !dbg !55, !tbaa !14
  br label %bb48, !dbg !52

bb48:                                             ; preds = %bb46, %bb43
  call void @llvm.lifetime.end.p0(i64 4, ptr %i14) #3, !dbg !52
  ret void, !dbg !56
}

; Function Attrs: nounwind
declare void @__kmpc_for_static_init_4(ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32) #3

; Function Attrs: nounwind uwtable
define internal i32 @work(i32 noundef %arg) #0 !dbg !57 {
bb:
  %i = alloca i32, align 4
  %i1 = alloca i32, align 4
  %i2 = alloca i32, align 4
  store i32 %arg, ptr %i, align 4, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %i1) #3, !dbg !58
  store i32 0, ptr %i1, align 4, !dbg !59, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %i2) #3, !dbg !60
  store i32 0, ptr %i2, align 4, !dbg !61, !tbaa !14
  br label %bb3, !dbg !60

bb3:                                              ; preds = %bb20, %bb
  %i4 = load i32, ptr %i2, align 4, !dbg !62, !tbaa !14
  %i5 = load i32, ptr %i, align 4, !dbg !63, !tbaa !14
  %i6 = icmp slt i32 %i4, %i5, !dbg !64
  br i1 %i6, label %bb8, label %bb7, !dbg !65

bb7:                                              ; preds = %bb3
  call void @llvm.lifetime.end.p0(i64 4, ptr %i2) #3, !dbg !65
  br label %bb23

bb8:                                              ; preds = %bb3
  %i9 = load i32, ptr %i2, align 4, !dbg !66, !tbaa !14
  %i10 = and i32 %i9, 3, !dbg !67
  %i11 = icmp ne i32 %i10, 0, !dbg !67
  br i1 %i11, label %bb12, label %bb14, !dbg !66

bb12:                                             ; preds = %bb8
  %i13 = load i32, ptr %i2, align 4, !dbg !68, !tbaa !14
  br label %bb16, !dbg !66

bb14:                                             ; preds = %bb8
  %i15 = load i32, ptr @total, align 4, !dbg !69, !tbaa !14
  br label %bb16, !dbg !66

bb16:                                             ; preds = %bb14, %bb12
  %i17 = phi i32 [ %i13, %bb12 ], [ %i15, %bb14 ], !dbg !66
  %i18 = load i32, ptr %i1, align 4, !dbg !70, !tbaa !14
  %i19 = add nsw i32 %i18, %i17, !dbg !70
  store i32 %i19, ptr %i1, align 4, !dbg !70, !tbaa !14
  br label %bb20, !dbg !71

bb20:                                             ; preds = %bb16
  %i21 = load i32, ptr %i2, align 4, !dbg !72, !tbaa !14
  %i22 = add nsw i32 %i21, 1, !dbg !72
  store i32 %i22, ptr %i2, align 4, !dbg !72, !tbaa !14
  br label %bb3, !dbg !65, !llvm.loop !73

bb23:                                             ; preds = %bb7
  %i24 = load i32, ptr %i1, align 4, !dbg !75, !tbaa !14
  call void @llvm.lifetime.end.p0(i64 4, ptr %i1) #3, !dbg !76
  ret i32 %i24, !dbg !77
}

; Function Attrs: convergent nounwind
declare void @__kmpc_critical(ptr, i32, ptr) #4

; Function Attrs: convergent nounwind
declare void @__kmpc_end_critical(ptr, i32, ptr) #4

; Function Attrs: nounwind
declare void @__kmpc_for_static_fini(ptr, i32) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind
declare i32 @__kmpc_global_thread_num(ptr) #3

; Function Attrs: nounwind
declare void @__kmpc_push_num_threads(ptr, i32, i32) #3

; Function Attrs: nounwind
declare !callback !78 void @__kmpc_fork_call(ptr, i32, ptr, ...) #3

; Function Attrs: noinline norecurse nounwind uwtable
define internal void @main.omp_outlined.1(ptr noalias noundef %arg, ptr noalias noundef %arg1, ptr noundef nonnull align 4 dereferenceable(4) %arg2) #5 !dbg !80 {
bb:
  %i = alloca ptr, align 8
  %i3 = alloca ptr, align 8
  %i4 = alloca ptr, align 8
  %i5 = alloca i32, align 4
  %i6 = alloca i32, align 4
  %i7 = alloca i32, align 4
  %i8 = alloca i32, align 4
  %i9 = alloca i32, align 4
  %i10 = alloca i32, align 4
  store ptr %arg, ptr %i, align 8, !tbaa !18
  store ptr %arg1, ptr %i3, align 8, !tbaa !18
  store ptr %arg2, ptr %i4, align 8, !tbaa !18
  %i11 = load ptr, ptr %i4, align 8, !dbg !81, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %i5) #3, !dbg !81
  store i32 0, ptr %i6, align 4, !dbg !82, !tbaa !14
  store i32 1, ptr %i7, align 4, !dbg !82, !tbaa !14
  store i32 1, ptr %i8, align 4, !dbg !82, !tbaa !14
  store i32 0, ptr %i9, align 4, !dbg !82, !tbaa !14
  %i12 = load ptr, ptr %i, align 8, !dbg !82
  %i13 = load i32, ptr %i12, align 4, !dbg !82, !tbaa !14
  call void @__kmpc_for_static_init_4(ptr @10, i32 %i13, i32 34, ptr %i9, ptr %i6, ptr %i7, ptr %i8, i32 1, i32 1), !dbg !82
  %i14 = load i32, ptr %i7, align 4, !dbg !82, !tbaa !14
  %i15 = icmp slt i32 %i14, 1, !dbg !82
  %i16 = select i1 %i15, i32 %i14, i32 1, !dbg !82
  store i32 %i16, ptr %i7, align 4, !dbg !82, !tbaa !14
  %i17 = load i32, ptr %i6, align 4, !dbg !82, !tbaa !14
  store i32 %i17, ptr %i10, align 4, !dbg !82, !tbaa !14
  br label %bb18, !dbg !82

bb18:                                             ; preds = %bb30, %bb
  %i19 = load i32, ptr %i10, align 4, !dbg !82, !tbaa !14
  %i20 = load i32, ptr %i7, align 4, !dbg !82, !tbaa !14
  %i21 = icmp sle i32 %i19, %i20, !dbg !82
  br i1 %i21, label %bb22, label %bb33, !dbg !82

bb22:                                             ; preds = %bb18
  %i23 = load i32, ptr %i10, align 4, !dbg !82, !tbaa !14
  switch i32 %i23, label %bb29 [
    i32 0, label %bb24
    i32 1, label %bb28
  ], !dbg !82

bb24:                                             ; preds = %bb22
  %i25 = load i32, ptr %i11, align 4, !dbg !83, !tbaa !14
  %i26 = load i32, ptr @total, align 4, !dbg !84, !tbaa !14
  %i27 = add nsw i32 %i26, %i25, !dbg !84
  store i32 %i27, ptr @total, align 4, !dbg !84, !tbaa !14
  br label %bb29, !dbg !85

bb28:                                             ; preds = %bb22
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @16, i32 1, ptr @main.omp_outlined.1.omp_outlined, ptr %i11), !dbg !86
  br label %bb29, !dbg !87

bb29:                                             ; preds = %bb28, %bb24, %bb22
  br label %bb30, !dbg !87

bb30:                                             ; preds = %bb29
  %i31 = load i32, ptr %i10, align 4, !dbg !82, !tbaa !14
  %i32 = add nsw i32 %i31, 1, !dbg !82
  store i32 %i32, ptr %i10, align 4, !dbg !82, !tbaa !14
  br label %bb18, !dbg !87, !llvm.loop !88

bb33:                                             ; preds = %bb18
  call void @__kmpc_for_static_fini(ptr @18, i32 %i13), !dbg !89
  %i34 = call i32 @__kmpc_single(ptr @20, i32 %i13), !dbg !90
  %i35 = icmp ne i32 %i34, 0, !dbg !90
  br i1 %i35, label %bb36, label %bb37, !dbg !90

bb36:                                             ; preds = %bb33
  store i32 3, ptr %i5, align 4, !dbg !91, !tbaa !14
  call void @__kmpc_end_single(ptr @20, i32 %i13), !dbg !92
  br label %bb37, !dbg !92

bb37:                                             ; preds = %bb36, %bb33
  call void @__kmpc_barrier(ptr @21, i32 %i13), !dbg !93
  call void @llvm.lifetime.end.p0(i64 4, ptr %i5) #3, !dbg !94
  ret void, !dbg !94
}

; Function Attrs: alwaysinline norecurse nounwind uwtable
define internal void @main.omp_outlined.1.omp_outlined(ptr noalias noundef %arg, ptr noalias noundef %arg1, ptr noundef nonnull align 4 dereferenceable(4) %arg2) #2 !dbg !95 {
bb:
  %i = alloca ptr, align 8
  %i3 = alloca ptr, align 8
  %i4 = alloca ptr, align 8
  %i5 = alloca i32, align 4
  %i6 = alloca i32, align 4
  %i7 = alloca i32, align 4
  %i8 = alloca i32, align 4
  %i9 = alloca i32, align 4
  %i10 = alloca i32, align 4
  %i11 = alloca [1 x ptr], align 8
  store ptr %arg, ptr %i, align 8, !tbaa !18
  store ptr %arg1, ptr %i3, align 8, !tbaa !18
  store ptr %arg2, ptr %i4, align 8, !tbaa !18
  %i12 = load ptr, ptr %i4, align 8, !dbg !96, !tbaa !18
  store i32 0, ptr %i5, align 4, !dbg !96, !tbaa !14
  store i32 1, ptr %i6, align 4, !dbg !96, !tbaa !14
  store i32 1, ptr %i7, align 4, !dbg !96, !tbaa !14
  store i32 0, ptr %i8, align 4, !dbg !96, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %i10) #3, !dbg !96
  store i32 0, ptr %i10, align 4, !dbg !97, !tbaa !14
  %i13 = load ptr, ptr %i, align 8, !dbg !96
  %i14 = load i32, ptr %i13, align 4, !dbg !96, !tbaa !14
  call void @__kmpc_for_static_init_4(ptr @12, i32 %i14, i32 34, ptr %i8, ptr %i5, ptr %i6, ptr %i7, i32 1, i32 1), !dbg !96
  %i15 = load i32, ptr %i6, align 4, !dbg !96, !tbaa !14
  %i16 = icmp slt i32 %i15, 1, !dbg !96
  %i17 = select i1 %i16, i32 %i15, i32 1, !dbg !96
  store i32 %i17, ptr %i6, align 4, !dbg !96, !tbaa !14
  %i18 = load i32, ptr %i5, align 4, !dbg !96, !tbaa !14
  store i32 %i18, ptr %i9, align 4, !dbg !96, !tbaa !14
  br label %bb19, !dbg !96

bb19:                                             ; preds = %bb33, %bb
  %i20 = load i32, ptr %i9, align 4, !dbg !96, !tbaa !14
  %i21 = load i32, ptr %i6, align 4, !dbg !96, !tbaa !14
  %i22 = icmp sle i32 %i20, %i21, !dbg !96
  br i1 %i22, label %bb23, label %bb36, !dbg !96

bb23:                                             ; preds = %bb19
  %i24 = load i32, ptr %i9, align 4, !dbg !96, !tbaa !14
  switch i32 %i24, label %bb32 [
    i32 0, label %bb25
    i32 1, label %bb28
  ], !dbg !96

bb25:                                             ; preds = %bb23
  %i26 = load i32, ptr %i10, align 4, !dbg !98, !tbaa !14
  %i27 = add nsw i32 %i26, 2, !dbg !98
  store i32 %i27, ptr %i10, align 4, !dbg !98, !tbaa !14
  br label %bb32, !dbg !99

bb28:                                             ; preds = %bb23
  %i29 = call i32 @work(i32 noundef 3), !dbg !100
  %i30 = load i32, ptr %i10, align 4, !dbg !101, !tbaa !14
  %i31 = add nsw i32 %i30, %i29, !dbg !101
  store i32 %i31, ptr %i10, align 4, !dbg !101, !tbaa !14
  br label %bb32, !dbg !102

bb32:                                             ; preds = %bb28, %bb25, %bb23
  br label %bb33, !dbg !102

bb33:                                             ; preds = %bb32
  %i34 = load i32, ptr %i9, align 4, !dbg !96, !tbaa !14
  %i35 = add nsw i32 %i34, 1, !dbg !96
  store i32 %i35, ptr %i9, align 4, !dbg !96, !tbaa !14
  br label %bb19, !dbg !102, !llvm.loop !103

bb36:                                             ; preds = %bb19
  call void @__kmpc_for_static_fini(ptr @14, i32 %i14), !dbg !104
  %i37 = getelementptr inbounds [1 x ptr], ptr %i11, i64 0, i64 0, !dbg !102
  store ptr %i10, ptr %i37, align 8, !dbg !102
  %i38 = call i32 @__kmpc_reduce_nowait(ptr @15, i32 %i14, i32 1, i64 8, ptr %i11, ptr @main.omp_outlined.1.omp_outlined.omp.reduction.reduction_func, ptr @.gomp_critical_user_.reduction.var), !dbg !102
  switch i32 %i38, label %bb46 [
    i32 1, label %bb39
    i32 2, label %bb43
  ], !dbg !102

bb39:                                             ; preds = %bb36
  %i40 = load i32, ptr %i12, align 4, !dbg !97, !tbaa !14
  %i41 = load i32, ptr %i10, align 4, !dbg !97, !tbaa !14
  %i42 = add nsw i32 %i40, %i41, !dbg !105
  store i32 %i42, ptr %i12, align 4, !dbg !105, !tbaa !14
  call void @__kmpc_end_reduce_nowait(ptr @15, i32 %i14, ptr @.gomp_critical_user_.reduction.var), !dbg !102
  br label %bb46, !dbg !102

bb43:                                             ; preds = %bb36
  %i44 = load i32, ptr %i10, align 4, !dbg !97, !tbaa !14
  %i45 = atomicrmw add ptr %i12, i32 %i44 monotonic, align 4, !dbg !102
  br label %bb46, !dbg !102

bb46:                                             ; preds = %bb43, %bb39, %bb36
  call void @llvm.lifetime.end.p0(i64 4, ptr %i10) #3, !dbg !102
  ret void, !dbg !106
}

; Function Attrs: norecurse nounwind uwtable
define internal void @main.omp_outlined.1.omp_outlined.omp.reduction.reduction_func(ptr noundef %arg, ptr noundef %arg1) #6 !dbg !107 {
bb:
  %i = alloca ptr, align 8
  %i2 = alloca ptr, align 8
  store ptr %arg, ptr %i, align 8, !tbaa !18
  store ptr %arg1, ptr %i2, align 8, !tbaa !18
  %i3 = load ptr, ptr %i, align 8, !dbg !108
  %i4 = load ptr, ptr %i2, align 8, !dbg !108
  %i5 = getelementptr inbounds [1 x ptr], ptr %i4, i64 0, i64 0, !dbg !108
  %i6 = load ptr, ptr %i5, align 8, !dbg !108
  %i7 = getelementptr inbounds [1 x ptr], ptr %i3, i64 0, i64 0, !dbg !108
  %i8 = load ptr, ptr %i7, align 8, !dbg !108
  %i9 = load i32, ptr %i8, align 4, !dbg !109, !tbaa !14
  %i10 = load i32, ptr %i6, align 4, !dbg !109, !tbaa !14
  %i11 = add nsw i32 %i9, %i10, !dbg !110
  store i32 %i11, ptr %i8, align 4, !dbg !110, !tbaa !14
  ret void, !dbg !109
}

; Function Attrs: convergent nounwind
declare i32 @__kmpc_reduce_nowait(ptr, i32, i32, i64, ptr, ptr, ptr) #4

; Function Attrs: convergent nounwind
declare void @__kmpc_end_reduce_nowait(ptr, i32, ptr) #4

; Function Attrs: convergent nounwind
declare i32 @__kmpc_single(ptr, i32) #4

; Function Attrs: convergent nounwind
declare void @__kmpc_end_single(ptr, i32) #4

; Function Attrs: convergent nounwind
declare void @__kmpc_barrier(ptr, i32) #4

; Function Attrs: nounwind
declare void @__kmpc_serialized_parallel(ptr, i32) #3

; Function Attrs: nounwind
declare void @__kmpc_end_serialized_parallel(ptr, i32) #3

declare !dbg !111 i32 @printf(ptr noundef, ...) #7

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { alwaysinline norecurse nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }
attributes #4 = { convergent nounwind }
attributes #5 = { noinline norecurse nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { norecurse nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7, !8}
!llvm.ident = !{!9}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "sections.c", directory: ".", checksumkind: CSK_MD5, checksum: "20cd3bd555d0d96aef0677714a8cb48e")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"openmp", i32 51}
!6 = !{i32 8, !"PIC Level", i32 2}
!7 = !{i32 7, !"PIE Level", i32 2}
!8 = !{i32 7, !"uwtable", i32 2}
!9 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!10 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 10, type: !11, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!11 = !DISubroutineType(types: !12)
!12 = !{}
!13 = !DILocation(line: 13, column: 62, scope: !10)
!14 = !{!15, !15, i64 0}
!15 = !{!"int", !16, i64 0}
!16 = !{!"omnipotent char", !17, i64 0}
!17 = !{!"Simple C/C++ TBAA"}
!18 = !{!19, !19, i64 0}
!19 = !{!"any pointer", !16, i64 0}
!20 = !DILocation(line: 12, column: 2, scope: !10)
!21 = !DILocation(line: 12, column: 6, scope: !10)
!22 = !DILocation(line: 12, column: 17, scope: !10)
!23 = !DILocation(line: 12, column: 13, scope: !10)
!24 = !DILocation(line: 12, column: 23, scope: !10)
!25 = !DILocation(line: 13, column: 1, scope: !10)
!26 = !{!27, !27, i64 0}
!27 = !{!"long", !16, i64 0}
!28 = !DILocation(line: 24, column: 37, scope: !10)
!29 = !DILocation(line: 24, column: 42, scope: !10)
!30 = !DILocation(line: 24, column: 1, scope: !10)
!31 = !DILocation(line: 42, column: 30, scope: !10)
!32 = !DILocation(line: 42, column: 33, scope: !10)
!33 = !DILocation(line: 42, column: 36, scope: !10)
!34 = !DILocation(line: 42, column: 9, scope: !10)
!35 = !DILocation(line: 42, column: 43, scope: !10)
!36 = !DILocation(line: 43, column: 1, scope: !10)
!37 = !DILocation(line: 42, column: 2, scope: !10)
!38 = distinct !DISubprogram(name: "main.omp_outlined", scope: !1, file: !1, line: 13, type: !11, scopeLine: 13, flags: DIFlagArtificial | DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!39 = !DILocation(line: 13, column: 1, scope: !38)
!40 = !DILocation(line: 16, column: 12, scope: !38)
!41 = !DILocation(line: 16, column: 7, scope: !38)
!42 = !DILocation(line: 16, column: 5, scope: !38)
!43 = !DILocation(line: 15, column: 20, scope: !38)
!44 = !DILocation(line: 19, column: 13, scope: !38)
!45 = !DILocation(line: 19, column: 15, scope: !38)
!46 = !DILocation(line: 19, column: 8, scope: !38)
!47 = !DILocation(line: 19, column: 6, scope: !38)
!48 = !DILocation(line: 20, column: 1, scope: !38)
!49 = !DILocation(line: 21, column: 13, scope: !38)
!50 = !DILocation(line: 21, column: 10, scope: !38)
!51 = !DILocation(line: 21, column: 4, scope: !38)
!52 = !DILocation(line: 17, column: 20, scope: !38)
!53 = distinct !{!53, !39, !54}
!54 = !DILocation(line: 13, column: 76, scope: !38)
!55 = !DILocation(line: 13, column: 59, scope: !38)
!56 = !DILocation(line: 23, column: 2, scope: !38)
!57 = distinct !DISubprogram(name: "work", scope: !1, file: !1, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!58 = !DILocation(line: 5, column: 2, scope: !57)
!59 = !DILocation(line: 5, column: 6, scope: !57)
!60 = !DILocation(line: 6, column: 7, scope: !57)
!61 = !DILocation(line: 6, column: 11, scope: !57)
!62 = !DILocation(line: 6, column: 18, scope: !57)
!63 = !DILocation(line: 6, column: 22, scope: !57)
!64 = !DILocation(line: 6, column: 20, scope: !57)
!65 = !DILocation(line: 6, column: 2, scope: !57)
!66 = !DILocation(line: 7, column: 8, scope: !57)
!67 = !DILocation(line: 7, column: 10, scope: !57)
!68 = !DILocation(line: 7, column: 16, scope: !57)
!69 = !DILocation(line: 7, column: 20, scope: !57)
!70 = !DILocation(line: 7, column: 5, scope: !57)
!71 = !DILocation(line: 7, column: 3, scope: !57)
!72 = !DILocation(line: 6, column: 26, scope: !57)
!73 = distinct !{!73, !65, !69, !74}
!74 = !{!"llvm.loop.mustprogress"}
!75 = !DILocation(line: 8, column: 9, scope: !57)
!76 = !DILocation(line: 9, column: 1, scope: !57)
!77 = !DILocation(line: 8, column: 2, scope: !57)
!78 = !{!79}
!79 = !{i64 2, i64 -1, i64 -1, i1 true}
!80 = distinct !DISubprogram(name: "main.omp_outlined.1", scope: !1, file: !1, line: 24, type: !11, scopeLine: 24, flags: DIFlagArtificial | DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!81 = !DILocation(line: 24, column: 1, scope: !80)
!82 = !DILocation(line: 26, column: 1, scope: !80)
!83 = !DILocation(line: 29, column: 13, scope: !80)
!84 = !DILocation(line: 29, column: 10, scope: !80)
!85 = !DILocation(line: 28, column: 20, scope: !80)
!86 = !DILocation(line: 31, column: 1, scope: !80)
!87 = !DILocation(line: 30, column: 20, scope: !80)
!88 = distinct !{!88, !82, !89}
!89 = !DILocation(line: 26, column: 28, scope: !80)
!90 = !DILocation(line: 39, column: 1, scope: !80)
!91 = !DILocation(line: 40, column: 5, scope: !80)
!92 = !DILocation(line: 40, column: 3, scope: !80)
!93 = !DILocation(line: 39, column: 19, scope: !80)
!94 = !DILocation(line: 41, column: 2, scope: !80)
!95 = distinct !DISubprogram(name: "main.omp_outlined.1.omp_outlined", scope: !1, file: !1, line: 31, type: !11, scopeLine: 31, flags: DIFlagArtificial | DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!96 = !DILocation(line: 31, column: 1, scope: !95)
!97 = !DILocation(line: 31, column: 45, scope: !95)
!98 = !DILocation(line: 34, column: 7, scope: !95)
!99 = !DILocation(line: 33, column: 20, scope: !95)
!100 = !DILocation(line: 36, column: 10, scope: !95)
!101 = !DILocation(line: 36, column: 7, scope: !95)
!102 = !DILocation(line: 35, column: 20, scope: !95)
!103 = distinct !{!103, !96, !104}
!104 = !DILocation(line: 31, column: 47, scope: !95)
!105 = !DILocation(line: 31, column: 41, scope: !95)
!106 = !DILocation(line: 37, column: 4, scope: !95)
!107 = distinct !DISubprogram(linkageName: "main.omp_outlined.1.omp_outlined.omp.reduction.reduction_func", scope: !1, file: !1, line: 31, type: !11, scopeLine: 31, flags: DIFlagArtificial | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!108 = !DILocation(line: 31, column: 47, scope: !107)
!109 = !DILocation(line: 31, column: 45, scope: !107)
!110 = !DILocation(line: 31, column: 41, scope: !107)
!111 = !DISubprogram(name: "printf", scope: !112, file: !112, line: 356, type: !11, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!112 = !DIFile(filename: "/usr/include/stdio.h", directory: "", checksumkind: CSK_MD5, checksum: "b5a90985555f47bfb88eff5a8f0f5b72")
