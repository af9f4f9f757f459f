target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.action = type { i8*, %struct.set, i32, i8* }
%struct.set = type { [16 x i64] }

@actions = internal unnamed_addr global [65 x %struct.action] zeroinitializer, align 16

define weak dso_local i32 @raise(i32 noundef %0) local_unnamed_addr {
  %2 = icmp ugt i32 %0, 64
  br i1 %2, label %18, label %3

3:                                                ; preds = %1
  %4 = call i64* @__mazurka_signals()
  %5 = icmp eq i32 %0, 0
  br i1 %5, label %18, label %6

6:                                                ; preds = %3
  %7 = load i64, i64* %4, align 8
  %8 = add nsw i32 %0, -1
  %9 = zext i32 %8 to i64
  %10 = shl i64 1, %9
  %11 = and i64 %7, %10
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %17, label %13

13:                                               ; preds = %6
  %14 = getelementptr inbounds i64, i64* %4, i64 1
  %15 = load i64, i64* %14, align 8
  %16 = or i64 %15, %10
  store i64 %16, i64* %14, align 8
  br label %18

17:                                               ; preds = %6
  call fastcc void @deliver(i32 noundef %0)
  br label %18

18:                                               ; preds = %1, %3, %13, %17
  %19 = phi i1 [ false, %1 ], [ true, %3 ], [ true, %13 ], [ true, %17 ]
  %20 = phi i32 [ 22, %1 ], [ 0, %3 ], [ 0, %13 ], [ 0, %17 ]
  br i1 %19, label %23, label %21

21:                                               ; preds = %18
  %22 = call i32* @__errno_location()
  store i32 %20, i32* %22, align 4
  br label %23

23:                                               ; preds = %18, %21
  %24 = phi i32 [ -1, %21 ], [ 0, %18 ]
  ret i32 %24
}

declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture)

declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture)

define weak dso_local i32 @kill(i32 noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = add i32 %0, -2
  %4 = icmp ult i32 %3, -3
  br i1 %4, label %5, label %7

5:                                                ; preds = %2
  %6 = call i32* @__errno_location()
  store i32 3, i32* %6, align 4
  br label %9

7:                                                ; preds = %2
  %8 = call i32 @raise(i32 noundef %1)
  br label %9

9:                                                ; preds = %7, %5
  %10 = phi i32 [ -1, %5 ], [ %8, %7 ]
  ret i32 %10
}

define weak dso_local i32 @pthread_kill(i64 noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = call i64 @pthread_self()
  %4 = icmp eq i64 %3, %0
  %5 = icmp ugt i32 %1, 64
  br i1 %4, label %6, label %22

6:                                                ; preds = %2
  br i1 %5, label %26, label %7

7:                                                ; preds = %6
  %8 = call i64* @__mazurka_signals()
  %9 = icmp eq i32 %1, 0
  br i1 %9, label %26, label %10

10:                                               ; preds = %7
  %11 = load i64, i64* %8, align 8
  %12 = add nsw i32 %1, -1
  %13 = zext i32 %12 to i64
  %14 = shl i64 1, %13
  %15 = and i64 %11, %14
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %21, label %17

17:                                               ; preds = %10
  %18 = getelementptr inbounds i64, i64* %8, i64 1
  %19 = load i64, i64* %18, align 8
  %20 = or i64 %19, %14
  store i64 %20, i64* %18, align 8
  br label %26

21:                                               ; preds = %10
  call fastcc void @deliver(i32 noundef %1)
  br label %26

22:                                               ; preds = %2
  br i1 %5, label %26, label %23

23:                                               ; preds = %22
  %24 = icmp eq i32 %1, 0
  br i1 %24, label %26, label %25

25:                                               ; preds = %23
  call void @__mazurka_signal_other(i32 noundef %1)
  br label %26

26:                                               ; preds = %21, %17, %7, %6, %23, %25, %22
  %27 = phi i32 [ 22, %22 ], [ 0, %25 ], [ 0, %23 ], [ 22, %6 ], [ 0, %17 ], [ 0, %21 ], [ 0, %7 ]
  ret i32 %27
}

declare i64 @pthread_self() local_unnamed_addr

declare void @__mazurka_signal_other(i32 noundef) local_unnamed_addr

