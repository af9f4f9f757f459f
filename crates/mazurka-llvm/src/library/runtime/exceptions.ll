target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.exception = type { i8*, void (i8*)*, %struct.exception*, %struct.exception*, i64, i64, i8*, i8* }
%struct.type = type { i8**, i8*, %struct.type* }
%struct.category = type { i8** }
%struct.nested = type { i8**, i8* }
%struct.error = type { i8**, i8*, i32, i8* }
%struct.__va_list_tag = type { i32, i32, i8*, i8* }
%struct.condition = type { i32, %struct.category* }
%struct.string = type { i8*, i64, [16 x i8] }

@uncaught = internal thread_local unnamed_addr global i32 0, align 4
@handled = internal thread_local unnamed_addr global %struct.exception* null, align 8
@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x i8*], align 8
@.str = private unnamed_addr constant [13 x i8] c"St9exception\00", align 1
@_ZTISt9exception = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv117__class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([13 x i8], [13 x i8]* @.str, i32 0, i32 0), %struct.type* null }, align 8
@.str.1 = private unnamed_addr constant [15 x i8] c"std::exception\00", align 1
@_ZTVSt9exception = weak_odr dso_local local_unnamed_addr constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt9exception to i8*), i8* bitcast (void (i8*)* @_ZNSt9exceptionD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt9exceptionD0Ev to i8*), i8* bitcast (i8* (i8*)* @_ZNKSt9exception4whatEv to i8*)], align 16
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global [0 x i8*], align 8
@.str.2 = private unnamed_addr constant [13 x i8] c"St9bad_alloc\00", align 1
@_ZTISt9bad_alloc = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([13 x i8], [13 x i8]* @.str.2, i32 0, i32 0), %struct.type* @_ZTISt9exception }, align 8
@.str.3 = private unnamed_addr constant [15 x i8] c"std::bad_alloc\00", align 1
@_ZTVSt9bad_alloc = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt9bad_alloc to i8*), i8* bitcast (void (i8*)* @_ZNSt9bad_allocD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt9bad_allocD0Ev to i8*), i8* bitcast (i8* (i8*)* @_ZNKSt9bad_alloc4whatEv to i8*)], align 16
@.str.4 = private unnamed_addr constant [25 x i8] c"St20bad_array_new_length\00", align 1
@_ZTISt20bad_array_new_length = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([25 x i8], [25 x i8]* @.str.4, i32 0, i32 0), %struct.type* @_ZTISt9bad_alloc }, align 8
@.str.5 = private unnamed_addr constant [26 x i8] c"std::bad_array_new_length\00", align 1
@_ZTVSt20bad_array_new_length = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt20bad_array_new_length to i8*), i8* bitcast (void (i8*)* @_ZNSt20bad_array_new_lengthD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt20bad_array_new_lengthD0Ev to i8*), i8* bitcast (i8* (i8*)* @_ZNKSt20bad_array_new_length4whatEv to i8*)], align 16
@.str.6 = private unnamed_addr constant [12 x i8] c"St8bad_cast\00", align 1
@_ZTISt8bad_cast = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([12 x i8], [12 x i8]* @.str.6, i32 0, i32 0), %struct.type* @_ZTISt9exception }, align 8
@.str.7 = private unnamed_addr constant [14 x i8] c"std::bad_cast\00", align 1
@_ZTVSt8bad_cast = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt8bad_cast to i8*), i8* bitcast (void (i8*)* @_ZNSt8bad_castD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt8bad_castD0Ev to i8*), i8* bitcast (i8* (i8*)* @_ZNKSt8bad_cast4whatEv to i8*)], align 16
@.str.8 = private unnamed_addr constant [15 x i8] c"St10bad_typeid\00", align 1
@_ZTISt10bad_typeid = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([15 x i8], [15 x i8]* @.str.8, i32 0, i32 0), %struct.type* @_ZTISt9exception }, align 8
@.str.9 = private unnamed_addr constant [16 x i8] c"std::bad_typeid\00", align 1
@_ZTVSt10bad_typeid = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt10bad_typeid to i8*), i8* bitcast (void (i8*)* @_ZNSt10bad_typeidD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt10bad_typeidD0Ev to i8*), i8* bitcast (i8* (i8*)* @_ZNKSt10bad_typeid4whatEv to i8*)], align 16
@.str.10 = private unnamed_addr constant [18 x i8] c"St13bad_exception\00", align 1
@_ZTISt13bad_exception = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([18 x i8], [18 x i8]* @.str.10, i32 0, i32 0), %struct.type* @_ZTISt9exception }, align 8
@.str.11 = private unnamed_addr constant [19 x i8] c"std::bad_exception\00", align 1
@_ZTVSt13bad_exception = weak_odr dso_local local_unnamed_addr constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt13bad_exception to i8*), i8* bitcast (void (i8*)* @_ZNSt13bad_exceptionD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt13bad_exceptionD0Ev to i8*), i8* bitcast (i8* (i8*)* @_ZNKSt13bad_exception4whatEv to i8*)], align 16
@.str.12 = private unnamed_addr constant [22 x i8] c"St17bad_function_call\00", align 1
@_ZTISt17bad_function_call = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([22 x i8], [22 x i8]* @.str.12, i32 0, i32 0), %struct.type* @_ZTISt9exception }, align 8
@.str.13 = private unnamed_addr constant [18 x i8] c"bad_function_call\00", align 1
@_ZTVSt17bad_function_call = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt17bad_function_call to i8*), i8* bitcast (void (i8*)* @_ZNSt17bad_function_callD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt17bad_function_callD0Ev to i8*), i8* bitcast (i8* (i8*)* @_ZNKSt17bad_function_call4whatEv to i8*)], align 16
@.str.14 = private unnamed_addr constant [17 x i8] c"St12bad_weak_ptr\00", align 1
@_ZTISt12bad_weak_ptr = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([17 x i8], [17 x i8]* @.str.14, i32 0, i32 0), %struct.type* @_ZTISt9exception }, align 8
@.str.15 = private unnamed_addr constant [13 x i8] c"bad_weak_ptr\00", align 1
@_ZTVSt12bad_weak_ptr = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt12bad_weak_ptr to i8*), i8* bitcast (void (i8*)* @_ZNSt12bad_weak_ptrD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt12bad_weak_ptrD0Ev to i8*), i8* bitcast (i8* (i8*)* @_ZNKSt12bad_weak_ptr4whatEv to i8*)], align 16
@.str.16 = private unnamed_addr constant [21 x i8] c"St16nested_exception\00", align 1
@_ZTISt16nested_exception = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv117__class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([21 x i8], [21 x i8]* @.str.16, i32 0, i32 0), %struct.type* null }, align 8
@_ZTVSt16nested_exception = weak_odr dso_local local_unnamed_addr constant [4 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt16nested_exception to i8*), i8* bitcast (void (%struct.nested*)* @_ZNSt16nested_exceptionD1Ev to i8*), i8* bitcast (void (%struct.nested*)* @_ZNSt16nested_exceptionD0Ev to i8*)], align 16
@.str.17 = private unnamed_addr constant [16 x i8] c"St11logic_error\00", align 1
@_ZTISt11logic_error = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([16 x i8], [16 x i8]* @.str.17, i32 0, i32 0), %struct.type* @_ZTISt9exception }, align 8
@_ZTVSt11logic_error = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt11logic_error to i8*), i8* bitcast (void (i8*)* @_ZNSt11logic_errorD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt11logic_errorD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt11logic_error4whatEv to i8*)], align 16
@.str.18 = private unnamed_addr constant [17 x i8] c"St12domain_error\00", align 1
@_ZTISt12domain_error = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([17 x i8], [17 x i8]* @.str.18, i32 0, i32 0), %struct.type* @_ZTISt11logic_error }, align 8
@_ZTVSt12domain_error = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt12domain_error to i8*), i8* bitcast (void (i8*)* @_ZNSt12domain_errorD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt12domain_errorD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt11logic_error4whatEv to i8*)], align 16
@.str.19 = private unnamed_addr constant [17 x i8] c"St12length_error\00", align 1
@_ZTISt12length_error = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([17 x i8], [17 x i8]* @.str.19, i32 0, i32 0), %struct.type* @_ZTISt11logic_error }, align 8
@_ZTVSt12length_error = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt12length_error to i8*), i8* bitcast (void (i8*)* @_ZNSt12length_errorD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt12length_errorD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt11logic_error4whatEv to i8*)], align 16
@.str.20 = private unnamed_addr constant [17 x i8] c"St12out_of_range\00", align 1
@_ZTISt12out_of_range = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([17 x i8], [17 x i8]* @.str.20, i32 0, i32 0), %struct.type* @_ZTISt11logic_error }, align 8
@_ZTVSt12out_of_range = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt12out_of_range to i8*), i8* bitcast (void (i8*)* @_ZNSt12out_of_rangeD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt12out_of_rangeD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt11logic_error4whatEv to i8*)], align 16
@.str.21 = private unnamed_addr constant [21 x i8] c"St16invalid_argument\00", align 1
@_ZTISt16invalid_argument = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([21 x i8], [21 x i8]* @.str.21, i32 0, i32 0), %struct.type* @_ZTISt11logic_error }, align 8
@_ZTVSt16invalid_argument = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt16invalid_argument to i8*), i8* bitcast (void (i8*)* @_ZNSt16invalid_argumentD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt16invalid_argumentD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt11logic_error4whatEv to i8*)], align 16
@.str.22 = private unnamed_addr constant [17 x i8] c"St12future_error\00", align 1
@_ZTISt12future_error = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([17 x i8], [17 x i8]* @.str.22, i32 0, i32 0), %struct.type* @_ZTISt11logic_error }, align 8
@_ZTVSt12future_error = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt12future_error to i8*), i8* bitcast (void (i8*)* @_ZNSt12future_errorD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt12future_errorD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt11logic_error4whatEv to i8*)], align 16
@.str.23 = private unnamed_addr constant [18 x i8] c"St13runtime_error\00", align 1
@_ZTISt13runtime_error = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([18 x i8], [18 x i8]* @.str.23, i32 0, i32 0), %struct.type* @_ZTISt9exception }, align 8
@_ZTVSt13runtime_error = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt13runtime_error to i8*), i8* bitcast (void (i8*)* @_ZNSt13runtime_errorD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt13runtime_errorD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt13runtime_error4whatEv to i8*)], align 16
@.str.24 = private unnamed_addr constant [16 x i8] c"St11range_error\00", align 1
@_ZTISt11range_error = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([16 x i8], [16 x i8]* @.str.24, i32 0, i32 0), %struct.type* @_ZTISt13runtime_error }, align 8
@_ZTVSt11range_error = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt11range_error to i8*), i8* bitcast (void (i8*)* @_ZNSt11range_errorD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt11range_errorD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt13runtime_error4whatEv to i8*)], align 16
@.str.25 = private unnamed_addr constant [19 x i8] c"St14overflow_error\00", align 1
@_ZTISt14overflow_error = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([19 x i8], [19 x i8]* @.str.25, i32 0, i32 0), %struct.type* @_ZTISt13runtime_error }, align 8
@_ZTVSt14overflow_error = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt14overflow_error to i8*), i8* bitcast (void (i8*)* @_ZNSt14overflow_errorD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt14overflow_errorD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt13runtime_error4whatEv to i8*)], align 16
@.str.26 = private unnamed_addr constant [20 x i8] c"St15underflow_error\00", align 1
@_ZTISt15underflow_error = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([20 x i8], [20 x i8]* @.str.26, i32 0, i32 0), %struct.type* @_ZTISt13runtime_error }, align 8
@_ZTVSt15underflow_error = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt15underflow_error to i8*), i8* bitcast (void (i8*)* @_ZNSt15underflow_errorD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt15underflow_errorD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt13runtime_error4whatEv to i8*)], align 16
@.str.27 = private unnamed_addr constant [17 x i8] c"St12system_error\00", align 1
@_ZTISt12system_error = weak_odr dso_local constant %struct.type { i8** bitcast (i8* getelementptr (i8, i8* bitcast ([0 x i8*]* @_ZTVN10__cxxabiv120__si_class_type_infoE to i8*), i64 16) to i8**), i8* getelementptr inbounds ([17 x i8], [17 x i8]* @.str.27, i32 0, i32 0), %struct.type* @_ZTISt13runtime_error }, align 8
@_ZTVSt12system_error = weak_odr dso_local constant [5 x i8*] [i8* null, i8* bitcast (%struct.type* @_ZTISt12system_error to i8*), i8* bitcast (void (i8*)* @_ZNSt12system_errorD1Ev to i8*), i8* bitcast (void (i8*)* @_ZNSt12system_errorD0Ev to i8*), i8* bitcast (i8* (%struct.error*)* @_ZNKSt13runtime_error4whatEv to i8*)], align 16
@generic_category = internal constant %struct.category { i8** getelementptr inbounds ([8 x i8*], [8 x i8*]* @generic_table, i32 0, i32 0) }, align 8
@system_category = internal constant %struct.category { i8** getelementptr inbounds ([8 x i8*], [8 x i8*]* @system_table, i32 0, i32 0) }, align 8
@future_category = internal constant %struct.category { i8** getelementptr inbounds ([8 x i8*], [8 x i8*]* @future_table, i32 0, i32 0) }, align 8
@__const._ZSt20__throw_future_errori.text = private unnamed_addr constant [64 x i8] c"std::future_error: \00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 16
@generic_table = internal constant [8 x i8*] [i8* bitcast (void (%struct.category*)* @destroy_category to i8*), i8* bitcast (void (%struct.category*)* @destroy_category to i8*), i8* bitcast (i8* (%struct.category*)* @generic_name to i8*), i8* bitcast (void (%struct.string*, %struct.category*, i32)* @generic_text to i8*), i8* bitcast (void (%struct.string*, %struct.category*, i32)* @generic_text to i8*), i8* bitcast ({ i32, %struct.category* } (%struct.category*, i32)* @generic_condition to i8*), i8* bitcast (i1 (%struct.category*, i32, %struct.condition*)* @is_condition to i8*), i8* bitcast (i1 (%struct.category*, %struct.condition*, i32)* @is_code to i8*)], align 16
@.str.28 = private unnamed_addr constant [8 x i8] c"generic\00", align 1
@system_table = internal constant [8 x i8*] [i8* bitcast (void (%struct.category*)* @destroy_category to i8*), i8* bitcast (void (%struct.category*)* @destroy_category to i8*), i8* bitcast (i8* (%struct.category*)* @system_name to i8*), i8* bitcast (void (%struct.string*, %struct.category*, i32)* @generic_text to i8*), i8* bitcast (void (%struct.string*, %struct.category*, i32)* @generic_text to i8*), i8* bitcast ({ i32, %struct.category* } (%struct.category*, i32)* @generic_condition to i8*), i8* bitcast (i1 (%struct.category*, i32, %struct.condition*)* @is_condition to i8*), i8* bitcast (i1 (%struct.category*, %struct.condition*, i32)* @is_code to i8*)], align 16
@.str.29 = private unnamed_addr constant [7 x i8] c"system\00", align 1
@future_table = internal constant [8 x i8*] [i8* bitcast (void (%struct.category*)* @destroy_category to i8*), i8* bitcast (void (%struct.category*)* @destroy_category to i8*), i8* bitcast (i8* (%struct.category*)* @future_name to i8*), i8* bitcast (void (%struct.string*, %struct.category*, i32)* @future_text to i8*), i8* bitcast (void (%struct.string*, %struct.category*, i32)* @future_text to i8*), i8* bitcast ({ i32, %struct.category* } (%struct.category*, i32)* @own_condition to i8*), i8* bitcast (i1 (%struct.category*, i32, %struct.condition*)* @is_condition to i8*), i8* bitcast (i1 (%struct.category*, %struct.condition*, i32)* @is_code to i8*)], align 16
@.str.30 = private unnamed_addr constant [7 x i8] c"future\00", align 1
@.str.31 = private unnamed_addr constant [25 x i8] c"Future already retrieved\00", align 1
@.str.32 = private unnamed_addr constant [26 x i8] c"Promise already satisfied\00", align 1
@.str.33 = private unnamed_addr constant [20 x i8] c"No associated state\00", align 1
@.str.34 = private unnamed_addr constant [15 x i8] c"Broken promise\00", align 1
@.str.35 = private unnamed_addr constant [14 x i8] c"Unknown error\00", align 1
@switch.table.future_text = private unnamed_addr constant [4 x i8*] [i8* getelementptr inbounds ([25 x i8], [25 x i8]* @.str.31, i64 0, i64 0), i8* getelementptr inbounds ([26 x i8], [26 x i8]* @.str.32, i64 0, i64 0), i8* getelementptr inbounds ([20 x i8], [20 x i8]* @.str.33, i64 0, i64 0), i8* getelementptr inbounds ([15 x i8], [15 x i8]* @.str.34, i64 0, i64 0)], align 8

