target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.hazard = type { %struct.hazard*, i8* }
%struct.retired = type { %struct.retired*, i8* }

@hazards = internal unnamed_addr global %struct.hazard* null, align 8
@retired_blocks = internal unnamed_addr global %struct.retired* null, align 8

define weak dso_local zeroext i8 @__VERIFIER_load_await_i8(i8* noundef %0, i32 noundef %1, i8 noundef zeroext %2) local_unnamed_addr {
  %4 = call fastcc zeroext i8 @load_8(i8* noundef %0, i32 noundef %1, i8 noundef zeroext %2)
  ret i8 %4
}

define internal fastcc zeroext i8 @load_8(i8* nocapture noundef readonly %0, i32 noundef %1, i8 noundef zeroext %2) unnamed_addr {
  %4 = and i32 %1, 8
  %5 = icmp eq i32 %4, 0
  br label %6

6:                                                ; preds = %6, %3
  %7 = load atomic i8, i8* %0 seq_cst, align 1
  %8 = icmp slt i8 %7, %2
  %9 = icmp ult i8 %7, %2
  %10 = select i1 %5, i1 %9, i1 %8
  %11 = icmp eq i8 %7, %2
  %12 = select i1 %10, i32 4, i32 1
  %13 = select i1 %11, i32 2, i32 %12
  %14 = and i32 %13, %1
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %6, label %16

16:                                               ; preds = %6
  ret i8 %7
}

define weak dso_local zeroext i8 @__VERIFIER_xchg_await_i8(i8* noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3) local_unnamed_addr {
  %5 = call fastcc zeroext i8 @swap_8(i8* noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3)
  ret i8 %5
}

define internal fastcc zeroext i8 @swap_8(i8* nocapture noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3) unnamed_addr {
  %5 = and i32 %2, 7
  %6 = icmp eq i32 %5, 2
  br i1 %6, label %7, label %10

7:                                                ; preds = %4, %7
  %8 = cmpxchg i8* %0, i8 %3, i8 %1 seq_cst seq_cst, align 1
  %9 = extractvalue { i8, i1 } %8, 1
  br i1 %9, label %14, label %7

10:                                               ; preds = %4, %10
  %11 = call fastcc zeroext i8 @load_8(i8* noundef %0, i32 noundef %2, i8 noundef zeroext %3)
  %12 = cmpxchg i8* %0, i8 %11, i8 %1 seq_cst seq_cst, align 1
  %13 = extractvalue { i8, i1 } %12, 1
  br i1 %13, label %14, label %10

14:                                               ; preds = %10, %7
  %15 = phi { i8, i1 } [ %8, %7 ], [ %12, %10 ]
  %16 = extractvalue { i8, i1 } %15, 0
  ret i8 %16
}

define weak dso_local zeroext i8 @__VERIFIER_load_await_abool(i8* noundef %0, i32 noundef %1, i8 noundef zeroext %2) local_unnamed_addr {
  %4 = call fastcc zeroext i8 @load_8(i8* noundef %0, i32 noundef %1, i8 noundef zeroext %2)
  ret i8 %4
}

define weak dso_local zeroext i8 @__VERIFIER_xchg_await_abool(i8* noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3) local_unnamed_addr {
  %5 = call fastcc zeroext i8 @swap_8(i8* noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3)
  ret i8 %5
}

define weak dso_local zeroext i8 @__VERIFIER_load_await_achar(i8* noundef %0, i32 noundef %1, i8 noundef zeroext %2) local_unnamed_addr {
  %4 = call fastcc zeroext i8 @load_8(i8* noundef %0, i32 noundef %1, i8 noundef zeroext %2)
  ret i8 %4
}

define weak dso_local zeroext i8 @__VERIFIER_xchg_await_achar(i8* noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3) local_unnamed_addr {
  %5 = call fastcc zeroext i8 @swap_8(i8* noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3)
  ret i8 %5
}

define weak dso_local zeroext i8 @__VERIFIER_load_await_aschar(i8* noundef %0, i32 noundef %1, i8 noundef zeroext %2) local_unnamed_addr {
  %4 = call fastcc zeroext i8 @load_8(i8* noundef %0, i32 noundef %1, i8 noundef zeroext %2)
  ret i8 %4
}

define weak dso_local zeroext i8 @__VERIFIER_xchg_await_aschar(i8* noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3) local_unnamed_addr {
  %5 = call fastcc zeroext i8 @swap_8(i8* noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3)
  ret i8 %5
}

