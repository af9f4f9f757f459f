target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.node = type { i32, %struct.node*, %struct.node*, %struct.node* }
%struct.link = type { %struct.link*, %struct.link* }
%struct.policy = type { float, i64 }

define weak dso_local %struct.node* @_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(%struct.node* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 3
  %3 = load %struct.node*, %struct.node** %2, align 8
  %4 = icmp eq %struct.node* %3, null
  br i1 %4, label %10, label %5

5:                                                ; preds = %1, %5
  %6 = phi %struct.node* [ %8, %5 ], [ %3, %1 ]
  %7 = getelementptr inbounds %struct.node, %struct.node* %6, i64 0, i32 2
  %8 = load %struct.node*, %struct.node** %7, align 8
  %9 = icmp eq %struct.node* %8, null
  br i1 %9, label %22, label %5

10:                                               ; preds = %1, %10
  %11 = phi %struct.node* [ %13, %10 ], [ %0, %1 ]
  %12 = getelementptr inbounds %struct.node, %struct.node* %11, i64 0, i32 1
  %13 = load %struct.node*, %struct.node** %12, align 8
  %14 = getelementptr inbounds %struct.node, %struct.node* %13, i64 0, i32 3
  %15 = load %struct.node*, %struct.node** %14, align 8
  %16 = icmp eq %struct.node* %11, %15
  br i1 %16, label %10, label %17

17:                                               ; preds = %10
  %18 = getelementptr inbounds %struct.node, %struct.node* %11, i64 0, i32 3
  %19 = load %struct.node*, %struct.node** %18, align 8
  %20 = icmp eq %struct.node* %19, %13
  %21 = select i1 %20, %struct.node* %11, %struct.node* %13
  br label %22

22:                                               ; preds = %5, %17
  %23 = phi %struct.node* [ %21, %17 ], [ %6, %5 ]
  ret %struct.node* %23
}

define weak dso_local %struct.node* @_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(%struct.node* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 3
  %3 = load %struct.node*, %struct.node** %2, align 8
  %4 = icmp eq %struct.node* %3, null
  br i1 %4, label %10, label %5

5:                                                ; preds = %1, %5
  %6 = phi %struct.node* [ %8, %5 ], [ %3, %1 ]
  %7 = getelementptr inbounds %struct.node, %struct.node* %6, i64 0, i32 2
  %8 = load %struct.node*, %struct.node** %7, align 8
  %9 = icmp eq %struct.node* %8, null
  br i1 %9, label %22, label %5

10:                                               ; preds = %1, %10
  %11 = phi %struct.node* [ %13, %10 ], [ %0, %1 ]
  %12 = getelementptr inbounds %struct.node, %struct.node* %11, i64 0, i32 1
  %13 = load %struct.node*, %struct.node** %12, align 8
  %14 = getelementptr inbounds %struct.node, %struct.node* %13, i64 0, i32 3
  %15 = load %struct.node*, %struct.node** %14, align 8
  %16 = icmp eq %struct.node* %11, %15
  br i1 %16, label %10, label %17

17:                                               ; preds = %10
  %18 = getelementptr inbounds %struct.node, %struct.node* %11, i64 0, i32 3
  %19 = load %struct.node*, %struct.node** %18, align 8
  %20 = icmp eq %struct.node* %19, %13
  %21 = select i1 %20, %struct.node* %11, %struct.node* %13
  br label %22

22:                                               ; preds = %5, %17
  %23 = phi %struct.node* [ %21, %17 ], [ %6, %5 ]
  ret %struct.node* %23
}

define weak dso_local %struct.node* @_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(%struct.node* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 0
  %3 = load i32, i32* %2, align 8
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %5, label %14

5:                                                ; preds = %1
  %6 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 1
  %7 = load %struct.node*, %struct.node** %6, align 8
  %8 = getelementptr inbounds %struct.node, %struct.node* %7, i64 0, i32 1
  %9 = load %struct.node*, %struct.node** %8, align 8
  %10 = icmp eq %struct.node* %9, %0
  br i1 %10, label %11, label %14

11:                                               ; preds = %5
  %12 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 3
  %13 = load %struct.node*, %struct.node** %12, align 8
  br label %30

14:                                               ; preds = %5, %1
  %15 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 2
  %16 = load %struct.node*, %struct.node** %15, align 8
  %17 = icmp eq %struct.node* %16, null
  br i1 %17, label %23, label %18

18:                                               ; preds = %14, %18
  %19 = phi %struct.node* [ %21, %18 ], [ %16, %14 ]
  %20 = getelementptr inbounds %struct.node, %struct.node* %19, i64 0, i32 3
  %21 = load %struct.node*, %struct.node** %20, align 8
  %22 = icmp eq %struct.node* %21, null
  br i1 %22, label %30, label %18

23:                                               ; preds = %14, %23
  %24 = phi %struct.node* [ %26, %23 ], [ %0, %14 ]
  %25 = getelementptr inbounds %struct.node, %struct.node* %24, i64 0, i32 1
  %26 = load %struct.node*, %struct.node** %25, align 8
  %27 = getelementptr inbounds %struct.node, %struct.node* %26, i64 0, i32 2
  %28 = load %struct.node*, %struct.node** %27, align 8
  %29 = icmp eq %struct.node* %24, %28
  br i1 %29, label %23, label %30

30:                                               ; preds = %18, %23, %11
  %31 = phi %struct.node* [ %13, %11 ], [ %26, %23 ], [ %19, %18 ]
  ret %struct.node* %31
}