define weak dso_local i8* @__cxa_allocate_exception(i64 noundef %0) local_unnamed_addr {
  %2 = add i64 %0, 64
  %3 = call i8* @malloc(i64 noundef %2)
  %4 = call i8* @memset(i8* noundef %3, i32 noundef 0, i64 noundef 64)
  %5 = getelementptr inbounds i8, i8* %3, i64 24
  %6 = bitcast i8* %5 to i8**
  store i8* %3, i8** %6, align 8
  %7 = getelementptr inbounds i8, i8* %3, i64 64
  %8 = getelementptr inbounds i8, i8* %3, i64 48
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  ret i8* %7
}

declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture)

declare i8* @malloc(i64 noundef) local_unnamed_addr

declare i8* @memset(i8* noundef, i32 noundef, i64 noundef) local_unnamed_addr

declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture)

define weak dso_local void @__cxa_free_exception(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 -64
  call void @free(i8* noundef nonnull %2)
  ret void
}

declare void @free(i8* noundef) local_unnamed_addr

define weak dso_local i8* @__cxa_init_primary_exception(i8* noundef %0, i8* noundef %1, void (i8*)* noundef %2) local_unnamed_addr {
  %4 = getelementptr inbounds i8, i8* %0, i64 -64
  %5 = bitcast i8* %4 to i8**
  store i8* %1, i8** %5, align 8
  %6 = getelementptr inbounds i8, i8* %0, i64 -56
  %7 = bitcast i8* %6 to void (i8*)**
  store void (i8*)* %2, void (i8*)** %7, align 8
  ret i8* %4
}

