target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.file = type { i32, i32, i8* }
%struct.named = type { %struct.named*, i8*, i32, %struct.sem_t* }
%struct.sem_t = type { [32 x i8] }
%struct.chunk = type { %struct.chunk*, i64, i64, [0 x i8] }
%struct.counter = type { i64, i32 }
%struct.pipe = type { i64, i64, i64, i32, i32, %struct.chunk*, %struct.chunk* }
%struct.limit = type { i64, i64 }

@files = internal unnamed_addr global [256 x %struct.file*] zeroinitializer, align 16
@named_semaphores = internal unnamed_addr global %struct.named* null, align 8

define weak dso_local i32 @fcntl(i32 noundef %0, i32 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = icmp ugt i32 %0, 255
  br i1 %4, label %11, label %5

5:                                                ; preds = %3
  %6 = sext i32 %0 to i64
  %7 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %6
  %8 = bitcast %struct.file** %7 to i64*
  %9 = load atomic i64, i64* %8 seq_cst, align 8
  %10 = inttoptr i64 %9 to %struct.file*
  br label %11

11:                                               ; preds = %3, %5
  %12 = phi %struct.file* [ %10, %5 ], [ null, %3 ]
  %13 = icmp slt i32 %0, 3
  %14 = icmp ne %struct.file* %12, null
  %15 = select i1 %13, i1 true, i1 %14
  br i1 %15, label %18, label %16

16:                                               ; preds = %11
  %17 = call i32* @__errno_location()
  store i32 9, i32* %17, align 4
  br label %30

18:                                               ; preds = %11
  switch i32 %1, label %28 [
    i32 1, label %30
    i32 2, label %30
    i32 3, label %19
    i32 4, label %23
  ]

19:                                               ; preds = %18
  br i1 %14, label %20, label %30

20:                                               ; preds = %19
  %21 = getelementptr inbounds %struct.file, %struct.file* %12, i64 0, i32 1
  %22 = load atomic i32, i32* %21 seq_cst, align 4
  br label %30

23:                                               ; preds = %18
  br i1 %14, label %24, label %30

24:                                               ; preds = %23
  %25 = getelementptr inbounds %struct.file, %struct.file* %12, i64 0, i32 1
  %26 = trunc i64 %2 to i32
  %27 = and i32 %26, 2048
  store atomic i32 %27, i32* %25 seq_cst, align 4
  br label %30

28:                                               ; preds = %18
  %29 = call i32* @__errno_location()
  store i32 22, i32* %29, align 4
  br label %30

30:                                               ; preds = %23, %24, %20, %19, %18, %18, %28, %16
  %31 = phi i32 [ -1, %28 ], [ -1, %16 ], [ 0, %18 ], [ 0, %18 ], [ %22, %20 ], [ 0, %19 ], [ 0, %24 ], [ 0, %23 ]
  ret i32 %31
}

declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture)

declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture)

define weak dso_local i32 @pipe2(i32* noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = call i8* @malloc(i64 noundef 48)
  %4 = getelementptr inbounds i8, i8* %3, i64 16
  %5 = bitcast i8* %4 to i64*
  store i64 0, i64* %5, align 8
  %6 = getelementptr inbounds i8, i8* %3, i64 28
  %7 = bitcast i8* %6 to i32*
  store i32 1, i32* %7, align 4
  %8 = getelementptr inbounds i8, i8* %3, i64 24
  %9 = bitcast i8* %8 to i32*
  store i32 1, i32* %9, align 8
  %10 = getelementptr inbounds i8, i8* %3, i64 40
  %11 = bitcast i8* %10 to %struct.chunk**
  store %struct.chunk* null, %struct.chunk** %11, align 8
  %12 = getelementptr inbounds i8, i8* %3, i64 32
  %13 = bitcast i8* %12 to %struct.chunk**
  store %struct.chunk* null, %struct.chunk** %13, align 8
  %14 = bitcast i8* %3 to i64*
  store i64 0, i64* %14, align 8
  %15 = getelementptr inbounds i8, i8* %3, i64 8
  %16 = bitcast i8* %15 to i64*
  store i64 1, i64* %16, align 8
  %17 = and i32 %1, 2048
  %18 = call i8* @malloc(i64 noundef 16)
  %19 = bitcast i8* %18 to i32*
  store i32 1, i32* %19, align 8
  %20 = getelementptr inbounds i8, i8* %18, i64 4
  %21 = bitcast i8* %20 to i32*
  store i32 %17, i32* %21, align 4
  %22 = getelementptr inbounds i8, i8* %18, i64 8
  %23 = bitcast i8* %22 to i8**
  store i8* %3, i8** %23, align 8
  %24 = call i8* @malloc(i64 noundef 16)
  %25 = bitcast i8* %24 to i32*
  store i32 2, i32* %25, align 8
  %26 = getelementptr inbounds i8, i8* %24, i64 4
  %27 = bitcast i8* %26 to i32*
  store i32 %17, i32* %27, align 4
  %28 = getelementptr inbounds i8, i8* %24, i64 8
  %29 = bitcast i8* %28 to i8**
  store i8* %3, i8** %29, align 8
  call void @__VERIFIER_atomic_begin()
  br label %30

30:                                               ; preds = %40, %2
  %31 = phi i64 [ 3, %2 ], [ %41, %40 ]
  %32 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %31
  %33 = bitcast %struct.file** %32 to i64*
  %34 = load atomic i64, i64* %33 seq_cst, align 8
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %36, label %40

36:                                               ; preds = %30
  %37 = bitcast %struct.file** %32 to i64*
  %38 = trunc i64 %31 to i32
  %39 = ptrtoint i8* %18 to i64
  store atomic i64 %39, i64* %37 seq_cst, align 8
  br label %43

40:                                               ; preds = %30
  %41 = add nuw nsw i64 %31, 1
  %42 = icmp eq i64 %41, 256
  br i1 %42, label %43, label %30

43:                                               ; preds = %40, %36
  %44 = phi i32 [ %38, %36 ], [ -1, %40 ]
  br label %45

45:                                               ; preds = %55, %43
  %46 = phi i64 [ 3, %43 ], [ %56, %55 ]
  %47 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %46
  %48 = bitcast %struct.file** %47 to i64*
  %49 = load atomic i64, i64* %48 seq_cst, align 8
  %50 = icmp eq i64 %49, 0
  br i1 %50, label %51, label %55

51:                                               ; preds = %45
  %52 = bitcast %struct.file** %47 to i64*
  %53 = trunc i64 %46 to i32
  %54 = ptrtoint i8* %24 to i64
  store atomic i64 %54, i64* %52 seq_cst, align 8
  br label %58

55:                                               ; preds = %45
  %56 = add nuw nsw i64 %46, 1
  %57 = icmp eq i64 %56, 256
  br i1 %57, label %58, label %45

58:                                               ; preds = %55, %51
  %59 = phi i32 [ %53, %51 ], [ -1, %55 ]
  %60 = icmp slt i32 %59, 0
  %61 = icmp sgt i32 %44, -1
  %62 = select i1 %60, i1 %61, i1 false
  br i1 %62, label %63, label %67

63:                                               ; preds = %58
  %64 = sext i32 %44 to i64
  %65 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %64
  %66 = bitcast %struct.file** %65 to i64*
  store atomic i64 0, i64* %66 seq_cst, align 8
  br label %67

67:                                               ; preds = %63, %58
  call void @__VERIFIER_atomic_end()
  br i1 %60, label %68, label %70

68:                                               ; preds = %67
  call void @free(i8* noundef %18)
  call void @free(i8* noundef %24)
  call void @free(i8* noundef %3)
  %69 = call i32* @__errno_location()
  store i32 24, i32* %69, align 4
  br label %72

70:                                               ; preds = %67
  store i32 %44, i32* %0, align 4
  %71 = getelementptr inbounds i32, i32* %0, i64 1
  store i32 %59, i32* %71, align 4
  br label %72

72:                                               ; preds = %70, %68
  %73 = phi i32 [ -1, %68 ], [ 0, %70 ]
  ret i32 %73
}