define weak dso_local %struct.node* @_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(%struct.node* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 0
  %3 = load i32, i32* %2, align 8
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %5, label %14

5:                                                ; preds = %1
  %6 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 1
  %7 = load %struct.node*, %struct.node** %6, align 8
  %8 = getelementptr inbounds %struct.node, %struct.node* %7, i64 0, i32 1
  %9 = load %struct.node*, %struct.node** %8, align 8
  %10 = icmp eq %struct.node* %9, %0
  br i1 %10, label %11, label %14

11:                                               ; preds = %5
  %12 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 3
  %13 = load %struct.node*, %struct.node** %12, align 8
  br label %30

14:                                               ; preds = %5, %1
  %15 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 2
  %16 = load %struct.node*, %struct.node** %15, align 8
  %17 = icmp eq %struct.node* %16, null
  br i1 %17, label %23, label %18

18:                                               ; preds = %14, %18
  %19 = phi %struct.node* [ %21, %18 ], [ %16, %14 ]
  %20 = getelementptr inbounds %struct.node, %struct.node* %19, i64 0, i32 3
  %21 = load %struct.node*, %struct.node** %20, align 8
  %22 = icmp eq %struct.node* %21, null
  br i1 %22, label %30, label %18

23:                                               ; preds = %14, %23
  %24 = phi %struct.node* [ %26, %23 ], [ %0, %14 ]
  %25 = getelementptr inbounds %struct.node, %struct.node* %24, i64 0, i32 1
  %26 = load %struct.node*, %struct.node** %25, align 8
  %27 = getelementptr inbounds %struct.node, %struct.node* %26, i64 0, i32 2
  %28 = load %struct.node*, %struct.node** %27, align 8
  %29 = icmp eq %struct.node* %24, %28
  br i1 %29, label %23, label %30

30:                                               ; preds = %18, %23, %11
  %31 = phi %struct.node* [ %13, %11 ], [ %26, %23 ], [ %19, %18 ]
  ret %struct.node* %31
}

