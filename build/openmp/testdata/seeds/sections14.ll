source_filename = "sections.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.ident_t = type { i32, i32, i32, i32, i8* }

@total = dso_local global i32 0, align 4
@0 = private unnamed_addr constant [24 x i8] c";sections.c;main;13;1;;\00", align 1
@1 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 23, i8* getelementptr inbounds ([24 x i8], [24 x i8]* @0, i32 0, i32 0) }, align 8
@2 = private unnamed_addr constant [24 x i8] c";sections.c;main;20;1;;\00", align 1
@3 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, i8* getelementptr inbounds ([24 x i8], [24 x i8]* @2, i32 0, i32 0) }, align 8
@.gomp_critical_user_.var = common global [8 x i32] zeroinitializer
@4 = private unnamed_addr constant [25 x i8] c";sections.c;main;13;76;;\00", align 1
@5 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 24, i8* getelementptr inbounds ([25 x i8], [25 x i8]* @4, i32 0, i32 0) }, align 8
@6 = private unnamed_addr constant [25 x i8] c";sections.c;main;13;62;;\00", align 1
@7 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 24, i8* getelementptr inbounds ([25 x i8], [25 x i8]* @6, i32 0, i32 0) }, align 8
@8 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, i8* getelementptr inbounds ([24 x i8], [24 x i8]* @0, i32 0, i32 0) }, align 8
@9 = private unnamed_addr constant [24 x i8] c";sections.c;main;26;1;;\00", align 1
@10 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 23, i8* getelementptr inbounds ([24 x i8], [24 x i8]* @9, i32 0, i32 0) }, align 8
@11 = private unnamed_addr constant [24 x i8] c";sections.c;main;31;1;;\00", align 1
@12 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 23, i8* getelementptr inbounds ([24 x i8], [24 x i8]* @11, i32 0, i32 0) }, align 8
@13 = private unnamed_addr constant [25 x i8] c";sections.c;main;31;47;;\00", align 1
@14 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 24, i8* getelementptr inbounds ([25 x i8], [25 x i8]* @13, i32 0, i32 0) }, align 8
@.gomp_critical_user_.reduction.var = common global [8 x i32] zeroinitializer
@15 = private unnamed_addr constant %struct.ident_t { i32 0, i32 18, i32 0, i32 24, i8* getelementptr inbounds ([25 x i8], [25 x i8]* @13, i32 0, i32 0) }, align 8
@16 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, i8* getelementptr inbounds ([24 x i8], [24 x i8]* @11, i32 0, i32 0) }, align 8
@17 = private unnamed_addr constant [25 x i8] c";sections.c;main;26;28;;\00", align 1
@18 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 24, i8* getelementptr inbounds ([25 x i8], [25 x i8]* @17, i32 0, i32 0) }, align 8
@19 = private unnamed_addr constant [24 x i8] c";sections.c;main;39;1;;\00", align 1
@20 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, i8* getelementptr inbounds ([24 x i8], [24 x i8]* @19, i32 0, i32 0) }, align 8
@21 = private unnamed_addr constant %struct.ident_t { i32 0, i32 322, i32 0, i32 23, i8* getelementptr inbounds ([24 x i8], [24 x i8]* @19, i32 0, i32 0) }, align 8
@22 = private unnamed_addr constant [24 x i8] c";sections.c;main;24;1;;\00", align 1
@23 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 23, i8* getelementptr inbounds ([24 x i8], [24 x i8]* @22, i32 0, i32 0) }, align 8
@.str = private unnamed_addr constant [10 x i8] c"%d %d %d\0A\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %arg, i8** noundef %arg1) #0 !dbg !10 {
bb:
  %i = alloca i32, align 4
  %i2 = alloca i32, align 4
  %i3 = alloca i8**, align 8
  %i4 = alloca i32, align 4
  %i5 = alloca i32, align 4
  %i6 = alloca i32, align 4
  %i7 = alloca i64, align 8
  %i8 = alloca i32, align 4
  %i9 = alloca i32, align 4
  %i10 = call i32 @__kmpc_global_thread_num(%struct.ident_t* @7)
  store i32 0, i32* %i, align 4
  store i32 %arg, i32* %i2, align 4, !tbaa !13
  store i8** %arg1, i8*** %i3, align 8, !tbaa !17
  %i11 = bitcast i32* %i4 to i8*, !dbg !19
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %i11) #4, !dbg !19
  store i32 1, i32* %i4, align 4, !dbg !20, !tbaa !13
  %i12 = bitcast i32* %i5 to i8*, !dbg !19
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %i12) #4, !dbg !19
  %i13 = load i32, i32* %i2, align 4, !dbg !21, !tbaa !13
  store i32 %i13, i32* %i5, align 4, !dbg !22, !tbaa !13
  %i14 = bitcast i32* %i6 to i8*, !dbg !19
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %i14) #4, !dbg !19
  store i32 0, i32* %i6, align 4, !dbg !23, !tbaa !13
  call void @__kmpc_push_num_threads(%struct.ident_t* @7, i32 %i10, i32 2), !dbg !24
  %i15 = load i32, i32* %i5, align 4, !dbg !24, !tbaa !13
  %i16 = bitcast i64* %i7 to i32*, !dbg !24
  store i32 %i15, i32* %i16, align 4, !dbg !24, !tbaa !13
  %i17 = load i64, i64* %i7, align 8, !dbg !24, !tbaa !25
  call void (%struct.ident_t*, i32, void (i32*, i32*, ...)*, ...) @__kmpc_fork_call(%struct.ident_t* @8, i32 3, void (i32*, i32*, ...)* bitcast (void (i32*, i32*, i32*, i64, i32*)* @.omp_outlined. to void (i32*, i32*, ...)*), i32* %i4, i64 %i17, i32* %i6), !dbg !24
  %i18 = load i32, i32* %i2, align 4, !dbg !27, !tbaa !13
  %i19 = icmp sgt i32 %i18, 1, !dbg !28
  br i1 %i19, label %bb20, label %bb21, !dbg !27

