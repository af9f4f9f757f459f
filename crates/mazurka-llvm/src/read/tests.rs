use mazurka_core::model::MemoryOrdering;

use super::*;
use crate::ir::{
    AtomicOp, BinaryOp, BlockId, CastOp, Constant, DebugType, DebugTypeId, Function, FunctionId,
    GlobalId, Instruction, InstructionKind, Operand, Predicate, TerminatorKind, ValueId,
};

fn read(text: &str) -> Module {
    read_module(text, "t.ll").unwrap_or_else(|error| panic!("{error}"))
}

fn fails(text: &str, line: u32, words: &str) {
    let error = read_module(text, "t.ll").expect_err("it should not be read");
    assert_eq!(error.line, line, "{error}");
    assert!(error.to_string().contains(words), "{error}");
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    module.functions.iter().find(|f| f.name == name).unwrap()
}

/// The instructions of a function that has this body.
fn body(text: &str) -> (Module, Vec<Instruction>) {
    let module =
        read(&format!("declare i32 @callee(...)\ndefine void @f() {{\n{text}\nret void\n}}"));
    let instructions = function(&module, "f").blocks[0].instructions.clone();
    (module, instructions)
}

#[test]
fn typed_and_opaque_pointers_read_alike() {
    let typed = read(
        "%struct.a = type { i32, %struct.a* }\n\
         @g = global %struct.a { i32 1, %struct.a* @g }\n\
         define i32 @f(%struct.a* noundef %p) {\n\
         %1 = getelementptr inbounds %struct.a, %struct.a* %p, i32 0, i32 0\n\
         %2 = load i32, i32* %1, align 4\n\
         store i32 %2, i32* bitcast (%struct.a* @g to i32*), align 4\n\
         ret i32 %2\n}",
    );
    let opaque = read(
        "%struct.a = type { i32, ptr }\n\
         @g = global %struct.a { i32 1, ptr @g }\n\
         define i32 @f(ptr noundef %p) {\n\
         %1 = getelementptr inbounds nuw %struct.a, ptr %p, i32 0, i32 0\n\
         %2 = load i32, ptr %1, align 4\n\
         store i32 %2, ptr @g, align 4\n\
         ret i32 %2\n}",
    );
    for module in [&typed, &opaque] {
        let f = function(module, "f");
        let ty = |value: usize| module.types.get(f.values[value]).clone();
        assert_eq!(ty(0), Type::Pointer);
        assert_eq!(ty(1), Type::Pointer);
        assert_eq!(ty(2), Type::Int(32));
        assert!(matches!(
            &f.blocks[0].instructions[0].kind,
            InstructionKind::Element { base: Operand::Value(ValueId(0)), indices, .. } if indices.len() == 2
        ));
        assert!(matches!(
            f.blocks[0].instructions[1].kind,
            InstructionKind::Load { align: Some(4), atomic: None, .. }
        ));
        let Some(Constant::Aggregate(fields)) = &module.globals[0].initial else { panic!() };
        assert_eq!(fields[1].1, Constant::Global(GlobalId(0)));
    }
}

#[test]
fn numbers_count_values_and_blocks_without_names() {
    // The parameter is %0, the first block %1; a call whose value nobody names is %3.
    let module = read(
        "declare i32 @g()\n\
         define i32 @f(i32) {\n\
         %2 = add nsw i32 %0, 1\n\
         call i32 @g()\n\
         br label %4\n\
         4:\n\
         %5 = phi i32 [ %2, %1 ], [ %6, %4 ]\n\
         %6 = add i32 %5, 1\n\
         %7 = icmp slt i32 %6, 10\n\
         br i1 %7, label %4, label %8\n\
         8:\n\
         ret i32 %6\n}",
    );
    let f = function(&module, "f");
    assert_eq!(f.blocks.len(), 3);
    assert_eq!(f.blocks[1].name, "4");
    let InstructionKind::Phi { incoming, .. } = &f.blocks[1].instructions[0].kind else { panic!() };
    assert_eq!(incoming[0].1, BlockId(0));
    assert_eq!(incoming[1].1, BlockId(1));
    assert_eq!(Operand::Value(f.blocks[1].instructions[1].result.unwrap()), incoming[1].0);
    assert!(f.blocks[0].instructions[1].result.is_some());
}

#[test]
fn what_is_returned_may_be_a_function() {
    let module =
        read("define void ()* @f() {\n ret void ()* @g\n}\ndefine void @g() {\n ret void\n}\n");
    let end = |index: usize| &module.functions[index].blocks[0].terminator.kind;
    assert!(matches!(end(0), TerminatorKind::Return(Some(_))));
    assert!(matches!(end(1), TerminatorKind::Return(None)));
}