define weak dso_local void @_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(i1 noundef zeroext %0, %struct.node* noundef %1, %struct.node* noundef %2, %struct.node* noundef %3) local_unnamed_addr {
  %5 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 1
  store %struct.node* %2, %struct.node** %5, align 8
  %6 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 3
  store %struct.node* null, %struct.node** %6, align 8
  %7 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 2
  store %struct.node* null, %struct.node** %7, align 8
  %8 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 0
  store i32 0, i32* %8, align 8
  br i1 %0, label %9, label %19

9:                                                ; preds = %4
  %10 = getelementptr inbounds %struct.node, %struct.node* %2, i64 0, i32 2
  store %struct.node* %1, %struct.node** %10, align 8
  %11 = icmp eq %struct.node* %2, %3
  br i1 %11, label %12, label %15

12:                                               ; preds = %9
  %13 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 1
  store %struct.node* %1, %struct.node** %13, align 8
  %14 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 3
  br label %24

15:                                               ; preds = %9
  %16 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 2
  %17 = load %struct.node*, %struct.node** %16, align 8
  %18 = icmp eq %struct.node* %17, %2
  br i1 %18, label %24, label %26

19:                                               ; preds = %4
  %20 = getelementptr inbounds %struct.node, %struct.node* %2, i64 0, i32 3
  store %struct.node* %1, %struct.node** %20, align 8
  %21 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 3
  %22 = load %struct.node*, %struct.node** %21, align 8
  %23 = icmp eq %struct.node* %22, %2
  br i1 %23, label %24, label %26

24:                                               ; preds = %19, %15, %12
  %25 = phi %struct.node** [ %14, %12 ], [ %16, %15 ], [ %21, %19 ]
  store %struct.node* %1, %struct.node** %25, align 8
  br label %26

26:                                               ; preds = %24, %19, %15
  %27 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 1
  %28 = load %struct.node*, %struct.node** %27, align 8
  %29 = icmp eq %struct.node* %28, %1
  br i1 %29, label %120, label %30

30:                                               ; preds = %26, %116
  %31 = phi %struct.node* [ %118, %116 ], [ %28, %26 ]
  %32 = phi %struct.node* [ %117, %116 ], [ %1, %26 ]
  %33 = getelementptr inbounds %struct.node, %struct.node* %32, i64 0, i32 1
  %34 = load %struct.node*, %struct.node** %33, align 8
  %35 = getelementptr inbounds %struct.node, %struct.node* %34, i64 0, i32 0
  %36 = load i32, i32* %35, align 8
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %38, label %120

38:                                               ; preds = %30
  %39 = getelementptr inbounds %struct.node, %struct.node* %34, i64 0, i32 1
  %40 = load %struct.node*, %struct.node** %39, align 8
  %41 = getelementptr inbounds %struct.node, %struct.node* %40, i64 0, i32 2
  %42 = load %struct.node*, %struct.node** %41, align 8
  %43 = icmp eq %struct.node* %34, %42
  br i1 %43, label %44, label %47

44:                                               ; preds = %38
  %45 = getelementptr inbounds %struct.node, %struct.node* %40, i64 0, i32 3
  %46 = load %struct.node*, %struct.node** %45, align 8
  br label %47

47:                                               ; preds = %38, %44
  %48 = phi %struct.node* [ %46, %44 ], [ %42, %38 ]
  %49 = icmp eq %struct.node* %48, null
  br i1 %49, label %56, label %50

50:                                               ; preds = %47
  %51 = getelementptr inbounds %struct.node, %struct.node* %48, i64 0, i32 0
  %52 = load i32, i32* %51, align 8
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %54, label %56

54:                                               ; preds = %50
  store i32 1, i32* %51, align 8
  store i32 1, i32* %35, align 8
  %55 = getelementptr inbounds %struct.node, %struct.node* %40, i64 0, i32 0
  store i32 0, i32* %55, align 8
  br label %116

56:                                               ; preds = %50, %47
  %57 = getelementptr inbounds %struct.node, %struct.node* %34, i64 0, i32 3
  %58 = getelementptr inbounds %struct.node, %struct.node* %34, i64 0, i32 2
  %59 = select i1 %43, %struct.node** %57, %struct.node** %58
  %60 = load %struct.node*, %struct.node** %59, align 8
  %61 = icmp eq %struct.node* %32, %60
  br i1 %61, label %62, label %82

62:                                               ; preds = %56
  %63 = select i1 %43, %struct.node** %57, %struct.node** %58
  %64 = load %struct.node*, %struct.node** %63, align 8
  %65 = getelementptr inbounds %struct.node, %struct.node* %64, i64 0, i32 2
  %66 = getelementptr inbounds %struct.node, %struct.node* %64, i64 0, i32 3
  %67 = select i1 %43, %struct.node** %65, %struct.node** %66
  %68 = load %struct.node*, %struct.node** %67, align 8
  %69 = icmp eq %struct.node* %31, %34
  %70 = getelementptr inbounds %struct.node, %struct.node* %40, i64 0, i32 3
  %71 = select i1 %43, %struct.node** %41, %struct.node** %70
  %72 = select i1 %69, %struct.node** %27, %struct.node** %71
  store %struct.node* %64, %struct.node** %72, align 8
  %73 = icmp eq %struct.node* %64, null
  br i1 %73, label %76, label %74

74:                                               ; preds = %62
  %75 = getelementptr inbounds %struct.node, %struct.node* %64, i64 0, i32 1
  store %struct.node* %40, %struct.node** %75, align 8
  br label %76

76:                                               ; preds = %74, %62
  %77 = select i1 %43, %struct.node** %57, %struct.node** %58
  %78 = select i1 %43, %struct.node** %65, %struct.node** %66
  store %struct.node* %68, %struct.node** %77, align 8
  store %struct.node* %34, %struct.node** %78, align 8
  store %struct.node* %64, %struct.node** %39, align 8
  %79 = icmp eq %struct.node* %68, null
  br i1 %79, label %82, label %80

80:                                               ; preds = %76
  %81 = getelementptr inbounds %struct.node, %struct.node* %68, i64 0, i32 1
  store %struct.node* %34, %struct.node** %81, align 8
  br label %82

82:                                               ; preds = %80, %76, %56
  %83 = phi %struct.node* [ %32, %56 ], [ %34, %76 ], [ %34, %80 ]
  %84 = getelementptr inbounds %struct.node, %struct.node* %83, i64 0, i32 1
  %85 = load %struct.node*, %struct.node** %84, align 8
  %86 = getelementptr inbounds %struct.node, %struct.node* %85, i64 0, i32 0
  store i32 1, i32* %86, align 8
  %87 = getelementptr inbounds %struct.node, %struct.node* %40, i64 0, i32 0
  store i32 0, i32* %87, align 8
  %88 = getelementptr inbounds %struct.node, %struct.node* %40, i64 0, i32 3
  %89 = select i1 %43, %struct.node** %41, %struct.node** %88
  %90 = load %struct.node*, %struct.node** %89, align 8
  %91 = getelementptr inbounds %struct.node, %struct.node* %90, i64 0, i32 2
  %92 = getelementptr inbounds %struct.node, %struct.node* %90, i64 0, i32 3
  %93 = select i1 %43, %struct.node** %92, %struct.node** %91
  %94 = load %struct.node*, %struct.node** %93, align 8
  %95 = getelementptr inbounds %struct.node, %struct.node* %40, i64 0, i32 1
  %96 = load %struct.node*, %struct.node** %95, align 8
  %97 = load %struct.node*, %struct.node** %27, align 8
  %98 = icmp eq %struct.node* %97, %40
  br i1 %98, label %105, label %99

99:                                               ; preds = %82
  %100 = getelementptr inbounds %struct.node, %struct.node* %96, i64 0, i32 2
  %101 = load %struct.node*, %struct.node** %100, align 8
  %102 = icmp eq %struct.node* %101, %40
  %103 = getelementptr inbounds %struct.node, %struct.node* %96, i64 0, i32 3
  %104 = select i1 %102, %struct.node** %100, %struct.node** %103
  br label %105

105:                                              ; preds = %99, %82
  %106 = phi %struct.node** [ %27, %82 ], [ %104, %99 ]
  store %struct.node* %90, %struct.node** %106, align 8
  %107 = icmp eq %struct.node* %90, null
  br i1 %107, label %110, label %108

108:                                              ; preds = %105
  %109 = getelementptr inbounds %struct.node, %struct.node* %90, i64 0, i32 1
  store %struct.node* %96, %struct.node** %109, align 8
  br label %110

110:                                              ; preds = %108, %105
  %111 = select i1 %43, %struct.node** %41, %struct.node** %88
  %112 = select i1 %43, %struct.node** %92, %struct.node** %91
  store %struct.node* %94, %struct.node** %111, align 8
  store %struct.node* %40, %struct.node** %112, align 8
  store %struct.node* %90, %struct.node** %95, align 8
  %113 = icmp eq %struct.node* %94, null
  br i1 %113, label %116, label %114

114:                                              ; preds = %110
  %115 = getelementptr inbounds %struct.node, %struct.node* %94, i64 0, i32 1
  store %struct.node* %40, %struct.node** %115, align 8
  br label %116

116:                                              ; preds = %114, %110, %54
  %117 = phi %struct.node* [ %40, %54 ], [ %83, %110 ], [ %83, %114 ]
  %118 = load %struct.node*, %struct.node** %27, align 8
  %119 = icmp eq %struct.node* %117, %118
  br i1 %119, label %120, label %30

120:                                              ; preds = %30, %116, %26
  %121 = phi %struct.node* [ %28, %26 ], [ %31, %30 ], [ %118, %116 ]
  %122 = getelementptr inbounds %struct.node, %struct.node* %121, i64 0, i32 0
  store i32 1, i32* %122, align 8
  ret void
}