define weak dso_local void @__cxa_throw(i8* noundef %0, i8* noundef %1, void (i8*)* noundef %2) local_unnamed_addr {
  %4 = call i8* @__cxa_init_primary_exception(i8* noundef %0, i8* noundef %1, void (i8*)* noundef %2)
  %5 = getelementptr inbounds i8, i8* %0, i64 -64
  %6 = getelementptr inbounds i8, i8* %0, i64 -24
  %7 = bitcast i8* %6 to i64*
  store i64 1, i64* %7, align 8
  %8 = load i32, i32* @uncaught, align 4
  %9 = add i32 %8, 1
  store i32 %9, i32* @uncaught, align 4
  %10 = bitcast i8* %5 to i8**
  %11 = load i8*, i8** %10, align 8
  %12 = getelementptr inbounds i8, i8* %0, i64 -16
  %13 = bitcast i8* %12 to i8**
  %14 = load i8*, i8** %13, align 8
  call void @__mazurka_unwind(i8* noundef nonnull %0, i8* noundef %11, i8* noundef %14)
  ret void
}

define weak dso_local void @__mazurka_resume(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 -64
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds i8, i8* %0, i64 -16
  %6 = bitcast i8* %5 to i8**
  %7 = load i8*, i8** %6, align 8
  call void @__mazurka_unwind(i8* noundef nonnull %0, i8* noundef %4, i8* noundef %7)
  ret void
}

define weak dso_local i8* @__cxa_get_exception_ptr(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__mazurka_caught(i1 noundef zeroext false)
  ret i8* %2
}

declare i8* @__mazurka_caught(i1 noundef zeroext) local_unnamed_addr

define weak dso_local i8* @__cxa_begin_catch(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 -64
  %3 = bitcast i8* %2 to %struct.exception*
  %4 = call i8* @__mazurka_caught(i1 noundef zeroext true)
  %5 = getelementptr inbounds i8, i8* %0, i64 -32
  %6 = bitcast i8* %5 to i64*
  %7 = load i64, i64* %6, align 8
  %8 = call i64 @llvm.abs.i64(i64 %7, i1 true)
  %9 = add nuw nsw i64 %8, 1
  store i64 %9, i64* %6, align 8
  %10 = load %struct.exception*, %struct.exception** @handled, align 8
  %11 = icmp eq %struct.exception* %10, %3
  br i1 %11, label %15, label %12

12:                                               ; preds = %1
  %13 = getelementptr inbounds i8, i8* %0, i64 -48
  %14 = bitcast i8* %13 to %struct.exception**
  store %struct.exception* %10, %struct.exception** %14, align 8
  store i8* %2, i8** bitcast (%struct.exception** @handled to i8**), align 8
  br label %15

15:                                               ; preds = %12, %1
  %16 = load i32, i32* @uncaught, align 4
  %17 = add i32 %16, -1
  store i32 %17, i32* @uncaught, align 4
  ret i8* %4
}

define weak dso_local void @__cxa_end_catch() local_unnamed_addr {
  %1 = load %struct.exception*, %struct.exception** @handled, align 8
  %2 = icmp eq %struct.exception* %1, null
  br i1 %2, label %50, label %3

3:                                                ; preds = %0
  %4 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 0, i32 4
  %5 = load i64, i64* %4, align 8
  %6 = icmp slt i64 %5, 0
  br i1 %6, label %7, label %13

7:                                                ; preds = %3
  %8 = add nsw i64 %5, 1
  store i64 %8, i64* %4, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %10, label %50

10:                                               ; preds = %7
  %11 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 0, i32 2
  %12 = load %struct.exception*, %struct.exception** %11, align 8
  store %struct.exception* %12, %struct.exception** @handled, align 8
  br label %50

13:                                               ; preds = %3
  %14 = add nsw i64 %5, -1
  store i64 %14, i64* %4, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %16, label %50

16:                                               ; preds = %13
  %17 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 0, i32 2
  %18 = load %struct.exception*, %struct.exception** %17, align 8
  store %struct.exception* %18, %struct.exception** @handled, align 8
  %19 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 0, i32 3
  %20 = load %struct.exception*, %struct.exception** %19, align 8
  %21 = icmp eq %struct.exception* %20, %1
  br i1 %21, label %37, label %22

22:                                               ; preds = %16
  %23 = getelementptr inbounds %struct.exception, %struct.exception* %20, i64 0, i32 5
  %24 = atomicrmw sub i64* %23, i64 1 acq_rel, align 8
  %25 = icmp eq i64 %24, 1
  br i1 %25, label %26, label %35

26:                                               ; preds = %22
  %27 = getelementptr inbounds %struct.exception, %struct.exception* %20, i64 0, i32 1
  %28 = load void (i8*)*, void (i8*)** %27, align 8
  %29 = icmp eq void (i8*)* %28, null
  br i1 %29, label %33, label %30

30:                                               ; preds = %26
  %31 = getelementptr inbounds %struct.exception, %struct.exception* %20, i64 0, i32 6
  %32 = load i8*, i8** %31, align 8
  call void %28(i8* noundef %32)
  br label %33

33:                                               ; preds = %30, %26
  %34 = bitcast %struct.exception* %20 to i8*
  call void @free(i8* noundef %34)
  br label %35

35:                                               ; preds = %22, %33
  %36 = bitcast %struct.exception* %1 to i8*
  call void @free(i8* noundef nonnull %36)
  br label %50

37:                                               ; preds = %16
  %38 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 0, i32 5
  %39 = atomicrmw sub i64* %38, i64 1 acq_rel, align 8
  %40 = icmp eq i64 %39, 1
  br i1 %40, label %41, label %50

41:                                               ; preds = %37
  %42 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 0, i32 1
  %43 = load void (i8*)*, void (i8*)** %42, align 8
  %44 = icmp eq void (i8*)* %43, null
  br i1 %44, label %48, label %45

45:                                               ; preds = %41
  %46 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 0, i32 6
  %47 = load i8*, i8** %46, align 8
  call void %43(i8* noundef %47)
  br label %48

48:                                               ; preds = %45, %41
  %49 = bitcast %struct.exception* %1 to i8*
  call void @free(i8* noundef nonnull %49)
  br label %50

50:                                               ; preds = %48, %37, %35, %13, %7, %10, %0
  ret void
}

define weak dso_local void @__cxa_rethrow() local_unnamed_addr {
  %1 = load %struct.exception*, %struct.exception** @handled, align 8
  %2 = icmp eq %struct.exception* %1, null
  br i1 %2, label %3, label %4

3:                                                ; preds = %0
  call void @_ZSt9terminatev()
  br label %4

4:                                                ; preds = %3, %0
  %5 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 0, i32 4
  %6 = load i64, i64* %5, align 8
  %7 = sub nsw i64 0, %6
  store i64 %7, i64* %5, align 8
  %8 = load i32, i32* @uncaught, align 4
  %9 = add i32 %8, 1
  store i32 %9, i32* @uncaught, align 4
  %10 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 1
  %11 = bitcast %struct.exception* %10 to i8*
  %12 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 0, i32 0
  %13 = load i8*, i8** %12, align 8
  %14 = getelementptr inbounds %struct.exception, %struct.exception* %1, i64 0, i32 6
  %15 = load i8*, i8** %14, align 8
  call void @__mazurka_unwind(i8* noundef nonnull %11, i8* noundef %13, i8* noundef %15)
  ret void
}

declare void @_ZSt9terminatev() local_unnamed_addr

define weak dso_local zeroext i1 @_ZSt18uncaught_exceptionv() local_unnamed_addr {
  %1 = load i32, i32* @uncaught, align 4
  %2 = icmp ne i32 %1, 0
  ret i1 %2
}