bb20:                                             ; preds = %bb
  call void (%struct.ident_t*, i32, void (i32*, i32*, ...)*, ...) @__kmpc_fork_call(%struct.ident_t* @23, i32 1, void (i32*, i32*, ...)* bitcast (void (i32*, i32*, i32*)* @.omp_outlined..1 to void (i32*, i32*, ...)*), i32* %i4), !dbg !27
  br label %bb22, !dbg !27

bb21:                                             ; preds = %bb
  call void @__kmpc_serialized_parallel(%struct.ident_t* @23, i32 %i10), !dbg !27
  store i32 %i10, i32* %i8, align 4, !dbg !27, !tbaa !13
  store i32 0, i32* %i9, align 4, !dbg !27
  call void @.omp_outlined..1(i32* %i8, i32* %i9, i32* %i4) #4, !dbg !29
  call void @__kmpc_end_serialized_parallel(%struct.ident_t* @23, i32 %i10), !dbg !27
  br label %bb22, !dbg !27

bb22:                                             ; preds = %bb21, %bb20
  %i23 = load i32, i32* %i4, align 4, !dbg !30, !tbaa !13
  %i24 = load i32, i32* %i6, align 4, !dbg !31, !tbaa !13
  %i25 = load i32, i32* @total, align 4, !dbg !32, !tbaa !13
  %i26 = call i32 (i8*, ...) @printf(i8* noundef getelementptr inbounds ([10 x i8], [10 x i8]* @.str, i64 0, i64 0), i32 noundef %i23, i32 noundef %i24, i32 noundef %i25), !dbg !33
  %i27 = icmp slt i32 %i26, 0, !dbg !34
  %i28 = zext i1 %i27 to i32, !dbg !34
  %i29 = bitcast i32* %i6 to i8*, !dbg !35
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %i29) #4, !dbg !35
  %i30 = bitcast i32* %i5 to i8*, !dbg !35
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %i30) #4, !dbg !35
  %i31 = bitcast i32* %i4 to i8*, !dbg !35
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %i31) #4, !dbg !35
  ret i32 %i28, !dbg !36
}

; Function Attrs: argmemonly nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #1

; Function Attrs: alwaysinline norecurse nounwind uwtable
define internal void @.omp_outlined.(i32* noalias noundef %arg, i32* noalias noundef %arg1, i32* noundef nonnull align 4 dereferenceable(4) %arg2, i64 noundef %arg3, i32* noundef nonnull align 4 dereferenceable(4) %arg4) #2 !dbg !37 {
bb:
  %i = alloca i32*, align 8
  %i5 = alloca i32*, align 8
  %i6 = alloca i32*, align 8
  %i7 = alloca i64, align 8
  %i8 = alloca i32*, align 8
  %i9 = alloca i32, align 4
  %i10 = alloca i32, align 4
  %i11 = alloca i32, align 4
  %i12 = alloca i32, align 4
  %i13 = alloca i32, align 4
  %i14 = alloca i32, align 4
  store i32* %arg, i32** %i, align 8, !tbaa !17
  store i32* %arg1, i32** %i5, align 8, !tbaa !17
  store i32* %arg2, i32** %i6, align 8, !tbaa !17
  store i64 %arg3, i64* %i7, align 8, !tbaa !25
  store i32* %arg4, i32** %i8, align 8, !tbaa !17
  %i15 = load i32*, i32** %i6, align 8, !dbg !38, !tbaa !17
  %i16 = bitcast i64* %i7 to i32*, !dbg !38
  %i17 = load i32*, i32** %i8, align 8, !dbg !38, !tbaa !17
  store i32 0, i32* %i9, align 4, !dbg !38, !tbaa !13
  store i32 1, i32* %i10, align 4, !dbg !38, !tbaa !13
  store i32 1, i32* %i11, align 4, !dbg !38, !tbaa !13
  store i32 0, i32* %i12, align 4, !dbg !38, !tbaa !13
  %i18 = bitcast i32* %i14 to i8*, !dbg !38
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %i18) #4, !dbg !38
  %i19 = load i32*, i32** %i, align 8, !dbg !38
  %i20 = load i32, i32* %i19, align 4, !dbg !38, !tbaa !13
  call void @__kmpc_for_static_init_4(%struct.ident_t* @1, i32 %i20, i32 34, i32* %i12, i32* %i9, i32* %i10, i32* %i11, i32 1, i32 1), !dbg !38
  %i21 = load i32, i32* %i10, align 4, !dbg !38, !tbaa !13
  %i22 = icmp slt i32 %i21, 1, !dbg !38
  %i23 = select i1 %i22, i32 %i21, i32 1, !dbg !38
  store i32 %i23, i32* %i10, align 4, !dbg !38, !tbaa !13
  %i24 = load i32, i32* %i9, align 4, !dbg !38, !tbaa !13
  store i32 %i24, i32* %i13, align 4, !dbg !38, !tbaa !13
  br label %bb25, !dbg !38