define weak dso_local zeroext i8 @__VERIFIER_load_await_auchar(i8* noundef %0, i32 noundef %1, i8 noundef zeroext %2) local_unnamed_addr {
  %4 = call fastcc zeroext i8 @load_8(i8* noundef %0, i32 noundef %1, i8 noundef zeroext %2)
  ret i8 %4
}

define weak dso_local zeroext i8 @__VERIFIER_xchg_await_auchar(i8* noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3) local_unnamed_addr {
  %5 = call fastcc zeroext i8 @swap_8(i8* noundef %0, i8 noundef zeroext %1, i32 noundef %2, i8 noundef zeroext %3)
  ret i8 %5
}

define weak dso_local zeroext i16 @__VERIFIER_load_await_i16(i16* noundef %0, i32 noundef %1, i16 noundef zeroext %2) local_unnamed_addr {
  %4 = call fastcc zeroext i16 @load_16(i16* noundef %0, i32 noundef %1, i16 noundef zeroext %2)
  ret i16 %4
}

define internal fastcc zeroext i16 @load_16(i16* nocapture noundef readonly %0, i32 noundef %1, i16 noundef zeroext %2) unnamed_addr {
  %4 = and i32 %1, 8
  %5 = icmp eq i32 %4, 0
  br label %6

6:                                                ; preds = %6, %3
  %7 = load atomic i16, i16* %0 seq_cst, align 2
  %8 = icmp slt i16 %7, %2
  %9 = icmp ult i16 %7, %2
  %10 = select i1 %5, i1 %9, i1 %8
  %11 = icmp eq i16 %7, %2
  %12 = select i1 %10, i32 4, i32 1
  %13 = select i1 %11, i32 2, i32 %12
  %14 = and i32 %13, %1
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %6, label %16

16:                                               ; preds = %6
  ret i16 %7
}

define weak dso_local zeroext i16 @__VERIFIER_xchg_await_i16(i16* noundef %0, i16 noundef zeroext %1, i32 noundef %2, i16 noundef zeroext %3) local_unnamed_addr {
  %5 = call fastcc zeroext i16 @swap_16(i16* noundef %0, i16 noundef zeroext %1, i32 noundef %2, i16 noundef zeroext %3)
  ret i16 %5
}

define internal fastcc zeroext i16 @swap_16(i16* nocapture noundef %0, i16 noundef zeroext %1, i32 noundef %2, i16 noundef zeroext %3) unnamed_addr {
  %5 = and i32 %2, 7
  %6 = icmp eq i32 %5, 2
  br i1 %6, label %7, label %10

7:                                                ; preds = %4, %7
  %8 = cmpxchg i16* %0, i16 %3, i16 %1 seq_cst seq_cst, align 2
  %9 = extractvalue { i16, i1 } %8, 1
  br i1 %9, label %14, label %7

10:                                               ; preds = %4, %10
  %11 = call fastcc zeroext i16 @load_16(i16* noundef %0, i32 noundef %2, i16 noundef zeroext %3)
  %12 = cmpxchg i16* %0, i16 %11, i16 %1 seq_cst seq_cst, align 2
  %13 = extractvalue { i16, i1 } %12, 1
  br i1 %13, label %14, label %10

14:                                               ; preds = %10, %7
  %15 = phi { i16, i1 } [ %8, %7 ], [ %12, %10 ]
  %16 = extractvalue { i16, i1 } %15, 0
  ret i16 %16
}

define weak dso_local zeroext i16 @__VERIFIER_load_await_ashort(i16* noundef %0, i32 noundef %1, i16 noundef zeroext %2) local_unnamed_addr {
  %4 = call fastcc zeroext i16 @load_16(i16* noundef %0, i32 noundef %1, i16 noundef zeroext %2)
  ret i16 %4
}

define weak dso_local zeroext i16 @__VERIFIER_xchg_await_ashort(i16* noundef %0, i16 noundef zeroext %1, i32 noundef %2, i16 noundef zeroext %3) local_unnamed_addr {
  %5 = call fastcc zeroext i16 @swap_16(i16* noundef %0, i16 noundef zeroext %1, i32 noundef %2, i16 noundef zeroext %3)
  ret i16 %5
}

define weak dso_local zeroext i16 @__VERIFIER_load_await_aushort(i16* noundef %0, i32 noundef %1, i16 noundef zeroext %2) local_unnamed_addr {
  %4 = call fastcc zeroext i16 @load_16(i16* noundef %0, i32 noundef %1, i16 noundef zeroext %2)
  ret i16 %4
}