define weak dso_local i32 @_ZSt19uncaught_exceptionsv() local_unnamed_addr {
  %1 = load i32, i32* @uncaught, align 4
  ret i32 %1
}

define weak dso_local void @_ZNSt15__exception_ptr13exception_ptrC1EPv(i8** noundef %0, i8* noundef %1) local_unnamed_addr {
  store i8* %1, i8** %0, align 8
  %3 = icmp eq i8* %1, null
  br i1 %3, label %8, label %4

4:                                                ; preds = %2
  %5 = getelementptr inbounds i8, i8* %1, i64 -24
  %6 = bitcast i8* %5 to i64*
  %7 = atomicrmw add i64* %6, i64 1 acq_rel, align 8
  br label %8

8:                                                ; preds = %2, %4
  ret void
}

define weak dso_local void @_ZNSt15__exception_ptr13exception_ptrC2EPv(i8** noundef %0, i8* noundef %1) local_unnamed_addr {
  store i8* %1, i8** %0, align 8
  %3 = icmp eq i8* %1, null
  br i1 %3, label %8, label %4

4:                                                ; preds = %2
  %5 = getelementptr inbounds i8, i8* %1, i64 -24
  %6 = bitcast i8* %5 to i64*
  %7 = atomicrmw add i64* %6, i64 1 acq_rel, align 8
  br label %8

8:                                                ; preds = %2, %4
  ret void
}

define weak dso_local void @_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(i8** noundef %0) local_unnamed_addr {
  %2 = load i8*, i8** %0, align 8
  %3 = icmp eq i8* %2, null
  br i1 %3, label %8, label %4

4:                                                ; preds = %1
  %5 = getelementptr inbounds i8, i8* %2, i64 -24
  %6 = bitcast i8* %5 to i64*
  %7 = atomicrmw add i64* %6, i64 1 acq_rel, align 8
  br label %8

8:                                                ; preds = %1, %4
  ret void
}

define weak dso_local void @_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(i8** noundef %0) local_unnamed_addr {
  %2 = load i8*, i8** %0, align 8
  %3 = icmp eq i8* %2, null
  br i1 %3, label %20, label %4

4:                                                ; preds = %1
  %5 = getelementptr inbounds i8, i8* %2, i64 -64
  %6 = getelementptr inbounds i8, i8* %2, i64 -24
  %7 = bitcast i8* %6 to i64*
  %8 = atomicrmw sub i64* %7, i64 1 acq_rel, align 8
  %9 = icmp eq i64 %8, 1
  br i1 %9, label %10, label %20

10:                                               ; preds = %4
  %11 = getelementptr inbounds i8, i8* %2, i64 -56
  %12 = bitcast i8* %11 to void (i8*)**
  %13 = load void (i8*)*, void (i8*)** %12, align 8
  %14 = icmp eq void (i8*)* %13, null
  br i1 %14, label %19, label %15

15:                                               ; preds = %10
  %16 = getelementptr inbounds i8, i8* %2, i64 -16
  %17 = bitcast i8* %16 to i8**
  %18 = load i8*, i8** %17, align 8
  call void %13(i8* noundef %18)
  br label %19

19:                                               ; preds = %15, %10
  call void @free(i8* noundef nonnull %5)
  br label %20

20:                                               ; preds = %19, %4, %1
  store i8* null, i8** %0, align 8
  ret void
}

define weak dso_local void @_ZSt17current_exceptionv(i8** noundef %0) local_unnamed_addr {
  %2 = load %struct.exception*, %struct.exception** @handled, align 8
  %3 = icmp eq %struct.exception* %2, null
  br i1 %3, label %9, label %4

4:                                                ; preds = %1
  %5 = getelementptr inbounds %struct.exception, %struct.exception* %2, i64 0, i32 3
  %6 = load %struct.exception*, %struct.exception** %5, align 8
  %7 = getelementptr inbounds %struct.exception, %struct.exception* %6, i64 0, i32 6
  %8 = load i8*, i8** %7, align 8
  br label %9

9:                                                ; preds = %1, %4
  %10 = phi i8* [ %8, %4 ], [ null, %1 ]
  store i8* %10, i8** %0, align 8
  %11 = icmp eq i8* %10, null
  br i1 %11, label %16, label %12

12:                                               ; preds = %9
  %13 = getelementptr inbounds i8, i8* %10, i64 -24
  %14 = bitcast i8* %13 to i64*
  %15 = atomicrmw add i64* %14, i64 1 acq_rel, align 8
  br label %16

16:                                               ; preds = %9, %12
  ret void
}

define weak dso_local void @_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(i8** noundef %0) local_unnamed_addr {
  %2 = load i8*, i8** %0, align 8
  %3 = getelementptr inbounds i8, i8* %2, i64 -64
  %4 = call i8* @__cxa_allocate_exception(i64 noundef 0)
  %5 = load i8*, i8** %0, align 8
  %6 = icmp eq i8* %5, null
  br i1 %6, label %11, label %7

7:                                                ; preds = %1
  %8 = getelementptr inbounds i8, i8* %5, i64 -24
  %9 = bitcast i8* %8 to i64*
  %10 = atomicrmw add i64* %9, i64 1 acq_rel, align 8
  br label %11

11:                                               ; preds = %1, %7
  %12 = getelementptr inbounds i8, i8* %4, i64 -64
  %13 = bitcast i8* %3 to i8**
  %14 = load i8*, i8** %13, align 8
  %15 = bitcast i8* %12 to i8**
  store i8* %14, i8** %15, align 8
  %16 = getelementptr inbounds i8, i8* %4, i64 -40
  %17 = bitcast i8* %16 to i8**
  store i8* %3, i8** %17, align 8
  %18 = getelementptr inbounds i8, i8* %2, i64 -16
  %19 = bitcast i8* %18 to i8**
  %20 = load i8*, i8** %19, align 8
  %21 = getelementptr inbounds i8, i8* %4, i64 -16
  %22 = bitcast i8* %21 to i8**
  store i8* %20, i8** %22, align 8
  %23 = load i32, i32* @uncaught, align 4
  %24 = add i32 %23, 1
  store i32 %24, i32* @uncaught, align 4
  call void @__mazurka_unwind(i8* noundef nonnull %4, i8* noundef %14, i8* noundef %20)
  ret void
}

define weak dso_local void @_ZNSt9exceptionD1Ev(i8* noundef %0) {
  ret void
}

