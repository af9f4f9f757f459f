target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.type_info = type { i8**, i8* }
%struct.pointer_info = type { %struct.type_info, i32, %struct.type_info* }
%struct.at_thread_exit = type { %struct.at_thread_exit*, void (i8*)*, i8* }
%struct.ostream = type { i64*, %struct.format }
%struct.format = type { i8**, i64, i64, i32, [240 x i8] }
%struct.class_info = type { i8**, i8*, %union.anon }
%union.anon = type { %struct.class_info* }
%struct.anon = type { i32, i32, [0 x %struct.anon.0] }
%struct.anon.0 = type { %struct.class_info*, i64 }
%struct.notified = type { i8*, i8* }
%struct.locker = type { i8, i8 }

@__libc_single_threaded = weak dso_local local_unnamed_addr global i8 0, align 1
@_ZTVN10__cxxabiv123__fundamental_type_infoE = weak dso_local global [5 x i8*] zeroinitializer, align 16
@.str = private unnamed_addr constant [2 x i8] c"v\00", align 1
@_ZTIv = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str, i32 0, i32 0) }, align 8
@_ZTVN10__cxxabiv119__pointer_type_infoE = weak dso_local global [5 x i8*] zeroinitializer, align 16
@.str.1 = private unnamed_addr constant [3 x i8] c"Pv\00", align 1
@_ZTIPv = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.1, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIv }, align 8
@.str.2 = private unnamed_addr constant [4 x i8] c"PKv\00", align 1
@_ZTIPKv = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.2, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIv }, align 8
@.str.3 = private unnamed_addr constant [2 x i8] c"b\00", align 1
@_ZTIb = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.3, i32 0, i32 0) }, align 8
@.str.4 = private unnamed_addr constant [3 x i8] c"Pb\00", align 1
@_ZTIPb = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.4, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIb }, align 8
@.str.5 = private unnamed_addr constant [4 x i8] c"PKb\00", align 1
@_ZTIPKb = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.5, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIb }, align 8
@.str.6 = private unnamed_addr constant [2 x i8] c"w\00", align 1
@_ZTIw = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.6, i32 0, i32 0) }, align 8
@.str.7 = private unnamed_addr constant [3 x i8] c"Pw\00", align 1
@_ZTIPw = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.7, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIw }, align 8
@.str.8 = private unnamed_addr constant [4 x i8] c"PKw\00", align 1
@_ZTIPKw = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.8, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIw }, align 8
@.str.9 = private unnamed_addr constant [2 x i8] c"c\00", align 1
@_ZTIc = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.9, i32 0, i32 0) }, align 8
@.str.10 = private unnamed_addr constant [3 x i8] c"Pc\00", align 1
@_ZTIPc = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.10, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIc }, align 8
@.str.11 = private unnamed_addr constant [4 x i8] c"PKc\00", align 1
@_ZTIPKc = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.11, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIc }, align 8
@.str.12 = private unnamed_addr constant [2 x i8] c"a\00", align 1
@_ZTIa = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.12, i32 0, i32 0) }, align 8
@.str.13 = private unnamed_addr constant [3 x i8] c"Pa\00", align 1
@_ZTIPa = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.13, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIa }, align 8
@.str.14 = private unnamed_addr constant [4 x i8] c"PKa\00", align 1
@_ZTIPKa = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.14, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIa }, align 8
@.str.15 = private unnamed_addr constant [2 x i8] c"h\00", align 1
@_ZTIh = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.15, i32 0, i32 0) }, align 8
@.str.16 = private unnamed_addr constant [3 x i8] c"Ph\00", align 1
@_ZTIPh = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.16, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIh }, align 8
@.str.17 = private unnamed_addr constant [4 x i8] c"PKh\00", align 1
@_ZTIPKh = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.17, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIh }, align 8
@.str.18 = private unnamed_addr constant [2 x i8] c"s\00", align 1
@_ZTIs = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.18, i32 0, i32 0) }, align 8
@.str.19 = private unnamed_addr constant [3 x i8] c"Ps\00", align 1
@_ZTIPs = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.19, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIs }, align 8
@.str.20 = private unnamed_addr constant [4 x i8] c"PKs\00", align 1
@_ZTIPKs = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.20, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIs }, align 8
@.str.21 = private unnamed_addr constant [2 x i8] c"t\00", align 1
@_ZTIt = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.21, i32 0, i32 0) }, align 8
@.str.22 = private unnamed_addr constant [3 x i8] c"Pt\00", align 1
@_ZTIPt = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.22, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIt }, align 8
@.str.23 = private unnamed_addr constant [4 x i8] c"PKt\00", align 1
@_ZTIPKt = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.23, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIt }, align 8
@.str.24 = private unnamed_addr constant [2 x i8] c"i\00", align 1
@_ZTIi = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.24, i32 0, i32 0) }, align 8
@.str.25 = private unnamed_addr constant [3 x i8] c"Pi\00", align 1
@_ZTIPi = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.25, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIi }, align 8
@.str.26 = private unnamed_addr constant [4 x i8] c"PKi\00", align 1
@_ZTIPKi = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.26, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIi }, align 8
@.str.27 = private unnamed_addr constant [2 x i8] c"j\00", align 1
@_ZTIj = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.27, i32 0, i32 0) }, align 8
@.str.28 = private unnamed_addr constant [3 x i8] c"Pj\00", align 1
@_ZTIPj = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.28, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIj }, align 8
@.str.29 = private unnamed_addr constant [4 x i8] c"PKj\00", align 1
@_ZTIPKj = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.29, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIj }, align 8
@.str.30 = private unnamed_addr constant [2 x i8] c"l\00", align 1
@_ZTIl = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.30, i32 0, i32 0) }, align 8
@.str.31 = private unnamed_addr constant [3 x i8] c"Pl\00", align 1
@_ZTIPl = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.31, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIl }, align 8
@.str.32 = private unnamed_addr constant [4 x i8] c"PKl\00", align 1
@_ZTIPKl = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.32, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIl }, align 8
@.str.33 = private unnamed_addr constant [2 x i8] c"m\00", align 1
@_ZTIm = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.33, i32 0, i32 0) }, align 8
@.str.34 = private unnamed_addr constant [3 x i8] c"Pm\00", align 1
@_ZTIPm = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.34, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIm }, align 8
@.str.35 = private unnamed_addr constant [4 x i8] c"PKm\00", align 1
@_ZTIPKm = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.35, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIm }, align 8
@.str.36 = private unnamed_addr constant [2 x i8] c"x\00", align 1
@_ZTIx = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.36, i32 0, i32 0) }, align 8
@.str.37 = private unnamed_addr constant [3 x i8] c"Px\00", align 1
@_ZTIPx = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.37, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIx }, align 8
@.str.38 = private unnamed_addr constant [4 x i8] c"PKx\00", align 1
@_ZTIPKx = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.38, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIx }, align 8
@.str.39 = private unnamed_addr constant [2 x i8] c"y\00", align 1
@_ZTIy = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.39, i32 0, i32 0) }, align 8
@.str.40 = private unnamed_addr constant [3 x i8] c"Py\00", align 1
@_ZTIPy = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.40, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIy }, align 8
@.str.41 = private unnamed_addr constant [4 x i8] c"PKy\00", align 1
@_ZTIPKy = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.41, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIy }, align 8
@.str.42 = private unnamed_addr constant [2 x i8] c"n\00", align 1
@_ZTIn = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.42, i32 0, i32 0) }, align 8
@.str.43 = private unnamed_addr constant [3 x i8] c"Pn\00", align 1
@_ZTIPn = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.43, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIn }, align 8
@.str.44 = private unnamed_addr constant [4 x i8] c"PKn\00", align 1
@_ZTIPKn = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.44, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIn }, align 8
@.str.45 = private unnamed_addr constant [2 x i8] c"o\00", align 1
@_ZTIo = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.45, i32 0, i32 0) }, align 8
@.str.46 = private unnamed_addr constant [3 x i8] c"Po\00", align 1
@_ZTIPo = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.46, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIo }, align 8
@.str.47 = private unnamed_addr constant [4 x i8] c"PKo\00", align 1
@_ZTIPKo = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.47, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIo }, align 8
@.str.48 = private unnamed_addr constant [2 x i8] c"f\00", align 1
@_ZTIf = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.48, i32 0, i32 0) }, align 8
@.str.49 = private unnamed_addr constant [3 x i8] c"Pf\00", align 1
@_ZTIPf = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.49, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIf }, align 8
@.str.50 = private unnamed_addr constant [4 x i8] c"PKf\00", align 1
@_ZTIPKf = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.50, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIf }, align 8
@.str.51 = private unnamed_addr constant [2 x i8] c"d\00", align 1
@_ZTId = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.51, i32 0, i32 0) }, align 8
@.str.52 = private unnamed_addr constant [3 x i8] c"Pd\00", align 1
@_ZTIPd = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.52, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTId }, align 8
@.str.53 = private unnamed_addr constant [4 x i8] c"PKd\00", align 1
@_ZTIPKd = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.53, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTId }, align 8
@.str.54 = private unnamed_addr constant [2 x i8] c"e\00", align 1
@_ZTIe = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.54, i32 0, i32 0) }, align 8
@.str.55 = private unnamed_addr constant [3 x i8] c"Pe\00", align 1
@_ZTIPe = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.55, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIe }, align 8
@.str.56 = private unnamed_addr constant [4 x i8] c"PKe\00", align 1
@_ZTIPKe = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.56, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIe }, align 8
@.str.57 = private unnamed_addr constant [2 x i8] c"g\00", align 1
@_ZTIg = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.57, i32 0, i32 0) }, align 8
@.str.58 = private unnamed_addr constant [3 x i8] c"Pg\00", align 1
@_ZTIPg = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.58, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIg }, align 8
@.str.59 = private unnamed_addr constant [4 x i8] c"PKg\00", align 1
@_ZTIPKg = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.59, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIg }, align 8
@.str.60 = private unnamed_addr constant [3 x i8] c"Dn\00", align 1
@_ZTIDn = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.60, i32 0, i32 0) }, align 8
@.str.61 = private unnamed_addr constant [4 x i8] c"PDn\00", align 1
@_ZTIPDn = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.61, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIDn }, align 8
@.str.62 = private unnamed_addr constant [5 x i8] c"PKDn\00", align 1
@_ZTIPKDn = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([5 x i8], [5 x i8]* @.str.62, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIDn }, align 8
@.str.63 = private unnamed_addr constant [3 x i8] c"Di\00", align 1
@_ZTIDi = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.63, i32 0, i32 0) }, align 8
@.str.64 = private unnamed_addr constant [4 x i8] c"PDi\00", align 1
@_ZTIPDi = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.64, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIDi }, align 8
@.str.65 = private unnamed_addr constant [5 x i8] c"PKDi\00", align 1
@_ZTIPKDi = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([5 x i8], [5 x i8]* @.str.65, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIDi }, align 8
@.str.66 = private unnamed_addr constant [3 x i8] c"Ds\00", align 1
@_ZTIDs = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.66, i32 0, i32 0) }, align 8
@.str.67 = private unnamed_addr constant [4 x i8] c"PDs\00", align 1
@_ZTIPDs = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.67, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIDs }, align 8
@.str.68 = private unnamed_addr constant [5 x i8] c"PKDs\00", align 1
@_ZTIPKDs = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([5 x i8], [5 x i8]* @.str.68, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIDs }, align 8
@.str.69 = private unnamed_addr constant [3 x i8] c"Du\00", align 1
@_ZTIDu = weak_odr dso_local constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv123__fundamental_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.69, i32 0, i32 0) }, align 8
@.str.70 = private unnamed_addr constant [4 x i8] c"PDu\00", align 1
@_ZTIPDu = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.70, i32 0, i32 0) }, i32 0, %struct.type_info* @_ZTIDu }, align 8
@.str.71 = private unnamed_addr constant [5 x i8] c"PKDu\00", align 1
@_ZTIPKDu = weak_odr dso_local local_unnamed_addr constant %struct.pointer_info { %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv119__pointer_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([5 x i8], [5 x i8]* @.str.71, i32 0, i32 0) }, i32 1, %struct.type_info* @_ZTIDu }, align 8
@_ZTVN10__cxxabiv117__class_type_infoE = weak dso_local global [5 x i8*] zeroinitializer, align 16
@.str.72 = private unnamed_addr constant [19 x i8] c"NSt6thread6_StateE\00", align 1
@_ZTINSt6thread6_StateE = weak_odr dso_local local_unnamed_addr constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv117__class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([19 x i8], [19 x i8]* @.str.72, i32 0, i32 0) }, align 8
@_ZSt11__once_call = weak dso_local thread_local local_unnamed_addr global void ()* null, align 8
@.str.73 = private unnamed_addr constant [34 x i8] c"NSt13__future_base12_Result_baseE\00", align 1
@_ZTINSt13__future_base12_Result_baseE = weak_odr dso_local local_unnamed_addr constant %struct.type_info { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([5 x i8*]* @_ZTVN10__cxxabiv117__class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([34 x i8], [34 x i8]* @.str.73, i32 0, i32 0) }, align 8
@at_thread_exit_list = internal thread_local global %struct.at_thread_exit* null, align 8
@at_thread_end_list = internal thread_local unnamed_addr global %struct.at_thread_exit* null, align 8
@ostream_table = internal global [4 x i64] [i64 8, i64 0, i64 0, i64 0], align 16
@_ZSt4cout = weak dso_local global %struct.ostream { i64* bitcast (i8* getelementptr (i8, i8* bitcast ([4 x i64]* @ostream_table to i8*), i64 24) to i64*), %struct.format { i8** null, i64 6, i64 0, i32 4098, [240 x i8] zeroinitializer } }, align 8
@_ZSt4cerr = weak dso_local local_unnamed_addr global %struct.ostream { i64* bitcast (i8* getelementptr (i8, i8* bitcast ([4 x i64]* @ostream_table to i8*), i64 24) to i64*), %struct.format { i8** null, i64 6, i64 0, i32 4098, [240 x i8] zeroinitializer } }, align 8
@_ZSt4clog = weak dso_local local_unnamed_addr global %struct.ostream { i64* bitcast (i8* getelementptr (i8, i8* bitcast ([4 x i64]* @ostream_table to i8*), i64 24) to i64*), %struct.format { i8** null, i64 6, i64 0, i32 4098, [240 x i8] zeroinitializer } }, align 8
@.str.74 = private unnamed_addr constant [5 x i8] c"true\00", align 1
@.str.75 = private unnamed_addr constant [6 x i8] c"false\00", align 1
@.str.76 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@locks = internal global [16 x [5 x i64]] zeroinitializer, align 16
@_ZTVN10__cxxabiv120__si_class_type_infoE = weak dso_local global [5 x i8*] zeroinitializer, align 16
@_ZTVN10__cxxabiv121__vmi_class_type_infoE = weak dso_local global [5 x i8*] zeroinitializer, align 16
@_ZTVN10__cxxabiv117__array_type_infoE = weak dso_local local_unnamed_addr global [5 x i8*] zeroinitializer, align 16
@_ZTVN10__cxxabiv120__function_type_infoE = weak dso_local local_unnamed_addr global [5 x i8*] zeroinitializer, align 16
@_ZTVN10__cxxabiv116__enum_type_infoE = weak dso_local local_unnamed_addr global [5 x i8*] zeroinitializer, align 16
@_ZTVN10__cxxabiv129__pointer_to_member_type_infoE = weak dso_local local_unnamed_addr global [5 x i8*] zeroinitializer, align 16
@_ZTVNSt6thread6_StateE = weak dso_local local_unnamed_addr global [5 x i8*] zeroinitializer, align 16
@_ZSt15__once_callable = weak dso_local thread_local local_unnamed_addr global i8* null, align 8
@at_thread_exit_once = internal global i32 0, align 4
@at_thread_exit_key = internal global i32 0, align 4
@.str.77 = private unnamed_addr constant [2 x i8] c" \00", align 1

define weak dso_local void @_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(i64* noundef %0, i8** noundef %1, void ()* noundef %2) local_unnamed_addr {
  %4 = load i8*, i8** %1, align 8
  store i8* null, i8** %1, align 8
  %5 = call i32 @pthread_create(i64* noundef %0, i8* noundef null, i8* (i8*)* noundef nonnull @__mazurka_run_state, i8* noundef %4)
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %8, label %7

7:                                                ; preds = %3
  call void @_ZSt20__throw_system_errori(i32 noundef %5)
  br label %8

8:                                                ; preds = %7, %3
  ret void
}

declare i32 @pthread_create(i64* noundef, i8* noundef, i8* (i8*)* noundef, i8* noundef) local_unnamed_addr

define internal i8* @__mazurka_run_state(i8* noundef %0) {
  %2 = bitcast i8* %0 to void (i8*)***
  %3 = load void (i8*)**, void (i8*)*** %2, align 8
  %4 = getelementptr inbounds void (i8*)*, void (i8*)** %3, i64 2
  %5 = load void (i8*)*, void (i8*)** %4, align 8
  call void %5(i8* noundef %0)
  %6 = getelementptr inbounds void (i8*)*, void (i8*)** %3, i64 1
  %7 = load void (i8*)*, void (i8*)** %6, align 8
  call void %7(i8* noundef %0)
  ret i8* null
}

declare void @_ZSt20__throw_system_errori(i32 noundef) local_unnamed_addr

define weak dso_local void @_ZNSt6thread6_StateD0Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt6thread6_StateD1Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt6thread6_StateD2Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt6thread4joinEv(i64* noundef %0) local_unnamed_addr {
  %2 = load i64, i64* %0, align 8
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %6, label %4

4:                                                ; preds = %1
  %5 = call i32 @pthread_join(i64 noundef %2, i8** noundef null)
  br label %6

6:                                                ; preds = %4, %1
  %7 = phi i32 [ %5, %4 ], [ 22, %1 ]
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %10, label %9

9:                                                ; preds = %6
  call void @_ZSt20__throw_system_errori(i32 noundef %7)
  br label %10

10:                                               ; preds = %9, %6
  store i64 0, i64* %0, align 8
  ret void
}

declare i32 @pthread_join(i64 noundef, i8** noundef) local_unnamed_addr

define weak dso_local void @_ZNSt6thread6detachEv(i64* noundef %0) local_unnamed_addr {
  %2 = load i64, i64* %0, align 8
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %6, label %4

4:                                                ; preds = %1
  %5 = call i32 @pthread_detach(i64 noundef %2)
  br label %6

6:                                                ; preds = %4, %1
  %7 = phi i32 [ %5, %4 ], [ 22, %1 ]
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %10, label %9

9:                                                ; preds = %6
  call void @_ZSt20__throw_system_errori(i32 noundef %7)
  br label %10

10:                                               ; preds = %9, %6
  store i64 0, i64* %0, align 8
  ret void
}

declare i32 @pthread_detach(i64 noundef) local_unnamed_addr

define weak dso_local i32 @_ZNSt6thread20hardware_concurrencyEv() local_unnamed_addr {
  ret i32 2
}

define weak dso_local void @_ZNSt18condition_variableC1Ev(i8* noundef %0) local_unnamed_addr {
  %2 = call i32 @pthread_cond_init(i8* noundef %0, i8* noundef null)
  ret void
}

declare i32 @pthread_cond_init(i8* noundef, i8* noundef) local_unnamed_addr

define weak dso_local void @_ZNSt18condition_variableC2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = call i32 @pthread_cond_init(i8* noundef %0, i8* noundef null)
  ret void
}

