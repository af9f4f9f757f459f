target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.action = type { i8*, %struct.set, i32, i8* }
%struct.set = type { [16 x i64] }

@of_process = internal unnamed_addr global i64 0, align 8
@actions = internal unnamed_addr global [65 x %struct.action] zeroinitializer, align 16
@arrivals = internal global i64 0, align 8

define weak dso_local i32 @raise(i32 noundef %0) local_unnamed_addr {
  %2 = icmp ugt i32 %0, 64
  br i1 %2, label %20, label %3

3:                                                ; preds = %1
  %4 = icmp eq i32 %0, 0
  br i1 %4, label %20, label %5

5:                                                ; preds = %3
  %6 = call i64 @pthread_self()
  %7 = call i64* @__mazurka_signal_mask(i64 noundef %6)
  %8 = load atomic i64, i64* %7 seq_cst, align 8
  %9 = add nsw i32 %0, -1
  %10 = zext i32 %9 to i64
  %11 = shl i64 1, %10
  %12 = and i64 %8, %11
  %13 = icmp eq i64 %12, 0
  br i1 %13, label %19, label %14

14:                                               ; preds = %5
  %15 = call i64 @pthread_self()
  %16 = call i64* @__mazurka_signals_pending(i64 noundef %15)
  %17 = load atomic i64, i64* %16 seq_cst, align 8
  %18 = or i64 %17, %11
  store atomic i64 %18, i64* %16 seq_cst, align 8
  br label %20

19:                                               ; preds = %5
  call fastcc void @deliver(i32 noundef %0)
  br label %20

20:                                               ; preds = %1, %3, %14, %19
  %21 = phi i1 [ false, %1 ], [ true, %3 ], [ true, %14 ], [ true, %19 ]
  %22 = phi i32 [ 22, %1 ], [ 0, %3 ], [ 0, %14 ], [ 0, %19 ]
  br i1 %21, label %25, label %23

23:                                               ; preds = %20
  %24 = call i32* @__errno_location()
  store i32 %22, i32* %24, align 4
  br label %25

25:                                               ; preds = %20, %23
  %26 = phi i32 [ -1, %23 ], [ 0, %20 ]
  ret i32 %26
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
  br label %58

7:                                                ; preds = %2
  %8 = add i32 %1, -65
  %9 = icmp ult i32 %8, -64
  br i1 %9, label %19, label %10

10:                                               ; preds = %7
  %11 = call i64 @pthread_self()
  %12 = call i64* @__mazurka_signal_mask(i64 noundef %11)
  %13 = load atomic i64, i64* %12 seq_cst, align 8
  %14 = add nsw i32 %1, -1
  %15 = zext i32 %14 to i64
  %16 = shl i64 1, %15
  %17 = and i64 %13, %16
  %18 = icmp eq i64 %17, 0
  br i1 %18, label %19, label %21

19:                                               ; preds = %10, %7
  %20 = call i32 @raise(i32 noundef %1)
  br label %58

21:                                               ; preds = %10
  %22 = call i64 @__mazurka_thread_count()
  %23 = call i64 @pthread_self()
  %24 = icmp eq i64 %22, 0
  br i1 %24, label %29, label %25

25:                                               ; preds = %21
  %26 = sext i32 %1 to i64
  %27 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %26, i32 0
  %28 = bitcast i8** %27 to i64*
  br label %34

29:                                               ; preds = %55, %21
  call void @__VERIFIER_atomic_begin()
  %30 = load atomic i64, i64* @of_process seq_cst, align 8
  %31 = or i64 %30, %16
  store atomic i64 %31, i64* @of_process seq_cst, align 8
  %32 = load atomic i64, i64* @arrivals seq_cst, align 8
  %33 = add i64 %32, 1
  store atomic i64 %33, i64* @arrivals seq_cst, align 8
  call void @__VERIFIER_atomic_end()
  br label %58

34:                                               ; preds = %25, %55
  %35 = phi i64 [ 1, %25 ], [ %56, %55 ]
  %36 = icmp eq i64 %35, %23
  br i1 %36, label %55, label %37

37:                                               ; preds = %34
  %38 = call i64* @__mazurka_signal_mask(i64 noundef %35)
  %39 = icmp eq i64* %38, null
  br i1 %39, label %55, label %40

40:                                               ; preds = %37
  call void @__VERIFIER_atomic_begin()
  %41 = load atomic i64, i64* %38 seq_cst, align 8
  %42 = load atomic i64, i64* %28 seq_cst, align 8
  %43 = inttoptr i64 %42 to i8*
  %44 = and i64 %41, %16
  %45 = icmp eq i64 %44, 0
  call void @__VERIFIER_atomic_end()
  br i1 %45, label %46, label %55

46:                                               ; preds = %40
  %47 = icmp eq i64 %42, 0
  br i1 %47, label %48, label %50

48:                                               ; preds = %46
  switch i32 %1, label %49 [
    i32 23, label %50
    i32 18, label %50
    i32 17, label %50
    i32 28, label %50
  ]

49:                                               ; preds = %48
  call void @__mazurka_killed(i32 noundef %1)
  br label %50

50:                                               ; preds = %49, %48, %48, %48, %48, %46
  %51 = icmp ne i64 %42, 0
  %52 = icmp ne i8* %43, inttoptr (i64 1 to i8*)
  %53 = and i1 %51, %52
  br i1 %53, label %54, label %55

54:                                               ; preds = %50
  call void @__mazurka_signal_other(i32 noundef %1)
  br label %55

55:                                               ; preds = %54, %50, %40, %37, %34
  %56 = add i64 %35, 1
  %57 = icmp ugt i64 %56, %22
  br i1 %57, label %29, label %34

58:                                               ; preds = %29, %19, %5
  %59 = phi i32 [ -1, %5 ], [ %20, %19 ], [ 0, %29 ]
  ret i32 %59
}