define weak dso_local void @_ZNSt9exceptionD2Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt9exceptionD0Ev(i8* noundef %0) {
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

declare void @_ZdlPv(i8* noundef) local_unnamed_addr

define weak dso_local i8* @_ZNKSt9exception4whatEv(i8* noundef %0) {
  ret i8* getelementptr inbounds ([15 x i8], [15 x i8]* @.str.1, i64 0, i64 0)
}

define weak dso_local void @_ZNSt9bad_allocD1Ev(i8* noundef %0) {
  ret void
}

define weak dso_local void @_ZNSt9bad_allocD2Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt9bad_allocD0Ev(i8* noundef %0) {
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local i8* @_ZNKSt9bad_alloc4whatEv(i8* noundef %0) {
  ret i8* getelementptr inbounds ([15 x i8], [15 x i8]* @.str.3, i64 0, i64 0)
}

define weak dso_local void @_ZNSt20bad_array_new_lengthD1Ev(i8* noundef %0) {
  ret void
}

define weak dso_local void @_ZNSt20bad_array_new_lengthD2Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt20bad_array_new_lengthD0Ev(i8* noundef %0) {
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local i8* @_ZNKSt20bad_array_new_length4whatEv(i8* noundef %0) {
  ret i8* getelementptr inbounds ([26 x i8], [26 x i8]* @.str.5, i64 0, i64 0)
}

define weak dso_local void @_ZNSt8bad_castD1Ev(i8* noundef %0) {
  ret void
}

define weak dso_local void @_ZNSt8bad_castD2Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt8bad_castD0Ev(i8* noundef %0) {
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local i8* @_ZNKSt8bad_cast4whatEv(i8* noundef %0) {
  ret i8* getelementptr inbounds ([14 x i8], [14 x i8]* @.str.7, i64 0, i64 0)
}

define weak dso_local void @_ZNSt10bad_typeidD1Ev(i8* noundef %0) {
  ret void
}

define weak dso_local void @_ZNSt10bad_typeidD2Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt10bad_typeidD0Ev(i8* noundef %0) {
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local i8* @_ZNKSt10bad_typeid4whatEv(i8* noundef %0) {
  ret i8* getelementptr inbounds ([16 x i8], [16 x i8]* @.str.9, i64 0, i64 0)
}

define weak dso_local void @_ZNSt13bad_exceptionD1Ev(i8* noundef %0) {
  ret void
}

define weak dso_local void @_ZNSt13bad_exceptionD2Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt13bad_exceptionD0Ev(i8* noundef %0) {
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local i8* @_ZNKSt13bad_exception4whatEv(i8* noundef %0) {
  ret i8* getelementptr inbounds ([19 x i8], [19 x i8]* @.str.11, i64 0, i64 0)
}

define weak dso_local void @_ZNSt17bad_function_callD1Ev(i8* noundef %0) {
  ret void
}

define weak dso_local void @_ZNSt17bad_function_callD2Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt17bad_function_callD0Ev(i8* noundef %0) {
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local i8* @_ZNKSt17bad_function_call4whatEv(i8* noundef %0) {
  ret i8* getelementptr inbounds ([18 x i8], [18 x i8]* @.str.13, i64 0, i64 0)
}

define weak dso_local void @_ZNSt12bad_weak_ptrD1Ev(i8* noundef %0) {
  ret void
}

define weak dso_local void @_ZNSt12bad_weak_ptrD2Ev(i8* noundef %0) local_unnamed_addr {
  ret void
}

define weak dso_local void @_ZNSt12bad_weak_ptrD0Ev(i8* noundef %0) {
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local i8* @_ZNKSt12bad_weak_ptr4whatEv(i8* noundef %0) {
  ret i8* getelementptr inbounds ([13 x i8], [13 x i8]* @.str.15, i64 0, i64 0)
}

define weak dso_local void @_ZNSt16nested_exceptionD1Ev(%struct.nested* noundef %0) {
  %2 = getelementptr inbounds %struct.nested, %struct.nested* %0, i64 0, i32 1
  call void @_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(i8** noundef nonnull %2)
  ret void
}

define weak dso_local void @_ZNSt16nested_exceptionD2Ev(%struct.nested* noundef %0) local_unnamed_addr {
  call void @_ZNSt16nested_exceptionD1Ev(%struct.nested* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt16nested_exceptionD0Ev(%struct.nested* noundef %0) {
  call void @_ZNSt16nested_exceptionD1Ev(%struct.nested* noundef %0)
  %2 = bitcast %struct.nested* %0 to i8*
  call void @_ZdlPv(i8* noundef %2)
  ret void
}

define weak dso_local void @_ZSt17__throw_bad_allocv() local_unnamed_addr {
  %1 = call i8* @__cxa_allocate_exception(i64 noundef 16)
  %2 = bitcast i8* %1 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt9bad_alloc, i64 0, i64 2), i8*** %2, align 8
  call void @__cxa_throw(i8* noundef %1, i8* noundef bitcast (%struct.type* @_ZTISt9bad_alloc to i8*), void (i8*)* noundef null)
  ret void
}

define weak dso_local void @_ZSt28__throw_bad_array_new_lengthv() local_unnamed_addr {
  %1 = call i8* @__cxa_allocate_exception(i64 noundef 16)
  %2 = bitcast i8* %1 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt20bad_array_new_length, i64 0, i64 2), i8*** %2, align 8
  call void @__cxa_throw(i8* noundef %1, i8* noundef bitcast (%struct.type* @_ZTISt20bad_array_new_length to i8*), void (i8*)* noundef null)
  ret void
}

define weak dso_local void @__cxa_throw_bad_array_new_length() local_unnamed_addr {
  %1 = call i8* @__cxa_allocate_exception(i64 noundef 16)
  %2 = bitcast i8* %1 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt20bad_array_new_length, i64 0, i64 2), i8*** %2, align 8
  call void @__cxa_throw(i8* noundef %1, i8* noundef bitcast (%struct.type* @_ZTISt20bad_array_new_length to i8*), void (i8*)* noundef null)
  ret void
}

define weak dso_local void @_ZSt16__throw_bad_castv() local_unnamed_addr {
  %1 = call i8* @__cxa_allocate_exception(i64 noundef 16)
  %2 = bitcast i8* %1 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt8bad_cast, i64 0, i64 2), i8*** %2, align 8
  call void @__cxa_throw(i8* noundef %1, i8* noundef bitcast (%struct.type* @_ZTISt8bad_cast to i8*), void (i8*)* noundef null)
  ret void
}

define weak dso_local void @__cxa_bad_cast() local_unnamed_addr {
  %1 = call i8* @__cxa_allocate_exception(i64 noundef 16)
  %2 = bitcast i8* %1 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt8bad_cast, i64 0, i64 2), i8*** %2, align 8
  call void @__cxa_throw(i8* noundef %1, i8* noundef bitcast (%struct.type* @_ZTISt8bad_cast to i8*), void (i8*)* noundef null)
  ret void
}

define weak dso_local void @__cxa_bad_typeid() local_unnamed_addr {
  %1 = call i8* @__cxa_allocate_exception(i64 noundef 16)
  %2 = bitcast i8* %1 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt10bad_typeid, i64 0, i64 2), i8*** %2, align 8
  call void @__cxa_throw(i8* noundef %1, i8* noundef bitcast (%struct.type* @_ZTISt10bad_typeid to i8*), void (i8*)* noundef null)
  ret void
}

define weak dso_local void @_ZSt25__throw_bad_function_callv() local_unnamed_addr {
  %1 = call i8* @__cxa_allocate_exception(i64 noundef 16)
  %2 = bitcast i8* %1 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt17bad_function_call, i64 0, i64 2), i8*** %2, align 8
  call void @__cxa_throw(i8* noundef %1, i8* noundef bitcast (%struct.type* @_ZTISt17bad_function_call to i8*), void (i8*)* noundef null)
  ret void
}

define weak dso_local void @_ZSt20__throw_bad_weak_ptrv() local_unnamed_addr {
  %1 = call i8* @__cxa_allocate_exception(i64 noundef 16)
  %2 = bitcast i8* %1 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12bad_weak_ptr, i64 0, i64 2), i8*** %2, align 8
  call void @__cxa_throw(i8* noundef %1, i8* noundef bitcast (%struct.type* @_ZTISt12bad_weak_ptr to i8*), void (i8*)* noundef null)
  ret void
}

define weak dso_local i8* @_ZNKSt11logic_error4whatEv(%struct.error* noundef %0) {
  %2 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  %3 = load i8*, i8** %2, align 8
  ret i8* %3
}

define weak dso_local i8* @_ZNKSt13runtime_error4whatEv(%struct.error* noundef %0) {
  %2 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  %3 = load i8*, i8** %2, align 8
  ret i8* %3
}

define weak dso_local void @_ZNSt11logic_errorD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt11logic_errorD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt11logic_errorD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt11logic_errorC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11logic_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt11logic_errorC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11logic_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt11logic_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11logic_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt11logic_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11logic_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt11logic_errorC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11logic_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt11logic_errorC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11logic_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt11logic_errorC1EOS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11logic_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt11logic_errorC2EOS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11logic_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local i8* @_ZNSt11logic_erroraSERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = call i64 @strlen(i8* noundef %4)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %4, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  %10 = load i8*, i8** %9, align 8
  call void @free(i8* noundef %10)
  store i8* %8, i8** %9, align 8
  %11 = bitcast %struct.error* %0 to i8*
  ret i8* %11
}

define weak dso_local i8* @_ZNSt11logic_erroraSEOS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = call i64 @strlen(i8* noundef %4)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %4, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  %10 = load i8*, i8** %9, align 8
  call void @free(i8* noundef %10)
  store i8* %8, i8** %9, align 8
  %11 = bitcast %struct.error* %0 to i8*
  ret i8* %11
}

define weak dso_local void @_ZNSt12domain_errorD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt12domain_errorD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt12domain_errorD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt12domain_errorC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12domain_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt12domain_errorC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12domain_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt12domain_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12domain_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt12domain_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12domain_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt12domain_errorC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12domain_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt12domain_errorC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12domain_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt12length_errorD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt12length_errorD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt12length_errorD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt12length_errorC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12length_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt12length_errorC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12length_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt12length_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12length_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt12length_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12length_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt12length_errorC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12length_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt12length_errorC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12length_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt12out_of_rangeD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt12out_of_rangeD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt12out_of_rangeD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt12out_of_rangeC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12out_of_range, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt12out_of_rangeC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12out_of_range, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt12out_of_rangeC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12out_of_range, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt12out_of_rangeC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12out_of_range, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt12out_of_rangeC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12out_of_range, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt12out_of_rangeC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12out_of_range, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt16invalid_argumentD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt16invalid_argumentD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt16invalid_argumentD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt16invalid_argumentC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt16invalid_argument, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt16invalid_argumentC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt16invalid_argument, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt16invalid_argumentC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt16invalid_argument, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt16invalid_argumentC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt16invalid_argument, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt16invalid_argumentC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt16invalid_argument, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt16invalid_argumentC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt16invalid_argument, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt12future_errorD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt12future_errorD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt12future_errorD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt12future_errorC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12future_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt12future_errorC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12future_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt12future_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12future_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt12future_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12future_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt12future_errorC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12future_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt12future_errorC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12future_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt13runtime_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt13runtime_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt13runtime_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt13runtime_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt13runtime_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt13runtime_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorC1EOS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt13runtime_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt13runtime_errorC2EOS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt13runtime_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local i8* @_ZNSt13runtime_erroraSERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = call i64 @strlen(i8* noundef %4)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %4, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  %10 = load i8*, i8** %9, align 8
  call void @free(i8* noundef %10)
  store i8* %8, i8** %9, align 8
  %11 = bitcast %struct.error* %0 to i8*
  ret i8* %11
}