bb25:                                             ; preds = %bb42, %bb
  %i26 = load i32, i32* %i13, align 4, !dbg !38, !tbaa !13
  %i27 = load i32, i32* %i10, align 4, !dbg !38, !tbaa !13
  %i28 = icmp sle i32 %i26, %i27, !dbg !38
  br i1 %i28, label %bb29, label %bb45, !dbg !38

bb29:                                             ; preds = %bb25
  %i30 = load i32, i32* %i13, align 4, !dbg !38, !tbaa !13
  switch i32 %i30, label %bb41 [
    i32 0, label %bb31
    i32 1, label %bb34
  ], !dbg !38

bb31:                                             ; preds = %bb29
  %i32 = load i32, i32* %i16, align 4, !dbg !39, !tbaa !13
  %i33 = call i32 @work(i32 noundef %i32), !dbg !40
  store i32 %i33, i32* %i15, align 4, !dbg !41, !tbaa !13
  br label %bb41, !dbg !42

bb34:                                             ; preds = %bb29
  %i35 = load i32, i32* %i15, align 4, !dbg !43, !tbaa !13
  %i36 = add nsw i32 %i35, 7, !dbg !44
  %i37 = call i32 @work(i32 noundef %i36), !dbg !45
  store i32 %i37, i32* %i14, align 4, !dbg !46, !tbaa !13
  call void @__kmpc_critical(%struct.ident_t* @3, i32 %i20, [8 x i32]* @.gomp_critical_user_.var), !dbg !47
  %i38 = load i32, i32* %i14, align 4, !dbg !48, !tbaa !13
  %i39 = load i32, i32* @total, align 4, !dbg !49, !tbaa !13
  %i40 = add nsw i32 %i39, %i38, !dbg !49
  store i32 %i40, i32* @total, align 4, !dbg !49, !tbaa !13
  call void @__kmpc_end_critical(%struct.ident_t* @3, i32 %i20, [8 x i32]* @.gomp_critical_user_.var), !dbg !50
  br label %bb41, !dbg !51

bb41:                                             ; preds = %bb34, %bb31, %bb29
  br label %bb42, !dbg !51

bb42:                                             ; preds = %bb41
  %i43 = load i32, i32* %i13, align 4, !dbg !38, !tbaa !13
  %i44 = add nsw i32 %i43, 1, !dbg !38
  store i32 %i44, i32* %i13, align 4, !dbg !38, !tbaa !13
  br label %bb25, !dbg !51, !llvm.loop !52

bb45:                                             ; preds = %bb25
  call void @__kmpc_for_static_fini(%struct.ident_t* @5, i32 %i20), !dbg !53
  %i46 = load i32, i32* %i12, align 4, !dbg !51, !tbaa !13
  %i47 = icmp ne i32 %i46, 0, !dbg !51
  br i1 %i47, label %bb48, label %bb50, !dbg !51

bb48:                                             ; preds = %bb45
  %i49 = load i32, i32* %i14, align 4, !dbg !54, !tbaa !13
  store i32 %i49, i32* %i17, align 4, !dbg !54, !tbaa !13
  br label %bb50, !dbg !51

bb50:                                             ; preds = %bb48, %bb45
  %i51 = bitcast i32* %i14 to i8*, !dbg !51
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %i51) #4, !dbg !51
  ret void, !dbg !55
}

declare void @__kmpc_for_static_init_4(%struct.ident_t*, i32, i32, i32*, i32*, i32*, i32*, i32, i32)

; Function Attrs: nounwind uwtable
define internal i32 @work(i32 noundef %arg) #0 !dbg !56 {
bb:
  %i = alloca i32, align 4
  %i1 = alloca i32, align 4
  %i2 = alloca i32, align 4
  store i32 %arg, i32* %i, align 4, !tbaa !13
  %i3 = bitcast i32* %i1 to i8*, !dbg !57
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %i3) #4, !dbg !57
  store i32 0, i32* %i1, align 4, !dbg !58, !tbaa !13
  %i4 = bitcast i32* %i2 to i8*, !dbg !59
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %i4) #4, !dbg !59
  store i32 0, i32* %i2, align 4, !dbg !60, !tbaa !13
  br label %bb5, !dbg !59