declare i8* @malloc(i64 noundef) local_unnamed_addr

declare void @__VERIFIER_atomic_begin() local_unnamed_addr

declare void @__VERIFIER_atomic_end() local_unnamed_addr

declare void @free(i8* noundef) local_unnamed_addr

define weak dso_local i32 @pipe(i32* noundef %0) local_unnamed_addr {
  %2 = call i32 @pipe2(i32* noundef %0, i32 noundef 0)
  ret i32 %2
}

define weak dso_local i32 @eventfd(i32 noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = call i8* @malloc(i64 noundef 16)
  %4 = zext i32 %0 to i64
  %5 = bitcast i8* %3 to i64*
  store i64 %4, i64* %5, align 8
  %6 = and i32 %1, 1
  %7 = getelementptr inbounds i8, i8* %3, i64 8
  %8 = bitcast i8* %7 to i32*
  store i32 %6, i32* %8, align 8
  %9 = and i32 %1, 2048
  %10 = call i8* @malloc(i64 noundef 16)
  %11 = bitcast i8* %10 to i32*
  store i32 3, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %10, i64 4
  %13 = bitcast i8* %12 to i32*
  store i32 %9, i32* %13, align 4
  %14 = getelementptr inbounds i8, i8* %10, i64 8
  %15 = bitcast i8* %14 to i8**
  store i8* %3, i8** %15, align 8
  call void @__VERIFIER_atomic_begin()
  br label %16

16:                                               ; preds = %26, %2
  %17 = phi i64 [ 3, %2 ], [ %27, %26 ]
  %18 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %17
  %19 = bitcast %struct.file** %18 to i64*
  %20 = load atomic i64, i64* %19 seq_cst, align 8
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %26

22:                                               ; preds = %16
  %23 = bitcast %struct.file** %18 to i64*
  %24 = trunc i64 %17 to i32
  %25 = ptrtoint i8* %10 to i64
  store atomic i64 %25, i64* %23 seq_cst, align 8
  br label %29

26:                                               ; preds = %16
  %27 = add nuw nsw i64 %17, 1
  %28 = icmp eq i64 %27, 256
  br i1 %28, label %29, label %16

29:                                               ; preds = %26, %22
  %30 = phi i32 [ %24, %22 ], [ -1, %26 ]
  call void @__VERIFIER_atomic_end()
  %31 = icmp slt i32 %30, 0
  br i1 %31, label %32, label %34

32:                                               ; preds = %29
  call void @free(i8* noundef %10)
  call void @free(i8* noundef %3)
  %33 = call i32* @__errno_location()
  store i32 24, i32* %33, align 4
  br label %34

34:                                               ; preds = %29, %32
  %35 = phi i32 [ -1, %32 ], [ %30, %29 ]
  ret i32 %35
}

define weak dso_local i32 @eventfd_read(i32 noundef %0, i64* noundef %1) local_unnamed_addr {
  %3 = icmp ugt i32 %0, 255
  br i1 %3, label %10, label %4

4:                                                ; preds = %2
  %5 = sext i32 %0 to i64
  %6 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %5
  %7 = bitcast %struct.file** %6 to i64*
  %8 = load atomic i64, i64* %7 seq_cst, align 8
  %9 = inttoptr i64 %8 to %struct.file*
  br label %10

10:                                               ; preds = %2, %4
  %11 = phi %struct.file* [ %9, %4 ], [ null, %2 ]
  %12 = icmp eq %struct.file* %11, null
  br i1 %12, label %17, label %13

13:                                               ; preds = %10
  %14 = getelementptr inbounds %struct.file, %struct.file* %11, i64 0, i32 0
  %15 = load i32, i32* %14, align 8
  %16 = icmp eq i32 %15, 3
  br i1 %16, label %19, label %17

17:                                               ; preds = %13, %10
  %18 = call i32* @__errno_location()
  store i32 9, i32* %18, align 4
  br label %23

19:                                               ; preds = %13
  %20 = call fastcc i64 @count_down(%struct.file* noundef nonnull %11, i64* noundef %1)
  %21 = icmp ne i64 %20, 8
  %22 = sext i1 %21 to i32
  br label %23

23:                                               ; preds = %19, %17
  %24 = phi i32 [ -1, %17 ], [ %22, %19 ]
  ret i32 %24
}

define internal fastcc i64 @count_down(%struct.file* nocapture noundef readonly %0, i64* nocapture noundef writeonly %1) unnamed_addr {
  %3 = getelementptr inbounds %struct.file, %struct.file* %0, i64 0, i32 2
  %4 = bitcast i8** %3 to %struct.counter**
  %5 = load %struct.counter*, %struct.counter** %4, align 8
  %6 = getelementptr inbounds %struct.file, %struct.file* %0, i64 0, i32 1
  %7 = load atomic i32, i32* %6 seq_cst, align 4
  %8 = and i32 %7, 2048
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %12

10:                                               ; preds = %2
  call void @__mazurka_begin_blocking()
  call void @__VERIFIER_atomic_begin()
  %11 = getelementptr inbounds %struct.counter, %struct.counter* %5, i64 0, i32 0
  call void @__mazurka_wait(i64* noundef %11)
  br label %18

12:                                               ; preds = %2
  call void @__VERIFIER_atomic_begin()
  %13 = getelementptr inbounds %struct.counter, %struct.counter* %5, i64 0, i32 0
  %14 = load atomic i64, i64* %13 seq_cst, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %16, label %18

16:                                               ; preds = %12
  call void @__VERIFIER_atomic_end()
  %17 = call i32* @__errno_location()
  store i32 11, i32* %17, align 4
  br label %28

18:                                               ; preds = %12, %10
  %19 = getelementptr inbounds %struct.counter, %struct.counter* %5, i64 0, i32 0
  %20 = load atomic i64, i64* %19 seq_cst, align 8
  %21 = getelementptr inbounds %struct.counter, %struct.counter* %5, i64 0, i32 1
  %22 = load i32, i32* %21, align 8
  %23 = icmp eq i32 %22, 0
  %24 = select i1 %23, i64 %20, i64 1
  %25 = sub i64 %20, %24
  store atomic i64 %25, i64* %19 seq_cst, align 8
  call void @__VERIFIER_atomic_end()
  br i1 %9, label %26, label %27

26:                                               ; preds = %18
  call void @__mazurka_end_blocking()
  br label %27

27:                                               ; preds = %26, %18
  store i64 %24, i64* %1, align 8
  br label %28

28:                                               ; preds = %27, %16
  %29 = phi i64 [ 8, %27 ], [ -1, %16 ]
  ret i64 %29
}

