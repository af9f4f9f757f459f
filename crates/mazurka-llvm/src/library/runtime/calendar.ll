target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.date = type { i32, i32, i32, i32, i32, i32, i32, i32, i32, i64, i8* }
%struct.text = type { i8*, i64, i64 }

@.str = private unnamed_addr constant [4 x i8] c"UTC\00", align 1
@last_date = internal global %struct.date zeroinitializer, align 8
@.str.1 = private unnamed_addr constant [22 x i8] c"%a %b %e %H:%M:%S %Y\0A\00", align 1
@last_text = internal global [32 x i8] zeroinitializer, align 16
@days = internal unnamed_addr constant [7 x i8*] [i8* getelementptr inbounds ([7 x i8], [7 x i8]* @.str.14, i32 0, i32 0), i8* getelementptr inbounds ([7 x i8], [7 x i8]* @.str.15, i32 0, i32 0), i8* getelementptr inbounds ([8 x i8], [8 x i8]* @.str.16, i32 0, i32 0), i8* getelementptr inbounds ([10 x i8], [10 x i8]* @.str.17, i32 0, i32 0), i8* getelementptr inbounds ([9 x i8], [9 x i8]* @.str.18, i32 0, i32 0), i8* getelementptr inbounds ([7 x i8], [7 x i8]* @.str.19, i32 0, i32 0), i8* getelementptr inbounds ([9 x i8], [9 x i8]* @.str.20, i32 0, i32 0)], align 16
@months = internal unnamed_addr constant [12 x i8*] [i8* getelementptr inbounds ([8 x i8], [8 x i8]* @.str.21, i32 0, i32 0), i8* getelementptr inbounds ([9 x i8], [9 x i8]* @.str.22, i32 0, i32 0), i8* getelementptr inbounds ([6 x i8], [6 x i8]* @.str.23, i32 0, i32 0), i8* getelementptr inbounds ([6 x i8], [6 x i8]* @.str.24, i32 0, i32 0), i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str.25, i32 0, i32 0), i8* getelementptr inbounds ([5 x i8], [5 x i8]* @.str.26, i32 0, i32 0), i8* getelementptr inbounds ([5 x i8], [5 x i8]* @.str.27, i32 0, i32 0), i8* getelementptr inbounds ([7 x i8], [7 x i8]* @.str.28, i32 0, i32 0), i8* getelementptr inbounds ([10 x i8], [10 x i8]* @.str.29, i32 0, i32 0), i8* getelementptr inbounds ([8 x i8], [8 x i8]* @.str.30, i32 0, i32 0), i8* getelementptr inbounds ([9 x i8], [9 x i8]* @.str.31, i32 0, i32 0), i8* getelementptr inbounds ([9 x i8], [9 x i8]* @.str.32, i32 0, i32 0)], align 16
@.str.2 = private unnamed_addr constant [21 x i8] c"%a %b %e %H:%M:%S %Y\00", align 1
@.str.3 = private unnamed_addr constant [9 x i8] c"%m/%d/%y\00", align 1
@.str.4 = private unnamed_addr constant [9 x i8] c"%Y-%m-%d\00", align 1
@.str.5 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@.str.6 = private unnamed_addr constant [3 x i8] c"AM\00", align 1
@.str.7 = private unnamed_addr constant [3 x i8] c"PM\00", align 1
@.str.8 = private unnamed_addr constant [12 x i8] c"%I:%M:%S %p\00", align 1
@.str.9 = private unnamed_addr constant [6 x i8] c"%H:%M\00", align 1
@.str.10 = private unnamed_addr constant [2 x i8] c"\09\00", align 1
@.str.11 = private unnamed_addr constant [9 x i8] c"%H:%M:%S\00", align 1
@.str.12 = private unnamed_addr constant [6 x i8] c"+0000\00", align 1
@.str.13 = private unnamed_addr constant [2 x i8] c"%\00", align 1
@.str.14 = private unnamed_addr constant [7 x i8] c"Sunday\00", align 1
@.str.15 = private unnamed_addr constant [7 x i8] c"Monday\00", align 1
@.str.16 = private unnamed_addr constant [8 x i8] c"Tuesday\00", align 1
@.str.17 = private unnamed_addr constant [10 x i8] c"Wednesday\00", align 1
@.str.18 = private unnamed_addr constant [9 x i8] c"Thursday\00", align 1
@.str.19 = private unnamed_addr constant [7 x i8] c"Friday\00", align 1
@.str.20 = private unnamed_addr constant [9 x i8] c"Saturday\00", align 1
@.str.21 = private unnamed_addr constant [8 x i8] c"January\00", align 1
@.str.22 = private unnamed_addr constant [9 x i8] c"February\00", align 1
@.str.23 = private unnamed_addr constant [6 x i8] c"March\00", align 1
@.str.24 = private unnamed_addr constant [6 x i8] c"April\00", align 1
@.str.25 = private unnamed_addr constant [4 x i8] c"May\00", align 1
@.str.26 = private unnamed_addr constant [5 x i8] c"June\00", align 1
@.str.27 = private unnamed_addr constant [5 x i8] c"July\00", align 1
@.str.28 = private unnamed_addr constant [7 x i8] c"August\00", align 1
@.str.29 = private unnamed_addr constant [10 x i8] c"September\00", align 1
@.str.30 = private unnamed_addr constant [8 x i8] c"October\00", align 1
@.str.31 = private unnamed_addr constant [9 x i8] c"November\00", align 1
@.str.32 = private unnamed_addr constant [9 x i8] c"December\00", align 1