define weak dso_local void @_ZNSt18condition_variableD1Ev(i8* noundef %0) local_unnamed_addr {
  %2 = call i32 @pthread_cond_destroy(i8* noundef %0)
  ret void
}

declare i32 @pthread_cond_destroy(i8* noundef) local_unnamed_addr

define weak dso_local void @_ZNSt18condition_variableD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = call i32 @pthread_cond_destroy(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt18condition_variable10notify_oneEv(i8* noundef %0) local_unnamed_addr {
  %2 = call i32 @pthread_cond_signal(i8* noundef %0)
  ret void
}

declare i32 @pthread_cond_signal(i8* noundef) local_unnamed_addr

define weak dso_local void @_ZNSt18condition_variable10notify_allEv(i8* noundef %0) local_unnamed_addr {
  %2 = call i32 @pthread_cond_broadcast(i8* noundef %0)
  ret void
}

declare i32 @pthread_cond_broadcast(i8* noundef) local_unnamed_addr

define weak dso_local void @_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(i8* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = call i32 @pthread_cond_wait(i8* noundef %0, i8* noundef %3)
  ret void
}

declare i32 @pthread_cond_wait(i8* noundef, i8* noundef) local_unnamed_addr

define weak dso_local i64 @_ZNSt6chrono3_V212steady_clock3nowEv() local_unnamed_addr {
  %1 = call i64 @__mazurka_now(i32 noundef 1)
  ret i64 %1
}

declare i64 @__mazurka_now(i32 noundef) local_unnamed_addr

define weak dso_local i64 @_ZNSt6chrono3_V212system_clock3nowEv() local_unnamed_addr {
  %1 = call i64 @__mazurka_now(i32 noundef 0)
  ret i64 %1
}

define weak dso_local void @__once_proxy() local_unnamed_addr {
  %1 = load void ()*, void ()** @_ZSt11__once_call, align 8
  call void %1()
  ret void
}

define weak dso_local zeroext i1 @_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(i8* noundef %0, i32* noundef %1, i32 noundef %2, i1 noundef zeroext %3, i64 noundef %4, i64 noundef %5) local_unnamed_addr {
  br i1 %3, label %7, label %11

7:                                                ; preds = %6
  %8 = load atomic i32, i32* %1 acquire, align 4
  %9 = icmp eq i32 %8, %2
  br i1 %9, label %10, label %14

10:                                               ; preds = %7
  call void @__mazurka_time_out(i32 noundef 0, i64 noundef %4, i64 noundef %5)
  br label %14

11:                                               ; preds = %6, %11
  %12 = load atomic i32, i32* %1 acquire, align 4
  %13 = icmp eq i32 %12, %2
  br i1 %13, label %11, label %14

14:                                               ; preds = %11, %7, %10
  %15 = phi i1 [ false, %10 ], [ true, %7 ], [ true, %11 ]
  ret i1 %15
}

define weak dso_local zeroext i1 @_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(i8* noundef %0, i32* noundef %1, i32 noundef %2, i1 noundef zeroext %3, i64 noundef %4, i64 noundef %5) local_unnamed_addr {
  br i1 %3, label %7, label %11

7:                                                ; preds = %6
  %8 = load atomic i32, i32* %1 acquire, align 4
  %9 = icmp eq i32 %8, %2
  br i1 %9, label %10, label %14

10:                                               ; preds = %7
  call void @__mazurka_time_out(i32 noundef 1, i64 noundef %4, i64 noundef %5)
  br label %14

11:                                               ; preds = %6, %11
  %12 = load atomic i32, i32* %1 acquire, align 4
  %13 = icmp eq i32 %12, %2
  br i1 %13, label %11, label %14

14:                                               ; preds = %11, %7, %10
  %15 = phi i1 [ false, %10 ], [ true, %7 ], [ true, %11 ]
  ret i1 %15
}

define weak dso_local void @_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(i32* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt13__future_base12_Result_baseC2Ev(i8** noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8*, i8** %0, i64 1
  store i8* null, i8** %2, align 8
  ret void
}

define weak dso_local void @_ZNSt13__future_base12_Result_baseD2Ev(i8** noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8*, i8** %0, i64 1
  call void @_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(i8** noundef nonnull %2)
  ret void
}

declare void @_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(i8** noundef) local_unnamed_addr

define weak dso_local i8* @__dynamic_cast(i8* noundef %0, %struct.class_info* noundef %1, %struct.class_info* noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = bitcast i8* %0 to i8***
  %6 = load i8**, i8*** %5, align 8
  %7 = getelementptr inbounds i8*, i8** %6, i64 -2
  %8 = load i8*, i8** %7, align 8
  %9 = ptrtoint i8* %8 to i64
  %10 = getelementptr inbounds i8, i8* %0, i64 %9
  %11 = getelementptr inbounds i8*, i8** %6, i64 -1
  %12 = bitcast i8** %11 to %struct.class_info**
  %13 = load %struct.class_info*, %struct.class_info** %12, align 8
  %14 = call fastcc i8* @part(i8* noundef %10, %struct.class_info* noundef %13, %struct.class_info* noundef %2)
  ret i8* %14
}

define internal fastcc i8* @part(i8* noundef readonly %0, %struct.class_info* noundef readonly %1, %struct.class_info* noundef readnone %2) unnamed_addr {
  %4 = icmp eq %struct.class_info* %1, %2
  br i1 %4, label %50, label %5

5:                                                ; preds = %3
  %6 = getelementptr inbounds %struct.class_info, %struct.class_info* %1, i64 0, i32 0
  %7 = load i8**, i8*** %6, align 8
  %8 = icmp eq i8** %7, getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 0, i64 2)
  br i1 %8, label %9, label %13

9:                                                ; preds = %5
  %10 = getelementptr inbounds %struct.class_info, %struct.class_info* %1, i64 0, i32 2, i32 0
  %11 = load %struct.class_info*, %struct.class_info** %10, align 8
  %12 = call fastcc i8* @part(i8* noundef %0, %struct.class_info* noundef %11, %struct.class_info* noundef %2)
  br label %50

13:                                               ; preds = %5
  %14 = icmp eq i8** %7, getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVN10__cxxabiv121__vmi_class_type_infoE, i64 0, i64 2)
  br i1 %14, label %15, label %50

15:                                               ; preds = %13
  %16 = getelementptr inbounds %struct.class_info, %struct.class_info* %1, i64 0, i32 2
  %17 = bitcast %union.anon* %16 to %struct.anon*
  %18 = getelementptr inbounds %struct.anon, %struct.anon* %17, i64 0, i32 1
  %19 = load i32, i32* %18, align 4
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %50, label %21

21:                                               ; preds = %15
  %22 = getelementptr inbounds %union.anon, %union.anon* %16, i64 1
  %23 = bitcast %union.anon* %22 to [0 x %struct.anon.0]*
  %24 = bitcast i8* %0 to i8**
  %25 = zext i32 %19 to i64
  br label %28

26:                                               ; preds = %41
  %27 = icmp eq i64 %49, %25
  br i1 %27, label %50, label %28

28:                                               ; preds = %21, %26
  %29 = phi i64 [ 0, %21 ], [ %49, %26 ]
  %30 = phi i8* [ undef, %21 ], [ %48, %26 ]
  %31 = getelementptr inbounds [0 x %struct.anon.0], [0 x %struct.anon.0]* %23, i64 0, i64 %29, i32 1
  %32 = load i64, i64* %31, align 8
  %33 = ashr i64 %32, 8
  %34 = and i64 %32, 1
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %41, label %36

36:                                               ; preds = %28
  %37 = load i8*, i8** %24, align 8
  %38 = getelementptr inbounds i8, i8* %37, i64 %33
  %39 = bitcast i8* %38 to i64*
  %40 = load i64, i64* %39, align 8
  br label %41

41:                                               ; preds = %36, %28
  %42 = phi i64 [ %40, %36 ], [ %33, %28 ]
  %43 = getelementptr inbounds i8, i8* %0, i64 %42
  %44 = getelementptr inbounds [0 x %struct.anon.0], [0 x %struct.anon.0]* %23, i64 0, i64 %29, i32 0
  %45 = load %struct.class_info*, %struct.class_info** %44, align 8
  %46 = call fastcc i8* @part(i8* noundef %43, %struct.class_info* noundef %45, %struct.class_info* noundef %2)
  %47 = icmp eq i8* %46, null
  %48 = select i1 %47, i8* %30, i8* %46
  %49 = add nuw nsw i64 %29, 1
  br i1 %47, label %26, label %50

50:                                               ; preds = %26, %41, %15, %13, %3, %9
  %51 = phi i8* [ %12, %9 ], [ %0, %3 ], [ null, %13 ], [ null, %15 ], [ %48, %41 ], [ null, %26 ]
  ret i8* %51
}