define weak dso_local i32 @eventfd_write(i32 noundef %0, i64 noundef %1) local_unnamed_addr {
  %3 = icmp ugt i32 %0, 255
  br i1 %3, label %10, label %4

4:                                                ; preds = %2
  %5 = sext i32 %0 to i64
  %6 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %5
  %7 = bitcast %struct.file** %6 to i64*
  %8 = load atomic i64, i64* %7 seq_cst, align 8
  %9 = inttoptr i64 %8 to %struct.file*
  br label %10

10:                                               ; preds = %2, %4
  %11 = phi %struct.file* [ %9, %4 ], [ null, %2 ]
  %12 = icmp eq %struct.file* %11, null
  br i1 %12, label %17, label %13

13:                                               ; preds = %10
  %14 = getelementptr inbounds %struct.file, %struct.file* %11, i64 0, i32 0
  %15 = load i32, i32* %14, align 8
  %16 = icmp eq i32 %15, 3
  br i1 %16, label %19, label %17

17:                                               ; preds = %13, %10
  %18 = call i32* @__errno_location()
  store i32 9, i32* %18, align 4
  br label %49

19:                                               ; preds = %13
  %20 = icmp eq i64 %1, -1
  br i1 %20, label %28, label %21

21:                                               ; preds = %19
  %22 = getelementptr inbounds %struct.file, %struct.file* %11, i64 0, i32 2
  %23 = bitcast i8** %22 to %struct.counter**
  %24 = load %struct.counter*, %struct.counter** %23, align 8
  %25 = getelementptr inbounds %struct.counter, %struct.counter* %24, i64 0, i32 0
  %26 = sub i64 -2, %1
  %27 = getelementptr inbounds %struct.file, %struct.file* %11, i64 0, i32 1
  br label %30

28:                                               ; preds = %19
  %29 = call i32* @__errno_location()
  store i32 22, i32* %29, align 4
  br label %45

30:                                               ; preds = %42, %21
  %31 = phi i64 [ %44, %42 ], [ undef, %21 ]
  call void @__VERIFIER_atomic_begin()
  %32 = load atomic i64, i64* %25 seq_cst, align 8
  %33 = icmp ugt i64 %32, %26
  br i1 %33, label %36, label %34

34:                                               ; preds = %30
  %35 = add i64 %32, %1
  store atomic i64 %35, i64* %25 seq_cst, align 8
  call void @__VERIFIER_atomic_end()
  br label %42

36:                                               ; preds = %30
  call void @__VERIFIER_atomic_end()
  %37 = load atomic i32, i32* %27 seq_cst, align 4
  %38 = and i32 %37, 2048
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %42, label %40

40:                                               ; preds = %36
  %41 = call i32* @__errno_location()
  store i32 11, i32* %41, align 4
  br label %42

42:                                               ; preds = %40, %36, %34
  %43 = phi i1 [ false, %40 ], [ false, %34 ], [ true, %36 ]
  %44 = phi i64 [ -1, %40 ], [ 8, %34 ], [ %31, %36 ]
  br i1 %43, label %30, label %45

45:                                               ; preds = %42, %28
  %46 = phi i64 [ -1, %28 ], [ %44, %42 ]
  %47 = icmp ne i64 %46, 8
  %48 = sext i1 %47 to i32
  br label %49

49:                                               ; preds = %45, %17
  %50 = phi i32 [ -1, %17 ], [ %48, %45 ]
  ret i32 %50
}