define weak dso_local %struct.date* @gmtime_r(i64* noundef %0, %struct.date* noundef %1) local_unnamed_addr {
  %3 = load i64, i64* %0, align 8
  %4 = sdiv i64 %3, 86400
  %5 = srem i64 %3, 86400
  %6 = icmp slt i64 %5, 0
  %7 = add nsw i64 %5, 86400
  %8 = ashr i64 %5, 63
  %9 = add nsw i64 %8, %4
  %10 = select i1 %6, i64 %7, i64 %5
  %11 = srem i64 %10, 60
  %12 = trunc i64 %11 to i32
  %13 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 0
  store i32 %12, i32* %13, align 8
  %14 = sdiv i64 %10, 60
  %15 = srem i64 %14, 60
  %16 = trunc i64 %15 to i32
  %17 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 1
  store i32 %16, i32* %17, align 4
  %18 = sdiv i64 %10, 3600
  %19 = trunc i64 %18 to i32
  %20 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 2
  store i32 %19, i32* %20, align 8
  %21 = add nsw i64 %9, 4
  %22 = srem i64 %21, 7
  %23 = add nsw i64 %22, 7
  %24 = srem i64 %23, 7
  %25 = trunc i64 %24 to i32
  %26 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 6
  store i32 %25, i32* %26, align 8
  %27 = sdiv i64 %9, 366
  %28 = add nsw i64 %27, 1970
  br label %29

29:                                               ; preds = %29, %2
  %30 = phi i64 [ %28, %2 ], [ %31, %29 ]
  %31 = add nsw i64 %30, -1
  %32 = sdiv i64 %31, 4
  %33 = sdiv i64 %31, -100
  %34 = sdiv i64 %31, 400
  %35 = mul i64 %30, 365
  %36 = add i64 %35, -719527
  %37 = add i64 %36, %32
  %38 = add i64 %37, %33
  %39 = add i64 %38, %34
  %40 = icmp sgt i64 %39, %9
  br i1 %40, label %29, label %41

41:                                               ; preds = %29, %41
  %42 = phi i64 [ %43, %41 ], [ %30, %29 ]
  %43 = add nsw i64 %42, 1
  %44 = sdiv i64 %42, 4
  %45 = sdiv i64 %42, -100
  %46 = sdiv i64 %42, 400
  %47 = srem i64 %42, 400
  %48 = mul i64 %43, 365
  %49 = add nsw i64 %44, -719527
  %50 = add i64 %49, %45
  %51 = add i64 %50, %46
  %52 = add i64 %51, %48
  %53 = icmp sgt i64 %52, %9
  br i1 %53, label %54, label %41

54:                                               ; preds = %41
  %55 = add nsw i64 %42, -1
  %56 = sdiv i64 %55, -4
  %57 = sdiv i64 %55, 100
  %58 = sdiv i64 %55, -400
  %59 = mul i64 %42, -365
  %60 = add nsw i64 %9, 719527
  %61 = add i64 %60, %59
  %62 = add i64 %61, %56
  %63 = add i64 %62, %57
  %64 = add i64 %63, %58
  %65 = trunc i64 %64 to i32
  %66 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 7
  store i32 %65, i32* %66, align 4
  %67 = and i64 %42, 3
  %68 = icmp ne i64 %67, 0
  %69 = srem i64 %42, 100
  %70 = icmp eq i64 %69, 0
  %71 = or i1 %68, %70
  %72 = srem i64 %42, 400
  %73 = icmp eq i64 %72, 0
  %74 = select i1 %73, i32 29, i32 28
  %75 = and i64 %42, 3
  %76 = icmp ne i64 %75, 0
  %77 = srem i64 %42, 100
  %78 = icmp eq i64 %77, 0
  %79 = or i1 %76, %78
  %80 = icmp eq i64 %47, 0
  %81 = select i1 %80, i32 29, i32 28
  %82 = select i1 %71, i32 %74, i32 29
  %83 = select i1 %79, i32 %81, i32 29
  br label %84

84:                                               ; preds = %106, %54
  %85 = phi i64 [ %64, %54 ], [ %109, %106 ]
  %86 = phi i32 [ 0, %54 ], [ %99, %106 ]
  %87 = icmp eq i32 %86, 1
  br i1 %87, label %94, label %88

88:                                               ; preds = %84
  %89 = icmp ugt i32 %86, 6
  %90 = zext i1 %89 to i32
  %91 = add nuw nsw i32 %86, %90
  %92 = and i32 %91, 1
  %93 = xor i32 %92, 31
  br label %94

94:                                               ; preds = %84, %88
  %95 = phi i32 [ %93, %88 ], [ %82, %84 ]
  %96 = zext i32 %95 to i64
  %97 = icmp slt i64 %85, %96
  br i1 %97, label %110, label %98

98:                                               ; preds = %94
  %99 = add nuw nsw i32 %86, 1
  br i1 %87, label %106, label %100

100:                                              ; preds = %98
  %101 = icmp ugt i32 %86, 6
  %102 = zext i1 %101 to i32
  %103 = add nuw nsw i32 %86, %102
  %104 = and i32 %103, 1
  %105 = xor i32 %104, 31
  br label %106

106:                                              ; preds = %98, %100
  %107 = phi i32 [ %105, %100 ], [ %83, %98 ]
  %108 = zext i32 %107 to i64
  %109 = sub nsw i64 %85, %108
  br label %84

110:                                              ; preds = %94
  %111 = trunc i64 %85 to i32
  %112 = add i32 %111, 1
  %113 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 3
  store i32 %112, i32* %113, align 4
  %114 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 4
  store i32 %86, i32* %114, align 8
  %115 = trunc i64 %42 to i32
  %116 = add i32 %115, -1900
  %117 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 5
  store i32 %116, i32* %117, align 4
  %118 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 8
  store i32 0, i32* %118, align 8
  %119 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 9
  store i64 0, i64* %119, align 8
  %120 = getelementptr inbounds %struct.date, %struct.date* %1, i64 0, i32 10
  store i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i64 0, i64 0), i8** %120, align 8
  ret %struct.date* %1
}

declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture)

declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture)

define weak dso_local %struct.date* @localtime_r(i64* noundef %0, %struct.date* noundef %1) local_unnamed_addr {
  %3 = call %struct.date* @gmtime_r(i64* noundef %0, %struct.date* noundef %1)
  ret %struct.date* %3
}

define weak dso_local %struct.date* @gmtime(i64* noundef %0) local_unnamed_addr {
  %2 = call %struct.date* @gmtime_r(i64* noundef %0, %struct.date* noundef nonnull @last_date)
  ret %struct.date* %2
}

define weak dso_local %struct.date* @localtime(i64* noundef %0) local_unnamed_addr {
  %2 = call %struct.date* @gmtime_r(i64* noundef %0, %struct.date* noundef nonnull @last_date)
  ret %struct.date* %2
}

define weak dso_local i64 @timegm(%struct.date* noundef %0) local_unnamed_addr {
  %2 = alloca i64, align 8
  %3 = getelementptr inbounds %struct.date, %struct.date* %0, i64 0, i32 5
  %4 = load i32, i32* %3, align 4
  %5 = sext i32 %4 to i64
  %6 = mul nsw i64 %5, 12
  %7 = getelementptr inbounds %struct.date, %struct.date* %0, i64 0, i32 4
  %8 = load i32, i32* %7, align 8
  %9 = sext i32 %8 to i64
  %10 = add nsw i64 %6, %9
  %11 = icmp sgt i64 %10, -1
  br i1 %11, label %12, label %14

12:                                               ; preds = %1
  %13 = sdiv i64 %10, 12
  br label %17

14:                                               ; preds = %1
  %15 = sub nsw i64 11, %10
  %16 = sdiv i64 %15, -12
  br label %17

17:                                               ; preds = %14, %12
  %18 = phi i64 [ %13, %12 ], [ %16, %14 ]
  %19 = add nsw i64 %18, 1900
  %20 = mul i64 %18, -12
  %21 = add i64 %20, %10
  %22 = trunc i64 %21 to i32
  %23 = add nsw i64 %18, 1899
  %24 = sdiv i64 %23, 4
  %25 = sdiv i64 %23, -100
  %26 = sdiv i64 %23, 400
  %27 = mul i64 %19, 365
  %28 = getelementptr inbounds %struct.date, %struct.date* %0, i64 0, i32 3
  %29 = load i32, i32* %28, align 4
  %30 = sext i32 %29 to i64
  %31 = add i64 %27, -719528
  %32 = add i64 %31, %24
  %33 = add i64 %32, %25
  %34 = add i64 %33, %26
  %35 = add i64 %34, %30
  %36 = icmp sgt i32 %22, 0
  br i1 %36, label %37, label %47

37:                                               ; preds = %17
  %38 = and i64 %18, 3
  %39 = icmp ne i64 %38, 0
  %40 = srem i64 %19, 100
  %41 = icmp eq i64 %40, 0
  %42 = or i1 %39, %41
  %43 = srem i64 %19, 400
  %44 = icmp eq i64 %43, 0
  %45 = select i1 %44, i32 29, i32 28
  %46 = select i1 %42, i32 %45, i32 29
  br label %67

47:                                               ; preds = %77, %17
  %48 = phi i64 [ %35, %17 ], [ %80, %77 ]
  %49 = bitcast i64* %2 to i8*
  call void @llvm.lifetime.start.p0i8(i64 8, i8* nonnull %49)
  %50 = mul nsw i64 %48, 24
  %51 = getelementptr inbounds %struct.date, %struct.date* %0, i64 0, i32 2
  %52 = load i32, i32* %51, align 8
  %53 = sext i32 %52 to i64
  %54 = add nsw i64 %50, %53
  %55 = mul nsw i64 %54, 60
  %56 = getelementptr inbounds %struct.date, %struct.date* %0, i64 0, i32 1
  %57 = load i32, i32* %56, align 4
  %58 = sext i32 %57 to i64
  %59 = add nsw i64 %55, %58
  %60 = mul nsw i64 %59, 60
  %61 = getelementptr inbounds %struct.date, %struct.date* %0, i64 0, i32 0
  %62 = load i32, i32* %61, align 8
  %63 = sext i32 %62 to i64
  %64 = add nsw i64 %60, %63
  store i64 %64, i64* %2, align 8
  %65 = call %struct.date* @gmtime_r(i64* noundef nonnull %2, %struct.date* noundef %0)
  %66 = load i64, i64* %2, align 8
  call void @llvm.lifetime.end.p0i8(i64 8, i8* nonnull %49)
  ret i64 %66

67:                                               ; preds = %37, %77
  %68 = phi i32 [ 0, %37 ], [ %81, %77 ]
  %69 = phi i64 [ %35, %37 ], [ %80, %77 ]
  %70 = icmp eq i32 %68, 1
  br i1 %70, label %77, label %71

71:                                               ; preds = %67
  %72 = icmp ugt i32 %68, 6
  %73 = zext i1 %72 to i32
  %74 = add nuw nsw i32 %68, %73
  %75 = and i32 %74, 1
  %76 = xor i32 %75, 31
  br label %77

77:                                               ; preds = %67, %71
  %78 = phi i32 [ %76, %71 ], [ %46, %67 ]
  %79 = zext i32 %78 to i64
  %80 = add nsw i64 %69, %79
  %81 = add nuw nsw i32 %68, 1
  %82 = icmp slt i32 %81, %22
  br i1 %82, label %67, label %47
}