#[test]
fn blocks_keep_the_order_of_the_text() {
    let module = read(
        "define void @f(i1 %c) {\nentry:\n br i1 %c, label %late, label %early\n\
         early:\n ret void\n\"late\":\n br label %early\n}",
    );
    let f = function(&module, "f");
    let names: Vec<_> = f.blocks.iter().map(|b| &b.name[..]).collect();
    assert_eq!(names, ["entry", "early", "late"]);
    assert!(matches!(
        f.blocks[0].terminator.kind,
        TerminatorKind::ConditionalBranch { yes: BlockId(2), no: BlockId(1), .. }
    ));
    assert!(matches!(f.blocks[2].terminator.kind, TerminatorKind::Branch(BlockId(1))));
}

#[test]
fn every_type() {
    let module = read(
        "%a = type { i8, %b*, [3 x <2 x float>], <{ i8, i64 }> }\n\
         %b = type { %a, i32 (i8*, ...)*, double, x86_fp80, i128 }\n\
         %o = type opaque\n\
         @x = global %b zeroinitializer\n\
         @y = external global %o\n",
    );
    let Type::Struct { fields, name: Some(name), packed: false } =
        module.types.get(module.globals[0].ty)
    else {
        panic!()
    };
    assert_eq!(name, "b");
    let kinds: Vec<_> = fields[1..].iter().map(|&f| module.types.get(f)).collect();
    assert_eq!(kinds, [&Type::Pointer, &Type::Double, &Type::LongDouble, &Type::Int(128)]);
    let Type::Struct { fields, .. } = module.types.get(fields[0]) else { panic!() };
    assert!(matches!(module.types.get(fields[2]), Type::Array(3, _)));
    assert!(matches!(module.types.get(fields[3]), Type::Struct { packed: true, .. }));
}

#[test]
fn wide_integers_are_aligned_as_the_file_says() {
    let old = read("target datalayout = \"e-m:e-i64:64-f80:128\"\n");
    assert!(!old.types.aligns_wide_integers());
    let new = read("target datalayout = \"e-m:e-i64:64-i128:128-f80:128\"\n");
    assert!(new.types.aligns_wide_integers());
}

#[test]
fn every_constant() {
    let module = read(
        "@i = global i8 -1\n\
         @j = global i128 -1\n\
         @k = global i1 true\n\
         @f = global float 0x3FB99999A0000000\n\
         @d = global double 1.000000e-01\n\
         @l = global x86_fp80 0xK3FFFC000000000000000\n\
         @s = private unnamed_addr constant [4 x i8] c\"a\\22\\0A\\00\", align 1\n\
         @n = global i8* null\n\
         @u = global i32 undef\n\
         @p = global i32* getelementptr inbounds ([2 x i32], [2 x i32]* @arr, i64 0, i64 1)\n\
         @arr = internal global [2 x i32] [i32 1, i32 2]\n\
         @c = global i64 sub (i64 ptrtoint (i32* @p2 to i64), i64 4)\n\
         @p2 = global i32 0\n\
         @v = global <4 x i8> splat (i8 3)\n\
         @sel = global i32 select (i1 icmp eq (i8* null, i8* null), i32 1, i32 2)\n\
         @blk = global i8* blockaddress(@fn, %x)\n\
         define void @fn() {\n br label %x\nx:\n ret void\n}\n",
    );
    let initial = |name: &str| {
        module.globals.iter().find(|g| g.name == name).unwrap().initial.clone().unwrap()
    };
    assert_eq!(initial("i"), Constant::Int(255));
    assert_eq!(initial("j"), Constant::Int(u128::MAX));
    assert_eq!(initial("k"), Constant::Int(1));
    assert_eq!(initial("f"), Constant::Float(0.1f32.to_bits().into()));
    assert_eq!(initial("d"), Constant::Float(0.1f64.to_bits().into()));
    assert_eq!(initial("l"), Constant::Float(0x3FFF_C000_0000_0000_0000));
    assert_eq!(initial("s"), Constant::Bytes(b"a\"\n\0".to_vec()));
    assert_eq!(initial("n"), Constant::Null);
    assert_eq!(initial("u"), Constant::Undefined);
    assert!(matches!(initial("p"), Constant::Element { indices, .. } if indices.len() == 2));
    assert!(matches!(initial("c"), Constant::Binary { op: BinaryOp::Sub, .. }));
    assert!(matches!(initial("v"), Constant::Aggregate(all) if all.len() == 4));
    assert!(matches!(initial("sel"), Constant::Select(_)));
    assert!(matches!(initial("blk"), Constant::Label { block, .. } if block == "x"));
}