bb5:                                              ; preds = %bb23, %bb
  %i6 = load i32, i32* %i2, align 4, !dbg !61, !tbaa !13
  %i7 = load i32, i32* %i, align 4, !dbg !62, !tbaa !13
  %i8 = icmp slt i32 %i6, %i7, !dbg !63
  br i1 %i8, label %bb11, label %bb9, !dbg !64

bb9:                                              ; preds = %bb5
  %i10 = bitcast i32* %i2 to i8*, !dbg !64
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %i10) #4, !dbg !64
  br label %bb26

bb11:                                             ; preds = %bb5
  %i12 = load i32, i32* %i2, align 4, !dbg !65, !tbaa !13
  %i13 = and i32 %i12, 3, !dbg !66
  %i14 = icmp ne i32 %i13, 0, !dbg !66
  br i1 %i14, label %bb15, label %bb17, !dbg !65

bb15:                                             ; preds = %bb11
  %i16 = load i32, i32* %i2, align 4, !dbg !67, !tbaa !13
  br label %bb19, !dbg !65

bb17:                                             ; preds = %bb11
  %i18 = load i32, i32* @total, align 4, !dbg !68, !tbaa !13
  br label %bb19, !dbg !65

bb19:                                             ; preds = %bb17, %bb15
  %i20 = phi i32 [ %i16, %bb15 ], [ %i18, %bb17 ], !dbg !65
  %i21 = load i32, i32* %i1, align 4, !dbg !69, !tbaa !13
  %i22 = add nsw i32 %i21, %i20, !dbg !69
  store i32 %i22, i32* %i1, align 4, !dbg !69, !tbaa !13
  br label %bb23, !dbg !70

bb23:                                             ; preds = %bb19
  %i24 = load i32, i32* %i2, align 4, !dbg !71, !tbaa !13
  %i25 = add nsw i32 %i24, 1, !dbg !71
  store i32 %i25, i32* %i2, align 4, !dbg !71, !tbaa !13
  br label %bb5, !dbg !64, !llvm.loop !72

bb26:                                             ; preds = %bb9
  %i27 = load i32, i32* %i1, align 4, !dbg !74, !tbaa !13
  %i28 = bitcast i32* %i1 to i8*, !dbg !75
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %i28) #4, !dbg !75
  ret i32 %i27, !dbg !76
}

; Function Attrs: convergent nounwind
declare void @__kmpc_critical(%struct.ident_t*, i32, [8 x i32]*) #3

; Function Attrs: convergent nounwind
declare void @__kmpc_end_critical(%struct.ident_t*, i32, [8 x i32]*) #3

; Function Attrs: nounwind
declare void @__kmpc_for_static_fini(%struct.ident_t*, i32) #4

; Function Attrs: argmemonly nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #1

; Function Attrs: nounwind
declare i32 @__kmpc_global_thread_num(%struct.ident_t*) #4

; Function Attrs: nounwind
declare void @__kmpc_push_num_threads(%struct.ident_t*, i32, i32) #4

; Function Attrs: nounwind
declare !callback !77 void @__kmpc_fork_call(%struct.ident_t*, i32, void (i32*, i32*, ...)*, ...) #4

; Function Attrs: noinline norecurse nounwind uwtable
define internal void @.omp_outlined..1(i32* noalias noundef %arg, i32* noalias noundef %arg1, i32* noundef nonnull align 4 dereferenceable(4) %arg2) #5 !dbg !79 {
bb:
  %i = alloca i32*, align 8
  %i3 = alloca i32*, align 8
  %i4 = alloca i32*, align 8
  %i5 = alloca i32, align 4
  %i6 = alloca i32, align 4
  %i7 = alloca i32, align 4
  %i8 = alloca i32, align 4
  %i9 = alloca i32, align 4
  %i10 = alloca i32, align 4
  store i32* %arg, i32** %i, align 8, !tbaa !17
  store i32* %arg1, i32** %i3, align 8, !tbaa !17
  store i32* %arg2, i32** %i4, align 8, !tbaa !17
  %i11 = load i32*, i32** %i4, align 8, !dbg !80, !tbaa !17
  %i12 = bitcast i32* %i5 to i8*, !dbg !80
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %i12) #4, !dbg !80
  store i32 0, i32* %i6, align 4, !dbg !81, !tbaa !13
  store i32 1, i32* %i7, align 4, !dbg !81, !tbaa !13
  store i32 1, i32* %i8, align 4, !dbg !81, !tbaa !13
  store i32 0, i32* %i9, align 4, !dbg !81, !tbaa !13
  %i13 = load i32*, i32** %i, align 8, !dbg !81
  %i14 = load i32, i32* %i13, align 4, !dbg !81, !tbaa !13
  call void @__kmpc_for_static_init_4(%struct.ident_t* @10, i32 %i14, i32 34, i32* %i9, i32* %i6, i32* %i7, i32* %i8, i32 1, i32 1), !dbg !81
  %i15 = load i32, i32* %i7, align 4, !dbg !81, !tbaa !13
  %i16 = icmp slt i32 %i15, 1, !dbg !81
  %i17 = select i1 %i16, i32 %i15, i32 1, !dbg !81
  store i32 %i17, i32* %i7, align 4, !dbg !81, !tbaa !13
  %i18 = load i32, i32* %i6, align 4, !dbg !81, !tbaa !13
  store i32 %i18, i32* %i10, align 4, !dbg !81, !tbaa !13
  br label %bb19, !dbg !81