define weak dso_local i64 @mktime(%struct.date* noundef %0) local_unnamed_addr {
  %2 = call i64 @timegm(%struct.date* noundef %0)
  ret i64 %2
}

define weak dso_local void @tzset() local_unnamed_addr {
  ret void
}

define weak dso_local i64 @strftime(i8* noundef %0, i64 noundef %1, i8* noundef %2, %struct.date* noundef %3) local_unnamed_addr {
  %5 = alloca %struct.text, align 8
  %6 = bitcast %struct.text* %5 to i8*
  call void @llvm.lifetime.start.p0i8(i64 24, i8* nonnull %6)
  %7 = getelementptr inbounds %struct.text, %struct.text* %5, i64 0, i32 0
  store i8* %0, i8** %7, align 8
  %8 = getelementptr inbounds %struct.text, %struct.text* %5, i64 0, i32 1
  store i64 %1, i64* %8, align 8
  %9 = getelementptr inbounds %struct.text, %struct.text* %5, i64 0, i32 2
  store i64 0, i64* %9, align 8
  call fastcc void @format(%struct.text* noundef nonnull %5, i8* noundef %2, %struct.date* noundef %3)
  %10 = load i64, i64* %9, align 8
  %11 = icmp ult i64 %10, %1
  br i1 %11, label %12, label %14

12:                                               ; preds = %4
  %13 = getelementptr inbounds i8, i8* %0, i64 %10
  store i8 0, i8* %13, align 1
  br label %14

14:                                               ; preds = %4, %12
  %15 = phi i64 [ %10, %12 ], [ 0, %4 ]
  call void @llvm.lifetime.end.p0i8(i64 24, i8* nonnull %6)
  ret i64 %15
}