define weak dso_local i8* @_ZNSt13runtime_erroraSEOS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = call i64 @strlen(i8* noundef %4)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %4, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  %10 = load i8*, i8** %9, align 8
  call void @free(i8* noundef %10)
  store i8* %8, i8** %9, align 8
  %11 = bitcast %struct.error* %0 to i8*
  ret i8* %11
}

define weak dso_local void @_ZNSt11range_errorD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt11range_errorD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt11range_errorD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt11range_errorC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11range_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt11range_errorC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11range_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt11range_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11range_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt11range_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11range_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt11range_errorC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11range_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt11range_errorC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11range_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt14overflow_errorD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt14overflow_errorD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt14overflow_errorD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt14overflow_errorC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt14overflow_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt14overflow_errorC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt14overflow_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt14overflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt14overflow_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt14overflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt14overflow_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt14overflow_errorC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt14overflow_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt14overflow_errorC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt14overflow_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt15underflow_errorD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt15underflow_errorD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt15underflow_errorD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt15underflow_errorC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt15underflow_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt15underflow_errorC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt15underflow_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt15underflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt15underflow_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt15underflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt15underflow_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt15underflow_errorC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt15underflow_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt15underflow_errorC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt15underflow_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt12system_errorD1Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt12system_errorD2Ev(i8* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  ret void
}

define weak dso_local void @_ZNSt12system_errorD0Ev(i8* noundef %0) {
  %2 = getelementptr inbounds i8, i8* %0, i64 8
  %3 = bitcast i8* %2 to i8**
  %4 = load i8*, i8** %3, align 8
  call void @free(i8* noundef %4)
  call void @_ZdlPv(i8* noundef %0)
  ret void
}

define weak dso_local void @_ZNSt12system_errorC1EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12system_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt12system_errorC2EPKc(%struct.error* noundef %0, i8* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12system_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %1)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %1, i64 noundef %5)
  %8 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %7, i8** %8, align 8
  ret void
}

define weak dso_local void @_ZNSt12system_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12system_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt12system_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(%struct.error* noundef %0, i8** noundef %1) local_unnamed_addr {
  %3 = load i8*, i8** %1, align 8
  %4 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12system_error, i64 0, i64 2), i8*** %4, align 8
  %5 = call i64 @strlen(i8* noundef %3)
  %6 = add i64 %5, 1
  %7 = call i8* @malloc(i64 noundef %6)
  %8 = call i8* @memcpy(i8* noundef %7, i8* noundef %3, i64 noundef %6)
  %9 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %8, i8** %9, align 8
  ret void
}

define weak dso_local void @_ZNSt12system_errorC1ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12system_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZNSt12system_errorC2ERKS_(%struct.error* noundef %0, %struct.error* noundef %1) local_unnamed_addr {
  %3 = getelementptr inbounds %struct.error, %struct.error* %1, i64 0, i32 1
  %4 = load i8*, i8** %3, align 8
  %5 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 0
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12system_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %4)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %4, i64 noundef %7)
  %10 = getelementptr inbounds %struct.error, %struct.error* %0, i64 0, i32 1
  store i8* %9, i8** %10, align 8
  ret void
}

define weak dso_local void @_ZSt19__throw_logic_errorPKc(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %3 = bitcast i8* %2 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11logic_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %0)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %0, i64 noundef %5)
  %8 = getelementptr inbounds i8, i8* %2, i64 8
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  %10 = getelementptr inbounds i8, i8* %2, i64 16
  %11 = bitcast i8* %10 to i32*
  store i32 0, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %2, i64 24
  %13 = bitcast i8* %12 to i8**
  store i8* null, i8** %13, align 8
  call void @__cxa_throw(i8* noundef %2, i8* noundef bitcast (%struct.type* @_ZTISt11logic_error to i8*), void (i8*)* noundef nonnull @_ZNSt11logic_errorD1Ev)
  ret void
}

define weak dso_local void @_ZSt20__throw_domain_errorPKc(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %3 = bitcast i8* %2 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12domain_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %0)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %0, i64 noundef %5)
  %8 = getelementptr inbounds i8, i8* %2, i64 8
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  %10 = getelementptr inbounds i8, i8* %2, i64 16
  %11 = bitcast i8* %10 to i32*
  store i32 0, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %2, i64 24
  %13 = bitcast i8* %12 to i8**
  store i8* null, i8** %13, align 8
  call void @__cxa_throw(i8* noundef %2, i8* noundef bitcast (%struct.type* @_ZTISt12domain_error to i8*), void (i8*)* noundef nonnull @_ZNSt12domain_errorD1Ev)
  ret void
}

define weak dso_local void @_ZSt20__throw_length_errorPKc(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %3 = bitcast i8* %2 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12length_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %0)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %0, i64 noundef %5)
  %8 = getelementptr inbounds i8, i8* %2, i64 8
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  %10 = getelementptr inbounds i8, i8* %2, i64 16
  %11 = bitcast i8* %10 to i32*
  store i32 0, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %2, i64 24
  %13 = bitcast i8* %12 to i8**
  store i8* null, i8** %13, align 8
  call void @__cxa_throw(i8* noundef %2, i8* noundef bitcast (%struct.type* @_ZTISt12length_error to i8*), void (i8*)* noundef nonnull @_ZNSt12length_errorD1Ev)
  ret void
}

define weak dso_local void @_ZSt20__throw_out_of_rangePKc(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %3 = bitcast i8* %2 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12out_of_range, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %0)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %0, i64 noundef %5)
  %8 = getelementptr inbounds i8, i8* %2, i64 8
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  %10 = getelementptr inbounds i8, i8* %2, i64 16
  %11 = bitcast i8* %10 to i32*
  store i32 0, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %2, i64 24
  %13 = bitcast i8* %12 to i8**
  store i8* null, i8** %13, align 8
  call void @__cxa_throw(i8* noundef %2, i8* noundef bitcast (%struct.type* @_ZTISt12out_of_range to i8*), void (i8*)* noundef nonnull @_ZNSt12out_of_rangeD1Ev)
  ret void
}

define weak dso_local void @_ZSt24__throw_invalid_argumentPKc(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %3 = bitcast i8* %2 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt16invalid_argument, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %0)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %0, i64 noundef %5)
  %8 = getelementptr inbounds i8, i8* %2, i64 8
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  %10 = getelementptr inbounds i8, i8* %2, i64 16
  %11 = bitcast i8* %10 to i32*
  store i32 0, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %2, i64 24
  %13 = bitcast i8* %12 to i8**
  store i8* null, i8** %13, align 8
  call void @__cxa_throw(i8* noundef %2, i8* noundef bitcast (%struct.type* @_ZTISt16invalid_argument to i8*), void (i8*)* noundef nonnull @_ZNSt16invalid_argumentD1Ev)
  ret void
}

define weak dso_local void @_ZSt21__throw_runtime_errorPKc(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %3 = bitcast i8* %2 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt13runtime_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %0)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %0, i64 noundef %5)
  %8 = getelementptr inbounds i8, i8* %2, i64 8
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  %10 = getelementptr inbounds i8, i8* %2, i64 16
  %11 = bitcast i8* %10 to i32*
  store i32 0, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %2, i64 24
  %13 = bitcast i8* %12 to i8**
  store i8* null, i8** %13, align 8
  call void @__cxa_throw(i8* noundef %2, i8* noundef bitcast (%struct.type* @_ZTISt13runtime_error to i8*), void (i8*)* noundef nonnull @_ZNSt13runtime_errorD1Ev)
  ret void
}

define weak dso_local void @_ZSt19__throw_range_errorPKc(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %3 = bitcast i8* %2 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt11range_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %0)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %0, i64 noundef %5)
  %8 = getelementptr inbounds i8, i8* %2, i64 8
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  %10 = getelementptr inbounds i8, i8* %2, i64 16
  %11 = bitcast i8* %10 to i32*
  store i32 0, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %2, i64 24
  %13 = bitcast i8* %12 to i8**
  store i8* null, i8** %13, align 8
  call void @__cxa_throw(i8* noundef %2, i8* noundef bitcast (%struct.type* @_ZTISt11range_error to i8*), void (i8*)* noundef nonnull @_ZNSt11range_errorD1Ev)
  ret void
}

