; ModuleID = '../programs/lastwrite.c'
source_filename = "../programs/lastwrite.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_attr_t = type { i64, [48 x i8] }

@x = dso_local global i32 0, align 4, !dbg !0
@.str = private unnamed_addr constant [23 x i8] c"1 <= last && last <= N\00", align 1
@.str.1 = private unnamed_addr constant [24 x i8] c"../programs/lastwrite.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1

@labels = internal constant [2 x i8*] [i8* blockaddress(@jump, %first), i8* blockaddress(@jump, %second)], align 16

define internal i32 @jump(i64 %0) {
  %2 = getelementptr inbounds [2 x i8*], [2 x i8*]* @labels, i64 0, i64 %0
  %3 = load i8*, i8** %2, align 8
  br label %dispatch

first:
  br label %dispatch

second:
  ret i32 1

dispatch:
  %4 = phi i8* [ %3, %1 ], [ blockaddress(@jump, %second), %first ]
  indirectbr i8* %4, [label %first, label %second]
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() #0 !dbg !22 {
  %1 = alloca i32, align 4
  %2 = alloca [2 x i64], align 16
  %3 = alloca i64, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 0, i32* %1, align 4
  call void @llvm.dbg.declare(metadata [2 x i64]* %2, metadata !26, metadata !DIExpression()), !dbg !33
  call void @llvm.dbg.declare(metadata i64* %3, metadata !34, metadata !DIExpression()), !dbg !36
  store i64 0, i64* %3, align 8, !dbg !36
  br label %6, !dbg !37

6:                                                ; preds = %16, %0
  %7 = load i64, i64* %3, align 8, !dbg !38
  %8 = icmp slt i64 %7, 2, !dbg !40
  br i1 %8, label %9, label %19, !dbg !41

9:                                                ; preds = %6
  %10 = load i64, i64* %3, align 8, !dbg !42
  %11 = getelementptr inbounds [2 x i64], [2 x i64]* %2, i64 0, i64 %10, !dbg !43
  %12 = load i64, i64* %3, align 8, !dbg !44
  %13 = add nsw i64 %12, 1, !dbg !45
  %14 = inttoptr i64 %13 to i8*, !dbg !46
  %15 = call i32 @pthread_create(i64* noundef %11, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @writer, i8* noundef %14) #5, !dbg !47
  br label %16, !dbg !47

16:                                               ; preds = %9
  %17 = load i64, i64* %3, align 8, !dbg !48
  %18 = add nsw i64 %17, 1, !dbg !48
  store i64 %18, i64* %3, align 8, !dbg !48
  br label %6, !dbg !49, !llvm.loop !50

19:                                               ; preds = %6
  call void @llvm.dbg.declare(metadata i32* %4, metadata !53, metadata !DIExpression()), !dbg !55
  store i32 0, i32* %4, align 4, !dbg !55
  br label %20, !dbg !56

20:                                               ; preds = %29, %19
  %21 = load i32, i32* %4, align 4, !dbg !57
  %22 = icmp slt i32 %21, 2, !dbg !59
  br i1 %22, label %23, label %32, !dbg !60

23:                                               ; preds = %20
  %24 = load i32, i32* %4, align 4, !dbg !61
  %25 = sext i32 %24 to i64, !dbg !62
  %26 = getelementptr inbounds [2 x i64], [2 x i64]* %2, i64 0, i64 %25, !dbg !62
  %27 = load i64, i64* %26, align 8, !dbg !62
  %28 = call i32 @pthread_join(i64 noundef %27, i8** noundef null), !dbg !63
  br label %29, !dbg !63

29:                                               ; preds = %23
  %30 = load i32, i32* %4, align 4, !dbg !64
  %31 = add nsw i32 %30, 1, !dbg !64
  store i32 %31, i32* %4, align 4, !dbg !64
  br label %20, !dbg !65, !llvm.loop !66

32:                                               ; preds = %20
  call void @llvm.dbg.declare(metadata i32* %5, metadata !68, metadata !DIExpression()), !dbg !69
  %33 = load atomic i32, i32* @x seq_cst, align 4, !dbg !70
  store i32 %33, i32* %5, align 4, !dbg !69
  %34 = load i32, i32* %5, align 4, !dbg !71
  %35 = icmp sle i32 1, %34, !dbg !71
  br i1 %35, label %36, label %40, !dbg !71

36:                                               ; preds = %32
  %37 = load i32, i32* %5, align 4, !dbg !71
  %38 = icmp sle i32 %37, 2, !dbg !71
  br i1 %38, label %39, label %40, !dbg !74

39:                                               ; preds = %36
  br label %41, !dbg !74

40:                                               ; preds = %36, %32
  call void @__assert_fail(i8* noundef getelementptr inbounds ([23 x i8], [23 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([24 x i8], [24 x i8]* @.str.1, i64 0, i64 0), i32 noundef 25, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)) #6, !dbg !71
  unreachable, !dbg !71

41:                                               ; preds = %39
  ret i32 0, !dbg !75
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: nounwind
declare i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef) #2

; Function Attrs: noinline nounwind optnone uwtable
define internal i8* @writer(i8* noundef %0) #0 !dbg !76 {
  %2 = alloca i8*, align 8
  store i8* %0, i8** %2, align 8
  call void @llvm.dbg.declare(metadata i8** %2, metadata !79, metadata !DIExpression()), !dbg !80
  %3 = load i8*, i8** %2, align 8, !dbg !81
  %4 = ptrtoint i8* %3 to i64, !dbg !82
  %5 = trunc i64 %4 to i32, !dbg !83
  store atomic i32 %5, i32* @x seq_cst, align 4, !dbg !84
  ret i8* null, !dbg !85
}