#[test]
fn globals_with_all_that_belongs_to_them() {
    let module = read(
        "$c = comdat any\n\
         @a = dso_local local_unnamed_addr global i32 1, section \".data.x\", comdat($c), align 16\n\
         @b = internal thread_local(initialexec) global i32 2, align 4\n\
         @c = linkonce_odr constant i32 3, comdat, align 4, no_sanitize_address\n\
         @d = extern_weak hidden global i32, align 4\n\
         @e = external addrspace(0) global [0 x i8] #0\n\
         @\"quoted name\" = common global i64 0\n",
    );
    let global = |i: usize| &module.globals[i];
    assert_eq!(global(0).align, Some(16));
    assert!(global(1).internal && global(1).thread_local);
    assert!(global(2).weak && global(2).constant);
    assert!(global(3).weak && global(3).initial.is_none());
    assert!(!global(4).weak && global(4).initial.is_none());
    assert_eq!(global(5).name, "quoted name");
    assert!(global(5).weak);
}

#[test]
fn aliases_stand_for_their_targets() {
    let module = read(
        "@table = global [2 x void ()*] [void ()* @second, void ()* @first]\n\
         @first = dso_local unnamed_addr alias void (), void ()* @second\n\
         @second = weak alias void (), void ()* @real\n\
         define void @real() {\n call void @first()\n ret void\n}\n",
    );
    let Some(Constant::Aggregate(all)) = &module.globals[0].initial else { panic!() };
    assert!(all.iter().all(|(_, c)| *c == Constant::Function(FunctionId(0))));
    let names: Vec<_> = module.aliases.iter().map(|a| (&a.name[..], a.weak)).collect();
    assert_eq!(names, [("first", false), ("second", true)]);
    fails("@a = alias i32, i32* @b\n@b = alias i32, i32* @a\n", 2, "stands for itself");
}

#[test]
fn aliases_of_expressions_have_no_type() {
    let text = "%a = type { i32 }\n%b = type { %a }\n\
        @second = alias void (%b*), bitcast (void (%a*)* @first to void (%b*)*)\n\
        define void @first(%a* %x) {\n  ret void\n}\n";
    let module = read_module(text, "test.ll").unwrap();
    assert_eq!(module.aliases[0].name, "second");
    let Constant::Cast { value, .. } = &module.aliases[0].target else { panic!("{module:?}") };
    assert_eq!(**value, Constant::Function(FunctionId(0)));
}

#[test]
fn constructors_run_by_priority() {
    let entry = |priority: u32, name: &str| {
        format!("{{ i32, ptr, ptr }} {{ i32 {priority}, ptr @{name}, ptr null }}")
    };
    let text = format!(
        "@llvm.global_ctors = appending global [3 x {{ i32, ptr, ptr }}] [{}, {}, {}]\n\
         @llvm.global_dtors = appending global [2 x {{ i32, ptr, ptr }}] [{}, {}]\n\
         @llvm.used = appending global [1 x ptr] [ptr @a], section \"llvm.metadata\"\n\
         @after = global i32 1\n\
         define void @a() {{\n ret void\n}}\n\
         define void @b() {{\n ret void\n}}\n\
         define void @c() {{\n store i32 1, ptr @after\n ret void\n}}\n",
        entry(65535, "a"),
        entry(101, "b"),
        entry(65535, "c"),
        entry(101, "a"),
        entry(102, "b"),
    );
    let module = read(&text);
    assert_eq!(module.constructors, [FunctionId(1), FunctionId(0), FunctionId(2)]);
    assert_eq!(module.destructors, [FunctionId(1), FunctionId(0)]);
    assert_eq!(module.globals.len(), 1);
}

#[test]
fn heads_of_functions() {
    let module = read(
        "%s = type { i64, i64, i64 }\n\
         declare !dbg !0 noundef i32 @printf(i8* noundef, ...) #1\n\
         declare extern_weak void @maybe() nounwind \"a\"=\"b\"\n\
         define linkonce_odr dso_local range(i32 0, 5) i32 @f(%s* noalias sret(%s) align 8 %out, \
         %s* noundef byval(%s) align 8 %in, i32 signext range(i32 0, 9) captures(none) %x) \
         unnamed_addr #0 comdat align 2 personality i8* bitcast (i32 (i8*, ...)* @printf to i8*) {\n\
         ret i32 %x\n}\n\
         attributes #0 = { noinline memory(argmem: read) \"x\"=\"y\" }\n\
         !0 = !DISubprogram(name: \"printf\")\n",
    );
    let printf = function(&module, "printf");
    assert!(printf.variadic && printf.blocks.is_empty() && !printf.weak);
    assert!(function(&module, "maybe").weak);
    let f = function(&module, "f");
    assert!(f.weak && !f.internal);
    assert_eq!(f.parameters.len(), 3);
    assert!(f.parameters[0].by_value.is_none());
    assert!(f.parameters[1].by_value.is_some());
    assert!(matches!(
        f.blocks[0].terminator.kind,
        TerminatorKind::Return(Some(Operand::Value(ValueId(2))))
    ));
}