declare i64 @__mazurka_thread_count() local_unnamed_addr

declare i64 @pthread_self() local_unnamed_addr

define weak dso_local i32 @pthread_kill(i64 noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = call i64 @pthread_self()
  %4 = icmp eq i64 %3, %0
  %5 = icmp ugt i32 %1, 64
  br i1 %4, label %6, label %24

6:                                                ; preds = %2
  br i1 %5, label %60, label %7

7:                                                ; preds = %6
  %8 = icmp eq i32 %1, 0
  br i1 %8, label %60, label %9

9:                                                ; preds = %7
  %10 = call i64 @pthread_self()
  %11 = call i64* @__mazurka_signal_mask(i64 noundef %10)
  %12 = load atomic i64, i64* %11 seq_cst, align 8
  %13 = add nsw i32 %1, -1
  %14 = zext i32 %13 to i64
  %15 = shl i64 1, %14
  %16 = and i64 %12, %15
  %17 = icmp eq i64 %16, 0
  br i1 %17, label %23, label %18

18:                                               ; preds = %9
  %19 = call i64 @pthread_self()
  %20 = call i64* @__mazurka_signals_pending(i64 noundef %19)
  %21 = load atomic i64, i64* %20 seq_cst, align 8
  %22 = or i64 %21, %15
  store atomic i64 %22, i64* %20 seq_cst, align 8
  br label %60

23:                                               ; preds = %9
  call fastcc void @deliver(i32 noundef %1)
  br label %60

24:                                               ; preds = %2
  br i1 %5, label %60, label %25

25:                                               ; preds = %24
  %26 = icmp eq i32 %1, 0
  br i1 %26, label %60, label %27

27:                                               ; preds = %25
  %28 = call i64* @__mazurka_signals_pending(i64 noundef %0)
  %29 = call i64* @__mazurka_signal_mask(i64 noundef %0)
  %30 = icmp eq i64* %29, null
  br i1 %30, label %60, label %31

31:                                               ; preds = %27
  call void @__VERIFIER_atomic_begin()
  %32 = load atomic i64, i64* %29 seq_cst, align 8
  %33 = sext i32 %1 to i64
  %34 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %33, i32 0
  %35 = bitcast i8** %34 to i64*
  %36 = load atomic i64, i64* %35 seq_cst, align 8
  %37 = inttoptr i64 %36 to i8*
  %38 = add nsw i32 %1, -1
  %39 = zext i32 %38 to i64
  %40 = shl i64 1, %39
  %41 = and i64 %32, %40
  %42 = icmp ne i64 %41, 0
  %43 = icmp ne i64* %28, null
  %44 = and i1 %43, %42
  br i1 %44, label %45, label %50

45:                                               ; preds = %31
  call void @__VERIFIER_atomic_begin()
  %46 = load atomic i64, i64* %28 seq_cst, align 8
  %47 = or i64 %46, %40
  store atomic i64 %47, i64* %28 seq_cst, align 8
  %48 = load atomic i64, i64* @arrivals seq_cst, align 8
  %49 = add i64 %48, 1
  store atomic i64 %49, i64* @arrivals seq_cst, align 8
  call void @__VERIFIER_atomic_end()
  br label %50

50:                                               ; preds = %45, %31
  call void @__VERIFIER_atomic_end()
  br i1 %42, label %60, label %51

51:                                               ; preds = %50
  %52 = icmp eq i64 %36, 0
  br i1 %52, label %53, label %55

53:                                               ; preds = %51
  switch i32 %1, label %54 [
    i32 23, label %55
    i32 18, label %55
    i32 17, label %55
    i32 28, label %55
  ]

54:                                               ; preds = %53
  call void @__mazurka_killed(i32 noundef %1)
  br label %55

55:                                               ; preds = %54, %53, %53, %53, %53, %51
  %56 = icmp ne i64 %36, 0
  %57 = icmp ne i8* %37, inttoptr (i64 1 to i8*)
  %58 = and i1 %56, %57
  br i1 %58, label %59, label %60

59:                                               ; preds = %55
  call void @__mazurka_signal_other(i32 noundef %1)
  br label %60

60:                                               ; preds = %59, %55, %50, %27, %23, %18, %7, %6, %25, %24
  %61 = phi i32 [ 22, %24 ], [ 0, %25 ], [ 22, %6 ], [ 0, %7 ], [ 0, %23 ], [ 0, %18 ], [ 0, %27 ], [ 0, %50 ], [ 0, %55 ], [ 0, %59 ]
  ret i32 %61
}