define weak dso_local i32 @sigaction(i32 noundef %0, %struct.action* noundef %1, %struct.action* noundef %2) local_unnamed_addr {
  %4 = alloca %struct.action, align 8
  %5 = alloca %struct.action, align 8
  %6 = add i32 %0, -65
  %7 = icmp ult i32 %6, -64
  br i1 %7, label %11, label %8

8:                                                ; preds = %3
  %9 = icmp eq %struct.action* %1, null
  br i1 %9, label %13, label %10

10:                                               ; preds = %8
  switch i32 %0, label %13 [
    i32 19, label %11
    i32 9, label %11
  ]

11:                                               ; preds = %10, %10, %3
  %12 = call i32* @__errno_location()
  store i32 22, i32* %12, align 4
  br label %47

13:                                               ; preds = %10, %8
  %14 = bitcast %struct.action* %4 to i8*
  call void @llvm.lifetime.start.p0i8(i64 152, i8* nonnull %14)
  %15 = bitcast %struct.action* %5 to i8*
  call void @llvm.lifetime.start.p0i8(i64 152, i8* nonnull %15)
  %16 = call i8* @memset(i8* noundef nonnull %14, i32 noundef 0, i64 noundef 152)
  br i1 %9, label %20, label %17

17:                                               ; preds = %13
  %18 = bitcast %struct.action* %1 to i8*
  %19 = call i8* @memcpy(i8* noundef nonnull %15, i8* noundef nonnull %18, i64 noundef 152)
  br label %20

20:                                               ; preds = %17, %13
  call void @__VERIFIER_atomic_begin()
  %21 = sext i32 %0 to i64
  %22 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %21
  %23 = bitcast %struct.action* %22 to i64*
  %24 = load atomic i64, i64* %23 seq_cst, align 8
  %25 = inttoptr i64 %24 to i8*
  %26 = getelementptr inbounds %struct.action, %struct.action* %4, i64 0, i32 0
  store i8* %25, i8** %26, align 8
  %27 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %21, i32 2
  %28 = load atomic i32, i32* %27 seq_cst, align 8
  %29 = getelementptr inbounds %struct.action, %struct.action* %4, i64 0, i32 2
  store i32 %28, i32* %29, align 8
  %30 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %21, i32 1, i32 0, i64 0
  %31 = load atomic i64, i64* %30 seq_cst, align 8
  %32 = getelementptr inbounds %struct.action, %struct.action* %4, i64 0, i32 1, i32 0, i64 0
  store i64 %31, i64* %32, align 8
  br i1 %9, label %41, label %33

33:                                               ; preds = %20
  %34 = getelementptr inbounds %struct.action, %struct.action* %5, i64 0, i32 0
  %35 = load i8*, i8** %34, align 8
  %36 = ptrtoint i8* %35 to i64
  store atomic i64 %36, i64* %23 seq_cst, align 8
  %37 = getelementptr inbounds %struct.action, %struct.action* %5, i64 0, i32 2
  %38 = load i32, i32* %37, align 8
  store atomic i32 %38, i32* %27 seq_cst, align 8
  %39 = getelementptr inbounds %struct.action, %struct.action* %5, i64 0, i32 1, i32 0, i64 0
  %40 = load i64, i64* %39, align 8
  store atomic i64 %40, i64* %30 seq_cst, align 8
  br label %41

41:                                               ; preds = %33, %20
  call void @__VERIFIER_atomic_end()
  %42 = icmp eq %struct.action* %2, null
  br i1 %42, label %46, label %43

43:                                               ; preds = %41
  %44 = bitcast %struct.action* %2 to i8*
  %45 = call i8* @memcpy(i8* noundef nonnull %44, i8* noundef nonnull %14, i64 noundef 152)
  br label %46

46:                                               ; preds = %43, %41
  call void @llvm.lifetime.end.p0i8(i64 152, i8* nonnull %15)
  call void @llvm.lifetime.end.p0i8(i64 152, i8* nonnull %14)
  br label %47

47:                                               ; preds = %46, %11
  %48 = phi i32 [ -1, %11 ], [ 0, %46 ]
  ret i32 %48
}

declare i8* @memset(i8* noundef, i32 noundef, i64 noundef) local_unnamed_addr

declare i8* @memcpy(i8* noundef, i8* noundef, i64 noundef) local_unnamed_addr

declare void @__VERIFIER_atomic_begin() local_unnamed_addr

declare void @__VERIFIER_atomic_end() local_unnamed_addr