#[test]
fn arithmetic_and_conversions_of_all_versions() {
    let (_, code) = body(
        "%a = add nuw nsw i32 1, -1\n\
         %b = or disjoint i32 %a, 2\n\
         %c = zext nneg i32 %b to i64\n\
         %d = trunc nuw nsw i64 %c to i8\n\
         %e = fadd fast double 1.0, 0x7FF0000000000000\n\
         %f = fneg nnan double %e\n\
         %g = fcmp uno double %f, %e\n\
         %h = icmp samesign ult i8 %d, 3\n\
         %i = select i1 %h, i8 %d, i8 0\n\
         %j = freeze i8 %i\n\
         %k = uitofp nneg i8 %j to float\n\
         %l = addrspacecast ptr null to ptr addrspace(1)",
    );
    assert!(matches!(code[0].kind, InstructionKind::Binary { op: BinaryOp::Add, .. }));
    assert!(matches!(
        &code[0].kind,
        InstructionKind::Binary { right: Operand::Constant(_, Constant::Int(0xFFFF_FFFF)), .. }
    ));
    assert!(matches!(code[1].kind, InstructionKind::Binary { op: BinaryOp::Or, .. }));
    assert!(matches!(code[2].kind, InstructionKind::Cast { op: CastOp::ZExt, .. }));
    assert!(matches!(code[3].kind, InstructionKind::Cast { op: CastOp::Trunc, .. }));
    assert!(matches!(code[5].kind, InstructionKind::Negate { .. }));
    assert!(matches!(code[6].kind, InstructionKind::Compare { predicate: Predicate::FUno, .. }));
    assert!(matches!(code[7].kind, InstructionKind::Compare { predicate: Predicate::Ult, .. }));
    assert!(matches!(code[9].kind, InstructionKind::Freeze(_)));
    assert!(matches!(code[10].kind, InstructionKind::Cast { op: CastOp::UiToFp, .. }));
}

/// Up to version 14, clang converts the address of a local for accesses of another type.
#[test]
fn converted_addresses_of_locals() {
    let (_, code) = body(
        "%a = alloca i8*, align 8\n\
         %b = bitcast i8** %a to i64*\n\
         store i64 1, i64* %b, align 8\n\
         %c = bitcast i64* %b to i8**\n\
         %d = load i8*, i8** %c, align 8",
    );
    let local = code[0].result.unwrap();
    let is_local = |operand: &Operand| *operand == Operand::Value(local);
    assert!(matches!(&code[1].kind, InstructionKind::Store { pointer, .. } if is_local(pointer)));
    assert!(matches!(&code[2].kind, InstructionKind::Load { pointer, .. } if is_local(pointer)));
}