bb19:                                             ; preds = %bb31, %bb
  %i20 = load i32, i32* %i10, align 4, !dbg !81, !tbaa !13
  %i21 = load i32, i32* %i7, align 4, !dbg !81, !tbaa !13
  %i22 = icmp sle i32 %i20, %i21, !dbg !81
  br i1 %i22, label %bb23, label %bb34, !dbg !81

bb23:                                             ; preds = %bb19
  %i24 = load i32, i32* %i10, align 4, !dbg !81, !tbaa !13
  switch i32 %i24, label %bb30 [
    i32 0, label %bb25
    i32 1, label %bb29
  ], !dbg !81

bb25:                                             ; preds = %bb23
  %i26 = load i32, i32* %i11, align 4, !dbg !82, !tbaa !13
  %i27 = load i32, i32* @total, align 4, !dbg !83, !tbaa !13
  %i28 = add nsw i32 %i27, %i26, !dbg !83
  store i32 %i28, i32* @total, align 4, !dbg !83, !tbaa !13
  br label %bb30, !dbg !84

bb29:                                             ; preds = %bb23
  call void (%struct.ident_t*, i32, void (i32*, i32*, ...)*, ...) @__kmpc_fork_call(%struct.ident_t* @16, i32 1, void (i32*, i32*, ...)* bitcast (void (i32*, i32*, i32*)* @.omp_outlined..2 to void (i32*, i32*, ...)*), i32* %i11), !dbg !85
  br label %bb30, !dbg !86

bb30:                                             ; preds = %bb29, %bb25, %bb23
  br label %bb31, !dbg !86

bb31:                                             ; preds = %bb30
  %i32 = load i32, i32* %i10, align 4, !dbg !81, !tbaa !13
  %i33 = add nsw i32 %i32, 1, !dbg !81
  store i32 %i33, i32* %i10, align 4, !dbg !81, !tbaa !13
  br label %bb19, !dbg !86, !llvm.loop !87

bb34:                                             ; preds = %bb19
  call void @__kmpc_for_static_fini(%struct.ident_t* @18, i32 %i14), !dbg !88
  %i35 = call i32 @__kmpc_single(%struct.ident_t* @20, i32 %i14), !dbg !89
  %i36 = icmp ne i32 %i35, 0, !dbg !89
  br i1 %i36, label %bb37, label %bb38, !dbg !89

bb37:                                             ; preds = %bb34
  store i32 3, i32* %i5, align 4, !dbg !90, !tbaa !13
  call void @__kmpc_end_single(%struct.ident_t* @20, i32 %i14), !dbg !91
  br label %bb38, !dbg !91

bb38:                                             ; preds = %bb37, %bb34
  call void @__kmpc_barrier(%struct.ident_t* @21, i32 %i14), !dbg !92
  %i39 = bitcast i32* %i5 to i8*, !dbg !93
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %i39) #4, !dbg !93
  ret void, !dbg !93
}

; Function Attrs: alwaysinline norecurse nounwind uwtable
define internal void @.omp_outlined..2(i32* noalias noundef %arg, i32* noalias noundef %arg1, i32* noundef nonnull align 4 dereferenceable(4) %arg2) #2 !dbg !94 {
bb:
  %i = alloca i32*, align 8
  %i3 = alloca i32*, align 8
  %i4 = alloca i32*, align 8
  %i5 = alloca i32, align 4
  %i6 = alloca i32, align 4
  %i7 = alloca i32, align 4
  %i8 = alloca i32, align 4
  %i9 = alloca i32, align 4
  %i10 = alloca i32, align 4
  %i11 = alloca [1 x i8*], align 8
  store i32* %arg, i32** %i, align 8, !tbaa !17
  store i32* %arg1, i32** %i3, align 8, !tbaa !17
  store i32* %arg2, i32** %i4, align 8, !tbaa !17
  %i12 = load i32*, i32** %i4, align 8, !dbg !95, !tbaa !17
  store i32 0, i32* %i5, align 4, !dbg !95, !tbaa !13
  store i32 1, i32* %i6, align 4, !dbg !95, !tbaa !13
  store i32 1, i32* %i7, align 4, !dbg !95, !tbaa !13
  store i32 0, i32* %i8, align 4, !dbg !95, !tbaa !13
  %i13 = bitcast i32* %i10 to i8*, !dbg !95
  call void @llvm.lifetime.start.p0i8(i64 4, i8* %i13) #4, !dbg !95
  store i32 0, i32* %i10, align 4, !dbg !96, !tbaa !13
  %i14 = load i32*, i32** %i, align 8, !dbg !95
  %i15 = load i32, i32* %i14, align 4, !dbg !95, !tbaa !13
  call void @__kmpc_for_static_init_4(%struct.ident_t* @12, i32 %i15, i32 34, i32* %i8, i32* %i5, i32* %i6, i32* %i7, i32 1, i32 1), !dbg !95
  %i16 = load i32, i32* %i6, align 4, !dbg !95, !tbaa !13
  %i17 = icmp slt i32 %i16, 1, !dbg !95
  %i18 = select i1 %i17, i32 %i16, i32 1, !dbg !95
  store i32 %i18, i32* %i6, align 4, !dbg !95, !tbaa !13
  %i19 = load i32, i32* %i5, align 4, !dbg !95, !tbaa !13
  store i32 %i19, i32* %i9, align 4, !dbg !95, !tbaa !13
  br label %bb20, !dbg !95

