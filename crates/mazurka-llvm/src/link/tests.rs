use super::*;
use crate::ir::{InstructionKind, Operand};
use crate::read::read_module;

fn modules(texts: &[(&str, &str)]) -> Vec<Module> {
    texts.iter().map(|(name, text)| read_module(text, name).unwrap()).collect()
}

fn linked(texts: &[(&str, &str)]) -> Module {
    link(modules(texts)).unwrap()
}

/// What the first instruction of a function calls.
fn callee<'m>(module: &'m Module, function: &str) -> &'m str {
    let function = module.functions.iter().find(|f| f.name == function).unwrap();
    match &function.blocks[0].instructions[0].kind {
        InstructionKind::Call { callee: Operand::Constant(_, Constant::Function(id)), .. } => {
            &module.functions[id.0 as usize].name
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_declaration_becomes_the_definition() {
    let module = linked(&[
        (
            "a.ll",
            "@x = external global i32\ndeclare i32 @f()\ndefine i32 @main() {\n %r = call i32 @f()\n ret i32 %r\n}",
        ),
        ("b.ll", "@x = global i32 7\ndefine i32 @f() {\n %r = load i32, ptr @x\n ret i32 %r\n}"),
    ]);
    assert_eq!(module.functions.len(), 2);
    assert_eq!(module.globals.len(), 1);
    assert_eq!(module.globals[0].initial, Some(Constant::Int(7)));
    assert_eq!(callee(&module, "main"), "f");
    let f = module.functions.iter().find(|f| f.name == "f").unwrap();
    assert_eq!(module.files[f.file as usize], "b.ll");
}

#[test]
fn two_definitions_are_an_error_that_names_both_files() {
    let f = "define void @f() {\n ret void\n}";
    let error = link(modules(&[("a.ll", f), ("b.ll", f)])).unwrap_err().to_string();
    assert!(error.contains("`f`") && error.contains("a.ll") && error.contains("b.ll"), "{error}");
}

#[test]
fn a_function_is_no_variable() {
    let texts = [("a.ll", "declare void @f()"), ("b.ll", "@f = global i32 0")];
    let error = link(modules(&texts)).unwrap_err();
    assert!(matches!(error, LinkError::Kind { .. }), "{error}");
}

#[test]
fn weak_definitions_give_way() {
    let module = linked(&[
        (
            "a.ll",
            "define weak i32 @f() {\n ret i32 1\n}\ndefine i32 @main() {\n %r = call i32 @f()\n ret i32 %r\n}",
        ),
        ("b.ll", "define i32 @f() {\n ret i32 2\n}"),
        ("c.ll", "define linkonce_odr i32 @f() {\n ret i32 3\n}"),
    ]);
    let all: Vec<_> = module.functions.iter().filter(|f| f.name == "f").collect();
    assert_eq!(all.len(), 1);
    assert_eq!(module.files[all[0].file as usize], "b.ll");
}

#[test]
fn internal_names_stay_apart() {
    let text = |n| {
        format!(
            "@x = internal global i32 {n}\n\
             define internal i32 @f() {{\n %r = load i32, ptr @x\n ret i32 %r\n}}\n\
             define i32 @g{n}() {{\n %r = call i32 @f()\n ret i32 %r\n}}"
        )
    };
    let module = linked(&[("a.ll", &text(1)), ("b.ll", &text(2))]);
    assert_eq!(module.globals.len(), 2);
    assert_eq!(module.functions.iter().filter(|f| f.name == "f").count(), 2);
    let called = |name: &str| {
        let function = module.functions.iter().find(|f| f.name == name).unwrap();
        match &function.blocks[0].instructions[0].kind {
            InstructionKind::Call {
                callee: Operand::Constant(_, Constant::Function(id)), ..
            } => *id,
            other => panic!("{other:?}"),
        }
    };
    assert_ne!(called("g1"), called("g2"));
}

#[test]
fn another_file_may_use_an_alias() {
    let module = linked(&[
        ("a.ll", "declare void @other()\ndefine void @main() {\n call void @other()\n ret void\n}"),
        ("b.ll", "@other = alias void (), void ()* @own\ndefine void @own() {\n ret void\n}"),
    ]);
    assert_eq!(callee(&module, "main"), "own");
}

#[test]
fn types_and_files_of_the_source_are_moved() {
    let text = |file: &str, function: &str| {
        format!(
            "%struct.s = type {{ i8, double }}\n\
             define void @{function}() !dbg !1 {{\n\
             %x = alloca %struct.s, !dbg !2\n\
             call void @llvm.dbg.declare(metadata ptr %x, metadata !3, metadata !DIExpression()), !dbg !2\n\
             ret void\n}}\n\
             declare void @llvm.dbg.declare(metadata, metadata, metadata)\n\
             !0 = !DIFile(filename: \"{file}\", directory: \"/\")\n\
             !1 = distinct !DISubprogram(name: \"{function}\", scope: !0, file: !0, line: 1)\n\
             !2 = !DILocation(line: 2, column: 3, scope: !1)\n\
             !3 = !DILocalVariable(name: \"x\", scope: !1, file: !0, line: 2, type: !4)\n\
             !4 = !DIBasicType(name: \"{function}_t\", size: 32, encoding: DW_ATE_signed)\n"
        )
    };
    let module = linked(&[("a.ll", &text("a.c", "f")), ("b.ll", &text("b.c", "g"))]);
    let named =
        |ty: &Type| matches!(ty, Type::Struct { name: Some(name), .. } if name == "struct.s");
    let structs = (0..module.types.len() as u32).filter(|&i| named(module.types.get(TypeId(i))));
    assert_eq!(structs.count(), 1, "equal structs of the same name are one");
    let g = module.functions.iter().find(|f| f.name == "g").unwrap();
    assert_eq!(module.debug.files[g.place.unwrap().file as usize], "b.c");
    let InstructionKind::Alloca { ty, variable: Some(variable), .. } =
        &g.blocks[0].instructions[0].kind
    else {
        panic!()
    };
    assert!(named(module.types.get(*ty)));
    let debug = &module.debug.types[variable.ty.unwrap().0 as usize];
    assert!(matches!(debug, crate::ir::DebugType::Basic { name, .. } if name == "g_t"));
}