#[test]
fn what_clang_writes_from_15_to_20() {
    let module = read(
        "%handle = type { target(\"spirv.Event\"), ptr }\n\
         @g = dso_local global i32 0, align 4, !dbg !9\n\
         @v = external thread_local(localdynamic) global ptr, code_model \"large\", align 8\n\
         declare noundef nonnull ptr @make(i64 noundef range(i64 0, 64)) local_unnamed_addr #2\n\
         define dso_local noundef range(i32 -1, 9) i32 @f(ptr noundef captures(none) \
         initializes((0, 4), (8, 12)) dead_on_unwind writable %p, \
         ptr nofree noundef readonly captures(address, read_provenance) %q, \
         i32 noundef nofpclass(nan inf) %n) local_unnamed_addr #0 !dbg !1 {\n\
         entry:\n\
         %x = alloca i32, align 4\n\
         store i32 %n, ptr %p, align 4, !tbaa !5, !DIAssignID !6\n\
         #dbg_declare(ptr %x, !7, !DIExpression(), !8)\n\
         #dbg_value(i32 %n, !7, !DIExpression(DW_OP_plus_uconst, 1), !8)\n\
         #dbg_assign(i32 %n, !7, !DIExpression(), !6, ptr %p, !DIExpression(), !8)\n\
         %field = getelementptr inbounds nuw i8, ptr %p, i64 8\n\
         %other = getelementptr nusw nuw { i32, [4 x i16] }, ptr %q, i32 0, i32 1, i64 2\n\
         %a = add nuw nsw i32 %n, 1\n\
         %b = or disjoint i32 %a, 8\n\
         %c = zext nneg i32 %b to i64\n\
         %d = trunc nuw nsw i64 %c to i32\n\
         %e = icmp samesign ult i32 %d, 9\n\
         %h = uitofp nneg i32 %d to double\n\
         %i = fadd reassoc nnan contract double %h, 1.0\n\
         %j = select nnan i1 %e, double %h, double %i\n\
         %k = load atomic i32, ptr %field syncscope(\"singlethread\") acquire, align 4, \
         !noundef !5, !range !5\n\
         %l = atomicrmw uinc_wrap ptr %field, i32 5 seq_cst, align 4\n\
         %m = tail call noundef ptr @make(i64 noundef 4) #2, !dbg !8\n\
         %o = musttail call i32 @f(ptr %p, ptr %q, i32 %d) [ \"deopt\"(i32 1), \"kcfi\"(i32 7) ]\n\
         ret i32 %o, !dbg !8\n\
         }\n\
         attributes #0 = { mustprogress nofree memory(argmem: readwrite, inaccessiblemem: none) \
         uwtable(sync) allockind(\"alloc,zeroed\") allocsize(0) vscale_range(1,16) \
         \"target-features\"=\"+sse2\" }\n\
         attributes #2 = { memory(none) nocreateundeforpoison }\n\
         !1 = distinct !DISubprogram(name: \"f\", file: !2, line: 3, spFlags: DISPFlagDefinition, \
         keyInstructions: true)\n\
         !2 = !DIFile(filename: \"a.c\", directory: \"/\", checksumkind: CSK_MD5, checksum: \"0\")\n\
         !5 = !{}\n\
         !6 = distinct !DIAssignID()\n\
         !7 = !DILocalVariable(name: \"x\", scope: !1, file: !2, line: 4, type: !10)\n\
         !8 = !DILocation(line: 5, column: 3, scope: !1, atomGroup: 1, atomRank: 2)\n\
         !9 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression())\n\
         !10 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed, \
         num_extra_inhabitants: 1)\n\
         !11 = distinct !DIGlobalVariable(name: \"g\", file: !2, line: 1, type: !10)\n",
    );
    let f = function(&module, "f");
    assert_eq!(f.parameters.len(), 3);
    assert_eq!(f.place.map(|place| place.line), Some(3));
    let Some(InstructionKind::Alloca { variable: Some(x), .. }) =
        f.blocks[0].instructions.first().map(|first| &first.kind)
    else {
        panic!("the local has lost its name: {:?}", f.blocks[0].instructions.first());
    };
    assert_eq!(x.name, "x");
    let last = f.blocks[0].instructions.last().unwrap();
    assert!(matches!(&last.kind, InstructionKind::Call { arguments, .. } if arguments.len() == 3));
}

#[test]
fn memory_and_atomics() {
    let (module, code) = body(
        "%p = alloca i32, i64 3, align 16\n\
         %q = alloca i32, align 4, addrspace(0)\n\
         %a = load volatile i32, i32* %p, align 4, !nontemporal !0\n\
         %b = load atomic i32, i32* %p acquire, align 4\n\
         store atomic volatile i32 1, i32* %p syncscope(\"singlethread\") release, align 4\n\
         %c = cmpxchg weak volatile i32* %p, i32 %a, i32 2 acq_rel monotonic, align 4\n\
         %d = extractvalue { i32, i1 } %c, 1\n\
         %e = atomicrmw volatile umax i32* %p, i32 5 seq_cst, align 4\n\
         %f = atomicrmw uinc_wrap ptr %p, i32 5 seq_cst, align 4\n\
         fence syncscope(\"x\") seq_cst",
    );
    use InstructionKind as I;
    assert!(matches!(code[0].kind, I::Alloca { count: Some(_), align: Some(16), .. }));
    assert!(matches!(code[1].kind, I::Alloca { count: None, align: Some(4), .. }));
    assert!(matches!(code[2].kind, I::Load { volatile: true, atomic: None, .. }));
    assert!(matches!(
        code[3].kind,
        I::Load { volatile: false, atomic: Some(MemoryOrdering::Acquire), align: Some(4), .. }
    ));
    assert!(matches!(code[4].kind, I::Store { volatile: true, atomic: Some(_), .. }));
    assert!(matches!(code[5].kind, I::CompareExchange { weak: true, .. }));
    assert!(matches!(code[7].kind, I::ReadModifyWrite { op: AtomicOp::UMax, .. }));
    assert!(matches!(&code[8].kind, I::Unsupported(what) if what == "atomicrmw uinc_wrap"));
    assert!(matches!(code[9].kind, I::Fence(_)));
    let f = function(&module, "f");
    let result = f.values[code[6].result.unwrap().0 as usize];
    assert_eq!(*module.types.get(result), Type::Int(1));
}

