target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.stream = type { i32 }
%struct.at_exit = type { %struct.at_exit*, void (i8*)*, i8* }

@streams = internal global [3 x %struct.stream] [%struct.stream zeroinitializer, %struct.stream { i32 1 }, %struct.stream { i32 2 }], align 4
@stdin = weak dso_local local_unnamed_addr global %struct.stream* getelementptr inbounds ([3 x %struct.stream], [3 x %struct.stream]* @streams, i64 0, i64 0), align 8
@stdout = weak dso_local local_unnamed_addr global %struct.stream* bitcast (i32* getelementptr inbounds ([3 x %struct.stream], [3 x %struct.stream]* @streams, i64 0, i64 1, i32 0) to %struct.stream*), align 8
@stderr = weak dso_local local_unnamed_addr global %struct.stream* bitcast (i32* getelementptr inbounds ([3 x %struct.stream], [3 x %struct.stream]* @streams, i64 0, i64 2, i32 0) to %struct.stream*), align 8
@optind = weak dso_local local_unnamed_addr global i32 1, align 4
@opterr = weak dso_local local_unnamed_addr global i32 1, align 4
@optopt = weak dso_local local_unnamed_addr global i32 63, align 4
@strtok_position = internal global i8* null, align 8
@unlinked = internal global %struct.at_exit zeroinitializer, align 8
@at_exit_list = internal global %struct.at_exit* null, align 8
@kinds_from_0 = internal constant i16* getelementptr inbounds (<{ [256 x i16], [128 x i16] }>, <{ [256 x i16], [128 x i16] }>* @kinds, i64 0, i32 0, i64 128), align 8
@uppers_from_0 = internal constant i32* getelementptr inbounds ([384 x i32], [384 x i32]* @uppers, i64 0, i64 128), align 8
@lowers_from_0 = internal constant i32* getelementptr inbounds ([384 x i32], [384 x i32]* @lowers, i64 0, i64 128), align 8
@optarg = weak dso_local local_unnamed_addr global i8* null, align 8
@kinds = internal constant <{ [256 x i16], [128 x i16] }> <{ [256 x i16] [i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 0, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 8195, i16 8194, i16 8194, i16 8194, i16 8194, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 2, i16 24577, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -10232, i16 -10232, i16 -10232, i16 -10232, i16 -10232, i16 -10232, i16 -10232, i16 -10232, i16 -10232, i16 -10232, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -11000, i16 -11000, i16 -11000, i16 -11000, i16 -11000, i16 -11000, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -15096, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 -10744, i16 -10744, i16 -10744, i16 -10744, i16 -10744, i16 -10744, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -14840, i16 -16380, i16 -16380, i16 -16380, i16 -16380, i16 2], [128 x i16] zeroinitializer }>, align 16
@uppers = internal constant [384 x i32] [i32 128, i32 129, i32 130, i32 131, i32 132, i32 133, i32 134, i32 135, i32 136, i32 137, i32 138, i32 139, i32 140, i32 141, i32 142, i32 143, i32 144, i32 145, i32 146, i32 147, i32 148, i32 149, i32 150, i32 151, i32 152, i32 153, i32 154, i32 155, i32 156, i32 157, i32 158, i32 159, i32 160, i32 161, i32 162, i32 163, i32 164, i32 165, i32 166, i32 167, i32 168, i32 169, i32 170, i32 171, i32 172, i32 173, i32 174, i32 175, i32 176, i32 177, i32 178, i32 179, i32 180, i32 181, i32 182, i32 183, i32 184, i32 185, i32 186, i32 187, i32 188, i32 189, i32 190, i32 191, i32 192, i32 193, i32 194, i32 195, i32 196, i32 197, i32 198, i32 199, i32 200, i32 201, i32 202, i32 203, i32 204, i32 205, i32 206, i32 207, i32 208, i32 209, i32 210, i32 211, i32 212, i32 213, i32 214, i32 215, i32 216, i32 217, i32 218, i32 219, i32 220, i32 221, i32 222, i32 223, i32 224, i32 225, i32 226, i32 227, i32 228, i32 229, i32 230, i32 231, i32 232, i32 233, i32 234, i32 235, i32 236, i32 237, i32 238, i32 239, i32 240, i32 241, i32 242, i32 243, i32 244, i32 245, i32 246, i32 247, i32 248, i32 249, i32 250, i32 251, i32 252, i32 253, i32 254, i32 -1, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 123, i32 124, i32 125, i32 126, i32 127, i32 128, i32 129, i32 130, i32 131, i32 132, i32 133, i32 134, i32 135, i32 136, i32 137, i32 138, i32 139, i32 140, i32 141, i32 142, i32 143, i32 144, i32 145, i32 146, i32 147, i32 148, i32 149, i32 150, i32 151, i32 152, i32 153, i32 154, i32 155, i32 156, i32 157, i32 158, i32 159, i32 160, i32 161, i32 162, i32 163, i32 164, i32 165, i32 166, i32 167, i32 168, i32 169, i32 170, i32 171, i32 172, i32 173, i32 174, i32 175, i32 176, i32 177, i32 178, i32 179, i32 180, i32 181, i32 182, i32 183, i32 184, i32 185, i32 186, i32 187, i32 188, i32 189, i32 190, i32 191, i32 192, i32 193, i32 194, i32 195, i32 196, i32 197, i32 198, i32 199, i32 200, i32 201, i32 202, i32 203, i32 204, i32 205, i32 206, i32 207, i32 208, i32 209, i32 210, i32 211, i32 212, i32 213, i32 214, i32 215, i32 216, i32 217, i32 218, i32 219, i32 220, i32 221, i32 222, i32 223, i32 224, i32 225, i32 226, i32 227, i32 228, i32 229, i32 230, i32 231, i32 232, i32 233, i32 234, i32 235, i32 236, i32 237, i32 238, i32 239, i32 240, i32 241, i32 242, i32 243, i32 244, i32 245, i32 246, i32 247, i32 248, i32 249, i32 250, i32 251, i32 252, i32 253, i32 254, i32 255], align 16
@lowers = internal constant [384 x i32] [i32 128, i32 129, i32 130, i32 131, i32 132, i32 133, i32 134, i32 135, i32 136, i32 137, i32 138, i32 139, i32 140, i32 141, i32 142, i32 143, i32 144, i32 145, i32 146, i32 147, i32 148, i32 149, i32 150, i32 151, i32 152, i32 153, i32 154, i32 155, i32 156, i32 157, i32 158, i32 159, i32 160, i32 161, i32 162, i32 163, i32 164, i32 165, i32 166, i32 167, i32 168, i32 169, i32 170, i32 171, i32 172, i32 173, i32 174, i32 175, i32 176, i32 177, i32 178, i32 179, i32 180, i32 181, i32 182, i32 183, i32 184, i32 185, i32 186, i32 187, i32 188, i32 189, i32 190, i32 191, i32 192, i32 193, i32 194, i32 195, i32 196, i32 197, i32 198, i32 199, i32 200, i32 201, i32 202, i32 203, i32 204, i32 205, i32 206, i32 207, i32 208, i32 209, i32 210, i32 211, i32 212, i32 213, i32 214, i32 215, i32 216, i32 217, i32 218, i32 219, i32 220, i32 221, i32 222, i32 223, i32 224, i32 225, i32 226, i32 227, i32 228, i32 229, i32 230, i32 231, i32 232, i32 233, i32 234, i32 235, i32 236, i32 237, i32 238, i32 239, i32 240, i32 241, i32 242, i32 243, i32 244, i32 245, i32 246, i32 247, i32 248, i32 249, i32 250, i32 251, i32 252, i32 253, i32 254, i32 -1, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 64, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 91, i32 92, i32 93, i32 94, i32 95, i32 96, i32 97, i32 98, i32 99, i32 100, i32 101, i32 102, i32 103, i32 104, i32 105, i32 106, i32 107, i32 108, i32 109, i32 110, i32 111, i32 112, i32 113, i32 114, i32 115, i32 116, i32 117, i32 118, i32 119, i32 120, i32 121, i32 122, i32 123, i32 124, i32 125, i32 126, i32 127, i32 128, i32 129, i32 130, i32 131, i32 132, i32 133, i32 134, i32 135, i32 136, i32 137, i32 138, i32 139, i32 140, i32 141, i32 142, i32 143, i32 144, i32 145, i32 146, i32 147, i32 148, i32 149, i32 150, i32 151, i32 152, i32 153, i32 154, i32 155, i32 156, i32 157, i32 158, i32 159, i32 160, i32 161, i32 162, i32 163, i32 164, i32 165, i32 166, i32 167, i32 168, i32 169, i32 170, i32 171, i32 172, i32 173, i32 174, i32 175, i32 176, i32 177, i32 178, i32 179, i32 180, i32 181, i32 182, i32 183, i32 184, i32 185, i32 186, i32 187, i32 188, i32 189, i32 190, i32 191, i32 192, i32 193, i32 194, i32 195, i32 196, i32 197, i32 198, i32 199, i32 200, i32 201, i32 202, i32 203, i32 204, i32 205, i32 206, i32 207, i32 208, i32 209, i32 210, i32 211, i32 212, i32 213, i32 214, i32 215, i32 216, i32 217, i32 218, i32 219, i32 220, i32 221, i32 222, i32 223, i32 224, i32 225, i32 226, i32 227, i32 228, i32 229, i32 230, i32 231, i32 232, i32 233, i32 234, i32 235, i32 236, i32 237, i32 238, i32 239, i32 240, i32 241, i32 242, i32 243, i32 244, i32 245, i32 246, i32 247, i32 248, i32 249, i32 250, i32 251, i32 252, i32 253, i32 254, i32 255], align 16