define weak dso_local zeroext i16 @__VERIFIER_xchg_await_aushort(i16* noundef %0, i16 noundef zeroext %1, i32 noundef %2, i16 noundef zeroext %3) local_unnamed_addr {
  %5 = call fastcc zeroext i16 @swap_16(i16* noundef %0, i16 noundef zeroext %1, i32 noundef %2, i16 noundef zeroext %3)
  ret i16 %5
}

define weak dso_local i32 @__VERIFIER_load_await_i32(i32* noundef %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = call fastcc i32 @load_32(i32* noundef %0, i32 noundef %1, i32 noundef %2)
  ret i32 %4
}

define internal fastcc i32 @load_32(i32* nocapture noundef readonly %0, i32 noundef %1, i32 noundef %2) unnamed_addr {
  %4 = and i32 %1, 8
  %5 = icmp eq i32 %4, 0
  br label %6

6:                                                ; preds = %6, %3
  %7 = load atomic i32, i32* %0 seq_cst, align 4
  %8 = icmp slt i32 %7, %2
  %9 = icmp ult i32 %7, %2
  %10 = select i1 %5, i1 %9, i1 %8
  %11 = icmp eq i32 %7, %2
  %12 = select i1 %10, i32 4, i32 1
  %13 = select i1 %11, i32 2, i32 %12
  %14 = and i32 %13, %1
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %6, label %16

16:                                               ; preds = %6
  ret i32 %7
}

define weak dso_local i32 @__VERIFIER_xchg_await_i32(i32* noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = call fastcc i32 @swap_32(i32* noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3)
  ret i32 %5
}

define internal fastcc i32 @swap_32(i32* nocapture noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) unnamed_addr {
  %5 = and i32 %2, 7
  %6 = icmp eq i32 %5, 2
  br i1 %6, label %7, label %10

7:                                                ; preds = %4, %7
  %8 = cmpxchg i32* %0, i32 %3, i32 %1 seq_cst seq_cst, align 4
  %9 = extractvalue { i32, i1 } %8, 1
  br i1 %9, label %14, label %7

10:                                               ; preds = %4, %10
  %11 = call fastcc i32 @load_32(i32* noundef %0, i32 noundef %2, i32 noundef %3)
  %12 = cmpxchg i32* %0, i32 %11, i32 %1 seq_cst seq_cst, align 4
  %13 = extractvalue { i32, i1 } %12, 1
  br i1 %13, label %14, label %10

14:                                               ; preds = %10, %7
  %15 = phi { i32, i1 } [ %8, %7 ], [ %12, %10 ]
  %16 = extractvalue { i32, i1 } %15, 0
  ret i32 %16
}

define weak dso_local i32 @__VERIFIER_load_await_aint(i32* noundef %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = call fastcc i32 @load_32(i32* noundef %0, i32 noundef %1, i32 noundef %2)
  ret i32 %4
}

define weak dso_local i32 @__VERIFIER_xchg_await_aint(i32* noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = call fastcc i32 @swap_32(i32* noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3)
  ret i32 %5
}

define weak dso_local i32 @__VERIFIER_load_await_auint(i32* noundef %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = call fastcc i32 @load_32(i32* noundef %0, i32 noundef %1, i32 noundef %2)
  ret i32 %4
}

define weak dso_local i32 @__VERIFIER_xchg_await_auint(i32* noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = call fastcc i32 @swap_32(i32* noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3)
  ret i32 %5
}

define weak dso_local i64 @__VERIFIER_load_await_i64(i64* noundef %0, i32 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = call fastcc i64 @load_64(i64* noundef %0, i32 noundef %1, i64 noundef %2)
  ret i64 %4
}

define internal fastcc i64 @load_64(i64* nocapture noundef readonly %0, i32 noundef %1, i64 noundef %2) unnamed_addr {
  %4 = and i32 %1, 8
  %5 = icmp eq i32 %4, 0
  br label %6

6:                                                ; preds = %6, %3
  %7 = load atomic i64, i64* %0 seq_cst, align 8
  %8 = icmp slt i64 %7, %2
  %9 = icmp ult i64 %7, %2
  %10 = select i1 %5, i1 %9, i1 %8
  %11 = icmp eq i64 %7, %2
  %12 = select i1 %10, i32 4, i32 1
  %13 = select i1 %11, i32 2, i32 %12
  %14 = and i32 %13, %1
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %6, label %16

16:                                               ; preds = %6
  ret i64 %7
}

define weak dso_local i64 @__VERIFIER_xchg_await_i64(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = call fastcc i64 @swap_64(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3)
  ret i64 %5
}