#[test]
fn aggregates_and_vectors() {
    let (module, code) = body(
        "%a = insertvalue { i32, [2 x i8] } undef, i8 1, 1, 0\n\
         %b = extractvalue { i32, [2 x i8] } %a, 1, 1\n\
         %c = insertelement <4 x i8> poison, i8 %b, i32 0\n\
         %d = shufflevector <4 x i8> %c, <4 x i8> poison, <2 x i32> <i32 0, i32 undef>\n\
         %e = extractelement <2 x i8> %d, i64 1\n\
         %f = icmp eq <2 x i8> %d, zeroinitializer\n\
         %g = getelementptr i8, ptr null, <2 x i64> <i64 1, i64 2>",
    );
    let ty = |i: usize| {
        let value = code[i].result.unwrap();
        module.types.get(function(&module, "f").values[value.0 as usize]).clone()
    };
    assert_eq!(ty(1), Type::Int(8));
    assert!(
        matches!(&code[3].kind, InstructionKind::ShuffleVector { mask, .. } if *mask == [Some(0), None])
    );
    assert!(matches!(ty(3), Type::Vector(2, _)));
    assert_eq!(ty(4), Type::Int(8));
    assert!(matches!(ty(5), Type::Vector(2, _)));
    assert!(matches!(ty(6), Type::Vector(2, _)));
}

#[test]
fn calls_and_assembly() {
    let (_, code) = body(
        "%a = call i32 (...) @callee(i32 noundef 1, i8* byval(i64) align 8 null, double 1.5) #1 [ \"kcfi\"(i32 5) ], !srcloc !0\n\
         %p = alloca i32 (...)*\n\
         %fp = load i32 (...)*, i32 (...)** %p\n\
         %b = tail call fastcc noundef signext i32 (...) %fp()\n\
         call void asm sideeffect \"mfence\\0A\", \"~{memory}\"() #9\n\
         %c = call i32 asm \"mov $1, $0\", \"=r,r\"(i32 7)\n\
         %d = va_arg i8* null, i32\n\
         %e = call i32 bitcast (i32 (...)* @callee to i32 (i32)*)(i32 metadata_like)"
            .replace("metadata_like", "3")
            .as_str(),
    );
    let InstructionKind::Call { callee, arguments, by_value, .. } = &code[0].kind else { panic!() };
    assert!(matches!(callee, Operand::Constant(_, Constant::Function(_))));
    assert_eq!(arguments.len(), 3);
    assert!(by_value[1].is_some() && by_value[0].is_none());
    assert!(matches!(&code[3].kind, InstructionKind::Call { callee: Operand::Value(_), .. }));
    assert!(matches!(&code[4].kind, InstructionKind::Assembly { text, .. } if text == "mfence\n"));
    assert!(
        matches!(&code[5].kind, InstructionKind::Assembly { constraints, .. } if constraints == "=r,r")
    );
    assert!(matches!(code[6].kind, InstructionKind::VaArg { .. }));
    assert!(matches!(
        &code[7].kind,
        InstructionKind::Call { callee: Operand::Constant(_, Constant::Cast { .. }), .. }
    ));
}

#[test]
fn exceptions_and_switches() {
    let module = read(
        "declare i32 @g()\n\
         @ti = external constant ptr\n\
         define i32 @f(i64 %x) personality ptr @g {\n\
         entry:\n\
         %r = invoke noundef i32 @g() #3\n          to label %ok unwind label %bad\n\
         ok:\n\
         switch i64 %x, label %end [\n    i64 -1, label %end\n    i64 7, label %ok2\n  ]\n\
         ok2:\n unreachable\n\
         bad:\n\
         %l = landingpad { ptr, i32 }\n          cleanup\n          catch ptr @ti\n          catch ptr null\n          filter [0 x ptr] zeroinitializer\n\
         resume { ptr, i32 } %l\n\
         end:\n ret i32 %r\n}",
    );
    let f = function(&module, "f");
    let TerminatorKind::Invoke { normal, unwind, value: Some(value), .. } =
        &f.blocks[0].terminator.kind
    else {
        panic!()
    };
    assert_eq!((*normal, *unwind), (BlockId(1), BlockId(3)));
    assert_eq!(*module.types.get(f.values[value.0 as usize]), Type::Int(32));
    let TerminatorKind::Switch { cases, .. } = &f.blocks[1].terminator.kind else { panic!() };
    assert_eq!(cases[0].0, u128::from(u64::MAX));
    assert!(matches!(&f.blocks[3].instructions[0].kind,
        InstructionKind::LandingPad { cleanup: true, clauses, .. } if clauses.len() == 3));
}