define weak dso_local void @qsort_r(i8* noundef %0, i64 noundef %1, i64 noundef %2, i32 (i8*, i8*, i8*)* noundef %3, i8* noundef %4) local_unnamed_addr {
  %6 = mul i64 %2, %1
  %7 = call i8* @malloc(i64 noundef %6)
  call fastcc void @merge_sort(i8* noundef %0, i64 noundef %1, i64 noundef %2, i32 (i8*, i8*, i8*)* noundef %3, i8* noundef %4, i8* noundef %7)
  call void @free(i8* noundef %7)
  ret void
}

declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture)

declare i8* @malloc(i64 noundef) local_unnamed_addr

define internal fastcc void @merge_sort(i8* noundef %0, i64 noundef %1, i64 noundef %2, i32 (i8*, i8*, i8*)* noundef %3, i8* noundef %4, i8* noundef %5) unnamed_addr {
  %7 = alloca i8*, align 8
  %8 = alloca i8*, align 8
  %9 = icmp ult i64 %1, 2
  br i1 %9, label %54, label %10

10:                                               ; preds = %6
  %11 = lshr i64 %1, 1
  %12 = bitcast i8** %7 to i8*
  call void @llvm.lifetime.start.p0i8(i64 8, i8* nonnull %12)
  %13 = mul i64 %11, %2
  %14 = getelementptr inbounds i8, i8* %0, i64 %13
  store i8* %14, i8** %7, align 8
  call fastcc void @merge_sort(i8* noundef %0, i64 noundef %11, i64 noundef %2, i32 (i8*, i8*, i8*)* noundef %3, i8* noundef %4, i8* noundef %5)
  %15 = sub i64 %1, %11
  call fastcc void @merge_sort(i8* noundef %14, i64 noundef %15, i64 noundef %2, i32 (i8*, i8*, i8*)* noundef %3, i8* noundef %4, i8* noundef %5)
  %16 = bitcast i8** %8 to i8*
  call void @llvm.lifetime.start.p0i8(i64 8, i8* nonnull %16)
  store i8* %0, i8** %8, align 8
  %17 = mul i64 %2, %1
  %18 = getelementptr inbounds i8, i8* %0, i64 %17
  %19 = icmp sgt i64 %13, 0
  %20 = load i8*, i8** %7, align 8
  %21 = icmp ult i8* %20, %18
  %22 = select i1 %19, i1 %21, i1 false
  br i1 %22, label %23, label %40

23:                                               ; preds = %10, %23
  %24 = phi i8* [ %37, %23 ], [ %20, %10 ]
  %25 = phi i8* [ %35, %23 ], [ %0, %10 ]
  %26 = phi i8* [ %34, %23 ], [ %5, %10 ]
  %27 = call i32 %3(i8* noundef %25, i8* noundef %24, i8* noundef %4)
  %28 = icmp slt i32 %27, 1
  %29 = select i1 %28, i8** %8, i8** %7
  %30 = load i8*, i8** %29, align 8
  %31 = call i8* @memcpy(i8* noundef %26, i8* noundef %30, i64 noundef %2)
  %32 = load i8*, i8** %29, align 8
  %33 = getelementptr inbounds i8, i8* %32, i64 %2
  store i8* %33, i8** %29, align 8
  %34 = getelementptr inbounds i8, i8* %26, i64 %2
  %35 = load i8*, i8** %8, align 8
  %36 = icmp ult i8* %35, %14
  %37 = load i8*, i8** %7, align 8
  %38 = icmp ult i8* %37, %18
  %39 = select i1 %36, i1 %38, i1 false
  br i1 %39, label %23, label %40

40:                                               ; preds = %23, %10
  %41 = phi i8* [ %5, %10 ], [ %34, %23 ]
  %42 = phi i8* [ %0, %10 ], [ %35, %23 ]
  %43 = ptrtoint i8* %14 to i64
  %44 = ptrtoint i8* %42 to i64
  %45 = sub i64 %43, %44
  %46 = call i8* @memcpy(i8* noundef %41, i8* noundef %42, i64 noundef %45)
  %47 = getelementptr inbounds i8, i8* %41, i64 %45
  %48 = ptrtoint i8* %47 to i64
  %49 = ptrtoint i8* %5 to i64
  %50 = sub i64 %48, %49
  %51 = call i8* @memcpy(i8* noundef %0, i8* noundef %5, i64 noundef %50)
  %52 = bitcast i8** %8 to i8*
  call void @llvm.lifetime.end.p0i8(i64 8, i8* nonnull %52)
  %53 = bitcast i8** %7 to i8*
  call void @llvm.lifetime.end.p0i8(i64 8, i8* nonnull %53)
  br label %54

54:                                               ; preds = %6, %40
  ret void
}