define weak dso_local %struct.node* @_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(%struct.node* noundef %0, %struct.node* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 2
  %4 = load %struct.node*, %struct.node** %3, align 8
  %5 = icmp eq %struct.node* %4, %0
  br i1 %5, label %6, label %20

6:                                                ; preds = %2
  %7 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 3
  %8 = load %struct.node*, %struct.node** %7, align 8
  %9 = icmp eq %struct.node* %8, null
  br i1 %9, label %15, label %10

10:                                               ; preds = %6, %10
  %11 = phi %struct.node* [ %13, %10 ], [ %8, %6 ]
  %12 = getelementptr inbounds %struct.node, %struct.node* %11, i64 0, i32 2
  %13 = load %struct.node*, %struct.node** %12, align 8
  %14 = icmp eq %struct.node* %13, null
  br i1 %14, label %18, label %10

15:                                               ; preds = %6
  %16 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 1
  %17 = load %struct.node*, %struct.node** %16, align 8
  br label %18

18:                                               ; preds = %10, %15
  %19 = phi %struct.node* [ %17, %15 ], [ %11, %10 ]
  store %struct.node* %19, %struct.node** %3, align 8
  br label %20

20:                                               ; preds = %18, %2
  %21 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 3
  %22 = load %struct.node*, %struct.node** %21, align 8
  %23 = icmp eq %struct.node* %22, %0
  br i1 %23, label %24, label %38

24:                                               ; preds = %20
  %25 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 2
  %26 = load %struct.node*, %struct.node** %25, align 8
  %27 = icmp eq %struct.node* %26, null
  br i1 %27, label %33, label %28

28:                                               ; preds = %24, %28
  %29 = phi %struct.node* [ %31, %28 ], [ %26, %24 ]
  %30 = getelementptr inbounds %struct.node, %struct.node* %29, i64 0, i32 3
  %31 = load %struct.node*, %struct.node** %30, align 8
  %32 = icmp eq %struct.node* %31, null
  br i1 %32, label %36, label %28

33:                                               ; preds = %24
  %34 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 1
  %35 = load %struct.node*, %struct.node** %34, align 8
  br label %36

36:                                               ; preds = %28, %33
  %37 = phi %struct.node* [ %35, %33 ], [ %29, %28 ]
  store %struct.node* %37, %struct.node** %21, align 8
  br label %38

38:                                               ; preds = %36, %20
  %39 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 2
  %40 = load %struct.node*, %struct.node** %39, align 8
  %41 = icmp eq %struct.node* %40, null
  %42 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 3
  %43 = load %struct.node*, %struct.node** %42, align 8
  br i1 %41, label %44, label %61

44:                                               ; preds = %38
  %45 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 1
  %46 = load %struct.node*, %struct.node** %45, align 8
  %47 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 1
  %48 = load %struct.node*, %struct.node** %47, align 8
  %49 = icmp eq %struct.node* %48, %0
  br i1 %49, label %56, label %50

50:                                               ; preds = %44
  %51 = getelementptr inbounds %struct.node, %struct.node* %46, i64 0, i32 2
  %52 = load %struct.node*, %struct.node** %51, align 8
  %53 = icmp eq %struct.node* %52, %0
  %54 = getelementptr inbounds %struct.node, %struct.node* %46, i64 0, i32 3
  %55 = select i1 %53, %struct.node** %51, %struct.node** %54
  br label %56

56:                                               ; preds = %50, %44
  %57 = phi %struct.node** [ %47, %44 ], [ %55, %50 ]
  store %struct.node* %43, %struct.node** %57, align 8
  %58 = icmp eq %struct.node* %43, null
  br i1 %58, label %130, label %59

59:                                               ; preds = %56
  %60 = getelementptr inbounds %struct.node, %struct.node* %43, i64 0, i32 1
  store %struct.node* %46, %struct.node** %60, align 8
  br label %130

61:                                               ; preds = %38
  %62 = icmp eq %struct.node* %43, null
  br i1 %62, label %63, label %78

63:                                               ; preds = %61
  %64 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 1
  %65 = load %struct.node*, %struct.node** %64, align 8
  %66 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 1
  %67 = load %struct.node*, %struct.node** %66, align 8
  %68 = icmp eq %struct.node* %67, %0
  br i1 %68, label %75, label %69

69:                                               ; preds = %63
  %70 = getelementptr inbounds %struct.node, %struct.node* %65, i64 0, i32 2
  %71 = load %struct.node*, %struct.node** %70, align 8
  %72 = icmp eq %struct.node* %71, %0
  %73 = getelementptr inbounds %struct.node, %struct.node* %65, i64 0, i32 3
  %74 = select i1 %72, %struct.node** %70, %struct.node** %73
  br label %75

75:                                               ; preds = %69, %63
  %76 = phi %struct.node** [ %66, %63 ], [ %74, %69 ]
  store %struct.node* %40, %struct.node** %76, align 8
  %77 = getelementptr inbounds %struct.node, %struct.node* %40, i64 0, i32 1
  store %struct.node* %65, %struct.node** %77, align 8
  br label %130

78:                                               ; preds = %61, %78
  %79 = phi %struct.node* [ %81, %78 ], [ %43, %61 ]
  %80 = getelementptr inbounds %struct.node, %struct.node* %79, i64 0, i32 2
  %81 = load %struct.node*, %struct.node** %80, align 8
  %82 = icmp eq %struct.node* %81, null
  br i1 %82, label %83, label %78

83:                                               ; preds = %78
  %84 = getelementptr inbounds %struct.node, %struct.node* %79, i64 0, i32 2
  %85 = getelementptr inbounds %struct.node, %struct.node* %79, i64 0, i32 1
  %86 = load %struct.node*, %struct.node** %85, align 8
  %87 = icmp eq %struct.node* %86, %0
  br i1 %87, label %108, label %88

88:                                               ; preds = %83
  %89 = getelementptr inbounds %struct.node, %struct.node* %79, i64 0, i32 3
  %90 = load %struct.node*, %struct.node** %89, align 8
  %91 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 1
  %92 = load %struct.node*, %struct.node** %91, align 8
  %93 = icmp eq %struct.node* %92, %79
  br i1 %93, label %100, label %94

94:                                               ; preds = %88
  %95 = getelementptr inbounds %struct.node, %struct.node* %86, i64 0, i32 2
  %96 = load %struct.node*, %struct.node** %95, align 8
  %97 = icmp eq %struct.node* %96, %79
  %98 = getelementptr inbounds %struct.node, %struct.node* %86, i64 0, i32 3
  %99 = select i1 %97, %struct.node** %95, %struct.node** %98
  br label %100

100:                                              ; preds = %94, %88
  %101 = phi %struct.node** [ %91, %88 ], [ %99, %94 ]
  store %struct.node* %90, %struct.node** %101, align 8
  %102 = icmp eq %struct.node* %90, null
  br i1 %102, label %105, label %103

103:                                              ; preds = %100
  %104 = getelementptr inbounds %struct.node, %struct.node* %90, i64 0, i32 1
  store %struct.node* %86, %struct.node** %104, align 8
  br label %105

105:                                              ; preds = %100, %103
  %106 = load %struct.node*, %struct.node** %42, align 8
  store %struct.node* %106, %struct.node** %89, align 8
  %107 = getelementptr inbounds %struct.node, %struct.node* %106, i64 0, i32 1
  store %struct.node* %79, %struct.node** %107, align 8
  br label %108

108:                                              ; preds = %105, %83
  %109 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 1
  %110 = load %struct.node*, %struct.node** %109, align 8
  %111 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 1
  %112 = load %struct.node*, %struct.node** %111, align 8
  %113 = icmp eq %struct.node* %112, %0
  br i1 %113, label %120, label %114

114:                                              ; preds = %108
  %115 = getelementptr inbounds %struct.node, %struct.node* %110, i64 0, i32 2
  %116 = load %struct.node*, %struct.node** %115, align 8
  %117 = icmp eq %struct.node* %116, %0
  %118 = getelementptr inbounds %struct.node, %struct.node* %110, i64 0, i32 3
  %119 = select i1 %117, %struct.node** %115, %struct.node** %118
  br label %120

120:                                              ; preds = %114, %108
  %121 = phi %struct.node** [ %111, %108 ], [ %119, %114 ]
  store %struct.node* %79, %struct.node** %121, align 8
  %122 = icmp eq %struct.node* %79, null
  br i1 %122, label %124, label %123

123:                                              ; preds = %120
  store %struct.node* %110, %struct.node** %85, align 8
  br label %124

124:                                              ; preds = %120, %123
  %125 = load %struct.node*, %struct.node** %39, align 8
  store %struct.node* %125, %struct.node** %84, align 8
  %126 = getelementptr inbounds %struct.node, %struct.node* %125, i64 0, i32 1
  store %struct.node* %79, %struct.node** %126, align 8
  %127 = getelementptr inbounds %struct.node, %struct.node* %0, i64 0, i32 0
  %128 = load i32, i32* %127, align 8
  %129 = getelementptr inbounds %struct.node, %struct.node* %79, i64 0, i32 0
  store i32 %128, i32* %129, align 8
  br label %130

130:                                              ; preds = %59, %56, %75, %124
  %131 = getelementptr inbounds %struct.node, %struct.node* %1, i64 0, i32 1
  %132 = load %struct.node*, %struct.node** %131, align 8
  %133 = icmp eq %struct.node* %132, null
  br i1 %133, label %136, label %134

134:                                              ; preds = %130
  %135 = getelementptr inbounds %struct.node, %struct.node* %132, i64 0, i32 0
  store i32 1, i32* %135, align 8
  br label %136

136:                                              ; preds = %134, %130
  ret %struct.node* %0
}