define weak dso_local i32 @__cxa_guard_acquire(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 1
  br label %3

3:                                                ; preds = %17, %1
  %4 = phi i32 [ undef, %1 ], [ %19, %17 ]
  %5 = load atomic i8, i8* %0 acquire, align 1
  %6 = icmp eq i8 %5, 0
  br i1 %6, label %7, label %20

7:                                                ; preds = %3
  %8 = cmpxchg i8* %2, i8 0, i8 1 acq_rel acquire, align 1
  %9 = extractvalue { i8, i1 } %8, 1
  br i1 %9, label %10, label %14

10:                                               ; preds = %7
  %11 = load atomic i8, i8* %0 acquire, align 1
  %12 = icmp eq i8 %11, 0
  br i1 %12, label %17, label %13

13:                                               ; preds = %10
  store atomic i8 0, i8* %2 release, align 1
  br label %17

14:                                               ; preds = %7, %14
  %15 = load atomic i8, i8* %2 acquire, align 1
  %16 = icmp eq i8 %15, 0
  br i1 %16, label %17, label %14

17:                                               ; preds = %14, %10, %13
  %18 = phi i1 [ false, %13 ], [ false, %10 ], [ true, %14 ]
  %19 = phi i32 [ 0, %13 ], [ 1, %10 ], [ %4, %14 ]
  br i1 %18, label %3, label %20

20:                                               ; preds = %17, %3
  %21 = phi i32 [ %19, %17 ], [ 0, %3 ]
  ret i32 %21
}