#[test]
fn what_is_not_known_is_an_error_only_when_it_is_reached() {
    let (_, code) =
        body("%a = brand_new_op i32 1, { i32 2 }, !dbg !5\nother_op\n%b = add i32 1, 2");
    assert!(matches!(&code[0].kind, InstructionKind::Unsupported(what) if what == "brand_new_op"));
    assert!(code[0].result.is_some());
    assert!(matches!(&code[1].kind, InstructionKind::Unsupported(what) if what == "other_op"));
    assert!(matches!(code[2].kind, InstructionKind::Binary { .. }));
}

const DEBUG: &str = "\
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: \"clang\")\n\
!1 = !DIFile(filename: \"dir/a.c\", directory: \"/home\", checksumkind: CSK_MD5, checksum: \"0\")\n\
!2 = distinct !DISubprogram(name: \"f\", linkageName: \"_Z1f\", scope: !1, file: !1, line: 10, flags: DIFlagPrototyped, unit: !0)\n\
!3 = !DILocation(line: 12, column: 5, scope: !4)\n\
!4 = distinct !DILexicalBlock(scope: !5, line: 11)\n\
!5 = !DILexicalBlockFile(scope: !2, file: !6, discriminator: 0)\n\
!6 = !DIFile(filename: \"b.h\", directory: \"/home\")\n\
!7 = !DILocalVariable(name: \"x\", arg: 1, scope: !2, file: !1, line: 10, type: !8)\n\
!8 = !DIDerivedType(tag: DW_TAG_typedef, name: \"t\", file: !1, line: 1, baseType: !9)\n\
!9 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !10)\n\
!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"list\", file: !1, line: 2, size: 256, elements: !11)\n\
!11 = !{!12, !13, !14, !15, !16}\n\
!12 = !DIDerivedType(tag: DW_TAG_member, name: \"next\", scope: !10, baseType: !17, size: 64)\n\
!13 = !DIDerivedType(tag: DW_TAG_member, name: \"grid\", scope: !10, baseType: !18, size: 96, offset: 64)\n\
!14 = !DIDerivedType(tag: DW_TAG_member, name: \"flag\", scope: !10, baseType: !22, size: 3, offset: 165, flags: DIFlagBitField, extraData: i64 160)\n\
!15 = !DIDerivedType(tag: DW_TAG_member, name: \"shared\", baseType: !22, flags: DIFlagPublic | DIFlagStaticMember)\n\
!16 = !DIDerivedType(tag: DW_TAG_member, name: \"e\", baseType: !23, size: 32, offset: 192)\n\
!17 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)\n\
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 96, elements: !19)\n\
!19 = !{!20, !21}\n\
!20 = !DISubrange(count: 3)\n\
!21 = !DISubrange(count: 1)\n\
!22 = !DIBasicType(name: \"unsigned int\", size: 32, encoding: DW_ATE_unsigned)\n\
!23 = !DICompositeType(tag: DW_TAG_enumeration_type, name: \"color\", baseType: !22, size: 32, elements: !24)\n\
!24 = !{!25, !26}\n\
!25 = !DIEnumerator(name: \"RED\", value: 0, isUnsigned: true)\n\
!26 = !DIEnumerator(name: \"BLUE\", value: -2)\n\
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())\n\
!28 = distinct !DIGlobalVariable(name: \"g\", scope: !0, file: !1, line: 3, type: !29, isLocal: false)\n\
!29 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !30)\n\
!30 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n\
!31 = !DILocation(line: 0, scope: !2)\n";

#[test]
fn debug_information() {
    // Before LLVM 19, a call declares a variable; from then on, a record.
    for declare in [
        "call void @llvm.dbg.declare(metadata i32* %x, metadata !7, metadata !DIExpression()), !dbg !3",
        "  #dbg_declare(ptr %x, !7, !DIExpression(), !3)",
    ] {
        let module = read(&format!(
            "@g = global i32 0, align 4, !dbg !27\n\
             define void @_Z1f() !dbg !2 {{\n\
             %x = alloca i32, align 4\n\
             {declare}\n\
             store i32 1, ptr %x, align 4, !dbg !3\n\
             ret void, !dbg !31\n}}\n\
             declare void @llvm.dbg.declare(metadata, metadata, metadata)\n{DEBUG}"
        ));
        check_debug(&module);
    }
}