declare void @free(i8* noundef) local_unnamed_addr

declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture)

define weak dso_local void @qsort(i8* noundef %0, i64 noundef %1, i64 noundef %2, i32 (i8*, i8*)* noundef %3) local_unnamed_addr {
  %5 = bitcast i32 (i8*, i8*)* %3 to i8*
  call void @qsort_r(i8* noundef %0, i64 noundef %1, i64 noundef %2, i32 (i8*, i8*, i8*)* noundef nonnull @without_argument, i8* noundef %5)
  ret void
}

define internal i32 @without_argument(i8* noundef %0, i8* noundef %1, i8* nocapture noundef readonly %2) {
  %4 = bitcast i8* %2 to i32 (i8*, i8*)*
  %5 = call i32 %4(i8* noundef %0, i8* noundef %1)
  ret i32 %5
}

define weak dso_local i8* @bsearch(i8* noundef %0, i8* noundef %1, i64 noundef %2, i64 noundef %3, i32 (i8*, i8*)* noundef %4) local_unnamed_addr {
  br label %6

6:                                                ; preds = %11, %5
  %7 = phi i64 [ %2, %5 ], [ %21, %11 ]
  %8 = phi i64 [ 0, %5 ], [ %23, %11 ]
  %9 = phi i8* [ undef, %5 ], [ %24, %11 ]
  %10 = icmp ult i64 %8, %7
  br i1 %10, label %11, label %25

11:                                               ; preds = %6
  %12 = add i64 %8, %7
  %13 = lshr i64 %12, 1
  %14 = mul i64 %13, %3
  %15 = getelementptr inbounds i8, i8* %1, i64 %14
  %16 = call i32 %4(i8* noundef %0, i8* noundef %15)
  %17 = icmp eq i32 %16, 0
  %18 = icmp slt i32 %16, 0
  %19 = add nuw i64 %13, 1
  %20 = select i1 %18, i64 %13, i64 %7
  %21 = select i1 %17, i64 %7, i64 %20
  %22 = icmp slt i32 %16, 1
  %23 = select i1 %22, i64 %8, i64 %19
  %24 = select i1 %17, i8* %15, i8* %9
  br i1 %17, label %25, label %6

25:                                               ; preds = %6, %11
  %26 = phi i8* [ %24, %11 ], [ null, %6 ]
  ret i8* %26
}