define weak dso_local void @_ZSt22__throw_overflow_errorPKc(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %3 = bitcast i8* %2 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt14overflow_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %0)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %0, i64 noundef %5)
  %8 = getelementptr inbounds i8, i8* %2, i64 8
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  %10 = getelementptr inbounds i8, i8* %2, i64 16
  %11 = bitcast i8* %10 to i32*
  store i32 0, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %2, i64 24
  %13 = bitcast i8* %12 to i8**
  store i8* null, i8** %13, align 8
  call void @__cxa_throw(i8* noundef %2, i8* noundef bitcast (%struct.type* @_ZTISt14overflow_error to i8*), void (i8*)* noundef nonnull @_ZNSt14overflow_errorD1Ev)
  ret void
}

define weak dso_local void @_ZSt23__throw_underflow_errorPKc(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %3 = bitcast i8* %2 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt15underflow_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %0)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %0, i64 noundef %5)
  %8 = getelementptr inbounds i8, i8* %2, i64 8
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  %10 = getelementptr inbounds i8, i8* %2, i64 16
  %11 = bitcast i8* %10 to i32*
  store i32 0, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %2, i64 24
  %13 = bitcast i8* %12 to i8**
  store i8* null, i8** %13, align 8
  call void @__cxa_throw(i8* noundef %2, i8* noundef bitcast (%struct.type* @_ZTISt15underflow_error to i8*), void (i8*)* noundef nonnull @_ZNSt15underflow_errorD1Ev)
  ret void
}

define weak dso_local void @_ZSt19__throw_ios_failurePKc(i8* noundef %0) local_unnamed_addr {
  %2 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %3 = bitcast i8* %2 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12system_error, i64 0, i64 2), i8*** %3, align 8
  %4 = call i64 @strlen(i8* noundef %0)
  %5 = add i64 %4, 1
  %6 = call i8* @malloc(i64 noundef %5)
  %7 = call i8* @memcpy(i8* noundef %6, i8* noundef %0, i64 noundef %5)
  %8 = getelementptr inbounds i8, i8* %2, i64 8
  %9 = bitcast i8* %8 to i8**
  store i8* %7, i8** %9, align 8
  %10 = getelementptr inbounds i8, i8* %2, i64 16
  %11 = bitcast i8* %10 to i32*
  store i32 0, i32* %11, align 8
  %12 = getelementptr inbounds i8, i8* %2, i64 24
  %13 = bitcast i8* %12 to i8**
  store i8* null, i8** %13, align 8
  call void @__cxa_throw(i8* noundef %2, i8* noundef bitcast (%struct.type* @_ZTISt12system_error to i8*), void (i8*)* noundef nonnull @_ZNSt12system_errorD1Ev)
  ret void
}

define weak dso_local void @_ZSt24__throw_out_of_range_fmtPKcz(i8* noundef %0, ...) local_unnamed_addr {
  %2 = alloca [256 x i8], align 16
  %3 = alloca [1 x %struct.__va_list_tag], align 16
  %4 = getelementptr inbounds [256 x i8], [256 x i8]* %2, i64 0, i64 0
  call void @llvm.lifetime.start.p0i8(i64 256, i8* nonnull %4)
  %5 = bitcast [1 x %struct.__va_list_tag]* %3 to i8*
  call void @llvm.lifetime.start.p0i8(i64 24, i8* nonnull %5)
  %6 = getelementptr inbounds [1 x %struct.__va_list_tag], [1 x %struct.__va_list_tag]* %3, i64 0, i64 0
  call void @llvm.va_start(i8* nonnull %5)
  %7 = call i32 @vsnprintf(i8* noundef nonnull %4, i64 noundef 256, i8* noundef %0, %struct.__va_list_tag* noundef nonnull %6)
  call void @llvm.va_end(i8* %5)
  call void @_ZSt20__throw_out_of_rangePKc(i8* noundef nonnull %4)
  call void @llvm.lifetime.end.p0i8(i64 24, i8* nonnull %5)
  call void @llvm.lifetime.end.p0i8(i64 256, i8* nonnull %4)
  ret void
}

declare void @llvm.va_start(i8*)

declare i32 @vsnprintf(i8* noundef, i64 noundef, i8* noundef, %struct.__va_list_tag* noundef) local_unnamed_addr

declare void @llvm.va_end(i8*)

define weak dso_local void @_ZSt20__throw_system_errori(i32 noundef %0) local_unnamed_addr {
  %2 = call i8* @strerror(i32 noundef %0)
  %3 = call i8* @_ZNSt3_V216generic_categoryEv()
  %4 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %5 = bitcast i8* %4 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12system_error, i64 0, i64 2), i8*** %5, align 8
  %6 = call i64 @strlen(i8* noundef %2)
  %7 = add i64 %6, 1
  %8 = call i8* @malloc(i64 noundef %7)
  %9 = call i8* @memcpy(i8* noundef %8, i8* noundef %2, i64 noundef %7)
  %10 = getelementptr inbounds i8, i8* %4, i64 8
  %11 = bitcast i8* %10 to i8**
  store i8* %9, i8** %11, align 8
  %12 = getelementptr inbounds i8, i8* %4, i64 16
  %13 = bitcast i8* %12 to i32*
  store i32 %0, i32* %13, align 8
  %14 = getelementptr inbounds i8, i8* %4, i64 24
  %15 = bitcast i8* %14 to i8**
  store i8* %3, i8** %15, align 8
  call void @__cxa_throw(i8* noundef %4, i8* noundef bitcast (%struct.type* @_ZTISt12system_error to i8*), void (i8*)* noundef nonnull @_ZNSt12system_errorD1Ev)
  ret void
}

declare i8* @strerror(i32 noundef) local_unnamed_addr

define weak dso_local i8* @_ZNSt3_V216generic_categoryEv() local_unnamed_addr {
  ret i8* bitcast (%struct.category* @generic_category to i8*)
}

define weak dso_local { i32, %struct.category* } @_ZNKSt10error_code23default_error_conditionEv(%struct.condition* noundef %0) local_unnamed_addr {
  %2 = getelementptr inbounds %struct.condition, %struct.condition* %0, i64 0, i32 1
  %3 = load %struct.category*, %struct.category** %2, align 8
  %4 = getelementptr inbounds %struct.category, %struct.category* %3, i64 0, i32 0
  %5 = load i8**, i8*** %4, align 8
  %6 = getelementptr inbounds i8*, i8** %5, i64 5
  %7 = bitcast i8** %6 to { i32, %struct.category* } (%struct.category*, i32)**
  %8 = load { i32, %struct.category* } (%struct.category*, i32)*, { i32, %struct.category* } (%struct.category*, i32)** %7, align 8
  %9 = getelementptr inbounds %struct.condition, %struct.condition* %0, i64 0, i32 0
  %10 = load i32, i32* %9, align 8
  %11 = call { i32, %struct.category* } %8(%struct.category* noundef %3, i32 noundef %10)
  ret { i32, %struct.category* } %11
}

define weak dso_local i8* @_ZNSt3_V215system_categoryEv() local_unnamed_addr {
  ret i8* bitcast (%struct.category* @system_category to i8*)
}

define weak dso_local i8* @_ZSt15future_categoryv() local_unnamed_addr {
  ret i8* bitcast (%struct.category* @future_category to i8*)
}

define weak dso_local void @_ZSt20__throw_future_errori(i32 noundef %0) local_unnamed_addr {
  %2 = alloca [64 x i8], align 16
  %3 = getelementptr inbounds [64 x i8], [64 x i8]* %2, i64 0, i64 0
  call void @llvm.lifetime.start.p0i8(i64 64, i8* nonnull %3)
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* noundef nonnull align 16 dereferenceable(64) %3, i8* noundef nonnull align 16 dereferenceable(64) getelementptr inbounds ([64 x i8], [64 x i8]* @__const._ZSt20__throw_future_errori.text, i64 0, i64 0), i64 64, i1 false)
  %4 = add i32 %0, -1
  %5 = icmp ult i32 %4, 4
  br i1 %5, label %6, label %10

6:                                                ; preds = %1
  %7 = sext i32 %4 to i64
  %8 = getelementptr inbounds [4 x i8*], [4 x i8*]* @switch.table.future_text, i64 0, i64 %7
  %9 = load i8*, i8** %8, align 8
  br label %10