fn check_debug(module: &Module) {
    let files = &module.debug.files;
    let ty = |id: Option<DebugTypeId>| &module.debug.types[id.unwrap().0 as usize];
    let f = function(module, "_Z1f");
    assert_eq!(f.source_name.as_deref(), Some("f"));
    assert_eq!(files[f.place.unwrap().file as usize], "dir/a.c");
    assert_eq!(f.place.unwrap().line, 10);
    let code = &f.blocks[0].instructions;
    assert_eq!(code.len(), 2, "what declares a variable is no instruction");
    let place = code[1].place.unwrap();
    assert_eq!((files[place.file as usize].as_str(), place.line, place.column), ("b.h", 12, 5));
    assert_eq!(f.blocks[0].terminator.place, None, "line 0 is no place");

    let InstructionKind::Alloca { variable: Some(x), .. } = &code[0].kind else { panic!() };
    assert_eq!(x.name, "x");
    let DebugType::Record { name, size: 32, fields } = ty(x.ty) else { panic!("{:?}", ty(x.ty)) };
    assert_eq!(name, "list");
    let names: Vec<_> = fields.iter().map(|f| (&f.name[..], f.offset, f.bits)).collect();
    let expected =
        [("next", 0, None), ("grid", 8, None), ("flag", 20, Some((5, 3))), ("e", 24, None)];
    assert_eq!(names, expected);
    assert_eq!(*ty(fields[0].ty), DebugType::Pointer(x.ty), "behind the typedefs");
    let DebugType::Array { element, count: 3 } = ty(fields[1].ty) else { panic!() };
    assert!(matches!(ty(*element), DebugType::Array { count: 1, .. }));
    assert!(matches!(ty(fields[3].ty), DebugType::Enumeration { constants, .. }
        if constants[..] == [("RED".to_owned(), 0), ("BLUE".to_owned(), -2)]));

    let g = module.globals[0].debug.as_ref().unwrap();
    assert_eq!(g.name, "g");
    assert_eq!(g.place.unwrap().line, 3);
    assert!(matches!(ty(g.ty), DebugType::Basic { signed: true, size: 4, .. }));
}

#[test]
fn errors_tell_the_line_and_what_was_met() {
    fails("define i32 @f() {\n ret i32 %x\n}", 2, "%x is used in the function @f");
    fails("define i32 @f() {\n br label %x\n}", 2, "block %x");
    fails("define i32 @f() {\n %a = add i32 1, 2\n}", 3, "has no end");
    fails("define void @f() {\n %a = add i32 1, 2\n %a = add i32 1, 2\n ret void\n}", 3, "twice");
    fails("define void @f() {\na:\n ret void\na:\n ret void\n}", 5, "twice");
    fails("define void @f() {\n %a = add i32 1, 2\n %b = add i64 %a, 2\n ret void\n}", 3, "type");
    fails("@x = global i32 1\n@x = global i32 2", 2, "@x is defined twice");
    fails("@x = global i32* @y", 1, "@y is used, but never declared");
    fails("@x = global %t zeroinitializer", 1, "%t is used, but never defined");
    fails("@x = global i32 what", 1, "met `what` where a constant was expected");
    fails("@x = global i32 1.5", 1, "no value");
    fails("@x = global fp128 0xL0", 1, "`fp128`");
    fails("@x = global [1 x target] undef", 1, "an opening bracket");
    fails("define void @f() {\n ret void, !dbg !7\n}", 2, "!7 is used, but not defined");
    fails("#include <stdio.h>\nint main() { return 0; }\n", 1, "no LLVM IR");
    fails("int main(void) { return 0; }\n", 1, "no LLVM IR");
    fails("\n\u{1}", 2, "no part of LLVM IR");
    fails("target datalayout = \"E-m:e\"", 1, "big-endian");
    let deep = format!("@x = global {}i8", "[1 x ".repeat(100_000));
    fails(&deep, 1, "nest deeper");
}

#[test]
fn a_file_cut_anywhere_is_never_a_panic_and_mostly_an_error() {
    let text = format!(
        "%s = type {{ i32, [2 x i8] }}\n@g = global %s zeroinitializer, align 4, !dbg !27\n\
         define i32 @f(i32 %n) #0 !dbg !2 {{\nentry:\n %x = alloca i32\n \
         call void @llvm.dbg.declare(metadata ptr %x, metadata !7, metadata !DIExpression()), !dbg !3\n \
         %c = icmp eq i32 %n, 0\n br i1 %c, label %a, label %b, !dbg !3\na:\n ret i32 1\nb:\n \
         %r = call i32 @f(i32 noundef 3)\n ret i32 %r\n}}\n\
         declare void @llvm.dbg.declare(metadata, metadata, metadata)\n{DEBUG}"
    );
    read(&text);
    let head = text.find("define").unwrap();
    let tail = text.find("!31").unwrap();
    for end in 0..text.len() {
        let result = read_module(&text[..end], "cut.ll");
        if end > head && end < tail - 1 {
            let error = result.expect_err(&text[..end]);
            assert!(error.line >= 1 && !error.message.is_empty());
        }
    }
}