define weak dso_local i64 @read(i32 noundef %0, i8* noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = alloca i64, align 8
  %5 = icmp eq i32 %0, 0
  br i1 %5, label %126, label %6

6:                                                ; preds = %3
  %7 = icmp ugt i32 %0, 255
  br i1 %7, label %14, label %8

8:                                                ; preds = %6
  %9 = sext i32 %0 to i64
  %10 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %9
  %11 = bitcast %struct.file** %10 to i64*
  %12 = load atomic i64, i64* %11 seq_cst, align 8
  %13 = inttoptr i64 %12 to %struct.file*
  br label %14

14:                                               ; preds = %6, %8
  %15 = phi %struct.file* [ %13, %8 ], [ null, %6 ]
  %16 = icmp eq %struct.file* %15, null
  br i1 %16, label %20, label %17

17:                                               ; preds = %14
  %18 = getelementptr inbounds %struct.file, %struct.file* %15, i64 0, i32 0
  %19 = load i32, i32* %18, align 8
  switch i32 %19, label %34 [
    i32 2, label %20
    i32 3, label %22
  ]

20:                                               ; preds = %17, %14
  %21 = call i32* @__errno_location()
  store i32 9, i32* %21, align 4
  br label %126

22:                                               ; preds = %17
  %23 = bitcast i64* %4 to i8*
  call void @llvm.lifetime.start.p0i8(i64 8, i8* nonnull %23)
  %24 = icmp ult i64 %2, 8
  br i1 %24, label %25, label %27

25:                                               ; preds = %22
  %26 = call i32* @__errno_location()
  store i32 22, i32* %26, align 4
  br label %32

27:                                               ; preds = %22
  %28 = call fastcc i64 @count_down(%struct.file* noundef nonnull %15, i64* noundef nonnull %4)
  %29 = icmp slt i64 %28, 0
  br i1 %29, label %32, label %30

30:                                               ; preds = %27
  %31 = call i8* @memcpy(i8* noundef %1, i8* noundef nonnull %23, i64 noundef 8)
  br label %32

32:                                               ; preds = %27, %30, %25
  %33 = phi i64 [ -1, %25 ], [ 8, %30 ], [ -1, %27 ]
  call void @llvm.lifetime.end.p0i8(i64 8, i8* nonnull %23)
  br label %126

34:                                               ; preds = %17
  %35 = icmp eq i64 %2, 0
  br i1 %35, label %126, label %36

36:                                               ; preds = %34
  %37 = icmp ult i64 %2, 65536
  %38 = select i1 %37, i64 %2, i64 65536
  %39 = call i8* @malloc(i64 noundef %38)
  %40 = getelementptr inbounds %struct.file, %struct.file* %15, i64 0, i32 2
  %41 = bitcast i8** %40 to %struct.pipe**
  %42 = load %struct.pipe*, %struct.pipe** %41, align 8
  %43 = getelementptr inbounds %struct.file, %struct.file* %15, i64 0, i32 1
  %44 = load atomic i32, i32* %43 seq_cst, align 4
  %45 = and i32 %44, 2048
  %46 = icmp eq i32 %45, 0
  br i1 %46, label %47, label %49

47:                                               ; preds = %36
  call void @__mazurka_begin_blocking()
  call void @__VERIFIER_atomic_begin()
  %48 = getelementptr inbounds %struct.pipe, %struct.pipe* %42, i64 0, i32 0
  call void @__mazurka_wait(i64* noundef %48)
  br label %55

49:                                               ; preds = %36
  call void @__VERIFIER_atomic_begin()
  %50 = getelementptr inbounds %struct.pipe, %struct.pipe* %42, i64 0, i32 0
  %51 = load atomic i64, i64* %50 seq_cst, align 8
  %52 = icmp eq i64 %51, 0
  br i1 %52, label %53, label %55

53:                                               ; preds = %49
  call void @__VERIFIER_atomic_end()
  %54 = call i32* @__errno_location()
  store i32 11, i32* %54, align 4
  br label %120

55:                                               ; preds = %49, %47
  %56 = getelementptr inbounds %struct.pipe, %struct.pipe* %42, i64 0, i32 5
  %57 = bitcast %struct.chunk** %56 to i64*
  %58 = getelementptr inbounds %struct.pipe, %struct.pipe* %42, i64 0, i32 6
  %59 = bitcast %struct.chunk** %58 to i64*
  br label %60

60:                                               ; preds = %92, %55
  %61 = phi i64 [ 0, %55 ], [ %78, %92 ]
  %62 = load atomic i64, i64* %57 seq_cst, align 8
  %63 = icmp eq i64 %62, 0
  br i1 %63, label %94, label %64

64:                                               ; preds = %60
  %65 = load atomic i64, i64* %57 seq_cst, align 8
  %66 = inttoptr i64 %65 to %struct.chunk*
  %67 = getelementptr inbounds %struct.chunk, %struct.chunk* %66, i64 0, i32 1
  %68 = load i64, i64* %67, align 8
  %69 = getelementptr inbounds %struct.chunk, %struct.chunk* %66, i64 0, i32 2
  %70 = load i64, i64* %69, align 8
  %71 = sub i64 %68, %70
  %72 = sub i64 %38, %61
  %73 = icmp ugt i64 %71, %72
  %74 = select i1 %73, i64 %72, i64 %71
  %75 = getelementptr inbounds i8, i8* %39, i64 %61
  %76 = getelementptr inbounds %struct.chunk, %struct.chunk* %66, i64 0, i32 3, i64 %70
  %77 = call i8* @memcpy(i8* noundef %75, i8* noundef nonnull %76, i64 noundef %74)
  %78 = add i64 %74, %61
  %79 = load i64, i64* %69, align 8
  %80 = add i64 %74, %79
  store i64 %80, i64* %69, align 8
  %81 = load i64, i64* %67, align 8
  %82 = icmp eq i64 %80, %81
  br i1 %82, label %83, label %92

83:                                               ; preds = %64
  %84 = getelementptr inbounds %struct.chunk, %struct.chunk* %66, i64 0, i32 0
  %85 = load %struct.chunk*, %struct.chunk** %84, align 8
  %86 = ptrtoint %struct.chunk* %85 to i64
  store atomic i64 %86, i64* %57 seq_cst, align 8
  %87 = load %struct.chunk*, %struct.chunk** %84, align 8
  %88 = icmp eq %struct.chunk* %87, null
  br i1 %88, label %89, label %90

89:                                               ; preds = %83
  store atomic i64 0, i64* %59 seq_cst, align 8
  br label %90

90:                                               ; preds = %89, %83
  %91 = inttoptr i64 %65 to i8*
  call void @free(i8* noundef %91)
  br label %92

92:                                               ; preds = %90, %64
  %93 = icmp ult i64 %78, %38
  br i1 %93, label %60, label %94

94:                                               ; preds = %92, %60
  %95 = phi i64 [ %61, %60 ], [ %78, %92 ]
  %96 = getelementptr inbounds %struct.pipe, %struct.pipe* %42, i64 0, i32 2
  %97 = load atomic i64, i64* %96 seq_cst, align 8
  %98 = sub i64 %97, %95
  store atomic i64 %98, i64* %96 seq_cst, align 8
  %99 = load atomic i64, i64* %96 seq_cst, align 8
  %100 = getelementptr inbounds %struct.pipe, %struct.pipe* %42, i64 0, i32 0
  %101 = icmp eq i64 %99, 0
  br i1 %101, label %102, label %107

102:                                              ; preds = %94
  %103 = getelementptr inbounds %struct.pipe, %struct.pipe* %42, i64 0, i32 4
  %104 = load atomic i32, i32* %103 seq_cst, align 4
  %105 = icmp eq i32 %104, 0
  %106 = zext i1 %105 to i64
  br label %107

107:                                              ; preds = %102, %94
  %108 = phi i64 [ 1, %94 ], [ %106, %102 ]
  store atomic i64 %108, i64* %100 seq_cst, align 8
  %109 = add i64 %99, 4096
  %110 = icmp ult i64 %109, 65537
  br i1 %110, label %116, label %111

111:                                              ; preds = %107
  %112 = getelementptr inbounds %struct.pipe, %struct.pipe* %42, i64 0, i32 3
  %113 = load atomic i32, i32* %112 seq_cst, align 8
  %114 = icmp eq i32 %113, 0
  %115 = zext i1 %114 to i64
  br label %116

116:                                              ; preds = %111, %107
  %117 = phi i64 [ 1, %107 ], [ %115, %111 ]
  %118 = getelementptr inbounds %struct.pipe, %struct.pipe* %42, i64 0, i32 1
  store atomic i64 %117, i64* %118 seq_cst, align 8
  call void @__VERIFIER_atomic_end()
  br i1 %46, label %119, label %120

119:                                              ; preds = %116
  call void @__mazurka_end_blocking()
  br label %120

120:                                              ; preds = %53, %116, %119
  %121 = phi i64 [ -1, %53 ], [ %95, %119 ], [ %95, %116 ]
  %122 = icmp sgt i64 %121, 0
  br i1 %122, label %123, label %125

123:                                              ; preds = %120
  %124 = call i8* @memcpy(i8* noundef %1, i8* noundef %39, i64 noundef %121)
  br label %125

125:                                              ; preds = %123, %120
  call void @free(i8* noundef %39)
  br label %126

126:                                              ; preds = %20, %32, %125, %34, %3
  %127 = phi i64 [ 0, %3 ], [ -1, %20 ], [ %33, %32 ], [ %121, %125 ], [ 0, %34 ]
  ret i64 %127
}

declare i8* @memcpy(i8* noundef, i8* noundef, i64 noundef) local_unnamed_addr