define weak dso_local i8* @strtok(i8* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = call i8* @strtok_r(i8* noundef %0, i8* noundef %1, i8** noundef nonnull @strtok_position)
  ret i8* %3
}

declare i8* @strtok_r(i8* noundef, i8* noundef, i8** noundef) local_unnamed_addr

define weak dso_local i32 @__cxa_atexit(void (i8*)* noundef %0, i8* noundef %1, i8* noundef %2) local_unnamed_addr {
  %4 = call i8* @malloc(i64 noundef 24)
  %5 = getelementptr inbounds i8, i8* %4, i64 8
  %6 = bitcast i8* %5 to void (i8*)**
  store void (i8*)* %0, void (i8*)** %6, align 8
  %7 = getelementptr inbounds i8, i8* %4, i64 16
  %8 = bitcast i8* %7 to i8**
  store i8* %1, i8** %8, align 8
  %9 = bitcast i8* %4 to %struct.at_exit**
  store %struct.at_exit* @unlinked, %struct.at_exit** %9, align 8
  %10 = ptrtoint i8* %4 to i64
  %11 = atomicrmw xchg i64* bitcast (%struct.at_exit** @at_exit_list to i64*), i64 %10 seq_cst, align 8
  %12 = bitcast i8* %4 to i64*
  store atomic i64 %11, i64* %12 seq_cst, align 8
  ret i32 0
}