define internal fastcc i64 @swap_64(i64* nocapture noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) unnamed_addr {
  %5 = and i32 %2, 7
  %6 = icmp eq i32 %5, 2
  br i1 %6, label %7, label %10

7:                                                ; preds = %4, %7
  %8 = cmpxchg i64* %0, i64 %3, i64 %1 seq_cst seq_cst, align 8
  %9 = extractvalue { i64, i1 } %8, 1
  br i1 %9, label %14, label %7

10:                                               ; preds = %4, %10
  %11 = call fastcc i64 @load_64(i64* noundef %0, i32 noundef %2, i64 noundef %3)
  %12 = cmpxchg i64* %0, i64 %11, i64 %1 seq_cst seq_cst, align 8
  %13 = extractvalue { i64, i1 } %12, 1
  br i1 %13, label %14, label %10

14:                                               ; preds = %10, %7
  %15 = phi { i64, i1 } [ %8, %7 ], [ %12, %10 ]
  %16 = extractvalue { i64, i1 } %15, 0
  ret i64 %16
}

define weak dso_local i64 @__VERIFIER_load_await_along(i64* noundef %0, i32 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = call fastcc i64 @load_64(i64* noundef %0, i32 noundef %1, i64 noundef %2)
  ret i64 %4
}

define weak dso_local i64 @__VERIFIER_xchg_await_along(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = call fastcc i64 @swap_64(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3)
  ret i64 %5
}

define weak dso_local i64 @__VERIFIER_load_await_aulong(i64* noundef %0, i32 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = call fastcc i64 @load_64(i64* noundef %0, i32 noundef %1, i64 noundef %2)
  ret i64 %4
}

define weak dso_local i64 @__VERIFIER_xchg_await_aulong(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = call fastcc i64 @swap_64(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3)
  ret i64 %5
}

define weak dso_local i64 @__VERIFIER_load_await_allong(i64* noundef %0, i32 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = call fastcc i64 @load_64(i64* noundef %0, i32 noundef %1, i64 noundef %2)
  ret i64 %4
}

define weak dso_local i64 @__VERIFIER_xchg_await_allong(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = call fastcc i64 @swap_64(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3)
  ret i64 %5
}

define weak dso_local i64 @__VERIFIER_load_await_aullong(i64* noundef %0, i32 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = call fastcc i64 @load_64(i64* noundef %0, i32 noundef %1, i64 noundef %2)
  ret i64 %4
}

define weak dso_local i64 @__VERIFIER_xchg_await_aullong(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = call fastcc i64 @swap_64(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3)
  ret i64 %5
}

define weak dso_local i64 @__VERIFIER_load_await_asize_t(i64* noundef %0, i32 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = call fastcc i64 @load_64(i64* noundef %0, i32 noundef %1, i64 noundef %2)
  ret i64 %4
}

define weak dso_local i64 @__VERIFIER_xchg_await_asize_t(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = call fastcc i64 @swap_64(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3)
  ret i64 %5
}

define weak dso_local i64 @__VERIFIER_load_await_aintptr_t(i64* noundef %0, i32 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = call fastcc i64 @load_64(i64* noundef %0, i32 noundef %1, i64 noundef %2)
  ret i64 %4
}

define weak dso_local i64 @__VERIFIER_xchg_await_aintptr_t(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = call fastcc i64 @swap_64(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3)
  ret i64 %5
}

define weak dso_local i64 @__VERIFIER_load_await_auintptr_t(i64* noundef %0, i32 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = call fastcc i64 @load_64(i64* noundef %0, i32 noundef %1, i64 noundef %2)
  ret i64 %4
}

define weak dso_local i64 @__VERIFIER_xchg_await_auintptr_t(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = call fastcc i64 @swap_64(i64* noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3)
  ret i64 %5
}

define weak dso_local i8* @__VERIFIER_hazptr_alloc() local_unnamed_addr {
  %1 = call i8* @malloc(i64 noundef 16)
  %2 = getelementptr inbounds i8, i8* %1, i64 8
  %3 = bitcast i8* %2 to i8**
  store i8* null, i8** %3, align 8
  call void @__VERIFIER_atomic_begin()
  %4 = load atomic i64, i64* bitcast (%struct.hazard** @hazards to i64*) seq_cst, align 8
  %5 = inttoptr i64 %4 to %struct.hazard*
  %6 = bitcast i8* %1 to %struct.hazard**
  store %struct.hazard* %5, %struct.hazard** %6, align 8
  %7 = ptrtoint i8* %1 to i64
  store atomic i64 %7, i64* bitcast (%struct.hazard** @hazards to i64*) seq_cst, align 8
  call void @__VERIFIER_atomic_end()
  ret i8* %1
}