define weak dso_local i64 @write(i32 noundef %0, i8* noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = alloca i64, align 8
  %5 = add i32 %0, -1
  %6 = icmp ult i32 %5, 2
  br i1 %6, label %7, label %9

7:                                                ; preds = %3
  %8 = call i64 @__mazurka_print(i32 noundef %0, i8* noundef %1, i64 noundef %2)
  br label %145

9:                                                ; preds = %3
  %10 = icmp ugt i32 %0, 255
  br i1 %10, label %17, label %11

11:                                               ; preds = %9
  %12 = sext i32 %0 to i64
  %13 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %12
  %14 = bitcast %struct.file** %13 to i64*
  %15 = load atomic i64, i64* %14 seq_cst, align 8
  %16 = inttoptr i64 %15 to %struct.file*
  br label %17

17:                                               ; preds = %9, %11
  %18 = phi %struct.file* [ %16, %11 ], [ null, %9 ]
  %19 = icmp eq %struct.file* %18, null
  br i1 %19, label %27, label %20

20:                                               ; preds = %17
  %21 = getelementptr inbounds %struct.file, %struct.file* %18, i64 0, i32 0
  %22 = load i32, i32* %21, align 8
  switch i32 %22, label %23 [
    i32 1, label %27
    i32 3, label %29
  ]

23:                                               ; preds = %20
  %24 = getelementptr inbounds %struct.file, %struct.file* %18, i64 0, i32 2
  %25 = bitcast i8** %24 to %struct.pipe**
  %26 = getelementptr inbounds %struct.file, %struct.file* %18, i64 0, i32 1
  br label %62

27:                                               ; preds = %20, %17
  %28 = call i32* @__errno_location()
  store i32 9, i32* %28, align 4
  br label %145

29:                                               ; preds = %20
  %30 = bitcast i64* %4 to i8*
  call void @llvm.lifetime.start.p0i8(i64 8, i8* nonnull %30)
  %31 = icmp ult i64 %2, 8
  br i1 %31, label %58, label %32

32:                                               ; preds = %29
  %33 = call i8* @memcpy(i8* noundef nonnull %30, i8* noundef %1, i64 noundef 8)
  %34 = load i64, i64* %4, align 8
  %35 = icmp eq i64 %34, -1
  br i1 %35, label %58, label %36

36:                                               ; preds = %32
  %37 = getelementptr inbounds %struct.file, %struct.file* %18, i64 0, i32 2
  %38 = bitcast i8** %37 to %struct.counter**
  %39 = load %struct.counter*, %struct.counter** %38, align 8
  %40 = getelementptr inbounds %struct.counter, %struct.counter* %39, i64 0, i32 0
  %41 = sub i64 -2, %34
  %42 = getelementptr inbounds %struct.file, %struct.file* %18, i64 0, i32 1
  br label %43

43:                                               ; preds = %55, %36
  %44 = phi i64 [ %57, %55 ], [ undef, %36 ]
  call void @__VERIFIER_atomic_begin()
  %45 = load atomic i64, i64* %40 seq_cst, align 8
  %46 = icmp ugt i64 %45, %41
  br i1 %46, label %49, label %47

47:                                               ; preds = %43
  %48 = add i64 %45, %34
  store atomic i64 %48, i64* %40 seq_cst, align 8
  call void @__VERIFIER_atomic_end()
  br label %55

49:                                               ; preds = %43
  call void @__VERIFIER_atomic_end()
  %50 = load atomic i32, i32* %42 seq_cst, align 4
  %51 = and i32 %50, 2048
  %52 = icmp eq i32 %51, 0
  br i1 %52, label %55, label %53

53:                                               ; preds = %49
  %54 = call i32* @__errno_location()
  store i32 11, i32* %54, align 4
  br label %55

55:                                               ; preds = %53, %49, %47
  %56 = phi i1 [ false, %53 ], [ false, %47 ], [ true, %49 ]
  %57 = phi i64 [ -1, %53 ], [ 8, %47 ], [ %44, %49 ]
  br i1 %56, label %43, label %60

58:                                               ; preds = %32, %29
  %59 = call i32* @__errno_location()
  store i32 22, i32* %59, align 4
  br label %60

60:                                               ; preds = %55, %58
  %61 = phi i64 [ -1, %58 ], [ %57, %55 ]
  call void @llvm.lifetime.end.p0i8(i64 8, i8* nonnull %30)
  br label %145

62:                                               ; preds = %23, %137
  %63 = phi i64 [ %143, %137 ], [ 0, %23 ]
  %64 = phi i64 [ %144, %137 ], [ undef, %23 ]
  %65 = icmp ult i64 %63, %2
  br i1 %65, label %66, label %145

66:                                               ; preds = %62
  %67 = sub i64 %2, %63
  %68 = icmp ult i64 %67, 4096
  %69 = select i1 %68, i64 %67, i64 4096
  %70 = getelementptr inbounds i8, i8* %1, i64 %63
  %71 = load %struct.pipe*, %struct.pipe** %25, align 8
  %72 = add nuw nsw i64 %69, 24
  %73 = call i8* @malloc(i64 noundef %72)
  %74 = bitcast i8* %73 to %struct.chunk**
  store %struct.chunk* null, %struct.chunk** %74, align 8
  %75 = getelementptr inbounds i8, i8* %73, i64 8
  %76 = bitcast i8* %75 to i64*
  store i64 %69, i64* %76, align 8
  %77 = getelementptr inbounds i8, i8* %73, i64 16
  %78 = bitcast i8* %77 to i64*
  store i64 0, i64* %78, align 8
  %79 = getelementptr inbounds i8, i8* %73, i64 24
  %80 = call i8* @memcpy(i8* noundef nonnull %79, i8* noundef %70, i64 noundef %69)
  %81 = load atomic i32, i32* %26 seq_cst, align 4
  %82 = and i32 %81, 2048
  %83 = icmp eq i32 %82, 0
  br i1 %83, label %84, label %86

84:                                               ; preds = %66
  call void @__mazurka_begin_blocking()
  call void @__VERIFIER_atomic_begin()
  %85 = getelementptr inbounds %struct.pipe, %struct.pipe* %71, i64 0, i32 1
  call void @__mazurka_wait(i64* noundef nonnull %85)
  br label %92

86:                                               ; preds = %66
  call void @__VERIFIER_atomic_begin()
  %87 = getelementptr inbounds %struct.pipe, %struct.pipe* %71, i64 0, i32 1
  %88 = load atomic i64, i64* %87 seq_cst, align 8
  %89 = icmp eq i64 %88, 0
  br i1 %89, label %90, label %92

90:                                               ; preds = %86
  call void @__VERIFIER_atomic_end()
  call void @free(i8* noundef %73)
  %91 = call i32* @__errno_location()
  store i32 11, i32* %91, align 4
  br label %137

92:                                               ; preds = %86, %84
  %93 = getelementptr inbounds %struct.pipe, %struct.pipe* %71, i64 0, i32 3
  %94 = load atomic i32, i32* %93 seq_cst, align 8
  %95 = icmp eq i32 %94, 0
  br i1 %95, label %96, label %101

96:                                               ; preds = %92
  call void @__VERIFIER_atomic_end()
  br i1 %83, label %97, label %98

97:                                               ; preds = %96
  call void @__mazurka_end_blocking()
  br label %98

98:                                               ; preds = %97, %96
  call void @free(i8* noundef %73)
  %99 = call i32 @raise(i32 noundef 13)
  %100 = call i32* @__errno_location()
  store i32 32, i32* %100, align 4
  br label %137

101:                                              ; preds = %92
  %102 = getelementptr inbounds %struct.pipe, %struct.pipe* %71, i64 0, i32 6
  %103 = bitcast %struct.chunk** %102 to i64*
  %104 = load atomic i64, i64* %103 seq_cst, align 8
  %105 = icmp eq i64 %104, 0
  br i1 %105, label %108, label %106

106:                                              ; preds = %101
  %107 = inttoptr i64 %104 to i8**
  store i8* %73, i8** %107, align 8
  br label %112

108:                                              ; preds = %101
  %109 = getelementptr inbounds %struct.pipe, %struct.pipe* %71, i64 0, i32 5
  %110 = bitcast %struct.chunk** %109 to i64*
  %111 = ptrtoint i8* %73 to i64
  store atomic i64 %111, i64* %110 seq_cst, align 8
  br label %112

112:                                              ; preds = %108, %106
  %113 = ptrtoint i8* %73 to i64
  store atomic i64 %113, i64* %103 seq_cst, align 8
  %114 = getelementptr inbounds %struct.pipe, %struct.pipe* %71, i64 0, i32 2
  %115 = load atomic i64, i64* %114 seq_cst, align 8
  %116 = add i64 %115, %69
  store atomic i64 %116, i64* %114 seq_cst, align 8
  %117 = load atomic i64, i64* %114 seq_cst, align 8
  %118 = getelementptr inbounds %struct.pipe, %struct.pipe* %71, i64 0, i32 0
  %119 = icmp eq i64 %117, 0
  br i1 %119, label %120, label %125

120:                                              ; preds = %112
  %121 = getelementptr inbounds %struct.pipe, %struct.pipe* %71, i64 0, i32 4
  %122 = load atomic i32, i32* %121 seq_cst, align 4
  %123 = icmp eq i32 %122, 0
  %124 = zext i1 %123 to i64
  br label %125

125:                                              ; preds = %120, %112
  %126 = phi i64 [ 1, %112 ], [ %124, %120 ]
  store atomic i64 %126, i64* %118 seq_cst, align 8
  %127 = add i64 %117, 4096
  %128 = icmp ult i64 %127, 65537
  br i1 %128, label %133, label %129

129:                                              ; preds = %125
  %130 = load atomic i32, i32* %93 seq_cst, align 8
  %131 = icmp eq i32 %130, 0
  %132 = zext i1 %131 to i64
  br label %133

133:                                              ; preds = %129, %125
  %134 = phi i64 [ 1, %125 ], [ %132, %129 ]
  %135 = getelementptr inbounds %struct.pipe, %struct.pipe* %71, i64 0, i32 1
  store atomic i64 %134, i64* %135 seq_cst, align 8
  call void @__VERIFIER_atomic_end()
  br i1 %83, label %136, label %137

136:                                              ; preds = %133
  call void @__mazurka_end_blocking()
  br label %137

137:                                              ; preds = %90, %98, %133, %136
  %138 = phi i64 [ -1, %98 ], [ -1, %90 ], [ %69, %136 ], [ %69, %133 ]
  %139 = icmp slt i64 %138, 0
  %140 = icmp eq i64 %63, 0
  %141 = select i1 %140, i64 -1, i64 %63
  %142 = select i1 %139, i64 0, i64 %138
  %143 = add i64 %142, %63
  %144 = select i1 %139, i64 %141, i64 %64
  br i1 %139, label %145, label %62

145:                                              ; preds = %62, %137, %27, %60, %7
  %146 = phi i64 [ %8, %7 ], [ -1, %27 ], [ %61, %60 ], [ %144, %137 ], [ %63, %62 ]
  ret i64 %146
}