declare i32 @pthread_join(i64 noundef, i8** noundef) #3

; Function Attrs: noreturn nounwind
declare void @__assert_fail(i8* noundef, i8* noundef, i32 noundef, i8* noundef) #4

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noreturn nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { noreturn nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!14, !15, !16, !17, !18, !19, !20}
!llvm.ident = !{!21}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 11, type: !11, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "Debian clang version 14.0.6", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !10, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "../programs/lastwrite.c", directory: ".", checksumkind: CSK_MD5, checksum: "9e80a67511b29f4b38ddd7a644aff21f")
!4 = !{!5, !6, !7}
!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DIDerivedType(tag: DW_TAG_typedef, name: "intptr_t", file: !8, line: 87, baseType: !9)
!8 = !DIFile(filename: "/usr/include/stdint.h", directory: "", checksumkind: CSK_MD5, checksum: "a48e64edacc5b19f56c99745232c963c")
!9 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!10 = !{!0}
!11 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !12, line: 92, baseType: !13)
!12 = !DIFile(filename: "/usr/lib/llvm-14/lib/clang/14.0.6/include/stdatomic.h", directory: "", checksumkind: CSK_MD5, checksum: "de5d66a1ef2f5448cc1919ff39db92bc")
!13 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !6)
!14 = !{i32 7, !"Dwarf Version", i32 5}
!15 = !{i32 2, !"Debug Info Version", i32 3}
!16 = !{i32 1, !"wchar_size", i32 4}
!17 = !{i32 7, !"PIC Level", i32 2}
!18 = !{i32 7, !"PIE Level", i32 2}
!19 = !{i32 7, !"uwtable", i32 1}
!20 = !{i32 7, !"frame-pointer", i32 2}
!21 = !{!"Debian clang version 14.0.6"}
!22 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 18, type: !23, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !25)
!23 = !DISubroutineType(types: !24)
!24 = !{!6}
!25 = !{}
!26 = !DILocalVariable(name: "threads", scope: !22, file: !3, line: 19, type: !27)
!27 = !DICompositeType(tag: DW_TAG_array_type, baseType: !28, size: 128, elements: !31)
!28 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !29, line: 27, baseType: !30)
!29 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h", directory: "", checksumkind: CSK_MD5, checksum: "735e3bf264ff9d8f5d95898b1692fbdb")
!30 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!31 = !{!32}
!32 = !DISubrange(count: 2)
!33 = !DILocation(line: 19, column: 15, scope: !22)
!34 = !DILocalVariable(name: "i", scope: !35, file: !3, line: 20, type: !7)
!35 = distinct !DILexicalBlock(scope: !22, file: !3, line: 20, column: 5)
!36 = !DILocation(line: 20, column: 19, scope: !35)
!37 = !DILocation(line: 20, column: 10, scope: !35)
!38 = !DILocation(line: 20, column: 26, scope: !39)
!39 = distinct !DILexicalBlock(scope: !35, file: !3, line: 20, column: 5)
!40 = !DILocation(line: 20, column: 28, scope: !39)
!41 = !DILocation(line: 20, column: 5, scope: !35)
!42 = !DILocation(line: 21, column: 33, scope: !39)
!43 = !DILocation(line: 21, column: 25, scope: !39)
!44 = !DILocation(line: 21, column: 60, scope: !39)
!45 = !DILocation(line: 21, column: 62, scope: !39)
!46 = !DILocation(line: 21, column: 51, scope: !39)
!47 = !DILocation(line: 21, column: 9, scope: !39)
!48 = !DILocation(line: 20, column: 34, scope: !39)
!49 = !DILocation(line: 20, column: 5, scope: !39)
!50 = distinct !{!50, !41, !51, !52}
!51 = !DILocation(line: 21, column: 66, scope: !35)
!52 = !{!"llvm.loop.mustprogress"}
!53 = !DILocalVariable(name: "i", scope: !54, file: !3, line: 22, type: !6)
!54 = distinct !DILexicalBlock(scope: !22, file: !3, line: 22, column: 5)
!55 = !DILocation(line: 22, column: 14, scope: !54)
!56 = !DILocation(line: 22, column: 10, scope: !54)
!57 = !DILocation(line: 22, column: 21, scope: !58)
!58 = distinct !DILexicalBlock(scope: !54, file: !3, line: 22, column: 5)
!59 = !DILocation(line: 22, column: 23, scope: !58)
!60 = !DILocation(line: 22, column: 5, scope: !54)
!61 = !DILocation(line: 23, column: 30, scope: !58)
!62 = !DILocation(line: 23, column: 22, scope: !58)
!63 = !DILocation(line: 23, column: 9, scope: !58)
!64 = !DILocation(line: 22, column: 29, scope: !58)
!65 = !DILocation(line: 22, column: 5, scope: !58)
!66 = distinct !{!66, !60, !67, !52}
!67 = !DILocation(line: 23, column: 38, scope: !54)
!68 = !DILocalVariable(name: "last", scope: !22, file: !3, line: 24, type: !6)
!69 = !DILocation(line: 24, column: 9, scope: !22)
!70 = !DILocation(line: 24, column: 16, scope: !22)
!71 = !DILocation(line: 25, column: 5, scope: !72)
!72 = distinct !DILexicalBlock(scope: !73, file: !3, line: 25, column: 5)
!73 = distinct !DILexicalBlock(scope: !22, file: !3, line: 25, column: 5)
!74 = !DILocation(line: 25, column: 5, scope: !73)
!75 = !DILocation(line: 26, column: 5, scope: !22)
!76 = distinct !DISubprogram(name: "writer", scope: !3, file: !3, line: 13, type: !77, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !25)
!77 = !DISubroutineType(types: !78)
!78 = !{!5, !5}
!79 = !DILocalVariable(name: "arg", arg: 1, scope: !76, file: !3, line: 13, type: !5)
!80 = !DILocation(line: 13, column: 27, scope: !76)
!81 = !DILocation(line: 14, column: 24, scope: !76)
!82 = !DILocation(line: 14, column: 14, scope: !76)
!83 = !DILocation(line: 14, column: 9, scope: !76)
!84 = !DILocation(line: 14, column: 7, scope: !76)
!85 = !DILocation(line: 15, column: 5, scope: !76)