bb20:                                             ; preds = %bb34, %bb
  %i21 = load i32, i32* %i9, align 4, !dbg !95, !tbaa !13
  %i22 = load i32, i32* %i6, align 4, !dbg !95, !tbaa !13
  %i23 = icmp sle i32 %i21, %i22, !dbg !95
  br i1 %i23, label %bb24, label %bb37, !dbg !95

bb24:                                             ; preds = %bb20
  %i25 = load i32, i32* %i9, align 4, !dbg !95, !tbaa !13
  switch i32 %i25, label %bb33 [
    i32 0, label %bb26
    i32 1, label %bb29
  ], !dbg !95

bb26:                                             ; preds = %bb24
  %i27 = load i32, i32* %i10, align 4, !dbg !97, !tbaa !13
  %i28 = add nsw i32 %i27, 2, !dbg !97
  store i32 %i28, i32* %i10, align 4, !dbg !97, !tbaa !13
  br label %bb33, !dbg !98

bb29:                                             ; preds = %bb24
  %i30 = call i32 @work(i32 noundef 3), !dbg !99
  %i31 = load i32, i32* %i10, align 4, !dbg !100, !tbaa !13
  %i32 = add nsw i32 %i31, %i30, !dbg !100
  store i32 %i32, i32* %i10, align 4, !dbg !100, !tbaa !13
  br label %bb33, !dbg !101

bb33:                                             ; preds = %bb29, %bb26, %bb24
  br label %bb34, !dbg !101

bb34:                                             ; preds = %bb33
  %i35 = load i32, i32* %i9, align 4, !dbg !95, !tbaa !13
  %i36 = add nsw i32 %i35, 1, !dbg !95
  store i32 %i36, i32* %i9, align 4, !dbg !95, !tbaa !13
  br label %bb20, !dbg !101, !llvm.loop !102

bb37:                                             ; preds = %bb20
  call void @__kmpc_for_static_fini(%struct.ident_t* @14, i32 %i15), !dbg !103
  %i38 = getelementptr inbounds [1 x i8*], [1 x i8*]* %i11, i64 0, i64 0, !dbg !101
  %i39 = bitcast i32* %i10 to i8*, !dbg !101
  store i8* %i39, i8** %i38, align 8, !dbg !101
  %i40 = bitcast [1 x i8*]* %i11 to i8*, !dbg !101
  %i41 = call i32 @__kmpc_reduce_nowait(%struct.ident_t* @15, i32 %i15, i32 1, i64 8, i8* %i40, void (i8*, i8*)* @.omp.reduction.reduction_func, [8 x i32]* @.gomp_critical_user_.reduction.var), !dbg !101
  switch i32 %i41, label %bb49 [
    i32 1, label %bb42
    i32 2, label %bb46
  ], !dbg !101

bb42:                                             ; preds = %bb37
  %i43 = load i32, i32* %i12, align 4, !dbg !96, !tbaa !13
  %i44 = load i32, i32* %i10, align 4, !dbg !96, !tbaa !13
  %i45 = add nsw i32 %i43, %i44, !dbg !104
  store i32 %i45, i32* %i12, align 4, !dbg !104, !tbaa !13
  call void @__kmpc_end_reduce_nowait(%struct.ident_t* @15, i32 %i15, [8 x i32]* @.gomp_critical_user_.reduction.var), !dbg !101
  br label %bb49, !dbg !101

bb46:                                             ; preds = %bb37
  %i47 = load i32, i32* %i10, align 4, !dbg !96, !tbaa !13
  %i48 = atomicrmw add i32* %i12, i32 %i47 monotonic, align 4, !dbg !101
  br label %bb49, !dbg !101

bb49:                                             ; preds = %bb46, %bb42, %bb37
  %i50 = bitcast i32* %i10 to i8*, !dbg !101
  call void @llvm.lifetime.end.p0i8(i64 4, i8* %i50) #4, !dbg !101
  ret void, !dbg !105
}