declare i64* @__mazurka_signals_pending(i64 noundef) local_unnamed_addr

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
  %4 = call i64 @pthread_self()
  %5 = call i64* @__mazurka_signal_mask(i64 noundef %4)
  %6 = load atomic i64, i64* %5 seq_cst, align 8
  %7 = icmp eq %struct.set* %1, null
  br i1 %7, label %21, label %8

8:                                                ; preds = %3
  %9 = getelementptr inbounds %struct.set, %struct.set* %1, i64 0, i32 0, i64 0
  %10 = load i64, i64* %9, align 8
  %11 = and i64 %10, -262401
  %12 = icmp ugt i32 %0, 2
  br i1 %12, label %27, label %13

13:                                               ; preds = %8
  switch i32 %0, label %19 [
    i32 0, label %14
    i32 1, label %16
  ]

14:                                               ; preds = %13
  %15 = or i64 %11, %6
  br label %19

16:                                               ; preds = %13
  %17 = xor i64 %11, -1
  %18 = and i64 %6, %17
  br label %19

19:                                               ; preds = %13, %16, %14
  %20 = phi i64 [ %15, %14 ], [ %18, %16 ], [ %11, %13 ]
  store atomic i64 %20, i64* %5 seq_cst, align 8
  br label %21

21:                                               ; preds = %19, %3
  %22 = icmp eq %struct.set* %2, null
  br i1 %22, label %26, label %23

23:                                               ; preds = %21
  %24 = call i32 @sigemptyset(%struct.set* noundef nonnull %2)
  %25 = getelementptr inbounds %struct.set, %struct.set* %2, i64 0, i32 0, i64 0
  store i64 %6, i64* %25, align 8
  br label %26

26:                                               ; preds = %23, %21
  call fastcc void @deliver_all()
  br label %27

27:                                               ; preds = %8, %26
  %28 = phi i32 [ 0, %26 ], [ 22, %8 ]
  ret i32 %28
}