declare i8* @malloc(i64 noundef) local_unnamed_addr

declare void @__VERIFIER_atomic_begin() local_unnamed_addr

declare void @__VERIFIER_atomic_end() local_unnamed_addr

define weak dso_local void @__VERIFIER_hazptr_protect(i8* noundef %0, i8* noundef %1) local_unnamed_addr {
  call void @__VERIFIER_atomic_begin()
  %3 = getelementptr inbounds i8, i8* %0, i64 8
  %4 = bitcast i8* %3 to i64*
  %5 = load atomic i64, i64* %4 seq_cst, align 8
  %6 = inttoptr i64 %5 to i8*
  %7 = icmp eq i8* %6, %1
  br i1 %7, label %62, label %8

8:                                                ; preds = %2
  %9 = ptrtoint i8* %1 to i64
  store atomic i64 %9, i64* %4 seq_cst, align 8
  %10 = icmp eq i64 %5, 0
  br i1 %10, label %62, label %11

11:                                               ; preds = %8
  %12 = load atomic i64, i64* bitcast (%struct.retired** @retired_blocks to i64*) seq_cst, align 8
  %13 = icmp eq i64 %12, 0
  br i1 %13, label %62, label %14

14:                                               ; preds = %11
  %15 = inttoptr i64 %12 to %struct.retired*
  %16 = getelementptr inbounds %struct.retired, %struct.retired* %15, i64 0, i32 1
  %17 = load i8*, i8** %16, align 8
  %18 = icmp eq i8* %17, %6
  br i1 %18, label %32, label %19

19:                                               ; preds = %14, %25
  %20 = phi %struct.retired* [ %26, %25 ], [ %15, %14 ]
  %21 = phi i64 [ %23, %25 ], [ %12, %14 ]
  %22 = inttoptr i64 %21 to i64*
  %23 = load atomic i64, i64* %22 seq_cst, align 8
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %62, label %25

25:                                               ; preds = %19
  %26 = inttoptr i64 %23 to %struct.retired*
  %27 = getelementptr inbounds %struct.retired, %struct.retired* %26, i64 0, i32 1
  %28 = load i8*, i8** %27, align 8
  %29 = icmp eq i8* %28, %6
  br i1 %29, label %30, label %19

30:                                               ; preds = %25
  %31 = bitcast %struct.retired* %20 to i64*
  br label %32

32:                                               ; preds = %30, %14
  %33 = phi i64 [ %12, %14 ], [ %23, %30 ]
  %34 = phi i64* [ bitcast (%struct.retired** @retired_blocks to i64*), %14 ], [ %31, %30 ]
  %35 = load atomic i64, i64* bitcast (%struct.hazard** @hazards to i64*) seq_cst, align 8
  %36 = icmp eq i64 %35, 0
  br i1 %36, label %56, label %37

37:                                               ; preds = %32
  %38 = inttoptr i64 %35 to %struct.hazard*
  %39 = getelementptr inbounds %struct.hazard, %struct.hazard* %38, i64 0, i32 1
  %40 = bitcast i8** %39 to i64*
  %41 = load atomic i64, i64* %40 seq_cst, align 8
  %42 = inttoptr i64 %41 to i8*
  %43 = icmp eq i8* %42, %6
  br i1 %43, label %62, label %51

44:                                               ; preds = %51
  %45 = inttoptr i64 %54 to %struct.hazard*
  %46 = getelementptr inbounds %struct.hazard, %struct.hazard* %45, i64 0, i32 1
  %47 = bitcast i8** %46 to i64*
  %48 = load atomic i64, i64* %47 seq_cst, align 8
  %49 = inttoptr i64 %48 to i8*
  %50 = icmp eq i8* %49, %6
  br i1 %50, label %62, label %51

51:                                               ; preds = %37, %44
  %52 = phi i64 [ %54, %44 ], [ %35, %37 ]
  %53 = inttoptr i64 %52 to i64*
  %54 = load atomic i64, i64* %53 seq_cst, align 8
  %55 = icmp eq i64 %54, 0
  br i1 %55, label %56, label %44

56:                                               ; preds = %51, %32
  %57 = phi i1 [ %36, %32 ], [ %55, %51 ]
  br i1 %57, label %58, label %62

58:                                               ; preds = %56
  %59 = inttoptr i64 %33 to i64*
  %60 = load atomic i64, i64* %59 seq_cst, align 8
  store atomic i64 %60, i64* %34 seq_cst, align 8
  %61 = inttoptr i64 %33 to i8*
  call void @free(i8* noundef nonnull %61)
  call void @free(i8* noundef nonnull %6)
  br label %62

62:                                               ; preds = %19, %44, %2, %8, %11, %37, %56, %58
  call void @__VERIFIER_atomic_end()
  ret void
}