define weak dso_local void @__cxa_guard_release(i8* noundef %0) local_unnamed_addr {
  store atomic i8 1, i8* %0 release, align 1
  %2 = getelementptr inbounds i8, i8* %0, i64 1
  store atomic i8 0, i8* %2 release, align 1
  ret void
}

define weak dso_local void @__cxa_guard_abort(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 1
  store atomic i8 0, i8* %2 release, align 1
  ret void
}

define weak dso_local i32 @__cxa_thread_atexit(void (i8*)* noundef %0, i8* noundef %1, i8* noundef %2) local_unnamed_addr {
  %4 = call i32 @pthread_once(i32* noundef nonnull @at_thread_exit_once, void ()* noundef nonnull @make_at_thread_exit_key)
  %5 = call i8* @malloc(i64 noundef 24)
  %6 = load %struct.at_thread_exit*, %struct.at_thread_exit** @at_thread_exit_list, align 8
  %7 = bitcast i8* %5 to %struct.at_thread_exit**
  store %struct.at_thread_exit* %6, %struct.at_thread_exit** %7, align 8
  %8 = getelementptr inbounds i8, i8* %5, i64 8
  %9 = bitcast i8* %8 to void (i8*)**
  store void (i8*)* %0, void (i8*)** %9, align 8
  %10 = getelementptr inbounds i8, i8* %5, i64 16
  %11 = bitcast i8* %10 to i8**
  store i8* %1, i8** %11, align 8
  store i8* %5, i8** bitcast (%struct.at_thread_exit** @at_thread_exit_list to i8**), align 8
  %12 = load i32, i32* @at_thread_exit_key, align 4
  %13 = call i32 @pthread_setspecific(i32 noundef %12, i8* noundef bitcast (%struct.at_thread_exit** @at_thread_exit_list to i8*))
  ret i32 0
}