define weak dso_local i8* @signal(i32 noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = alloca %struct.action, align 8
  %4 = alloca %struct.action, align 8
  %5 = bitcast %struct.action* %3 to i8*
  call void @llvm.lifetime.start.p0i8(i64 152, i8* nonnull %5)
  %6 = bitcast %struct.action* %4 to i8*
  call void @llvm.lifetime.start.p0i8(i64 152, i8* nonnull %6)
  %7 = call i8* @memset(i8* noundef nonnull %5, i32 noundef 0, i64 noundef 152)
  %8 = getelementptr inbounds %struct.action, %struct.action* %3, i64 0, i32 0
  store i8* %1, i8** %8, align 8
  %9 = call i32 @sigaction(i32 noundef %0, %struct.action* noundef nonnull %3, %struct.action* noundef nonnull %4)
  %10 = icmp eq i32 %9, 0
  %11 = getelementptr inbounds %struct.action, %struct.action* %4, i64 0, i32 0
  %12 = load i8*, i8** %11, align 8
  %13 = select i1 %10, i8* %12, i8* inttoptr (i64 -1 to i8*)
  call void @llvm.lifetime.end.p0i8(i64 152, i8* nonnull %6)
  call void @llvm.lifetime.end.p0i8(i64 152, i8* nonnull %5)
  ret i8* %13
}

define weak dso_local i32 @sigemptyset(%struct.set* noundef %0) local_unnamed_addr {
  %2 = bitcast %struct.set* %0 to i8*
  %3 = call i8* @memset(i8* noundef %2, i32 noundef 0, i64 noundef 128)
  ret i32 0
}

define weak dso_local i32 @sigfillset(%struct.set* noundef %0) local_unnamed_addr {
  %2 = bitcast %struct.set* %0 to i8*
  %3 = call i8* @memset(i8* noundef %2, i32 noundef 255, i64 noundef 128)
  ret i32 0
}

define weak dso_local i32 @sigaddset(%struct.set* noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = add i32 %1, -65
  %4 = icmp ult i32 %3, -64
  br i1 %4, label %5, label %7

5:                                                ; preds = %2
  %6 = call i32* @__errno_location()
  store i32 22, i32* %6, align 4
  br label %14

7:                                                ; preds = %2
  %8 = add nsw i32 %1, -1
  %9 = zext i32 %8 to i64
  %10 = shl i64 1, %9
  %11 = getelementptr inbounds %struct.set, %struct.set* %0, i64 0, i32 0, i64 0
  %12 = load i64, i64* %11, align 8
  %13 = or i64 %12, %10
  store i64 %13, i64* %11, align 8
  br label %14

14:                                               ; preds = %7, %5
  %15 = phi i32 [ -1, %5 ], [ 0, %7 ]
  ret i32 %15
}

define weak dso_local i32 @sigdelset(%struct.set* noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = add i32 %1, -65
  %4 = icmp ult i32 %3, -64
  br i1 %4, label %5, label %7

5:                                                ; preds = %2
  %6 = call i32* @__errno_location()
  store i32 22, i32* %6, align 4
  br label %15

7:                                                ; preds = %2
  %8 = add nsw i32 %1, -1
  %9 = zext i32 %8 to i64
  %10 = shl i64 1, %9
  %11 = xor i64 %10, -1
  %12 = getelementptr inbounds %struct.set, %struct.set* %0, i64 0, i32 0, i64 0
  %13 = load i64, i64* %12, align 8
  %14 = and i64 %13, %11
  store i64 %14, i64* %12, align 8
  br label %15

15:                                               ; preds = %7, %5
  %16 = phi i32 [ -1, %5 ], [ 0, %7 ]
  ret i32 %16
}

define weak dso_local i32 @sigismember(%struct.set* noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = add i32 %1, -65
  %4 = icmp ult i32 %3, -64
  br i1 %4, label %5, label %7

5:                                                ; preds = %2
  %6 = call i32* @__errno_location()
  store i32 22, i32* %6, align 4
  br label %16

7:                                                ; preds = %2
  %8 = getelementptr inbounds %struct.set, %struct.set* %0, i64 0, i32 0, i64 0
  %9 = load i64, i64* %8, align 8
  %10 = add nsw i32 %1, -1
  %11 = zext i32 %10 to i64
  %12 = shl i64 1, %11
  %13 = and i64 %9, %12
  %14 = icmp ne i64 %13, 0
  %15 = zext i1 %14 to i32
  br label %16

16:                                               ; preds = %7, %5
  %17 = phi i32 [ -1, %5 ], [ %15, %7 ]
  ret i32 %17
}