define internal fastcc void @deliver_all() unnamed_addr {
  br label %1

1:                                                ; preds = %32, %0
  %2 = call i64 @pthread_self()
  %3 = call i64* @__mazurka_signal_mask(i64 noundef %2)
  %4 = load atomic i64, i64* %3 seq_cst, align 8
  %5 = xor i64 %4, -1
  %6 = call i64 @pthread_self()
  %7 = call i64* @__mazurka_signals_pending(i64 noundef %6)
  call void @__VERIFIER_atomic_begin()
  %8 = load atomic i64, i64* %7 seq_cst, align 8
  %9 = load atomic i64, i64* @of_process seq_cst, align 8
  %10 = or i64 %9, %8
  %11 = and i64 %10, %5
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %28, label %13

13:                                               ; preds = %1, %13
  %14 = phi i64 [ %19, %13 ], [ 1, %1 ]
  %15 = add nsw i64 %14, -1
  %16 = shl i64 1, %15
  %17 = and i64 %16, %11
  %18 = icmp eq i64 %17, 0
  %19 = add nuw i64 %14, 1
  br i1 %18, label %13, label %20

20:                                               ; preds = %13
  %21 = trunc i64 %14 to i32
  %22 = and i64 %16, %8
  %23 = icmp eq i64 %22, 0
  %24 = xor i64 %16, -1
  %25 = select i1 %23, i64 %9, i64 %8
  %26 = select i1 %23, i64* @of_process, i64* %7
  %27 = and i64 %25, %24
  store atomic i64 %27, i64* %26 seq_cst, align 8
  br label %28

28:                                               ; preds = %20, %1
  %29 = phi i32 [ 0, %1 ], [ %21, %20 ]
  call void @__VERIFIER_atomic_end()
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %31, label %32

31:                                               ; preds = %28
  ret void

32:                                               ; preds = %28
  call fastcc void @deliver(i32 noundef %29)
  br label %1
}

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
  %3 = call i64 @pthread_self()
  %4 = call i64* @__mazurka_signals_pending(i64 noundef %3)
  %5 = load atomic i64, i64* %4 seq_cst, align 8
  %6 = load atomic i64, i64* @of_process seq_cst, align 8
  %7 = or i64 %6, %5
  %8 = getelementptr inbounds %struct.set, %struct.set* %0, i64 0, i32 0, i64 0
  store i64 %7, i64* %8, align 8
  ret i32 0
}

define weak dso_local i32 @sigwait(%struct.set* noundef %0, i32* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.set, %struct.set* %0, i64 0, i32 0, i64 0
  %4 = load i64, i64* %3, align 8
  %5 = call fastcc i32 @take_next(i64 noundef %4)
  store i32 %5, i32* %1, align 4
  ret i32 0
}

define internal fastcc i32 @take_next(i64 noundef %0) unnamed_addr {
  br label %2

2:                                                ; preds = %31, %1
  %3 = phi i32 [ undef, %1 ], [ %32, %31 ]
  %4 = load atomic i64, i64* @arrivals seq_cst, align 8
  %5 = call i64 @pthread_self()
  %6 = call i64* @__mazurka_signals_pending(i64 noundef %5)
  call void @__VERIFIER_atomic_begin()
  %7 = load atomic i64, i64* %6 seq_cst, align 8
  %8 = load atomic i64, i64* @of_process seq_cst, align 8
  %9 = or i64 %8, %7
  %10 = and i64 %9, %0
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %27, label %12

12:                                               ; preds = %2, %12
  %13 = phi i64 [ %18, %12 ], [ 1, %2 ]
  %14 = add nsw i64 %13, -1
  %15 = shl i64 1, %14
  %16 = and i64 %15, %10
  %17 = icmp eq i64 %16, 0
  %18 = add nuw i64 %13, 1
  br i1 %17, label %12, label %19

19:                                               ; preds = %12
  %20 = trunc i64 %13 to i32
  %21 = and i64 %15, %7
  %22 = icmp eq i64 %21, 0
  %23 = xor i64 %15, -1
  %24 = select i1 %22, i64 %8, i64 %7
  %25 = select i1 %22, i64* @of_process, i64* %6
  %26 = and i64 %24, %23
  store atomic i64 %26, i64* %25 seq_cst, align 8
  br label %27

27:                                               ; preds = %19, %2
  %28 = phi i32 [ 0, %2 ], [ %20, %19 ]
  call void @__VERIFIER_atomic_end()
  %29 = icmp eq i32 %28, 0
  br i1 %29, label %30, label %31

30:                                               ; preds = %27
  call void @__mazurka_wait_while(i64* noundef nonnull @arrivals, i64 noundef %4)
  br label %31

31:                                               ; preds = %27, %30
  %32 = phi i32 [ %3, %30 ], [ %28, %27 ]
  br i1 %29, label %2, label %33

33:                                               ; preds = %31
  ret i32 %32
}