define weak dso_local void @__mazurka_at_thread_end(void (i8*)* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = call i32 @pthread_once(i32* noundef nonnull @at_thread_exit_once, void ()* noundef nonnull @make_at_thread_exit_key)
  %4 = call i8* @malloc(i64 noundef 24)
  %5 = load %struct.at_thread_exit*, %struct.at_thread_exit** @at_thread_end_list, align 8
  %6 = bitcast i8* %4 to %struct.at_thread_exit**
  store %struct.at_thread_exit* %5, %struct.at_thread_exit** %6, align 8
  %7 = getelementptr inbounds i8, i8* %4, i64 8
  %8 = bitcast i8* %7 to void (i8*)**
  store void (i8*)* %0, void (i8*)** %8, align 8
  %9 = getelementptr inbounds i8, i8* %4, i64 16
  %10 = bitcast i8* %9 to i8**
  store i8* %1, i8** %10, align 8
  store i8* %4, i8** bitcast (%struct.at_thread_exit** @at_thread_end_list to i8**), align 8
  %11 = load i32, i32* @at_thread_exit_key, align 4
  %12 = call i32 @pthread_setspecific(i32 noundef %11, i8* noundef bitcast (%struct.at_thread_exit** @at_thread_exit_list to i8*))
  ret void
}

define weak dso_local void @_ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE(i8* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = call i8* @malloc(i64 noundef 16)
  %4 = bitcast i8* %3 to i8**
  store i8* %0, i8** %4, align 8
  %5 = load i8*, i8** %1, align 8
  %6 = getelementptr inbounds i8, i8* %3, i64 8
  %7 = bitcast i8* %6 to i8**
  store i8* %5, i8** %7, align 8
  store i8* null, i8** %1, align 8
  %8 = getelementptr inbounds i8*, i8** %1, i64 1
  %9 = bitcast i8** %8 to i8*
  store i8 0, i8* %9, align 1
  call void @__mazurka_at_thread_end(void (i8*)* noundef bitcast (void (%struct.notified*)* @notify to void (i8*)*), i8* noundef %3)
  ret void
}

declare i8* @malloc(i64 noundef) local_unnamed_addr

define internal void @notify(%struct.notified* noundef %0) {
  %2 = getelementptr inbounds %struct.notified, %struct.notified* %0, i64 0, i32 1
  %3 = load i8*, i8** %2, align 8
  %4 = call i32 @pthread_mutex_unlock(i8* noundef %3)
  %5 = getelementptr inbounds %struct.notified, %struct.notified* %0, i64 0, i32 0
  %6 = load i8*, i8** %5, align 8
  %7 = call i32 @pthread_cond_broadcast(i8* noundef %6)
  %8 = bitcast %struct.notified* %0 to i8*
  call void @free(i8* noundef %8)
  ret void
}

define weak dso_local void @_ZNSt8ios_base4InitC1Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt8ios_base4InitD1Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local %struct.ostream* @_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(%struct.ostream* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = call i64 @strlen(i8* noundef %1)
  %4 = call fastcc %struct.ostream* @put_text(%struct.ostream* noundef %0, i8* noundef %1, i64 noundef %3)
  ret %struct.ostream* %0
}