define internal fastcc void @format(%struct.text* noundef %0, i8* nocapture noundef readonly %1, %struct.date* noundef %2) unnamed_addr {
  %4 = alloca [2 x i8], align 1
  %5 = alloca %struct.date, align 8
  %6 = alloca [3 x i8], align 1
  %7 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 2
  %8 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 5
  %9 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 7
  %10 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 6
  %11 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 6
  %12 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 7
  %13 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 6
  %14 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 6
  %15 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 0
  %16 = bitcast %struct.date* %5 to i8*
  %17 = bitcast %struct.date* %2 to i8*
  %18 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 1
  %19 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 4
  %20 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 7
  %21 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 3
  %22 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 3
  %23 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 4
  %24 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 4
  %25 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 6
  %26 = getelementptr inbounds %struct.date, %struct.date* %2, i64 0, i32 6
  %27 = getelementptr inbounds [3 x i8], [3 x i8]* %6, i64 0, i64 0
  %28 = getelementptr inbounds [3 x i8], [3 x i8]* %6, i64 0, i64 1
  %29 = getelementptr inbounds [3 x i8], [3 x i8]* %6, i64 0, i64 2
  %30 = getelementptr inbounds [2 x i8], [2 x i8]* %4, i64 0, i64 0
  %31 = getelementptr inbounds [2 x i8], [2 x i8]* %4, i64 0, i64 1
  br label %32

32:                                               ; preds = %142, %3
  %33 = phi i8* [ %1, %3 ], [ %144, %142 ]
  %34 = load i8, i8* %33, align 1
  switch i8 %34, label %35 [
    i8 0, label %145
    i8 37, label %37
  ]

35:                                               ; preds = %32
  call void @llvm.lifetime.start.p0i8(i64 2, i8* nonnull %30)
  %36 = load i8, i8* %33, align 1
  store i8 %36, i8* %30, align 1
  store i8 0, i8* %31, align 1
  call fastcc void @add(%struct.text* noundef %0, i8* noundef nonnull %30)
  call void @llvm.lifetime.end.p0i8(i64 2, i8* nonnull %30)
  br label %142

37:                                               ; preds = %32, %41
  %38 = phi i8* [ %39, %41 ], [ %33, %32 ]
  %39 = getelementptr inbounds i8, i8* %38, i64 1
  %40 = load i8, i8* %39, align 1
  switch i8 %40, label %42 [
    i8 69, label %41
    i8 79, label %41
  ]

41:                                               ; preds = %37, %37
  br label %37

42:                                               ; preds = %37
  %43 = load i32, i32* %7, align 8
  %44 = srem i32 %43, 12
  %45 = load i32, i32* %8, align 4
  %46 = sext i32 %45 to i64
  %47 = add nsw i64 %46, 1900
  %48 = sext i8 %40 to i32
  switch i32 %48, label %140 [
    i32 0, label %145
    i32 97, label %49
    i32 65, label %54
    i32 98, label %59
    i32 104, label %59
    i32 66, label %64
    i32 99, label %69
    i32 67, label %70
    i32 100, label %72
    i32 68, label %75
    i32 120, label %75
    i32 101, label %76
    i32 70, label %79
    i32 72, label %80
    i32 73, label %82
    i32 106, label %86
    i32 109, label %90
    i32 77, label %94
    i32 110, label %97
    i32 112, label %98
    i32 114, label %101
    i32 82, label %102
    i32 115, label %103
    i32 83, label %105
    i32 116, label %108
    i32 84, label %109
    i32 88, label %109
    i32 117, label %110
    i32 85, label %115
    i32 119, label %122
    i32 87, label %125
    i32 121, label %134
    i32 89, label %136
    i32 122, label %137
    i32 90, label %138
    i32 37, label %139
  ]

49:                                               ; preds = %42
  %50 = load i32, i32* %26, align 8
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [7 x i8*], [7 x i8*]* @days, i64 0, i64 %51
  %53 = load i8*, i8** %52, align 8
  call fastcc void @add_start(%struct.text* noundef %0, i8* noundef %53)
  br label %142

54:                                               ; preds = %42
  %55 = load i32, i32* %25, align 8
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [7 x i8*], [7 x i8*]* @days, i64 0, i64 %56
  %58 = load i8*, i8** %57, align 8
  call fastcc void @add(%struct.text* noundef %0, i8* noundef %58)
  br label %142

59:                                               ; preds = %42, %42
  %60 = load i32, i32* %24, align 8
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [12 x i8*], [12 x i8*]* @months, i64 0, i64 %61
  %63 = load i8*, i8** %62, align 8
  call fastcc void @add_start(%struct.text* noundef %0, i8* noundef %63)
  br label %142

64:                                               ; preds = %42
  %65 = load i32, i32* %23, align 8
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds [12 x i8*], [12 x i8*]* @months, i64 0, i64 %66
  %68 = load i8*, i8** %67, align 8
  call fastcc void @add(%struct.text* noundef %0, i8* noundef %68)
  br label %142

69:                                               ; preds = %42
  call fastcc void @format(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([21 x i8], [21 x i8]* @.str.2, i64 0, i64 0), %struct.date* noundef %2)
  br label %142

70:                                               ; preds = %42
  %71 = sdiv i64 %47, 100
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %71, i32 noundef 2, i8 noundef signext 48)
  br label %142

72:                                               ; preds = %42
  %73 = load i32, i32* %22, align 4
  %74 = sext i32 %73 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %74, i32 noundef 2, i8 noundef signext 48)
  br label %142

75:                                               ; preds = %42, %42
  call fastcc void @format(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([9 x i8], [9 x i8]* @.str.3, i64 0, i64 0), %struct.date* noundef %2)
  br label %142