define weak dso_local i32 @sigwaitinfo(%struct.set* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.set, %struct.set* %0, i64 0, i32 0, i64 0
  %4 = load i64, i64* %3, align 8
  %5 = call fastcc i32 @take_next(i64 noundef %4)
  %6 = icmp eq i8* %1, null
  br i1 %6, label %10, label %7

7:                                                ; preds = %2
  %8 = call i8* @memset(i8* noundef nonnull %1, i32 noundef 0, i64 noundef 128)
  %9 = bitcast i8* %1 to i32*
  store i32 %5, i32* %9, align 4
  br label %10

10:                                               ; preds = %7, %2
  ret i32 %5
}

define weak dso_local i32 @sigsuspend(%struct.set* noundef %0) local_unnamed_addr {
  %2 = call i64 @pthread_self()
  %3 = call i64* @__mazurka_signal_mask(i64 noundef %2)
  %4 = load atomic i64, i64* %3 seq_cst, align 8
  %5 = getelementptr inbounds %struct.set, %struct.set* %0, i64 0, i32 0, i64 0
  %6 = load i64, i64* %5, align 8
  %7 = and i64 %6, -262401
  %8 = xor i64 %7, -1
  br label %9

9:                                                ; preds = %9, %1
  store atomic i64 -1, i64* %3 seq_cst, align 8
  %10 = call fastcc i32 @take_next(i64 noundef %8)
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %11, i32 0
  %13 = bitcast i8** %12 to i64*
  %14 = load atomic i64, i64* %13 seq_cst, align 8
  %15 = inttoptr i64 %14 to i8*
  store atomic i64 %7, i64* %3 seq_cst, align 8
  call fastcc void @deliver(i32 noundef %10)
  %16 = icmp ne i8* %15, inttoptr (i64 1 to i8*)
  %17 = icmp ne i64 %14, 0
  %18 = and i1 %17, %16
  br i1 %18, label %19, label %9

19:                                               ; preds = %9
  store atomic i64 %4, i64* %3 seq_cst, align 8
  call fastcc void @deliver_all()
  %20 = call i32* @__errno_location()
  store i32 4, i32* %20, align 4
  ret i32 -1
}