define weak dso_local i8* @__mazurka_hazptr_load(i8* noundef %0, i8** noundef %1) local_unnamed_addr {
  call void @__VERIFIER_atomic_begin()
  %3 = bitcast i8** %1 to i64*
  %4 = load atomic i64, i64* %3 seq_cst, align 8
  %5 = inttoptr i64 %4 to i8*
  %6 = getelementptr inbounds i8, i8* %0, i64 8
  %7 = bitcast i8* %6 to i64*
  %8 = load atomic i64, i64* %7 seq_cst, align 8
  %9 = inttoptr i64 %8 to i8*
  %10 = icmp eq i8* %9, %5
  br i1 %10, label %64, label %11

11:                                               ; preds = %2
  store atomic i64 %4, i64* %7 seq_cst, align 8
  %12 = icmp eq i64 %8, 0
  br i1 %12, label %64, label %13

13:                                               ; preds = %11
  %14 = load atomic i64, i64* bitcast (%struct.retired** @retired_blocks to i64*) seq_cst, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %64, label %16

16:                                               ; preds = %13
  %17 = inttoptr i64 %14 to %struct.retired*
  %18 = getelementptr inbounds %struct.retired, %struct.retired* %17, i64 0, i32 1
  %19 = load i8*, i8** %18, align 8
  %20 = icmp eq i8* %19, %9
  br i1 %20, label %34, label %21

21:                                               ; preds = %16, %27
  %22 = phi %struct.retired* [ %28, %27 ], [ %17, %16 ]
  %23 = phi i64 [ %25, %27 ], [ %14, %16 ]
  %24 = inttoptr i64 %23 to i64*
  %25 = load atomic i64, i64* %24 seq_cst, align 8
  %26 = icmp eq i64 %25, 0
  br i1 %26, label %64, label %27

27:                                               ; preds = %21
  %28 = inttoptr i64 %25 to %struct.retired*
  %29 = getelementptr inbounds %struct.retired, %struct.retired* %28, i64 0, i32 1
  %30 = load i8*, i8** %29, align 8
  %31 = icmp eq i8* %30, %9
  br i1 %31, label %32, label %21

32:                                               ; preds = %27
  %33 = bitcast %struct.retired* %22 to i64*
  br label %34

34:                                               ; preds = %32, %16
  %35 = phi i64 [ %14, %16 ], [ %25, %32 ]
  %36 = phi i64* [ bitcast (%struct.retired** @retired_blocks to i64*), %16 ], [ %33, %32 ]
  %37 = load atomic i64, i64* bitcast (%struct.hazard** @hazards to i64*) seq_cst, align 8
  %38 = icmp eq i64 %37, 0
  br i1 %38, label %58, label %39

39:                                               ; preds = %34
  %40 = inttoptr i64 %37 to %struct.hazard*
  %41 = getelementptr inbounds %struct.hazard, %struct.hazard* %40, i64 0, i32 1
  %42 = bitcast i8** %41 to i64*
  %43 = load atomic i64, i64* %42 seq_cst, align 8
  %44 = inttoptr i64 %43 to i8*
  %45 = icmp eq i8* %44, %9
  br i1 %45, label %64, label %53

46:                                               ; preds = %53
  %47 = inttoptr i64 %56 to %struct.hazard*
  %48 = getelementptr inbounds %struct.hazard, %struct.hazard* %47, i64 0, i32 1
  %49 = bitcast i8** %48 to i64*
  %50 = load atomic i64, i64* %49 seq_cst, align 8
  %51 = inttoptr i64 %50 to i8*
  %52 = icmp eq i8* %51, %9
  br i1 %52, label %64, label %53

53:                                               ; preds = %39, %46
  %54 = phi i64 [ %56, %46 ], [ %37, %39 ]
  %55 = inttoptr i64 %54 to i64*
  %56 = load atomic i64, i64* %55 seq_cst, align 8
  %57 = icmp eq i64 %56, 0
  br i1 %57, label %58, label %46

58:                                               ; preds = %53, %34
  %59 = phi i1 [ %38, %34 ], [ %57, %53 ]
  br i1 %59, label %60, label %64

60:                                               ; preds = %58
  %61 = inttoptr i64 %35 to i64*
  %62 = load atomic i64, i64* %61 seq_cst, align 8
  store atomic i64 %62, i64* %36 seq_cst, align 8
  %63 = inttoptr i64 %35 to i8*
  call void @free(i8* noundef nonnull %63)
  call void @free(i8* noundef nonnull %9)
  br label %64

64:                                               ; preds = %21, %46, %2, %11, %13, %39, %58, %60
  call void @__VERIFIER_atomic_end()
  ret i8* %5
}