76:                                               ; preds = %42
  %77 = load i32, i32* %21, align 4
  %78 = sext i32 %77 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %78, i32 noundef 2, i8 noundef signext 32)
  br label %142

79:                                               ; preds = %42
  call fastcc void @format(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([9 x i8], [9 x i8]* @.str.4, i64 0, i64 0), %struct.date* noundef %2)
  br label %142

80:                                               ; preds = %42
  %81 = sext i32 %43 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %81, i32 noundef 2, i8 noundef signext 48)
  br label %142

82:                                               ; preds = %42
  %83 = icmp eq i32 %44, 0
  %84 = select i1 %83, i32 12, i32 %44
  %85 = sext i32 %84 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %85, i32 noundef 2, i8 noundef signext 48)
  br label %142

86:                                               ; preds = %42
  %87 = load i32, i32* %20, align 4
  %88 = add nsw i32 %87, 1
  %89 = sext i32 %88 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %89, i32 noundef 3, i8 noundef signext 48)
  br label %142

90:                                               ; preds = %42
  %91 = load i32, i32* %19, align 8
  %92 = add nsw i32 %91, 1
  %93 = sext i32 %92 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %93, i32 noundef 2, i8 noundef signext 48)
  br label %142

94:                                               ; preds = %42
  %95 = load i32, i32* %18, align 4
  %96 = sext i32 %95 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %96, i32 noundef 2, i8 noundef signext 48)
  br label %142

97:                                               ; preds = %42
  call fastcc void @add(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([2 x i8], [2 x i8]* @.str.5, i64 0, i64 0))
  br label %142

98:                                               ; preds = %42
  %99 = icmp slt i32 %43, 12
  %100 = select i1 %99, i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.6, i64 0, i64 0), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.7, i64 0, i64 0)
  call fastcc void @add(%struct.text* noundef %0, i8* noundef %100)
  br label %142

101:                                              ; preds = %42
  call fastcc void @format(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([12 x i8], [12 x i8]* @.str.8, i64 0, i64 0), %struct.date* noundef %2)
  br label %142

102:                                              ; preds = %42
  call fastcc void @format(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([6 x i8], [6 x i8]* @.str.9, i64 0, i64 0), %struct.date* noundef %2)
  br label %142

103:                                              ; preds = %42
  call void @llvm.lifetime.start.p0i8(i64 56, i8* nonnull %16)
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* noundef nonnull align 8 dereferenceable(56) %16, i8* noundef nonnull align 8 dereferenceable(56) %17, i64 56, i1 false)
  %104 = call i64 @timegm(%struct.date* noundef nonnull %5)
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %104, i32 noundef 1, i8 noundef signext 48)
  call void @llvm.lifetime.end.p0i8(i64 56, i8* nonnull %16)
  br label %142

105:                                              ; preds = %42
  %106 = load i32, i32* %15, align 8
  %107 = sext i32 %106 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %107, i32 noundef 2, i8 noundef signext 48)
  br label %142

108:                                              ; preds = %42
  call fastcc void @add(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([2 x i8], [2 x i8]* @.str.10, i64 0, i64 0))
  br label %142

109:                                              ; preds = %42, %42
  call fastcc void @format(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([9 x i8], [9 x i8]* @.str.11, i64 0, i64 0), %struct.date* noundef %2)
  br label %142

110:                                              ; preds = %42
  %111 = load i32, i32* %14, align 8
  %112 = icmp eq i32 %111, 0
  %113 = select i1 %112, i32 7, i32 %111
  %114 = sext i32 %113 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %114, i32 noundef 1, i8 noundef signext 48)
  br label %142

115:                                              ; preds = %42
  %116 = load i32, i32* %12, align 4
  %117 = add nsw i32 %116, 7
  %118 = load i32, i32* %13, align 8
  %119 = sub i32 %117, %118
  %120 = sdiv i32 %119, 7
  %121 = sext i32 %120 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %121, i32 noundef 2, i8 noundef signext 48)
  br label %142

122:                                              ; preds = %42
  %123 = load i32, i32* %11, align 8
  %124 = sext i32 %123 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %124, i32 noundef 1, i8 noundef signext 48)
  br label %142

125:                                              ; preds = %42
  %126 = load i32, i32* %9, align 4
  %127 = add nsw i32 %126, 7
  %128 = load i32, i32* %10, align 8
  %129 = add nsw i32 %128, 6
  %130 = srem i32 %129, 7
  %131 = sub i32 %127, %130
  %132 = sdiv i32 %131, 7
  %133 = sext i32 %132 to i64
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %133, i32 noundef 2, i8 noundef signext 48)
  br label %142

134:                                              ; preds = %42
  %135 = srem i64 %47, 100
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %135, i32 noundef 2, i8 noundef signext 48)
  br label %142

136:                                              ; preds = %42
  call fastcc void @number(%struct.text* noundef %0, i64 noundef %47, i32 noundef 1, i8 noundef signext 48)
  br label %142

