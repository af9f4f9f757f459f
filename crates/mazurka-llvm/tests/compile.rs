//! Files to modules, with the clang that is installed.

use std::path::{Path, PathBuf};

use mazurka_llvm::compile::{LoadError, Source};
use mazurka_llvm::ir::{InstructionKind, Module};

/// A directory for a test's files, gone when it is dropped.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("compile-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn load(source: &Source) -> Module {
    source.load().unwrap_or_else(|error| panic!("{error}"))
}

fn names(module: &Module) -> Vec<&str> {
    let defined = module.functions.iter().filter(|f| !f.blocks.is_empty());
    defined.map(|f| &f.name[..]).collect()
}

#[test]
fn options_reach_clang() {
    let directory = Directory::new("options");
    directory.file("n.h", "int from_header;\n");
    let file = directory.file(
        "a.c",
        "#include <n.h>\n#if N != 3 || __STDC_VERSION__ != 199901L || !defined EXTRA\n#error\n#endif\n\
         int main(void) { return from_header; }\n",
    );
    let mut source = Source::new([file]);
    source.defines.push("N=3".to_owned());
    source.includes.push(directory.0.clone());
    source.standard = Some("c99".to_owned());
    source.flags.push("-DEXTRA".into());
    assert_eq!(names(&load(&source)), ["main"]);
}

#[test]
fn every_access_is_there() {
    let directory = Directory::new("accesses");
    let file = directory.file("a.c", "int x;\nvoid f(void) { x = 1; x = 2; x; x + x; }\n");
    let module = load(&Source::new([file]));
    let f = &module.functions[0];
    let count = |wanted: fn(&InstructionKind) -> bool| {
        f.blocks.iter().flat_map(|b| &b.instructions).filter(|i| wanted(&i.kind)).count()
    };
    assert_eq!(count(|kind| matches!(kind, InstructionKind::Store { .. })), 2);
    assert_eq!(count(|kind| matches!(kind, InstructionKind::Load { .. })), 3);
    let place = f.blocks[0].instructions[0].place.unwrap();
    assert_eq!(place.line, 2);
    assert!(module.debug.files[place.file as usize].ends_with("a.c"));
}

#[test]
fn files_of_all_kinds_become_one_program() {
    let directory = Directory::new("several");
    let c = directory.file(
        "a.c",
        "int twice(int x) { return 2 * x; }\nstatic int own = 1;\nint *a(void) { return &own; }\n",
    );
    let cpp = directory.file("b.cpp", "extern \"C\" int twice(int);\nextern \"C\" int thrice(int);\nstatic int own = 2;\nint main() { return twice(own) + thrice(1); }\n");
    let ll = directory
        .file("c.ll", "define i32 @thrice(i32 %x) {\n  %r = mul i32 %x, 3\n  ret i32 %r\n}\n");
    let module = load(&Source::new([c.clone(), cpp, ll]));
    assert_eq!(names(&module), ["twice", "a", "main", "thrice"]);
    assert_eq!(module.globals.iter().filter(|g| g.name.contains("own")).count(), 2);
    assert_eq!(module.files.len(), 3);

    let again = directory.file("d.c", "int twice(int x) { return x; }\n");
    let error = Source::new([c, again]).load().unwrap_err().to_string();
    assert!(error.contains("a.c") && error.contains("d.c") && error.contains("twice"), "{error}");
}

#[test]
fn standard_library_headers_of_cpp_are_read() {
    let directory = Directory::new("headers");
    let file = directory.file(
        "a.cc",
        "#include <atomic>\n#include <condition_variable>\n#include <map>\n#include <mutex>\n\
         #include <string>\n#include <thread>\n#include <vector>\n\
         int main() {\n  std::map<std::string, std::vector<int>> m;\n  m[\"a\"].push_back(1);\n\
           std::thread t([&] { m.clear(); });\n  t.join();\n  return m.size();\n}\n",
    );
    let module = load(&Source::new([file]));
    assert!(names(&module).contains(&"main"));
    let unknown =
        module.functions.iter().filter(|f| f.blocks.is_empty() && f.name.contains("basic_string"));
    assert_eq!(unknown.count(), 0, "strings are instantiated by the headers");
}