define weak dso_local void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(%struct.link* noundef %0, %struct.link* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.link, %struct.link* %0, i64 0, i32 0
  store %struct.link* %1, %struct.link** %3, align 8
  %4 = getelementptr inbounds %struct.link, %struct.link* %1, i64 0, i32 1
  %5 = load %struct.link*, %struct.link** %4, align 8
  %6 = getelementptr inbounds %struct.link, %struct.link* %0, i64 0, i32 1
  store %struct.link* %5, %struct.link** %6, align 8
  %7 = load %struct.link*, %struct.link** %4, align 8
  %8 = getelementptr inbounds %struct.link, %struct.link* %7, i64 0, i32 0
  store %struct.link* %0, %struct.link** %8, align 8
  store %struct.link* %0, %struct.link** %4, align 8
  ret void
}

define weak dso_local void @_ZNSt8__detail15_List_node_base9_M_unhookEv(%struct.link* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds %struct.link, %struct.link* %0, i64 0, i32 0
  %3 = load %struct.link*, %struct.link** %2, align 8
  %4 = getelementptr inbounds %struct.link, %struct.link* %0, i64 0, i32 1
  %5 = load %struct.link*, %struct.link** %4, align 8
  %6 = getelementptr inbounds %struct.link, %struct.link* %5, i64 0, i32 0
  store %struct.link* %3, %struct.link** %6, align 8
  %7 = load %struct.link*, %struct.link** %4, align 8
  %8 = load %struct.link*, %struct.link** %2, align 8
  %9 = getelementptr inbounds %struct.link, %struct.link* %8, i64 0, i32 1
  store %struct.link* %7, %struct.link** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(%struct.link* noundef %0, %struct.link* noundef %1, %struct.link* noundef %2) local_unnamed_addr {
  %4 = icmp eq %struct.link* %0, %2
  br i1 %4, label %17, label %5

5:                                                ; preds = %3
  %6 = getelementptr inbounds %struct.link, %struct.link* %2, i64 0, i32 1
  %7 = load %struct.link*, %struct.link** %6, align 8
  %8 = getelementptr inbounds %struct.link, %struct.link* %1, i64 0, i32 1
  %9 = load %struct.link*, %struct.link** %8, align 8
  %10 = getelementptr inbounds %struct.link, %struct.link* %9, i64 0, i32 0
  store %struct.link* %2, %struct.link** %10, align 8
  %11 = load %struct.link*, %struct.link** %8, align 8
  store %struct.link* %11, %struct.link** %6, align 8
  %12 = getelementptr inbounds %struct.link, %struct.link* %0, i64 0, i32 1
  %13 = load %struct.link*, %struct.link** %12, align 8
  store %struct.link* %13, %struct.link** %8, align 8
  %14 = load %struct.link*, %struct.link** %12, align 8
  %15 = getelementptr inbounds %struct.link, %struct.link* %14, i64 0, i32 0
  store %struct.link* %1, %struct.link** %15, align 8
  %16 = getelementptr inbounds %struct.link, %struct.link* %7, i64 0, i32 0
  store %struct.link* %0, %struct.link** %16, align 8
  store %struct.link* %7, %struct.link** %12, align 8
  br label %17

17:                                               ; preds = %3, %5
  ret void
}

define weak dso_local void @_ZNSt8__detail15_List_node_base10_M_reverseEv(%struct.link* noundef %0) local_unnamed_addr {
  br label %2

2:                                                ; preds = %2, %1
  %3 = phi %struct.link* [ %0, %1 ], [ %5, %2 ]
  %4 = getelementptr inbounds %struct.link, %struct.link* %3, i64 0, i32 0
  %5 = load %struct.link*, %struct.link** %4, align 8
  %6 = getelementptr inbounds %struct.link, %struct.link* %3, i64 0, i32 1
  %7 = load %struct.link*, %struct.link** %6, align 8
  store %struct.link* %7, %struct.link** %4, align 8
  store %struct.link* %5, %struct.link** %6, align 8
  %8 = icmp eq %struct.link* %5, %0
  br i1 %8, label %9, label %2

9:                                                ; preds = %2
  ret void
}

define weak dso_local void @_ZNSt8__detail15_List_node_base4swapERS0_S1_(%struct.link* noundef %0, %struct.link* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.link, %struct.link* %0, i64 0, i32 0
  %4 = load %struct.link*, %struct.link** %3, align 8
  %5 = getelementptr inbounds %struct.link, %struct.link* %0, i64 0, i32 1
  %6 = load %struct.link*, %struct.link** %5, align 8
  %7 = getelementptr inbounds %struct.link, %struct.link* %1, i64 0, i32 0
  %8 = load %struct.link*, %struct.link** %7, align 8
  %9 = getelementptr inbounds %struct.link, %struct.link* %1, i64 0, i32 1
  %10 = icmp eq %struct.link* %8, %1
  br i1 %10, label %11, label %12

11:                                               ; preds = %2
  store %struct.link* %0, %struct.link** %5, align 8
  br label %17

12:                                               ; preds = %2
  %13 = load %struct.link*, %struct.link** %9, align 8
  store %struct.link* %8, %struct.link** %3, align 8
  store %struct.link* %13, %struct.link** %5, align 8
  %14 = getelementptr inbounds %struct.link, %struct.link* %13, i64 0, i32 0
  store %struct.link* %0, %struct.link** %14, align 8
  %15 = load %struct.link*, %struct.link** %3, align 8
  %16 = getelementptr inbounds %struct.link, %struct.link* %15, i64 0, i32 1
  br label %17

17:                                               ; preds = %12, %11
  %18 = phi %struct.link** [ %16, %12 ], [ %3, %11 ]
  store %struct.link* %0, %struct.link** %18, align 8
  %19 = icmp eq %struct.link* %4, %0
  br i1 %19, label %20, label %21

20:                                               ; preds = %17
  store %struct.link* %1, %struct.link** %9, align 8
  br label %25

21:                                               ; preds = %17
  store %struct.link* %4, %struct.link** %7, align 8
  store %struct.link* %6, %struct.link** %9, align 8
  %22 = getelementptr inbounds %struct.link, %struct.link* %6, i64 0, i32 0
  store %struct.link* %1, %struct.link** %22, align 8
  %23 = load %struct.link*, %struct.link** %7, align 8
  %24 = getelementptr inbounds %struct.link, %struct.link* %23, i64 0, i32 1
  br label %25

25:                                               ; preds = %21, %20
  %26 = phi %struct.link** [ %24, %21 ], [ %7, %20 ]
  store %struct.link* %1, %struct.link** %26, align 8
  ret void
}

define weak dso_local i64 @_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(%struct.policy* noundef %0, i64 noundef %1) local_unnamed_addr {
  %3 = icmp ult i64 %1, 13
  %4 = icmp ugt i64 %1, 1
  %5 = select i1 %4, i64 13, i64 1
  %6 = select i1 %3, i64 %5, i64 %1
  %7 = icmp ugt i64 %6, 1
  br i1 %7, label %8, label %27

8:                                                ; preds = %2, %24
  %9 = phi i64 [ %25, %24 ], [ %6, %2 ]
  %10 = icmp ult i64 %9, 4
  %11 = and i64 %9, 1
  %12 = icmp eq i64 %11, 0
  %13 = or i1 %10, %12
  br i1 %13, label %22, label %14

14:                                               ; preds = %8, %18
  %15 = phi i64 [ %21, %18 ], [ 3, %8 ]
  %16 = mul i64 %15, %15
  %17 = icmp ugt i64 %16, %9
  br i1 %17, label %22, label %18

18:                                               ; preds = %14
  %19 = urem i64 %9, %15
  %20 = icmp eq i64 %19, 0
  %21 = add i64 %15, 1
  br i1 %20, label %24, label %14

22:                                               ; preds = %14, %8
  %23 = phi i1 [ %10, %8 ], [ %17, %14 ]
  br i1 %23, label %27, label %24

24:                                               ; preds = %18, %22
  %25 = add i64 %9, 1
  %26 = icmp ugt i64 %25, 1
  br i1 %26, label %8, label %27

27:                                               ; preds = %22, %24, %2
  %28 = phi i64 [ %6, %2 ], [ %9, %22 ], [ %25, %24 ]
  %29 = uitofp i64 %28 to double
  %30 = getelementptr inbounds %struct.policy, %struct.policy* %0, i64 0, i32 0
  %31 = load float, float* %30, align 8
  %32 = fpext float %31 to double
  %33 = fmul double %29, %32
  %34 = fptoui double %33 to i64
  %35 = getelementptr inbounds %struct.policy, %struct.policy* %0, i64 0, i32 1
  store i64 %34, i64* %35, align 8
  ret i64 %28
}

define weak dso_local { i8, i64 } @_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(%struct.policy* noundef %0, i64 noundef %1, i64 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = add i64 %3, %2
  %6 = getelementptr inbounds %struct.policy, %struct.policy* %0, i64 0, i32 1
  %7 = load i64, i64* %6, align 8
  %8 = icmp ugt i64 %5, %7
  br i1 %8, label %9, label %62

9:                                                ; preds = %4
  %10 = icmp eq i64 %7, 0
  %11 = icmp ult i64 %5, 11
  %12 = and i1 %11, %10
  %13 = uitofp i64 %5 to double
  %14 = select i1 %12, double 1.100000e+01, double %13
  %15 = getelementptr inbounds %struct.policy, %struct.policy* %0, i64 0, i32 0
  %16 = load float, float* %15, align 8
  %17 = fpext float %16 to double
  %18 = fdiv double %14, %17
  %19 = fptoui double %18 to i64
  %20 = icmp ult i64 %19, %1
  br i1 %20, label %21, label %23

21:                                               ; preds = %9
  %22 = uitofp i64 %1 to double
  br label %55

23:                                               ; preds = %9
  %24 = add i64 %19, 1
  %25 = shl i64 %1, 1
  %26 = icmp ugt i64 %24, %25
  %27 = select i1 %26, i64 %24, i64 %25
  %28 = icmp ult i64 %27, 13
  %29 = icmp ugt i64 %27, 1
  %30 = select i1 %29, i64 13, i64 1
  %31 = select i1 %28, i64 %30, i64 %27
  %32 = icmp ugt i64 %31, 1
  br i1 %32, label %33, label %52

33:                                               ; preds = %23, %49
  %34 = phi i64 [ %50, %49 ], [ %31, %23 ]
  %35 = icmp ult i64 %34, 4
  %36 = and i64 %34, 1
  %37 = icmp eq i64 %36, 0
  %38 = or i1 %35, %37
  br i1 %38, label %47, label %39

39:                                               ; preds = %33, %43
  %40 = phi i64 [ %46, %43 ], [ 3, %33 ]
  %41 = mul i64 %40, %40
  %42 = icmp ugt i64 %41, %34
  br i1 %42, label %47, label %43

43:                                               ; preds = %39
  %44 = urem i64 %34, %40
  %45 = icmp eq i64 %44, 0
  %46 = add i64 %40, 1
  br i1 %45, label %49, label %39

47:                                               ; preds = %39, %33
  %48 = phi i1 [ %35, %33 ], [ %42, %39 ]
  br i1 %48, label %52, label %49

49:                                               ; preds = %43, %47
  %50 = add i64 %34, 1
  %51 = icmp ugt i64 %50, 1
  br i1 %51, label %33, label %52

52:                                               ; preds = %47, %49, %23
  %53 = phi i64 [ %31, %23 ], [ %34, %47 ], [ %50, %49 ]
  %54 = uitofp i64 %53 to double
  br label %55

55:                                               ; preds = %52, %21
  %56 = phi double [ %17, %21 ], [ %54, %52 ]
  %57 = phi double [ %22, %21 ], [ %17, %52 ]
  %58 = phi i64 [ 0, %21 ], [ %53, %52 ]
  %59 = phi i8 [ 0, %21 ], [ 1, %52 ]
  %60 = fmul double %57, %56
  %61 = fptoui double %60 to i64
  store i64 %61, i64* %6, align 8
  br label %62

62:                                               ; preds = %55, %4
  %63 = phi i64 [ 0, %4 ], [ %58, %55 ]
  %64 = phi i8 [ 0, %4 ], [ %59, %55 ]
  %65 = insertvalue { i8, i64 } poison, i8 %64, 0
  %66 = insertvalue { i8, i64 } %65, i64 %63, 1
  ret { i8, i64 } %66
}

define weak dso_local i64 @_ZSt11_Hash_bytesPKvmm(i8* noundef %0, i64 noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = xor i64 %2, -3750763034362895579
  %5 = icmp eq i64 %1, 0
  br i1 %5, label %6, label %8

6:                                                ; preds = %8, %3
  %7 = phi i64 [ %4, %3 ], [ %15, %8 ]
  ret i64 %7

8:                                                ; preds = %3, %8
  %9 = phi i64 [ %16, %8 ], [ 0, %3 ]
  %10 = phi i64 [ %15, %8 ], [ %4, %3 ]
  %11 = getelementptr inbounds i8, i8* %0, i64 %9
  %12 = load i8, i8* %11, align 1
  %13 = zext i8 %12 to i64
  %14 = xor i64 %10, %13
  %15 = mul i64 %14, 1099511628211
  %16 = add nuw i64 %9, 1
  %17 = icmp eq i64 %16, %1
  br i1 %17, label %6, label %8
}