137:                                              ; preds = %42
  call fastcc void @add(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([6 x i8], [6 x i8]* @.str.12, i64 0, i64 0))
  br label %142

138:                                              ; preds = %42
  call fastcc void @add(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i64 0, i64 0))
  br label %142

139:                                              ; preds = %42
  call fastcc void @add(%struct.text* noundef %0, i8* noundef getelementptr inbounds ([2 x i8], [2 x i8]* @.str.13, i64 0, i64 0))
  br label %142

140:                                              ; preds = %42
  call void @llvm.lifetime.start.p0i8(i64 3, i8* nonnull %27)
  store i8 37, i8* %27, align 1
  %141 = load i8, i8* %39, align 1
  store i8 %141, i8* %28, align 1
  store i8 0, i8* %29, align 1
  call fastcc void @add(%struct.text* noundef %0, i8* noundef nonnull %27)
  call void @llvm.lifetime.end.p0i8(i64 3, i8* nonnull %27)
  br label %142

142:                                              ; preds = %140, %139, %138, %137, %136, %134, %125, %122, %115, %110, %109, %108, %105, %103, %102, %101, %98, %97, %94, %90, %86, %82, %80, %79, %76, %75, %72, %70, %69, %64, %59, %54, %49, %35
  %143 = phi i8* [ %33, %35 ], [ %39, %49 ], [ %39, %54 ], [ %39, %59 ], [ %39, %64 ], [ %39, %69 ], [ %39, %70 ], [ %39, %72 ], [ %39, %75 ], [ %39, %76 ], [ %39, %79 ], [ %39, %80 ], [ %39, %82 ], [ %39, %86 ], [ %39, %90 ], [ %39, %94 ], [ %39, %97 ], [ %39, %98 ], [ %39, %101 ], [ %39, %102 ], [ %39, %103 ], [ %39, %105 ], [ %39, %108 ], [ %39, %109 ], [ %39, %110 ], [ %39, %115 ], [ %39, %122 ], [ %39, %125 ], [ %39, %134 ], [ %39, %136 ], [ %39, %137 ], [ %39, %138 ], [ %39, %139 ], [ %39, %140 ]
  %144 = getelementptr inbounds i8, i8* %143, i64 1
  br label %32

145:                                              ; preds = %42, %32
  ret void
}

define weak dso_local i8* @asctime_r(%struct.date* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = call i64 @strftime(i8* noundef %1, i64 noundef 26, i8* noundef getelementptr inbounds ([22 x i8], [22 x i8]* @.str.1, i64 0, i64 0), %struct.date* noundef %0)
  ret i8* %1
}

define weak dso_local i8* @asctime(%struct.date* noundef %0) local_unnamed_addr {
  %2 = call i8* @asctime_r(%struct.date* noundef %0, i8* noundef getelementptr inbounds ([32 x i8], [32 x i8]* @last_text, i64 0, i64 0))
  ret i8* %2
}

define weak dso_local i8* @ctime_r(i64* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = alloca %struct.date, align 8
  %4 = bitcast %struct.date* %3 to i8*
  call void @llvm.lifetime.start.p0i8(i64 56, i8* nonnull %4)
  %5 = call %struct.date* @gmtime_r(i64* noundef %0, %struct.date* noundef nonnull %3)
  %6 = call i8* @asctime_r(%struct.date* noundef %5, i8* noundef %1)
  call void @llvm.lifetime.end.p0i8(i64 56, i8* nonnull %4)
  ret i8* %6
}

define weak dso_local i8* @ctime(i64* noundef %0) local_unnamed_addr {
  %2 = call i8* @ctime_r(i64* noundef %0, i8* noundef getelementptr inbounds ([32 x i8], [32 x i8]* @last_text, i64 0, i64 0))
  ret i8* %2
}

define internal fastcc void @add(%struct.text* nocapture noundef %0, i8* nocapture noundef readonly %1) unnamed_addr {
  %3 = load i8, i8* %1, align 1
  %4 = icmp eq i8 %3, 0
  br i1 %4, label %24, label %5

5:                                                ; preds = %2
  %6 = getelementptr inbounds %struct.text, %struct.text* %0, i64 0, i32 2
  %7 = getelementptr inbounds %struct.text, %struct.text* %0, i64 0, i32 1
  %8 = getelementptr inbounds %struct.text, %struct.text* %0, i64 0, i32 0
  br label %9

9:                                                ; preds = %5, %18
  %10 = phi i8 [ %3, %5 ], [ %22, %18 ]
  %11 = phi i8* [ %1, %5 ], [ %19, %18 ]
  %12 = load i64, i64* %6, align 8
  %13 = load i64, i64* %7, align 8
  %14 = icmp ult i64 %12, %13
  br i1 %14, label %15, label %18

15:                                               ; preds = %9
  %16 = load i8*, i8** %8, align 8
  %17 = getelementptr inbounds i8, i8* %16, i64 %12
  store i8 %10, i8* %17, align 1
  br label %18

18:                                               ; preds = %9, %15
  %19 = getelementptr inbounds i8, i8* %11, i64 1
  %20 = load i64, i64* %6, align 8
  %21 = add i64 %20, 1
  store i64 %21, i64* %6, align 8
  %22 = load i8, i8* %19, align 1
  %23 = icmp eq i8 %22, 0
  br i1 %23, label %24, label %9

24:                                               ; preds = %18, %2
  ret void
}