define weak dso_local i32 @pthread_sigmask(i32 noundef %0, %struct.set* noundef %1, %struct.set* noundef %2) local_unnamed_addr {
  %4 = call i64* @__mazurka_signals()
  %5 = load i64, i64* %4, align 8
  %6 = icmp eq %struct.set* %1, null
  br i1 %6, label %18, label %7

7:                                                ; preds = %3
  %8 = getelementptr inbounds %struct.set, %struct.set* %1, i64 0, i32 0, i64 0
  %9 = load i64, i64* %8, align 8
  %10 = and i64 %9, -262401
  switch i32 %0, label %43 [
    i32 0, label %11
    i32 1, label %13
    i32 2, label %16
  ]

11:                                               ; preds = %7
  %12 = or i64 %10, %5
  br label %16

13:                                               ; preds = %7
  %14 = xor i64 %10, -1
  %15 = and i64 %5, %14
  br label %16

16:                                               ; preds = %7, %11, %13
  %17 = phi i64 [ %15, %13 ], [ %12, %11 ], [ %10, %7 ]
  store i64 %17, i64* %4, align 8
  br label %18

18:                                               ; preds = %16, %3
  %19 = icmp eq %struct.set* %2, null
  br i1 %19, label %23, label %20

20:                                               ; preds = %18
  %21 = call i32 @sigemptyset(%struct.set* noundef nonnull %2)
  %22 = getelementptr inbounds %struct.set, %struct.set* %2, i64 0, i32 0, i64 0
  store i64 %5, i64* %22, align 8
  br label %23

23:                                               ; preds = %20, %18
  %24 = call i64* @__mazurka_signals()
  %25 = getelementptr inbounds i64, i64* %24, i64 1
  br label %26

26:                                               ; preds = %40, %23
  %27 = phi i64 [ 1, %23 ], [ %41, %40 ]
  %28 = load i64, i64* %25, align 8
  %29 = load i64, i64* %24, align 8
  %30 = xor i64 %29, -1
  %31 = add nsw i64 %27, -1
  %32 = shl i64 1, %31
  %33 = and i64 %32, %28
  %34 = and i64 %33, %30
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %40, label %36

36:                                               ; preds = %26
  %37 = xor i64 %32, -1
  %38 = and i64 %28, %37
  store i64 %38, i64* %25, align 8
  %39 = trunc i64 %27 to i32
  call fastcc void @deliver(i32 noundef %39)
  br label %40

40:                                               ; preds = %36, %26
  %41 = add nuw nsw i64 %27, 1
  %42 = icmp eq i64 %41, 65
  br i1 %42, label %43, label %26

43:                                               ; preds = %40, %7
  %44 = phi i32 [ 22, %7 ], [ 0, %40 ]
  ret i32 %44
}

declare i64* @__mazurka_signals() local_unnamed_addr

define weak dso_local i32 @sigprocmask(i32 noundef %0, %struct.set* noundef %1, %struct.set* noundef %2) local_unnamed_addr {
  %4 = call i32 @pthread_sigmask(i32 noundef %0, %struct.set* noundef %1, %struct.set* noundef %2)
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %8, label %6

6:                                                ; preds = %3
  %7 = call i32* @__errno_location()
  store i32 %4, i32* %7, align 4
  br label %8

8:                                                ; preds = %3, %6
  %9 = phi i32 [ -1, %6 ], [ 0, %3 ]
  ret i32 %9
}

define weak dso_local i32 @sigpending(%struct.set* noundef %0) local_unnamed_addr {
  %2 = call i32 @sigemptyset(%struct.set* noundef %0)
  %3 = call i64* @__mazurka_signals()
  %4 = getelementptr inbounds i64, i64* %3, i64 1
  %5 = load i64, i64* %4, align 8
  %6 = getelementptr inbounds %struct.set, %struct.set* %0, i64 0, i32 0, i64 0
  store i64 %5, i64* %6, align 8
  ret i32 0
}