declare i64 @__mazurka_print(i32 noundef, i8* noundef, i64 noundef) local_unnamed_addr

define weak dso_local i32 @close(i32 noundef %0) local_unnamed_addr {
  %2 = icmp ult i32 %0, 3
  br i1 %2, label %81, label %3

3:                                                ; preds = %1
  %4 = icmp ugt i32 %0, 255
  br i1 %4, label %11, label %5

5:                                                ; preds = %3
  %6 = sext i32 %0 to i64
  %7 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %6
  %8 = bitcast %struct.file** %7 to i64*
  %9 = load atomic i64, i64* %8 seq_cst, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %11, label %13

11:                                               ; preds = %3, %5
  %12 = call i32* @__errno_location()
  store i32 9, i32* %12, align 4
  br label %81

13:                                               ; preds = %5
  call void @__VERIFIER_atomic_begin()
  %14 = sext i32 %0 to i64
  %15 = getelementptr inbounds [256 x %struct.file*], [256 x %struct.file*]* @files, i64 0, i64 %14
  %16 = bitcast %struct.file** %15 to i64*
  %17 = load atomic i64, i64* %16 seq_cst, align 8
  %18 = inttoptr i64 %17 to %struct.file*
  store atomic i64 0, i64* %16 seq_cst, align 8
  %19 = icmp eq i64 %17, 0
  br i1 %19, label %58, label %20

20:                                               ; preds = %13
  %21 = getelementptr inbounds %struct.file, %struct.file* %18, i64 0, i32 0
  %22 = load i32, i32* %21, align 8
  %23 = icmp eq i32 %22, 3
  br i1 %23, label %58, label %24

24:                                               ; preds = %20
  %25 = getelementptr inbounds %struct.file, %struct.file* %18, i64 0, i32 2
  %26 = bitcast i8** %25 to %struct.pipe**
  %27 = load %struct.pipe*, %struct.pipe** %26, align 8
  %28 = icmp eq i32 %22, 1
  %29 = getelementptr inbounds %struct.pipe, %struct.pipe* %27, i64 0, i32 3
  %30 = getelementptr inbounds %struct.pipe, %struct.pipe* %27, i64 0, i32 4
  %31 = select i1 %28, i32* %29, i32* %30
  %32 = load atomic i32, i32* %31 seq_cst, align 4
  %33 = add i32 %32, -1
  store atomic i32 %33, i32* %31 seq_cst, align 4
  %34 = getelementptr inbounds %struct.pipe, %struct.pipe* %27, i64 0, i32 2
  %35 = load atomic i64, i64* %34 seq_cst, align 8
  %36 = getelementptr inbounds %struct.pipe, %struct.pipe* %27, i64 0, i32 0
  %37 = icmp eq i64 %35, 0
  br i1 %37, label %38, label %42

38:                                               ; preds = %24
  %39 = load atomic i32, i32* %30 seq_cst, align 4
  %40 = icmp eq i32 %39, 0
  %41 = zext i1 %40 to i64
  br label %42

42:                                               ; preds = %38, %24
  %43 = phi i64 [ 1, %24 ], [ %41, %38 ]
  store atomic i64 %43, i64* %36 seq_cst, align 8
  %44 = add i64 %35, 4096
  %45 = icmp ult i64 %44, 65537
  br i1 %45, label %50, label %46

46:                                               ; preds = %42
  %47 = load atomic i32, i32* %29 seq_cst, align 8
  %48 = icmp eq i32 %47, 0
  %49 = zext i1 %48 to i64
  br label %50

50:                                               ; preds = %42, %46
  %51 = phi i64 [ 1, %42 ], [ %49, %46 ]
  %52 = getelementptr inbounds %struct.pipe, %struct.pipe* %27, i64 0, i32 1
  store atomic i64 %51, i64* %52 seq_cst, align 8
  %53 = load atomic i32, i32* %29 seq_cst, align 8
  %54 = load atomic i32, i32* %30 seq_cst, align 4
  %55 = sub i32 0, %54
  %56 = icmp eq i32 %53, %55
  %57 = zext i1 %56 to i32
  br label %58

58:                                               ; preds = %50, %20, %13
  %59 = phi i32 [ %57, %50 ], [ 0, %20 ], [ 0, %13 ]
  call void @__VERIFIER_atomic_end()
  br i1 %19, label %60, label %62

60:                                               ; preds = %58
  %61 = call i32* @__errno_location()
  store i32 9, i32* %61, align 4
  br label %81

62:                                               ; preds = %58
  %63 = icmp eq i32 %59, 0
  br i1 %63, label %81, label %64

64:                                               ; preds = %62
  %65 = getelementptr inbounds %struct.file, %struct.file* %18, i64 0, i32 2
  %66 = bitcast i8** %65 to %struct.pipe**
  %67 = load %struct.pipe*, %struct.pipe** %66, align 8
  %68 = getelementptr inbounds %struct.pipe, %struct.pipe* %67, i64 0, i32 5
  %69 = bitcast %struct.chunk** %68 to i64*
  %70 = load atomic i64, i64* %69 seq_cst, align 8
  %71 = icmp eq i64 %70, 0
  br i1 %71, label %74, label %72

72:                                               ; preds = %64
  %73 = inttoptr i64 %70 to %struct.chunk*
  br label %75

74:                                               ; preds = %75, %64
  store atomic i64 0, i64* %69 seq_cst, align 8
  br label %81

75:                                               ; preds = %72, %75
  %76 = phi %struct.chunk* [ %78, %75 ], [ %73, %72 ]
  %77 = getelementptr inbounds %struct.chunk, %struct.chunk* %76, i64 0, i32 0
  %78 = load %struct.chunk*, %struct.chunk** %77, align 8
  %79 = bitcast %struct.chunk* %76 to i8*
  call void @free(i8* noundef nonnull %79)
  %80 = icmp eq %struct.chunk* %78, null
  br i1 %80, label %74, label %75

81:                                               ; preds = %60, %74, %62, %1, %11
  %82 = phi i32 [ -1, %11 ], [ 0, %1 ], [ -1, %60 ], [ 0, %74 ], [ 0, %62 ]
  ret i32 %82
}