define weak dso_local void @__VERIFIER_hazptr_clear(i8* noundef %0) local_unnamed_addr {
  call void @__VERIFIER_hazptr_protect(i8* noundef %0, i8* noundef null)
  ret void
}

define weak dso_local void @__VERIFIER_hazptr_free(i8* noundef %0) local_unnamed_addr {
  call void @__VERIFIER_atomic_begin()
  %2 = bitcast i8* %0 to %struct.hazard*
  %3 = getelementptr inbounds i8, i8* %0, i64 8
  %4 = bitcast i8* %3 to i64*
  %5 = load atomic i64, i64* %4 seq_cst, align 8
  %6 = inttoptr i64 %5 to i8*
  %7 = icmp eq i64 %5, 0
  br i1 %7, label %59, label %8

8:                                                ; preds = %1
  store atomic i64 0, i64* %4 seq_cst, align 8
  %9 = load atomic i64, i64* bitcast (%struct.retired** @retired_blocks to i64*) seq_cst, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %59, label %11

11:                                               ; preds = %8
  %12 = inttoptr i64 %9 to %struct.retired*
  %13 = getelementptr inbounds %struct.retired, %struct.retired* %12, i64 0, i32 1
  %14 = load i8*, i8** %13, align 8
  %15 = icmp eq i8* %14, %6
  br i1 %15, label %29, label %16

16:                                               ; preds = %11, %22
  %17 = phi %struct.retired* [ %23, %22 ], [ %12, %11 ]
  %18 = phi i64 [ %20, %22 ], [ %9, %11 ]
  %19 = inttoptr i64 %18 to i64*
  %20 = load atomic i64, i64* %19 seq_cst, align 8
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %59, label %22

22:                                               ; preds = %16
  %23 = inttoptr i64 %20 to %struct.retired*
  %24 = getelementptr inbounds %struct.retired, %struct.retired* %23, i64 0, i32 1
  %25 = load i8*, i8** %24, align 8
  %26 = icmp eq i8* %25, %6
  br i1 %26, label %27, label %16

27:                                               ; preds = %22
  %28 = bitcast %struct.retired* %17 to i64*
  br label %29

29:                                               ; preds = %27, %11
  %30 = phi i64 [ %9, %11 ], [ %20, %27 ]
  %31 = phi i64* [ bitcast (%struct.retired** @retired_blocks to i64*), %11 ], [ %28, %27 ]
  %32 = load atomic i64, i64* bitcast (%struct.hazard** @hazards to i64*) seq_cst, align 8
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %53, label %34

34:                                               ; preds = %29
  %35 = inttoptr i64 %32 to %struct.hazard*
  %36 = getelementptr inbounds %struct.hazard, %struct.hazard* %35, i64 0, i32 1
  %37 = bitcast i8** %36 to i64*
  %38 = load atomic i64, i64* %37 seq_cst, align 8
  %39 = inttoptr i64 %38 to i8*
  %40 = icmp eq i8* %39, %6
  br i1 %40, label %59, label %48

41:                                               ; preds = %48
  %42 = inttoptr i64 %51 to %struct.hazard*
  %43 = getelementptr inbounds %struct.hazard, %struct.hazard* %42, i64 0, i32 1
  %44 = bitcast i8** %43 to i64*
  %45 = load atomic i64, i64* %44 seq_cst, align 8
  %46 = inttoptr i64 %45 to i8*
  %47 = icmp eq i8* %46, %6
  br i1 %47, label %59, label %48

48:                                               ; preds = %34, %41
  %49 = phi i64 [ %51, %41 ], [ %32, %34 ]
  %50 = inttoptr i64 %49 to i64*
  %51 = load atomic i64, i64* %50 seq_cst, align 8
  %52 = icmp eq i64 %51, 0
  br i1 %52, label %53, label %41

53:                                               ; preds = %48, %29
  %54 = phi i1 [ %33, %29 ], [ %52, %48 ]
  br i1 %54, label %55, label %59

55:                                               ; preds = %53
  %56 = inttoptr i64 %30 to i64*
  %57 = load atomic i64, i64* %56 seq_cst, align 8
  store atomic i64 %57, i64* %31 seq_cst, align 8
  %58 = inttoptr i64 %30 to i8*
  call void @free(i8* noundef nonnull %58)
  call void @free(i8* noundef nonnull %6)
  br label %59

59:                                               ; preds = %16, %41, %1, %8, %34, %53, %55
  %60 = load atomic i64, i64* bitcast (%struct.hazard** @hazards to i64*) seq_cst, align 8
  %61 = inttoptr i64 %60 to %struct.hazard*
  %62 = icmp eq %struct.hazard* %61, %2
  br i1 %62, label %72, label %63

63:                                               ; preds = %59, %63
  %64 = phi i64* [ %66, %63 ], [ bitcast (%struct.hazard** @hazards to i64*), %59 ]
  %65 = load atomic i64, i64* %64 seq_cst, align 8
  %66 = inttoptr i64 %65 to i64*
  %67 = load atomic i64, i64* %66 seq_cst, align 8
  %68 = inttoptr i64 %67 to %struct.hazard*
  %69 = icmp eq %struct.hazard* %68, %2
  br i1 %69, label %70, label %63

70:                                               ; preds = %63
  %71 = inttoptr i64 %65 to i64*
  br label %72

72:                                               ; preds = %70, %59
  %73 = phi i64* [ bitcast (%struct.hazard** @hazards to i64*), %59 ], [ %71, %70 ]
  %74 = load atomic i64, i64* %73 seq_cst, align 8
  %75 = inttoptr i64 %74 to i64*
  %76 = load atomic i64, i64* %75 seq_cst, align 8
  store atomic i64 %76, i64* %73 seq_cst, align 8
  call void @free(i8* noundef %0)
  call void @__VERIFIER_atomic_end()
  ret void
}