10:                                               ; preds = %1, %6
  %11 = phi i8* [ %9, %6 ], [ getelementptr inbounds ([14 x i8], [14 x i8]* @.str.35, i64 0, i64 0), %1 ]
  %12 = call i8* @strcat(i8* noundef nonnull %3, i8* noundef %11)
  %13 = call i8* @_ZSt15future_categoryv()
  %14 = call i8* @__cxa_allocate_exception(i64 noundef 32)
  %15 = bitcast i8* %14 to i8***
  store i8** getelementptr inbounds ([5 x i8*], [5 x i8*]* @_ZTVSt12future_error, i64 0, i64 2), i8*** %15, align 8
  %16 = call i64 @strlen(i8* noundef nonnull %3)
  %17 = add i64 %16, 1
  %18 = call i8* @malloc(i64 noundef %17)
  %19 = call i8* @memcpy(i8* noundef %18, i8* noundef nonnull %3, i64 noundef %17)
  %20 = getelementptr inbounds i8, i8* %14, i64 8
  %21 = bitcast i8* %20 to i8**
  store i8* %19, i8** %21, align 8
  %22 = getelementptr inbounds i8, i8* %14, i64 16
  %23 = bitcast i8* %22 to i32*
  store i32 %0, i32* %23, align 8
  %24 = getelementptr inbounds i8, i8* %14, i64 24
  %25 = bitcast i8* %24 to i8**
  store i8* %13, i8** %25, align 8
  call void @__cxa_throw(i8* noundef %14, i8* noundef bitcast (%struct.type* @_ZTISt12future_error to i8*), void (i8*)* noundef nonnull @_ZNSt12future_errorD1Ev)
  call void @llvm.lifetime.end.p0i8(i64 64, i8* nonnull %3)
  ret void
}

declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg)

declare i8* @strcat(i8* noundef, i8* noundef) local_unnamed_addr

declare void @__mazurka_unwind(i8* noundef, i8* noundef, i8* noundef) local_unnamed_addr

declare i64 @strlen(i8* noundef) local_unnamed_addr

declare i8* @memcpy(i8* noundef, i8* noundef, i64 noundef) local_unnamed_addr

define internal void @destroy_category(%struct.category* nocapture noundef %0) {
  ret void
}

define internal i8* @generic_name(%struct.category* nocapture noundef readnone %0) {
  ret i8* getelementptr inbounds ([8 x i8], [8 x i8]* @.str.28, i64 0, i64 0)
}

define internal void @generic_text(%struct.string* noundef %0, %struct.category* nocapture noundef readnone %1, i32 noundef %2) {
  %4 = call i8* @strerror(i32 noundef %2)
  %5 = call i64 @strlen(i8* noundef %4)
  %6 = getelementptr inbounds %struct.string, %struct.string* %0, i64 0, i32 1
  store i64 %5, i64* %6, align 8
  %7 = icmp ult i64 %5, 16
  br i1 %7, label %8, label %10

8:                                                ; preds = %3
  %9 = getelementptr inbounds %struct.string, %struct.string* %0, i64 0, i32 2, i64 0
  br label %13

10:                                               ; preds = %3
  %11 = add i64 %5, 1
  %12 = call i8* @_Znwm(i64 noundef %11)
  br label %13

13:                                               ; preds = %8, %10
  %14 = phi i8* [ %9, %8 ], [ %12, %10 ]
  %15 = getelementptr inbounds %struct.string, %struct.string* %0, i64 0, i32 0
  store i8* %14, i8** %15, align 8
  %16 = load i64, i64* %6, align 8
  %17 = add i64 %16, 1
  %18 = call i8* @memcpy(i8* noundef %14, i8* noundef %4, i64 noundef %17)
  ret void
}

define internal { i32, %struct.category* } @generic_condition(%struct.category* nocapture noundef readnone %0, i32 noundef %1) {
  %3 = insertvalue { i32, %struct.category* } poison, i32 %1, 0
  %4 = insertvalue { i32, %struct.category* } %3, %struct.category* @generic_category, 1
  ret { i32, %struct.category* } %4
}

define internal zeroext i1 @is_condition(%struct.category* noundef %0, i32 noundef %1, %struct.condition* nocapture noundef readonly %2) {
  %4 = getelementptr inbounds %struct.category, %struct.category* %0, i64 0, i32 0
  %5 = load i8**, i8*** %4, align 8
  %6 = getelementptr inbounds i8*, i8** %5, i64 5
  %7 = bitcast i8** %6 to { i32, %struct.category* } (%struct.category*, i32)**
  %8 = load { i32, %struct.category* } (%struct.category*, i32)*, { i32, %struct.category* } (%struct.category*, i32)** %7, align 8
  %9 = call { i32, %struct.category* } %8(%struct.category* noundef %0, i32 noundef %1)
  %10 = extractvalue { i32, %struct.category* } %9, 1
  %11 = getelementptr inbounds %struct.condition, %struct.condition* %2, i64 0, i32 1
  %12 = load %struct.category*, %struct.category** %11, align 8
  %13 = icmp eq %struct.category* %10, %12
  br i1 %13, label %14, label %19

14:                                               ; preds = %3
  %15 = extractvalue { i32, %struct.category* } %9, 0
  %16 = getelementptr inbounds %struct.condition, %struct.condition* %2, i64 0, i32 0
  %17 = load i32, i32* %16, align 8
  %18 = icmp eq i32 %15, %17
  br label %19

19:                                               ; preds = %14, %3
  %20 = phi i1 [ false, %3 ], [ %18, %14 ]
  ret i1 %20
}

define internal zeroext i1 @is_code(%struct.category* noundef readnone %0, %struct.condition* nocapture noundef readonly %1, i32 noundef %2) {
  %4 = getelementptr inbounds %struct.condition, %struct.condition* %1, i64 0, i32 1
  %5 = load %struct.category*, %struct.category** %4, align 8
  %6 = icmp eq %struct.category* %5, %0
  br i1 %6, label %7, label %11

7:                                                ; preds = %3
  %8 = getelementptr inbounds %struct.condition, %struct.condition* %1, i64 0, i32 0
  %9 = load i32, i32* %8, align 8
  %10 = icmp eq i32 %9, %2
  br label %11

11:                                               ; preds = %7, %3
  %12 = phi i1 [ false, %3 ], [ %10, %7 ]
  ret i1 %12
}

declare i8* @_Znwm(i64 noundef) local_unnamed_addr

define internal i8* @system_name(%struct.category* nocapture noundef readnone %0) {
  ret i8* getelementptr inbounds ([7 x i8], [7 x i8]* @.str.29, i64 0, i64 0)
}

define internal i8* @future_name(%struct.category* nocapture noundef readnone %0) {
  ret i8* getelementptr inbounds ([7 x i8], [7 x i8]* @.str.30, i64 0, i64 0)
}

define internal void @future_text(%struct.string* noundef %0, %struct.category* nocapture noundef readnone %1, i32 noundef %2) {
  %4 = add i32 %2, -1
  %5 = icmp ult i32 %4, 4
  br i1 %5, label %6, label %10

6:                                                ; preds = %3
  %7 = sext i32 %4 to i64
  %8 = getelementptr inbounds [4 x i8*], [4 x i8*]* @switch.table.future_text, i64 0, i64 %7
  %9 = load i8*, i8** %8, align 8
  br label %10

10:                                               ; preds = %3, %6
  %11 = phi i8* [ %9, %6 ], [ getelementptr inbounds ([14 x i8], [14 x i8]* @.str.35, i64 0, i64 0), %3 ]
  %12 = call i64 @strlen(i8* noundef %11)
  %13 = getelementptr inbounds %struct.string, %struct.string* %0, i64 0, i32 1
  store i64 %12, i64* %13, align 8
  %14 = icmp ult i64 %12, 16
  br i1 %14, label %15, label %17

15:                                               ; preds = %10
  %16 = getelementptr inbounds %struct.string, %struct.string* %0, i64 0, i32 2, i64 0
  br label %20

17:                                               ; preds = %10
  %18 = add i64 %12, 1
  %19 = call i8* @_Znwm(i64 noundef %18)
  br label %20

20:                                               ; preds = %15, %17
  %21 = phi i8* [ %16, %15 ], [ %19, %17 ]
  %22 = getelementptr inbounds %struct.string, %struct.string* %0, i64 0, i32 0
  store i8* %21, i8** %22, align 8
  %23 = load i64, i64* %13, align 8
  %24 = add i64 %23, 1
  %25 = call i8* @memcpy(i8* noundef %21, i8* noundef %11, i64 noundef %24)
  ret void
}

define internal { i32, %struct.category* } @own_condition(%struct.category* noundef %0, i32 noundef %1) {
  %3 = insertvalue { i32, %struct.category* } poison, i32 %1, 0
  %4 = insertvalue { i32, %struct.category* } %3, %struct.category* %0, 1
  ret { i32, %struct.category* } %4
}

declare i64 @llvm.abs.i64(i64, i1 immarg)