define weak dso_local i32 @atexit(void ()* noundef %0) local_unnamed_addr {
  %2 = bitcast void ()* %0 to i8*
  %3 = call i32 @__cxa_atexit(void (i8*)* noundef nonnull @call, i8* noundef %2, i8* noundef null)
  ret i32 %3
}

define internal void @call(i8* nocapture noundef readonly %0) {
  %2 = bitcast i8* %0 to void ()*
  call void %2()
  ret void
}

define weak dso_local void @__mazurka_at_exit() local_unnamed_addr {
  %1 = load atomic i64, i64* bitcast (%struct.at_exit** @at_exit_list to i64*) seq_cst, align 8
  %2 = icmp eq i64 %1, 0
  br i1 %2, label %24, label %6

3:                                                ; preds = %21, %6
  %4 = load atomic i64, i64* bitcast (%struct.at_exit** @at_exit_list to i64*) seq_cst, align 8
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %24, label %6

6:                                                ; preds = %0, %3
  %7 = atomicrmw xchg i64* bitcast (%struct.at_exit** @at_exit_list to i64*), i64 0 seq_cst, align 8
  %8 = icmp eq i64 %7, 0
  br i1 %8, label %3, label %9

9:                                                ; preds = %6, %21
  %10 = phi i64 [ %18, %21 ], [ %7, %6 ]
  %11 = inttoptr i64 %10 to %struct.at_exit*
  %12 = getelementptr inbounds %struct.at_exit, %struct.at_exit* %11, i64 0, i32 1
  %13 = load void (i8*)*, void (i8*)** %12, align 8
  %14 = getelementptr inbounds %struct.at_exit, %struct.at_exit* %11, i64 0, i32 2
  %15 = load i8*, i8** %14, align 8
  call void %13(i8* noundef %15)
  %16 = inttoptr i64 %10 to i64*
  br label %17

17:                                               ; preds = %17, %9
  %18 = load atomic i64, i64* %16 seq_cst, align 8
  %19 = inttoptr i64 %18 to %struct.at_exit*
  %20 = icmp eq %struct.at_exit* %19, @unlinked
  br i1 %20, label %17, label %21

21:                                               ; preds = %17
  %22 = inttoptr i64 %10 to i8*
  call void @free(i8* noundef nonnull %22)
  call void @__mazurka_at_exit()
  %23 = icmp eq i64 %18, 0
  br i1 %23, label %3, label %9

24:                                               ; preds = %3, %0
  ret void
}

define weak dso_local void @exit(i32 noundef %0) local_unnamed_addr {
  call void @__mazurka_at_exit()
  call void @_exit(i32 noundef %0)
  unreachable
}

declare void @_exit(i32 noundef) local_unnamed_addr

define weak dso_local i16** @__ctype_b_loc() local_unnamed_addr {
  ret i16** @kinds_from_0
}

define weak dso_local i32** @__ctype_toupper_loc() local_unnamed_addr {
  ret i32** @uppers_from_0
}

define weak dso_local i32** @__ctype_tolower_loc() local_unnamed_addr {
  ret i32** @lowers_from_0
}

declare i8* @memcpy(i8* noundef, i8* noundef, i64 noundef) local_unnamed_addr