define weak dso_local %struct.sem_t* @sem_open(i8* noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = call i8* @malloc(i64 noundef 32)
  %6 = call i8* @malloc(i64 noundef 32)
  %7 = bitcast i8* %6 to %struct.sem_t*
  %8 = call i64 @strlen(i8* noundef %0)
  %9 = add i64 %8, 1
  %10 = call i8* @malloc(i64 noundef %9)
  %11 = call i8* @memcpy(i8* noundef %10, i8* noundef %0, i64 noundef %9)
  call void @__VERIFIER_atomic_begin()
  %12 = load atomic i64, i64* bitcast (%struct.named** @named_semaphores to i64*) seq_cst, align 8
  %13 = icmp eq i64 %12, 0
  br i1 %13, label %29, label %14

14:                                               ; preds = %4, %25
  %15 = phi i64 [ %27, %25 ], [ %12, %4 ]
  %16 = inttoptr i64 %15 to %struct.named*
  %17 = getelementptr inbounds %struct.named, %struct.named* %16, i64 0, i32 1
  %18 = bitcast i8** %17 to i64*
  %19 = load atomic i64, i64* %18 seq_cst, align 8
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %25, label %21

21:                                               ; preds = %14
  %22 = load i8*, i8** %17, align 8
  %23 = call i32 @strcmp(i8* noundef %22, i8* noundef %10)
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %29, label %25

25:                                               ; preds = %21, %14
  %26 = inttoptr i64 %15 to i64*
  %27 = load atomic i64, i64* %26 seq_cst, align 8
  %28 = icmp eq i64 %27, 0
  br i1 %28, label %29, label %14

29:                                               ; preds = %21, %25, %4
  %30 = phi i64 [ %12, %4 ], [ %15, %21 ], [ %27, %25 ]
  %31 = inttoptr i64 %30 to %struct.named*
  %32 = icmp eq i64 %30, 0
  %33 = and i32 %1, 64
  %34 = icmp eq i32 %33, 0
  %35 = and i32 %1, 192
  %36 = icmp ne i32 %35, 192
  %37 = or i1 %36, %32
  br i1 %37, label %38, label %58

38:                                               ; preds = %29
  br i1 %32, label %45, label %39

39:                                               ; preds = %38
  %40 = getelementptr inbounds %struct.named, %struct.named* %31, i64 0, i32 2
  %41 = load atomic i32, i32* %40 seq_cst, align 8
  %42 = add i32 %41, 1
  store atomic i32 %42, i32* %40 seq_cst, align 8
  %43 = getelementptr inbounds %struct.named, %struct.named* %31, i64 0, i32 3
  %44 = load %struct.sem_t*, %struct.sem_t** %43, align 8
  br label %58

45:                                               ; preds = %38
  br i1 %34, label %58, label %46

46:                                               ; preds = %45
  %47 = getelementptr inbounds i8, i8* %5, i64 8
  %48 = bitcast i8* %47 to i8**
  store i8* %10, i8** %48, align 8
  %49 = getelementptr inbounds i8, i8* %5, i64 16
  %50 = bitcast i8* %49 to i32*
  store i32 1, i32* %50, align 8
  %51 = getelementptr inbounds i8, i8* %5, i64 24
  %52 = bitcast i8* %51 to i8**
  store i8* %6, i8** %52, align 8
  %53 = load atomic i64, i64* bitcast (%struct.named** @named_semaphores to i64*) seq_cst, align 8
  %54 = inttoptr i64 %53 to %struct.named*
  %55 = bitcast i8* %5 to %struct.named**
  store %struct.named* %54, %struct.named** %55, align 8
  %56 = call i32 @sem_init(%struct.sem_t* noundef %7, i32 noundef 0, i32 noundef %3)
  %57 = ptrtoint i8* %5 to i64
  store atomic i64 %57, i64* bitcast (%struct.named** @named_semaphores to i64*) seq_cst, align 8
  br label %58

58:                                               ; preds = %45, %29, %39, %46
  %59 = phi %struct.sem_t* [ %44, %39 ], [ %7, %46 ], [ null, %29 ], [ null, %45 ]
  %60 = phi i1 [ true, %39 ], [ true, %46 ], [ false, %29 ], [ false, %45 ]
  %61 = phi i32 [ 0, %39 ], [ 0, %46 ], [ 17, %29 ], [ 2, %45 ]
  call void @__VERIFIER_atomic_end()
  %62 = icmp eq %struct.sem_t* %59, %7
  br i1 %62, label %64, label %63

63:                                               ; preds = %58
  call void @free(i8* noundef %5)
  call void @free(i8* noundef %6)
  call void @free(i8* noundef %10)
  br label %64

64:                                               ; preds = %63, %58
  br i1 %60, label %67, label %65

65:                                               ; preds = %64
  %66 = call i32* @__errno_location()
  store i32 %61, i32* %66, align 4
  br label %67

67:                                               ; preds = %65, %64
  ret %struct.sem_t* %59
}

declare i64 @strlen(i8* noundef) local_unnamed_addr

declare i32 @sem_init(%struct.sem_t* noundef, i32 noundef, i32 noundef) local_unnamed_addr

define weak dso_local i32 @sem_close(%struct.sem_t* noundef %0) local_unnamed_addr {
  call void @__VERIFIER_atomic_begin()
  %2 = load atomic i64, i64* bitcast (%struct.named** @named_semaphores to i64*) seq_cst, align 8
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %40, label %4

4:                                                ; preds = %1, %35
  %5 = phi i1 [ %39, %35 ], [ %3, %1 ]
  %6 = phi i64 [ %38, %35 ], [ %2, %1 ]
  %7 = phi %struct.named** [ %36, %35 ], [ @named_semaphores, %1 ]
  %8 = inttoptr i64 %6 to %struct.named*
  %9 = getelementptr inbounds %struct.named, %struct.named* %8, i64 0, i32 3
  %10 = load %struct.sem_t*, %struct.sem_t** %9, align 8
  %11 = icmp eq %struct.sem_t* %10, %0
  br i1 %11, label %12, label %35

12:                                               ; preds = %4
  %13 = getelementptr inbounds %struct.named, %struct.named* %8, i64 0, i32 2
  %14 = load atomic i32, i32* %13 seq_cst, align 8
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %35, label %16

16:                                               ; preds = %12
  %17 = bitcast %struct.named** %7 to i64*
  %18 = inttoptr i64 %6 to %struct.named*
  %19 = getelementptr inbounds %struct.named, %struct.named* %18, i64 0, i32 2
  %20 = load atomic i32, i32* %19 seq_cst, align 8
  %21 = add i32 %20, -1
  store atomic i32 %21, i32* %19 seq_cst, align 8
  %22 = load atomic i32, i32* %19 seq_cst, align 8
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %24, label %42

24:                                               ; preds = %16
  %25 = getelementptr inbounds %struct.named, %struct.named* %18, i64 0, i32 1
  %26 = bitcast i8** %25 to i64*
  %27 = load atomic i64, i64* %26 seq_cst, align 8
  %28 = icmp eq i64 %27, 0
  br i1 %28, label %29, label %42

29:                                               ; preds = %24
  %30 = inttoptr i64 %6 to i64*
  %31 = load atomic i64, i64* %30 seq_cst, align 8
  store atomic i64 %31, i64* %17 seq_cst, align 8
  %32 = inttoptr i64 %6 to i8*
  call void @free(i8* noundef nonnull %32)
  call void @__VERIFIER_atomic_end()
  %33 = call i32 @sem_destroy(%struct.sem_t* noundef %0)
  %34 = getelementptr %struct.sem_t, %struct.sem_t* %0, i64 0, i32 0, i64 0
  call void @free(i8* noundef %34)
  br label %43

35:                                               ; preds = %4, %12
  %36 = getelementptr inbounds %struct.named, %struct.named* %8, i64 0, i32 0
  %37 = inttoptr i64 %6 to i64*
  %38 = load atomic i64, i64* %37 seq_cst, align 8
  %39 = icmp eq i64 %38, 0
  br i1 %39, label %40, label %4

40:                                               ; preds = %35, %1
  %41 = phi i1 [ %3, %1 ], [ %39, %35 ]
  call void @__VERIFIER_atomic_end()
  br label %43

42:                                               ; preds = %16, %24
  call void @__VERIFIER_atomic_end()
  br label %43

43:                                               ; preds = %42, %40, %29
  %44 = phi i1 [ %5, %42 ], [ %41, %40 ], [ %5, %29 ]
  br i1 %44, label %45, label %47

45:                                               ; preds = %43
  %46 = call i32* @__errno_location()
  store i32 22, i32* %46, align 4
  br label %47

47:                                               ; preds = %43, %45
  %48 = phi i32 [ -1, %45 ], [ 0, %43 ]
  ret i32 %48
}