define internal fastcc %struct.ostream* @put_text(%struct.ostream* noundef returned %0, i8* noundef %1, i64 noundef %2) unnamed_addr {
  %4 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 3
  %5 = load i32, i32* %4, align 8
  %6 = and i32 %5, 32
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %27

8:                                                ; preds = %3
  %9 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %10 = load i64, i64* %9, align 8
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %23, label %12

12:                                               ; preds = %8
  %13 = icmp sgt i64 %10, %2
  br i1 %13, label %14, label %22

14:                                               ; preds = %12
  %15 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %16 = select i1 %15, i32 1, i32 2
  br label %17

17:                                               ; preds = %17, %14
  %18 = phi i64 [ %10, %14 ], [ %20, %17 ]
  %19 = call i64 @mazurka_print(i32 noundef %16, i8* noundef getelementptr inbounds ([2 x i8], [2 x i8]* @.str.77, i64 0, i64 0), i64 noundef 1)
  %20 = add nsw i64 %18, -1
  %21 = icmp sgt i64 %20, %2
  br i1 %21, label %17, label %22

22:                                               ; preds = %17, %12
  store i64 0, i64* %9, align 8
  br label %23

23:                                               ; preds = %8, %22
  %24 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %25 = select i1 %24, i32 1, i32 2
  %26 = call i64 @mazurka_print(i32 noundef %25, i8* noundef %1, i64 noundef %2)
  br label %42

27:                                               ; preds = %3
  %28 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %29 = select i1 %28, i32 1, i32 2
  %30 = call i64 @mazurka_print(i32 noundef %29, i8* noundef %1, i64 noundef %2)
  %31 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %32 = load i64, i64* %31, align 8
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %42, label %34

34:                                               ; preds = %27
  %35 = icmp sgt i64 %32, %2
  br i1 %35, label %36, label %41

36:                                               ; preds = %34, %36
  %37 = phi i64 [ %39, %36 ], [ %32, %34 ]
  %38 = call i64 @mazurka_print(i32 noundef %29, i8* noundef getelementptr inbounds ([2 x i8], [2 x i8]* @.str.77, i64 0, i64 0), i64 noundef 1)
  %39 = add nsw i64 %37, -1
  %40 = icmp sgt i64 %39, %2
  br i1 %40, label %36, label %41

41:                                               ; preds = %36, %34
  store i64 0, i64* %31, align 8
  br label %42

42:                                               ; preds = %41, %27, %23
  ret %struct.ostream* %0
}

declare i64 @strlen(i8* noundef) local_unnamed_addr