/// Inline functions of C99 have no external definition unless a file says `extern inline`.
#[test]
fn inline_functions_of_c99_are_compiled_where_no_file_defines_them() {
    let directory = Directory::new("inline");
    directory.file(
        "f.h",
        "inline int f(int x) { static const int by[] = {1, 2}; return x + by[x & 1]; }\n\
         inline int g(int x) { return f(x) + 1; }\n",
    );
    let main = directory.file(
        "a.c",
        "#include \"f.h\"\nint other(void);\n#ifdef __OPTIMIZE__\n#error\n#endif\n\
         int main(void) { return g(1) + other(); }\n",
    );
    let other = "#include \"f.h\"\nint other(void) { return g(2); }\n";
    let plain = directory.file("b.c", other);
    let module = load(&Source::new([main.clone(), plain.clone()]));
    let mut all = names(&module);
    all.sort_unstable();
    assert_eq!(all, ["f", "g", "main", "other"]);

    // The external definition counts, wherever it is, and the other file is compiled as ever.
    let external = directory
        .file("c.c", &format!("{other}extern inline int f(int x);\nextern inline int g(int x);\n"));
    for files in [[main.clone(), external.clone()], [external, main]] {
        let module = load(&Source::new(files));
        let g = module.functions.iter().find(|f| f.name == "g").unwrap();
        assert!(!g.weak && !g.blocks.is_empty());
        assert_eq!(names(&module).len(), 4);
    }
}

#[test]
fn errors_say_what_to_do() {
    let directory = Directory::new("errors");
    let fails = |source: Source| source.load().expect_err("it should fail");
    assert!(matches!(fails(Source::default()), LoadError::NoFiles));

    let missing = fails(Source::new([directory.0.join("none.c")]));
    assert!(missing.to_string().contains("none.c cannot be read"), "{missing}");

    let unknown = fails(Source::new([directory.file("a.txt", "x")]));
    assert!(matches!(unknown, LoadError::UnknownKind(_)), "{unknown}");

    let bitcode = directory.0.join("a.ll");
    std::fs::write(&bitcode, [b'B', b'C', 0xC0, 0xDE]).unwrap();
    let error = fails(Source::new([bitcode]));
    assert!(error.to_string().contains("llvm-dis"), "{error}");

    let good = directory.file("good.c", "int main(void) { return 0; }\n");
    let mut source = Source::new([good]);
    source.clang = Some(Path::new("/no/such/clang").to_owned());
    let error = fails(source);
    assert!(matches!(error, LoadError::NoCompiler(Some(_))), "{error}");
    let none = LoadError::NoCompiler(None).to_string();
    assert!(none.contains("apt-get install clang"), "{none}");

    let mut source = Source::new([directory.file("bad.c", "int main( { return 0; }\n")]);
    source.flags.push("-w".into());
    let error = fails(source);
    assert!(error.to_string().contains("bad.c does not compile"), "{error}");

    let mut source = Source::new([directory.file("new.cpp", "int main() { none }\n")]);
    source.flags.push("-w".into());
    let error = fails(source.clone());
    assert!(error.to_string().contains("`-- -std=c++20` chooses a standard"), "{error}");
    source.flags.push("-std=c++17".into());
    let error = fails(source);
    assert!(error.to_string().ends_with("-o -`)"), "{error}");
}

#[test]
fn ten_thousand_lines_are_read() {
    use std::fmt::Write;
    let directory = Directory::new("large");
    let mut text = String::new();
    for i in 0..2_500 {
        writeln!(text, "int f{i}(int x) {{\n  x = x * {i} + 1;\n  return x;\n}}").unwrap();
    }
    text.push_str("int main(void) { return f1(2); }\n");
    let module = load(&Source::new([directory.file("large.c", &text)]));
    assert_eq!(names(&module).len(), 2_501);
}