define internal fastcc void @deliver(i32 noundef %0) unnamed_addr {
  %2 = alloca [32 x i32], align 16
  call void @__VERIFIER_atomic_begin()
  %3 = sext i32 %0 to i64
  %4 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %3
  %5 = bitcast %struct.action* %4 to i64*
  %6 = load atomic i64, i64* %5 seq_cst, align 8
  %7 = inttoptr i64 %6 to i8*
  %8 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %3, i32 2
  %9 = load atomic i32, i32* %8 seq_cst, align 8
  %10 = getelementptr inbounds [65 x %struct.action], [65 x %struct.action]* @actions, i64 0, i64 %3, i32 1, i32 0, i64 0
  %11 = load atomic i64, i64* %10 seq_cst, align 8
  %12 = icmp slt i32 %9, 0
  %13 = icmp ne i64 %6, 0
  %14 = select i1 %12, i1 %13, i1 false
  %15 = icmp ne i8* %7, inttoptr (i64 1 to i8*)
  %16 = select i1 %14, i1 %15, i1 false
  br i1 %16, label %17, label %18

17:                                               ; preds = %1
  store atomic i64 0, i64* %5 seq_cst, align 8
  br label %18

18:                                               ; preds = %17, %1
  call void @__VERIFIER_atomic_end()
  %19 = icmp eq i8* %7, inttoptr (i64 1 to i8*)
  br i1 %19, label %77, label %20

20:                                               ; preds = %18
  %21 = icmp eq i64 %6, 0
  br i1 %21, label %22, label %24

22:                                               ; preds = %20
  switch i32 %0, label %23 [
    i32 23, label %77
    i32 18, label %77
    i32 17, label %77
    i32 28, label %77
  ]

23:                                               ; preds = %22
  call void @__mazurka_killed(i32 noundef %0)
  br label %77

24:                                               ; preds = %20
  %25 = call i64 @pthread_self()
  %26 = call i64* @__mazurka_signal_mask(i64 noundef %25)
  %27 = load atomic i64, i64* %26 seq_cst, align 8
  %28 = and i32 %9, 1073741824
  %29 = icmp eq i32 %28, 0
  %30 = add nsw i32 %0, -1
  %31 = zext i32 %30 to i64
  %32 = shl i64 1, %31
  %33 = select i1 %29, i64 %32, i64 0
  %34 = or i64 %33, %11
  %35 = or i64 %34, %27
  store atomic i64 %35, i64* %26 seq_cst, align 8
  %36 = and i32 %9, 4
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %43, label %38

38:                                               ; preds = %24
  %39 = bitcast [32 x i32]* %2 to i8*
  call void @llvm.lifetime.start.p0i8(i64 128, i8* nonnull %39)
  %40 = getelementptr inbounds [32 x i32], [32 x i32]* %2, i64 0, i64 0
  %41 = call i8* @memset(i8* noundef nonnull %39, i32 noundef 0, i64 noundef 128)
  store i32 %0, i32* %40, align 16
  %42 = inttoptr i64 %6 to void (i32, i8*, i8*)*
  call void %42(i32 noundef %0, i8* noundef nonnull %39, i8* noundef null)
  call void @llvm.lifetime.end.p0i8(i64 128, i8* nonnull %39)
  br label %45

43:                                               ; preds = %24
  %44 = inttoptr i64 %6 to void (i32)*
  call void %44(i32 noundef %0)
  br label %45

45:                                               ; preds = %43, %38
  store atomic i64 %27, i64* %26 seq_cst, align 8
  br label %46

46:                                               ; preds = %76, %45
  %47 = call i64 @pthread_self()
  %48 = call i64* @__mazurka_signal_mask(i64 noundef %47)
  %49 = load atomic i64, i64* %48 seq_cst, align 8
  %50 = xor i64 %49, -1
  %51 = call i64 @pthread_self()
  %52 = call i64* @__mazurka_signals_pending(i64 noundef %51)
  call void @__VERIFIER_atomic_begin()
  %53 = load atomic i64, i64* %52 seq_cst, align 8
  %54 = load atomic i64, i64* @of_process seq_cst, align 8
  %55 = or i64 %54, %53
  %56 = and i64 %55, %50
  %57 = icmp eq i64 %56, 0
  br i1 %57, label %73, label %58

58:                                               ; preds = %46, %58
  %59 = phi i64 [ %64, %58 ], [ 1, %46 ]
  %60 = add nsw i64 %59, -1
  %61 = shl i64 1, %60
  %62 = and i64 %61, %56
  %63 = icmp eq i64 %62, 0
  %64 = add nuw i64 %59, 1
  br i1 %63, label %58, label %65

65:                                               ; preds = %58
  %66 = trunc i64 %59 to i32
  %67 = and i64 %61, %53
  %68 = icmp eq i64 %67, 0
  %69 = xor i64 %61, -1
  %70 = select i1 %68, i64 %54, i64 %53
  %71 = select i1 %68, i64* @of_process, i64* %52
  %72 = and i64 %70, %69
  store atomic i64 %72, i64* %71 seq_cst, align 8
  br label %73

73:                                               ; preds = %65, %46
  %74 = phi i32 [ 0, %46 ], [ %66, %65 ]
  call void @__VERIFIER_atomic_end()
  %75 = icmp eq i32 %74, 0
  br i1 %75, label %77, label %76

76:                                               ; preds = %73
  call fastcc void @deliver(i32 noundef %74)
  br label %46

77:                                               ; preds = %73, %22, %22, %22, %22, %23, %18
  ret void
}

declare i32* @__errno_location() local_unnamed_addr

declare i64* @__mazurka_signal_mask(i64 noundef) local_unnamed_addr

declare void @__mazurka_killed(i32 noundef) local_unnamed_addr

declare void @__mazurka_signal_other(i32 noundef) local_unnamed_addr

declare void @__mazurka_wait_while(i64* noundef, i64 noundef) local_unnamed_addr