define weak dso_local %struct.ostream* @_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c(%struct.ostream* noundef %0, i8 noundef signext %1) local_unnamed_addr {
  %3 = alloca i8, align 1
  store i8 %1, i8* %3, align 1
  %4 = call fastcc %struct.ostream* @put_text(%struct.ostream* noundef %0, i8* noundef nonnull %3, i64 noundef 1)
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEi(%struct.ostream* noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 3
  %4 = load i32, i32* %3, align 8
  %5 = and i32 %4, 72
  %6 = icmp eq i32 %5, 0
  %7 = zext i32 %1 to i64
  %8 = sext i32 %1 to i64
  %9 = select i1 %6, i64 %8, i64 %7
  %10 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %11 = select i1 %10, i32 1, i32 2
  %12 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %13 = call i32 @mazurka_print_long(i32 noundef %11, %struct.format* noundef nonnull %12, i64 noundef %9, i32 noundef 1)
  %14 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %15 = load i64, i64* %14, align 8
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %18, label %17

17:                                               ; preds = %2
  store i64 0, i64* %14, align 8
  br label %18

18:                                               ; preds = %2, %17
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEj(%struct.ostream* noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = zext i32 %1 to i64
  %4 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %5 = select i1 %4, i32 1, i32 2
  %6 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %7 = call i32 @mazurka_print_long(i32 noundef %5, %struct.format* noundef nonnull %6, i64 noundef %3, i32 noundef 0)
  %8 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %9 = load i64, i64* %8, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %12, label %11

11:                                               ; preds = %2
  store i64 0, i64* %8, align 8
  br label %12

12:                                               ; preds = %2, %11
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEs(%struct.ostream* noundef %0, i16 noundef signext %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 3
  %4 = load i32, i32* %3, align 8
  %5 = and i32 %4, 72
  %6 = icmp eq i32 %5, 0
  %7 = zext i16 %1 to i64
  %8 = sext i16 %1 to i64
  %9 = select i1 %6, i64 %8, i64 %7
  %10 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %11 = select i1 %10, i32 1, i32 2
  %12 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %13 = call i32 @mazurka_print_long(i32 noundef %11, %struct.format* noundef nonnull %12, i64 noundef %9, i32 noundef 1)
  %14 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %15 = load i64, i64* %14, align 8
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %18, label %17

17:                                               ; preds = %2
  store i64 0, i64* %14, align 8
  br label %18

18:                                               ; preds = %2, %17
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEt(%struct.ostream* noundef %0, i16 noundef zeroext %1) local_unnamed_addr {
  %3 = zext i16 %1 to i64
  %4 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %5 = select i1 %4, i32 1, i32 2
  %6 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %7 = call i32 @mazurka_print_long(i32 noundef %5, %struct.format* noundef nonnull %6, i64 noundef %3, i32 noundef 0)
  %8 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %9 = load i64, i64* %8, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %12, label %11

11:                                               ; preds = %2
  store i64 0, i64* %8, align 8
  br label %12

12:                                               ; preds = %2, %11
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEl(%struct.ostream* noundef %0, i64 noundef %1) local_unnamed_addr {
  %3 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %4 = select i1 %3, i32 1, i32 2
  %5 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %6 = call i32 @mazurka_print_long(i32 noundef %4, %struct.format* noundef nonnull %5, i64 noundef %1, i32 noundef 1)
  %7 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %11, label %10

10:                                               ; preds = %2
  store i64 0, i64* %7, align 8
  br label %11

11:                                               ; preds = %2, %10
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEm(%struct.ostream* noundef %0, i64 noundef %1) local_unnamed_addr {
  %3 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %4 = select i1 %3, i32 1, i32 2
  %5 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %6 = call i32 @mazurka_print_long(i32 noundef %4, %struct.format* noundef nonnull %5, i64 noundef %1, i32 noundef 0)
  %7 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %11, label %10

10:                                               ; preds = %2
  store i64 0, i64* %7, align 8
  br label %11

11:                                               ; preds = %2, %10
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEx(%struct.ostream* noundef %0, i64 noundef %1) local_unnamed_addr {
  %3 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %4 = select i1 %3, i32 1, i32 2
  %5 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %6 = call i32 @mazurka_print_long(i32 noundef %4, %struct.format* noundef nonnull %5, i64 noundef %1, i32 noundef 1)
  %7 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %11, label %10

10:                                               ; preds = %2
  store i64 0, i64* %7, align 8
  br label %11

11:                                               ; preds = %2, %10
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEy(%struct.ostream* noundef %0, i64 noundef %1) local_unnamed_addr {
  %3 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %4 = select i1 %3, i32 1, i32 2
  %5 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %6 = call i32 @mazurka_print_long(i32 noundef %4, %struct.format* noundef nonnull %5, i64 noundef %1, i32 noundef 0)
  %7 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %11, label %10

10:                                               ; preds = %2
  store i64 0, i64* %7, align 8
  br label %11

11:                                               ; preds = %2, %10
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSo9_M_insertIbEERSoT_(%struct.ostream* noundef %0, i1 noundef zeroext %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 3
  %4 = load i32, i32* %3, align 8
  %5 = and i32 %4, 1
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %11, label %7

7:                                                ; preds = %2
  %8 = select i1 %1, i8* getelementptr inbounds ([5 x i8], [5 x i8]* @.str.74, i64 0, i64 0), i8* getelementptr inbounds ([6 x i8], [6 x i8]* @.str.75, i64 0, i64 0)
  %9 = select i1 %1, i64 4, i64 5
  %10 = call fastcc %struct.ostream* @put_text(%struct.ostream* noundef %0, i8* noundef %8, i64 noundef %9)
  br label %21

11:                                               ; preds = %2
  %12 = zext i1 %1 to i64
  %13 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %14 = select i1 %13, i32 1, i32 2
  %15 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %16 = call i32 @mazurka_print_long(i32 noundef %14, %struct.format* noundef nonnull %15, i64 noundef %12, i32 noundef 0)
  %17 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %18 = load i64, i64* %17, align 8
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %21, label %20

20:                                               ; preds = %11
  store i64 0, i64* %17, align 8
  br label %21

21:                                               ; preds = %20, %11, %7
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEb(%struct.ostream* noundef %0, i1 noundef zeroext %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 3
  %4 = load i32, i32* %3, align 8
  %5 = and i32 %4, 1
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %11, label %7

7:                                                ; preds = %2
  %8 = select i1 %1, i8* getelementptr inbounds ([5 x i8], [5 x i8]* @.str.74, i64 0, i64 0), i8* getelementptr inbounds ([6 x i8], [6 x i8]* @.str.75, i64 0, i64 0)
  %9 = select i1 %1, i64 4, i64 5
  %10 = call fastcc %struct.ostream* @put_text(%struct.ostream* noundef %0, i8* noundef %8, i64 noundef %9)
  br label %21

11:                                               ; preds = %2
  %12 = zext i1 %1 to i64
  %13 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %14 = select i1 %13, i32 1, i32 2
  %15 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %16 = call i32 @mazurka_print_long(i32 noundef %14, %struct.format* noundef nonnull %15, i64 noundef %12, i32 noundef 0)
  %17 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %18 = load i64, i64* %17, align 8
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %21, label %20

20:                                               ; preds = %11
  store i64 0, i64* %17, align 8
  br label %21

21:                                               ; preds = %20, %11, %7
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEd(%struct.ostream* noundef %0, double noundef %1) local_unnamed_addr {
  %3 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %4 = select i1 %3, i32 1, i32 2
  %5 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %6 = call i32 @mazurka_print_double(i32 noundef %4, %struct.format* noundef nonnull %5, double noundef %1)
  %7 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %11, label %10

10:                                               ; preds = %2
  store i64 0, i64* %7, align 8
  br label %11

11:                                               ; preds = %2, %10
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSolsEf(%struct.ostream* noundef %0, float noundef %1) local_unnamed_addr {
  %3 = fpext float %1 to double
  %4 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %5 = select i1 %4, i32 1, i32 2
  %6 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %7 = call i32 @mazurka_print_double(i32 noundef %5, %struct.format* noundef nonnull %6, double noundef %3)
  %8 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  %9 = load i64, i64* %8, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %12, label %11

11:                                               ; preds = %2
  store i64 0, i64* %8, align 8
  br label %12

12:                                               ; preds = %2, %11
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSo3putEc(%struct.ostream* noundef %0, i8 noundef signext %1) local_unnamed_addr {
  %3 = alloca i8, align 1
  store i8 %1, i8* %3, align 1
  %4 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %5 = select i1 %4, i32 1, i32 2
  %6 = call i64 @mazurka_print(i32 noundef %5, i8* noundef nonnull %3, i64 noundef 1)
  ret %struct.ostream* %0
}

declare i64 @mazurka_print(i32 noundef, i8* noundef, i64 noundef) local_unnamed_addr

define weak dso_local %struct.ostream* @_ZNSolsEPFRSoS_E(%struct.ostream* noundef %0, %struct.ostream* (%struct.ostream*)* noundef %1) local_unnamed_addr {
  %3 = call %struct.ostream* %1(%struct.ostream* noundef %0)
  ret %struct.ostream* %3
}

define weak dso_local %struct.ostream* @_ZNSolsEPFRSt8ios_baseS0_E(%struct.ostream* noundef %0, i8* (%struct.format*)* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1
  %4 = call i8* %1(%struct.format* noundef nonnull %3)
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St5_Setw(%struct.ostream* noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = sext i32 %1 to i64
  %4 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 2
  store i64 %3, i64* %4, align 8
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St13_Setprecision(%struct.ostream* noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = sext i32 %1 to i64
  %4 = getelementptr inbounds %struct.ostream, %struct.ostream* %0, i64 0, i32 1, i32 1
  store i64 %3, i64* %4, align 8
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(%struct.ostream* noundef %0, i8* noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = call fastcc %struct.ostream* @put_text(%struct.ostream* noundef %0, i8* noundef %1, i64 noundef %2)
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSo5writeEPKcl(%struct.ostream* noundef %0, i8* noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %5 = select i1 %4, i32 1, i32 2
  %6 = call i64 @mazurka_print(i32 noundef %5, i8* noundef %1, i64 noundef %2)
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE(%struct.ostream* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = bitcast i8* %1 to i8**
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds i8, i8* %1, i64 8
  %6 = bitcast i8* %5 to i64*
  %7 = load i64, i64* %6, align 8
  %8 = call fastcc %struct.ostream* @put_text(%struct.ostream* noundef %0, i8* noundef %4, i64 noundef %7)
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(%struct.ostream* noundef %0) local_unnamed_addr {
  %2 = icmp eq %struct.ostream* %0, @_ZSt4cout
  %3 = select i1 %2, i32 1, i32 2
  %4 = call i64 @mazurka_print(i32 noundef %3, i8* noundef getelementptr inbounds ([2 x i8], [2 x i8]* @.str.76, i64 0, i64 0), i64 noundef 1)
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(%struct.ostream* noundef %0) local_unnamed_addr {
  ret %struct.ostream* %0
}

define weak dso_local %struct.ostream* @_ZNSo5flushEv(%struct.ostream* noundef %0) local_unnamed_addr {
  ret %struct.ostream* %0
}

define weak dso_local void @_ZNSt10_Sp_lockerC1EPKvS1_(%struct.locker* noundef %0, i8* noundef %1, i8* noundef %2) local_unnamed_addr {
  %4 = ptrtoint i8* %1 to i64
  %5 = trunc i64 %4 to i32
  %6 = lshr i32 %5, 4
  %7 = ptrtoint i8* %2 to i64
  %8 = trunc i64 %7 to i32
  %9 = lshr i32 %8, 4
  %10 = and i32 %6, 15
  %11 = and i32 %9, 15
  %12 = icmp ult i32 %10, %11
  %13 = select i1 %12, i32 %10, i32 %11
  %14 = trunc i32 %13 to i8
  %15 = getelementptr inbounds %struct.locker, %struct.locker* %0, i64 0, i32 0
  store i8 %14, i8* %15, align 1
  %16 = select i1 %12, i32 %11, i32 %10
  %17 = trunc i32 %16 to i8
  %18 = getelementptr inbounds %struct.locker, %struct.locker* %0, i64 0, i32 1
  store i8 %17, i8* %18, align 1
  %19 = zext i32 %13 to i64
  %20 = getelementptr inbounds [16 x [5 x i64]], [16 x [5 x i64]]* @locks, i64 0, i64 %19, i64 0
  %21 = bitcast i64* %20 to i8*
  %22 = call i32 @pthread_mutex_lock(i8* noundef nonnull %21)
  %23 = load i8, i8* %18, align 1
  %24 = load i8, i8* %15, align 1
  %25 = icmp eq i8 %23, %24
  br i1 %25, label %31, label %26

26:                                               ; preds = %3
  %27 = zext i8 %23 to i64
  %28 = getelementptr inbounds [16 x [5 x i64]], [16 x [5 x i64]]* @locks, i64 0, i64 %27, i64 0
  %29 = bitcast i64* %28 to i8*
  %30 = call i32 @pthread_mutex_lock(i8* noundef nonnull %29)
  br label %31

31:                                               ; preds = %26, %3
  ret void
}

declare i32 @pthread_mutex_lock(i8* noundef) local_unnamed_addr

define weak dso_local void @_ZNSt10_Sp_lockerC1EPKv(%struct.locker* noundef %0, i8* noundef %1) local_unnamed_addr {
  call void @_ZNSt10_Sp_lockerC1EPKvS1_(%struct.locker* noundef %0, i8* noundef %1, i8* noundef %1)
  ret void
}

define weak dso_local void @_ZNSt10_Sp_lockerD1Ev(%struct.locker* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds %struct.locker, %struct.locker* %0, i64 0, i32 1
  %3 = load i8, i8* %2, align 1
  %4 = getelementptr inbounds %struct.locker, %struct.locker* %0, i64 0, i32 0
  %5 = load i8, i8* %4, align 1
  %6 = icmp eq i8 %3, %5
  br i1 %6, label %12, label %7

7:                                                ; preds = %1
  %8 = zext i8 %3 to i64
  %9 = getelementptr inbounds [16 x [5 x i64]], [16 x [5 x i64]]* @locks, i64 0, i64 %8, i64 0
  %10 = bitcast i64* %9 to i8*
  %11 = call i32 @pthread_mutex_unlock(i8* noundef nonnull %10)
  br label %12

12:                                               ; preds = %7, %1
  %13 = load i8, i8* %4, align 1
  %14 = zext i8 %13 to i64
  %15 = getelementptr inbounds [16 x [5 x i64]], [16 x [5 x i64]]* @locks, i64 0, i64 %14, i64 0
  %16 = bitcast i64* %15 to i8*
  %17 = call i32 @pthread_mutex_unlock(i8* noundef nonnull %16)
  ret void
}

declare i32 @pthread_mutex_unlock(i8* noundef) local_unnamed_addr

declare void @__mazurka_time_out(i32 noundef, i64 noundef, i64 noundef) local_unnamed_addr

declare i32 @pthread_once(i32* noundef, void ()* noundef) local_unnamed_addr

define internal void @make_at_thread_exit_key() {
  %1 = call i32 @pthread_key_create(i32* noundef nonnull @at_thread_exit_key, void (i8*)* noundef nonnull @run_at_thread_exit)
  ret void
}

declare i32 @pthread_setspecific(i32 noundef, i8* noundef) local_unnamed_addr

declare i32 @pthread_key_create(i32* noundef, void (i8*)* noundef) local_unnamed_addr

define internal void @run_at_thread_exit(i8* nocapture noundef readnone %0) {
  %2 = load %struct.at_thread_exit*, %struct.at_thread_exit** @at_thread_exit_list, align 8
  %3 = icmp eq %struct.at_thread_exit* %2, null
  br i1 %3, label %15, label %4

4:                                                ; preds = %1, %4
  %5 = phi %struct.at_thread_exit* [ %13, %4 ], [ %2, %1 ]
  %6 = getelementptr inbounds %struct.at_thread_exit, %struct.at_thread_exit* %5, i64 0, i32 0
  %7 = load %struct.at_thread_exit*, %struct.at_thread_exit** %6, align 8
  store %struct.at_thread_exit* %7, %struct.at_thread_exit** @at_thread_exit_list, align 8
  %8 = getelementptr inbounds %struct.at_thread_exit, %struct.at_thread_exit* %5, i64 0, i32 1
  %9 = load void (i8*)*, void (i8*)** %8, align 8
  %10 = getelementptr inbounds %struct.at_thread_exit, %struct.at_thread_exit* %5, i64 0, i32 2
  %11 = load i8*, i8** %10, align 8
  call void %9(i8* noundef %11)
  %12 = bitcast %struct.at_thread_exit* %5 to i8*
  call void @free(i8* noundef nonnull %12)
  %13 = load %struct.at_thread_exit*, %struct.at_thread_exit** @at_thread_exit_list, align 8
  %14 = icmp eq %struct.at_thread_exit* %13, null
  br i1 %14, label %15, label %4

15:                                               ; preds = %4, %1
  %16 = load %struct.at_thread_exit*, %struct.at_thread_exit** @at_thread_end_list, align 8
  %17 = icmp eq %struct.at_thread_exit* %16, null
  br i1 %17, label %29, label %18

18:                                               ; preds = %15, %18
  %19 = phi %struct.at_thread_exit* [ %27, %18 ], [ %16, %15 ]
  %20 = getelementptr inbounds %struct.at_thread_exit, %struct.at_thread_exit* %19, i64 0, i32 0
  %21 = load %struct.at_thread_exit*, %struct.at_thread_exit** %20, align 8
  store %struct.at_thread_exit* %21, %struct.at_thread_exit** @at_thread_end_list, align 8
  %22 = getelementptr inbounds %struct.at_thread_exit, %struct.at_thread_exit* %19, i64 0, i32 1
  %23 = load void (i8*)*, void (i8*)** %22, align 8
  %24 = getelementptr inbounds %struct.at_thread_exit, %struct.at_thread_exit* %19, i64 0, i32 2
  %25 = load i8*, i8** %24, align 8
  call void %23(i8* noundef %25)
  %26 = bitcast %struct.at_thread_exit* %19 to i8*
  call void @free(i8* noundef nonnull %26)
  %27 = load %struct.at_thread_exit*, %struct.at_thread_exit** @at_thread_end_list, align 8
  %28 = icmp eq %struct.at_thread_exit* %27, null
  br i1 %28, label %29, label %18

29:                                               ; preds = %18, %15
  ret void
}

declare void @free(i8* noundef) local_unnamed_addr

declare i32 @mazurka_print_long(i32 noundef, %struct.format* noundef, i64 noundef, i32 noundef) local_unnamed_addr

declare i32 @mazurka_print_double(i32 noundef, %struct.format* noundef, double noundef) local_unnamed_addr