define internal fastcc void @add_start(%struct.text* nocapture noundef %0, i8* nocapture noundef readonly %1) unnamed_addr {
  %3 = alloca [4 x i8], align 1
  %4 = getelementptr inbounds [4 x i8], [4 x i8]* %3, i64 0, i64 0
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %4)
  %5 = load i8, i8* %1, align 1
  store i8 %5, i8* %4, align 1
  %6 = getelementptr inbounds [4 x i8], [4 x i8]* %3, i64 0, i64 1
  %7 = getelementptr inbounds i8, i8* %1, i64 1
  %8 = load i8, i8* %7, align 1
  store i8 %8, i8* %6, align 1
  %9 = getelementptr inbounds [4 x i8], [4 x i8]* %3, i64 0, i64 2
  %10 = getelementptr inbounds i8, i8* %1, i64 2
  %11 = load i8, i8* %10, align 1
  store i8 %11, i8* %9, align 1
  %12 = getelementptr inbounds [4 x i8], [4 x i8]* %3, i64 0, i64 3
  store i8 0, i8* %12, align 1
  call fastcc void @add(%struct.text* noundef %0, i8* noundef nonnull %4)
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %4)
  ret void
}

define internal fastcc void @number(%struct.text* nocapture noundef %0, i64 noundef %1, i32 noundef %2, i8 noundef signext %3) unnamed_addr {
  %5 = alloca [24 x i8], align 16
  %6 = getelementptr inbounds [24 x i8], [24 x i8]* %5, i64 0, i64 0
  call void @llvm.lifetime.start.p0i8(i64 24, i8* nonnull %6)
  %7 = getelementptr inbounds [24 x i8], [24 x i8]* %5, i64 0, i64 23
  store i8 0, i8* %7, align 1
  %8 = icmp slt i64 %1, 0
  %9 = sub nsw i64 0, %1
  %10 = select i1 %8, i64 %9, i64 %1
  br label %11

11:                                               ; preds = %11, %4
  %12 = phi i64 [ %18, %11 ], [ 23, %4 ]
  %13 = phi i32 [ %21, %11 ], [ %2, %4 ]
  %14 = phi i64 [ %20, %11 ], [ %10, %4 ]
  %15 = srem i64 %14, 10
  %16 = trunc i64 %15 to i8
  %17 = add i8 %16, 48
  %18 = add nsw i64 %12, -1
  %19 = getelementptr inbounds [24 x i8], [24 x i8]* %5, i64 0, i64 %18
  store i8 %17, i8* %19, align 1
  %20 = sdiv i64 %14, 10
  %21 = add nsw i32 %13, -1
  %22 = add i64 %14, 9
  %23 = icmp ult i64 %22, 19
  br i1 %23, label %24, label %11

24:                                               ; preds = %11
  %25 = icmp sgt i32 %13, 1
  br i1 %25, label %26, label %36

26:                                               ; preds = %24
  %27 = shl i64 %18, 32
  %28 = ashr exact i64 %27, 32
  br label %29

29:                                               ; preds = %26, %29
  %30 = phi i64 [ %28, %26 ], [ %33, %29 ]
  %31 = phi i32 [ %21, %26 ], [ %32, %29 ]
  %32 = add nsw i32 %31, -1
  %33 = add nsw i64 %30, -1
  %34 = getelementptr inbounds [24 x i8], [24 x i8]* %5, i64 0, i64 %33
  store i8 %3, i8* %34, align 1
  %35 = icmp sgt i32 %31, 1
  br i1 %35, label %29, label %36

36:                                               ; preds = %29, %24
  %37 = phi i64 [ %18, %24 ], [ %33, %29 ]
  %38 = trunc i64 %37 to i32
  br i1 %8, label %39, label %43

39:                                               ; preds = %36
  %40 = add nsw i32 %38, -1
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [24 x i8], [24 x i8]* %5, i64 0, i64 %41
  store i8 45, i8* %42, align 1
  br label %43

43:                                               ; preds = %39, %36
  %44 = phi i32 [ %40, %39 ], [ %38, %36 ]
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [24 x i8], [24 x i8]* %5, i64 0, i64 %45
  call fastcc void @add(%struct.text* noundef %0, i8* noundef nonnull %46)
  call void @llvm.lifetime.end.p0i8(i64 24, i8* nonnull %6)
  ret void
}

declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg)