; Function Attrs: norecurse nounwind uwtable
define internal void @.omp.reduction.reduction_func(i8* noundef %arg, i8* noundef %arg1) #6 !dbg !106 {
bb:
  %i = alloca i8*, align 8
  %i2 = alloca i8*, align 8
  store i8* %arg, i8** %i, align 8, !tbaa !17
  store i8* %arg1, i8** %i2, align 8, !tbaa !17
  %i3 = load i8*, i8** %i, align 8, !dbg !107
  %i4 = bitcast i8* %i3 to [1 x i8*]*, !dbg !107
  %i5 = load i8*, i8** %i2, align 8, !dbg !107
  %i6 = bitcast i8* %i5 to [1 x i8*]*, !dbg !107
  %i7 = getelementptr inbounds [1 x i8*], [1 x i8*]* %i6, i64 0, i64 0, !dbg !107
  %i8 = load i8*, i8** %i7, align 8, !dbg !107
  %i9 = bitcast i8* %i8 to i32*, !dbg !107
  %i10 = getelementptr inbounds [1 x i8*], [1 x i8*]* %i4, i64 0, i64 0, !dbg !107
  %i11 = load i8*, i8** %i10, align 8, !dbg !107
  %i12 = bitcast i8* %i11 to i32*, !dbg !107
  %i13 = load i32, i32* %i12, align 4, !dbg !108, !tbaa !13
  %i14 = load i32, i32* %i9, align 4, !dbg !108, !tbaa !13
  %i15 = add nsw i32 %i13, %i14, !dbg !109
  store i32 %i15, i32* %i12, align 4, !dbg !109, !tbaa !13
  ret void, !dbg !108
}

; Function Attrs: convergent nounwind
declare i32 @__kmpc_reduce_nowait(%struct.ident_t*, i32, i32, i64, i8*, void (i8*, i8*)*, [8 x i32]*) #3

; Function Attrs: convergent nounwind
declare void @__kmpc_end_reduce_nowait(%struct.ident_t*, i32, [8 x i32]*) #3

; Function Attrs: convergent nounwind
declare i32 @__kmpc_single(%struct.ident_t*, i32) #3

; Function Attrs: convergent nounwind
declare void @__kmpc_end_single(%struct.ident_t*, i32) #3

; Function Attrs: convergent nounwind
declare void @__kmpc_barrier(%struct.ident_t*, i32) #3

; Function Attrs: nounwind
declare void @__kmpc_serialized_parallel(%struct.ident_t*, i32) #4

; Function Attrs: nounwind
declare void @__kmpc_end_serialized_parallel(%struct.ident_t*, i32) #4

declare i32 @printf(i8* noundef, ...) #7