define internal fastcc void @deliver(i32 noundef %0) unnamed_addr {
  %2 = alloca [32 x i32], align 16
  %3 = call i64* @__mazurka_signals()
  call void @__VERIFIER_atomic_begin()
  %4 = sext i32 %0 to i64
  %5 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %4
  %6 = bitcast %struct.action* %5 to i64*
  %7 = load atomic i64, i64* %6 seq_cst, align 8
  %8 = inttoptr i64 %7 to i8*
  %9 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %4, i32 2
  %10 = load atomic i32, i32* %9 seq_cst, align 8
  %11 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %4, i32 1, i32 0, i64 0
  %12 = load atomic i64, i64* %11 seq_cst, align 8
  %13 = icmp slt i32 %10, 0
  %14 = icmp ne i64 %7, 0
  %15 = select i1 %13, i1 %14, i1 false
  %16 = icmp ne i8* %8, inttoptr (i64 1 to i8*)
  %17 = select i1 %15, i1 %16, i1 false
  br i1 %17, label %18, label %19

18:                                               ; preds = %1
  store atomic i64 0, i64* %6 seq_cst, align 8
  br label %19

19:                                               ; preds = %18, %1
  call void @__VERIFIER_atomic_end()
  %20 = icmp eq i8* %8, inttoptr (i64 1 to i8*)
  br i1 %20, label %64, label %21

21:                                               ; preds = %19
  %22 = icmp eq i64 %7, 0
  br i1 %22, label %23, label %25

23:                                               ; preds = %21
  switch i32 %0, label %24 [
    i32 28, label %64
    i32 23, label %64
    i32 18, label %64
    i32 17, label %64
  ]

24:                                               ; preds = %23
  call void @__mazurka_killed(i32 noundef %0)
  br label %64

25:                                               ; preds = %21
  %26 = load i64, i64* %3, align 8
  %27 = and i32 %10, 1073741824
  %28 = icmp eq i32 %27, 0
  %29 = add nsw i32 %0, -1
  %30 = zext i32 %29 to i64
  %31 = shl i64 1, %30
  %32 = select i1 %28, i64 %31, i64 0
  %33 = or i64 %32, %12
  %34 = or i64 %33, %26
  store i64 %34, i64* %3, align 8
  %35 = and i32 %10, 4
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %42, label %37

37:                                               ; preds = %25
  %38 = bitcast [32 x i32]* %2 to i8*
  call void @llvm.lifetime.start.p0i8(i64 128, i8* nonnull %38)
  %39 = getelementptr inbounds [32 x i32], [32 x i32]* %2, i64 0, i64 0
  %40 = call i8* @memset(i8* noundef nonnull %38, i32 noundef 0, i64 noundef 128)
  store i32 %0, i32* %39, align 16
  %41 = inttoptr i64 %7 to void (i32, i8*, i8*)*
  call void %41(i32 noundef %0, i8* noundef nonnull %38, i8* noundef null)
  call void @llvm.lifetime.end.p0i8(i64 128, i8* nonnull %38)
  br label %44

42:                                               ; preds = %25
  %43 = inttoptr i64 %7 to void (i32)*
  call void %43(i32 noundef %0)
  br label %44

44:                                               ; preds = %42, %37
  store i64 %26, i64* %3, align 8
  %45 = call i64* @__mazurka_signals()
  %46 = getelementptr inbounds i64, i64* %45, i64 1
  br label %47

47:                                               ; preds = %44, %61
  %48 = phi i64 [ 1, %44 ], [ %62, %61 ]
  %49 = load i64, i64* %46, align 8
  %50 = load i64, i64* %45, align 8
  %51 = xor i64 %50, -1
  %52 = add nsw i64 %48, -1
  %53 = shl i64 1, %52
  %54 = and i64 %53, %49
  %55 = and i64 %54, %51
  %56 = icmp eq i64 %55, 0
  br i1 %56, label %61, label %57

57:                                               ; preds = %47
  %58 = xor i64 %53, -1
  %59 = and i64 %49, %58
  store i64 %59, i64* %46, align 8
  %60 = trunc i64 %48 to i32
  call fastcc void @deliver(i32 noundef %60)
  br label %61

61:                                               ; preds = %57, %47
  %62 = add nuw nsw i64 %48, 1
  %63 = icmp eq i64 %62, 65
  br i1 %63, label %64, label %47

64:                                               ; preds = %61, %24, %23, %23, %23, %23, %19
  ret void
}

declare void @__mazurka_killed(i32 noundef) local_unnamed_addr

declare i32* @__errno_location() local_unnamed_addr