declare void @free(i8* noundef) local_unnamed_addr

define weak dso_local void @__VERIFIER_hazptr_retire(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @malloc(i64 noundef 16)
  %3 = getelementptr inbounds i8, i8* %2, i64 8
  %4 = bitcast i8* %3 to i8**
  store i8* %0, i8** %4, align 8
  call void @__VERIFIER_atomic_begin()
  %5 = load atomic i64, i64* bitcast (%struct.hazard** @hazards to i64*) seq_cst, align 8
  %6 = icmp eq i64 %5, 0
  br i1 %6, label %26, label %7

7:                                                ; preds = %1
  %8 = inttoptr i64 %5 to %struct.hazard*
  %9 = getelementptr inbounds %struct.hazard, %struct.hazard* %8, i64 0, i32 1
  %10 = bitcast i8** %9 to i64*
  %11 = load atomic i64, i64* %10 seq_cst, align 8
  %12 = inttoptr i64 %11 to i8*
  %13 = icmp eq i8* %12, %0
  br i1 %13, label %26, label %21

14:                                               ; preds = %21
  %15 = inttoptr i64 %24 to %struct.hazard*
  %16 = getelementptr inbounds %struct.hazard, %struct.hazard* %15, i64 0, i32 1
  %17 = bitcast i8** %16 to i64*
  %18 = load atomic i64, i64* %17 seq_cst, align 8
  %19 = inttoptr i64 %18 to i8*
  %20 = icmp eq i8* %19, %0
  br i1 %20, label %26, label %21

21:                                               ; preds = %7, %14
  %22 = phi i64 [ %24, %14 ], [ %5, %7 ]
  %23 = inttoptr i64 %22 to i64*
  %24 = load atomic i64, i64* %23 seq_cst, align 8
  %25 = icmp eq i64 %24, 0
  br i1 %25, label %26, label %14

26:                                               ; preds = %21, %14, %7, %1
  %27 = phi i1 [ %6, %1 ], [ %6, %7 ], [ %25, %14 ], [ %25, %21 ]
  br i1 %27, label %33, label %28

28:                                               ; preds = %26
  %29 = load atomic i64, i64* bitcast (%struct.retired** @retired_blocks to i64*) seq_cst, align 8
  %30 = inttoptr i64 %29 to %struct.retired*
  %31 = bitcast i8* %2 to %struct.retired**
  store %struct.retired* %30, %struct.retired** %31, align 8
  %32 = ptrtoint i8* %2 to i64
  store atomic i64 %32, i64* bitcast (%struct.retired** @retired_blocks to i64*) seq_cst, align 8
  br label %34

33:                                               ; preds = %26
  call void @free(i8* noundef %2)
  call void @free(i8* noundef %0)
  br label %34

34:                                               ; preds = %33, %28
  call void @__VERIFIER_atomic_end()
  ret void
}