attributes #0 = { nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { argmemonly nofree nosync nounwind willreturn }
attributes #2 = { alwaysinline norecurse nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { convergent nounwind }
attributes #4 = { nounwind }
attributes #5 = { noinline norecurse nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { norecurse nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { "frame-pointer"="none" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7, !8}
!llvm.ident = !{!9}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "Debian clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "sections.c", directory: ".", checksumkind: CSK_MD5, checksum: "20cd3bd555d0d96aef0677714a8cb48e")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 7, !"openmp", i32 50}
!6 = !{i32 7, !"PIC Level", i32 2}
!7 = !{i32 7, !"PIE Level", i32 2}
!8 = !{i32 7, !"uwtable", i32 1}
!9 = !{!"Debian clang version 14.0.6"}
!10 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 10, type: !11, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!11 = !DISubroutineType(types: !12)
!12 = !{}
!13 = !{!14, !14, i64 0}
!14 = !{!"int", !15, i64 0}
!15 = !{!"omnipotent char", !16, i64 0}
!16 = !{!"Simple C/C++ TBAA"}
!17 = !{!18, !18, i64 0}
!18 = !{!"any pointer", !15, i64 0}
!19 = !DILocation(line: 12, column: 2, scope: !10)
!20 = !DILocation(line: 12, column: 6, scope: !10)
!21 = !DILocation(line: 12, column: 17, scope: !10)
!22 = !DILocation(line: 12, column: 13, scope: !10)
!23 = !DILocation(line: 12, column: 23, scope: !10)
!24 = !DILocation(line: 13, column: 1, scope: !10)
!25 = !{!26, !26, i64 0}
!26 = !{!"long", !15, i64 0}
!27 = !DILocation(line: 24, column: 37, scope: !10)
!28 = !DILocation(line: 24, column: 42, scope: !10)
!29 = !DILocation(line: 24, column: 1, scope: !10)
!30 = !DILocation(line: 42, column: 30, scope: !10)
!31 = !DILocation(line: 42, column: 33, scope: !10)
!32 = !DILocation(line: 42, column: 36, scope: !10)
!33 = !DILocation(line: 42, column: 9, scope: !10)
!34 = !DILocation(line: 42, column: 43, scope: !10)
!35 = !DILocation(line: 43, column: 1, scope: !10)
!36 = !DILocation(line: 42, column: 2, scope: !10)
!37 = distinct !DISubprogram(name: ".omp_outlined.", scope: !1, file: !1, line: 13, type: !11, scopeLine: 13, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!38 = !DILocation(line: 13, column: 1, scope: !37)
!39 = !DILocation(line: 16, column: 12, scope: !37)
!40 = !DILocation(line: 16, column: 7, scope: !37)
!41 = !DILocation(line: 16, column: 5, scope: !37)
!42 = !DILocation(line: 15, column: 20, scope: !37)
!43 = !DILocation(line: 19, column: 13, scope: !37)
!44 = !DILocation(line: 19, column: 15, scope: !37)
!45 = !DILocation(line: 19, column: 8, scope: !37)
!46 = !DILocation(line: 19, column: 6, scope: !37)
!47 = !DILocation(line: 20, column: 1, scope: !37)
!48 = !DILocation(line: 21, column: 13, scope: !37)
!49 = !DILocation(line: 21, column: 10, scope: !37)
!50 = !DILocation(line: 21, column: 4, scope: !37)
!51 = !DILocation(line: 17, column: 20, scope: !37)
!52 = distinct !{!52, !38, !53}
!53 = !DILocation(line: 13, column: 76, scope: !37)
!54 = !DILocation(line: 13, column: 59, scope: !37)
!55 = !DILocation(line: 23, column: 2, scope: !37)
!56 = distinct !DISubprogram(name: "work", scope: !1, file: !1, line: 3, type: !11, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!57 = !DILocation(line: 5, column: 2, scope: !56)
!58 = !DILocation(line: 5, column: 6, scope: !56)
!59 = !DILocation(line: 6, column: 7, scope: !56)
!60 = !DILocation(line: 6, column: 11, scope: !56)
!61 = !DILocation(line: 6, column: 18, scope: !56)
!62 = !DILocation(line: 6, column: 22, scope: !56)
!63 = !DILocation(line: 6, column: 20, scope: !56)
!64 = !DILocation(line: 6, column: 2, scope: !56)
!65 = !DILocation(line: 7, column: 8, scope: !56)
!66 = !DILocation(line: 7, column: 10, scope: !56)
!67 = !DILocation(line: 7, column: 16, scope: !56)
!68 = !DILocation(line: 7, column: 20, scope: !56)
!69 = !DILocation(line: 7, column: 5, scope: !56)
!70 = !DILocation(line: 7, column: 3, scope: !56)
!71 = !DILocation(line: 6, column: 26, scope: !56)
!72 = distinct !{!72, !64, !68, !73}
!73 = !{!"llvm.loop.mustprogress"}
!74 = !DILocation(line: 8, column: 9, scope: !56)
!75 = !DILocation(line: 9, column: 1, scope: !56)
!76 = !DILocation(line: 8, column: 2, scope: !56)
!77 = !{!78}
!78 = !{i64 2, i64 -1, i64 -1, i1 true}
!79 = distinct !DISubprogram(name: ".omp_outlined..1", scope: !1, file: !1, line: 24, type: !11, scopeLine: 24, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!80 = !DILocation(line: 24, column: 1, scope: !79)
!81 = !DILocation(line: 26, column: 1, scope: !79)
!82 = !DILocation(line: 29, column: 13, scope: !79)
!83 = !DILocation(line: 29, column: 10, scope: !79)
!84 = !DILocation(line: 28, column: 20, scope: !79)
!85 = !DILocation(line: 31, column: 1, scope: !79)
!86 = !DILocation(line: 30, column: 20, scope: !79)
!87 = distinct !{!87, !81, !88}
!88 = !DILocation(line: 26, column: 28, scope: !79)
!89 = !DILocation(line: 39, column: 1, scope: !79)
!90 = !DILocation(line: 40, column: 5, scope: !79)
!91 = !DILocation(line: 40, column: 3, scope: !79)
!92 = !DILocation(line: 39, column: 19, scope: !79)
!93 = !DILocation(line: 41, column: 2, scope: !79)
!94 = distinct !DISubprogram(name: ".omp_outlined..2", scope: !1, file: !1, line: 31, type: !11, scopeLine: 31, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!95 = !DILocation(line: 31, column: 1, scope: !94)
!96 = !DILocation(line: 31, column: 45, scope: !94)
!97 = !DILocation(line: 34, column: 7, scope: !94)
!98 = !DILocation(line: 33, column: 20, scope: !94)
!99 = !DILocation(line: 36, column: 10, scope: !94)
!100 = !DILocation(line: 36, column: 7, scope: !94)
!101 = !DILocation(line: 35, column: 20, scope: !94)
!102 = distinct !{!102, !95, !103}
!103 = !DILocation(line: 31, column: 47, scope: !94)
!104 = !DILocation(line: 31, column: 41, scope: !94)
!105 = !DILocation(line: 37, column: 4, scope: !94)
!106 = distinct !DISubprogram(linkageName: ".omp.reduction.reduction_func", scope: !1, file: !1, line: 31, type: !11, scopeLine: 31, flags: DIFlagArtificial | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !12)
!107 = !DILocation(line: 31, column: 47, scope: !106)
!108 = !DILocation(line: 31, column: 45, scope: !106)
!109 = !DILocation(line: 31, column: 41, scope: !106)