declare i32 @sem_destroy(%struct.sem_t* noundef) local_unnamed_addr

define weak dso_local i32 @sem_unlink(i8* noundef %0) local_unnamed_addr {
  call void @__VERIFIER_atomic_begin()
  %2 = load atomic i64, i64* bitcast (%struct.named** @named_semaphores to i64*) seq_cst, align 8
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %19, label %4

4:                                                ; preds = %1, %15
  %5 = phi i64 [ %17, %15 ], [ %2, %1 ]
  %6 = inttoptr i64 %5 to %struct.named*
  %7 = getelementptr inbounds %struct.named, %struct.named* %6, i64 0, i32 1
  %8 = bitcast i8** %7 to i64*
  %9 = load atomic i64, i64* %8 seq_cst, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %15, label %11

11:                                               ; preds = %4
  %12 = load i8*, i8** %7, align 8
  %13 = call i32 @strcmp(i8* noundef %12, i8* noundef %0)
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %19, label %15

15:                                               ; preds = %11, %4
  %16 = inttoptr i64 %5 to i64*
  %17 = load atomic i64, i64* %16 seq_cst, align 8
  %18 = icmp eq i64 %17, 0
  br i1 %18, label %19, label %4

19:                                               ; preds = %11, %15, %1
  %20 = phi i64 [ %2, %1 ], [ %5, %11 ], [ %17, %15 ]
  %21 = inttoptr i64 %20 to %struct.named*
  %22 = icmp eq i64 %20, 0
  br i1 %22, label %50, label %23

23:                                               ; preds = %19
  %24 = getelementptr inbounds %struct.named, %struct.named* %21, i64 0, i32 1
  %25 = load i8*, i8** %24, align 8
  %26 = bitcast i8** %24 to i64*
  store atomic i64 0, i64* %26 seq_cst, align 8
  %27 = getelementptr inbounds %struct.named, %struct.named* %21, i64 0, i32 2
  %28 = load atomic i32, i32* %27 seq_cst, align 8
  %29 = icmp eq i32 %28, 0
  br i1 %29, label %30, label %50

30:                                               ; preds = %23
  %31 = load atomic i64, i64* bitcast (%struct.named** @named_semaphores to i64*) seq_cst, align 8
  %32 = inttoptr i64 %31 to %struct.named*
  %33 = icmp eq %struct.named* %21, %32
  br i1 %33, label %43, label %34

34:                                               ; preds = %30, %34
  %35 = phi i64* [ %37, %34 ], [ bitcast (%struct.named** @named_semaphores to i64*), %30 ]
  %36 = load atomic i64, i64* %35 seq_cst, align 8
  %37 = inttoptr i64 %36 to i64*
  %38 = load atomic i64, i64* %37 seq_cst, align 8
  %39 = inttoptr i64 %38 to %struct.named*
  %40 = icmp eq %struct.named* %21, %39
  br i1 %40, label %41, label %34

41:                                               ; preds = %34
  %42 = inttoptr i64 %36 to i64*
  br label %43

43:                                               ; preds = %41, %30
  %44 = phi i64* [ bitcast (%struct.named** @named_semaphores to i64*), %30 ], [ %42, %41 ]
  %45 = inttoptr i64 %20 to i64*
  %46 = load atomic i64, i64* %45 seq_cst, align 8
  store atomic i64 %46, i64* %44 seq_cst, align 8
  %47 = getelementptr inbounds %struct.named, %struct.named* %21, i64 0, i32 3
  %48 = load %struct.sem_t*, %struct.sem_t** %47, align 8
  %49 = inttoptr i64 %20 to i8*
  call void @free(i8* noundef nonnull %49)
  br label %50

50:                                               ; preds = %23, %43, %19
  %51 = phi i8* [ %25, %23 ], [ %25, %43 ], [ null, %19 ]
  %52 = phi %struct.sem_t* [ null, %23 ], [ %48, %43 ], [ null, %19 ]
  call void @__VERIFIER_atomic_end()
  %53 = icmp eq i8* %51, null
  br i1 %53, label %54, label %56

54:                                               ; preds = %50
  %55 = call i32* @__errno_location()
  store i32 2, i32* %55, align 4
  br label %61

56:                                               ; preds = %50
  call void @free(i8* noundef nonnull %51)
  %57 = icmp eq %struct.sem_t* %52, null
  br i1 %57, label %61, label %58

58:                                               ; preds = %56
  %59 = call i32 @sem_destroy(%struct.sem_t* noundef nonnull %52)
  %60 = getelementptr %struct.sem_t, %struct.sem_t* %52, i64 0, i32 0, i64 0
  call void @free(i8* noundef %60)
  br label %61

61:                                               ; preds = %56, %58, %54
  %62 = phi i32 [ -1, %54 ], [ 0, %58 ], [ 0, %56 ]
  ret i32 %62
}

define weak dso_local i32 @getrlimit(i32 noundef %0, %struct.limit* noundef %1) local_unnamed_addr {
  %3 = icmp eq i32 %0, 7
  %4 = select i1 %3, i64 256, i64 -1
  %5 = icmp eq i32 %0, 3
  %6 = select i1 %5, i64 8388608, i64 %4
  %7 = getelementptr inbounds %struct.limit, %struct.limit* %1, i64 0, i32 0
  store i64 %6, i64* %7, align 8
  %8 = getelementptr inbounds %struct.limit, %struct.limit* %1, i64 0, i32 1
  store i64 %4, i64* %8, align 8
  ret i32 0
}

define weak dso_local i32 @setrlimit(i32 noundef %0, %struct.limit* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.limit, %struct.limit* %1, i64 0, i32 0
  %4 = load i64, i64* %3, align 8
  %5 = getelementptr inbounds %struct.limit, %struct.limit* %1, i64 0, i32 1
  %6 = load i64, i64* %5, align 8
  %7 = icmp ugt i64 %4, %6
  br i1 %7, label %8, label %10

8:                                                ; preds = %2
  %9 = call i32* @__errno_location()
  store i32 22, i32* %9, align 4
  br label %10

10:                                               ; preds = %2, %8
  %11 = phi i32 [ -1, %8 ], [ 0, %2 ]
  ret i32 %11
}

declare i32* @__errno_location() local_unnamed_addr

declare void @__mazurka_begin_blocking() local_unnamed_addr

declare void @__mazurka_wait(i64* noundef) local_unnamed_addr

declare void @__mazurka_end_blocking() local_unnamed_addr

declare i32 @raise(i32 noundef) local_unnamed_addr

declare i32 @strcmp(i8* noundef, i8* noundef) local_unnamed_addr



