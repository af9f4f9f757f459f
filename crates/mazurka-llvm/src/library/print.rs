//! The `printf` family and the standard streams. What is printed is kept; there is nothing to read.

use super::arguments::{Source, VaList};
use super::format::{Directive, Formatted, Number, ReadString, format};
use super::overlap::Copied;
use crate::machine::{Call, Run, Stop};

const ENOENT: i32 = 2;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("printf", |call| print(call, 0, Source::Call(1))),
    ("fprintf", |call| print(call, 1, Source::Call(2))),
    ("dprintf", |call| print(call, 1, Source::Call(2))),
    ("vprintf", |call| list(call, 1).and_then(|list| print(call, 0, list))),
    ("vfprintf", |call| list(call, 2).and_then(|list| print(call, 1, list))),
    ("sprintf", |call| into(call, 1, u64::MAX, Source::Call(2))),
    ("vsprintf", |call| list(call, 2).and_then(|list| into(call, 1, u64::MAX, list))),
    ("snprintf", |call| into(call, 2, call.int(1), Source::Call(3))),
    ("vsnprintf", |call| list(call, 3).and_then(|list| into(call, 2, call.int(1), list))),
    ("asprintf", |call| into_new(call, Source::Call(2))),
    ("vasprintf", |call| list(call, 2).and_then(|list| into_new(call, list))),
    // What <stdio.h> calls instead if the program is compiled with checks.
    ("__printf_chk", |call| print(call, 1, Source::Call(2))),
    ("__fprintf_chk", |call| print(call, 2, Source::Call(3))),
    ("__vprintf_chk", |call| list(call, 2).and_then(|list| print(call, 1, list))),
    ("__vfprintf_chk", |call| list(call, 3).and_then(|list| print(call, 2, list))),
    ("__sprintf_chk", |call| into(call, 3, u64::MAX, Source::Call(4))),
    ("__snprintf_chk", |call| into(call, 4, call.int(1), Source::Call(5))),
    ("__vsprintf_chk", |call| list(call, 4).and_then(|list| into(call, 3, u64::MAX, list))),
    ("__vsnprintf_chk", |call| list(call, 5).and_then(|list| into(call, 4, call.int(1), list))),
    ("puts", puts),
    ("fputs", fputs),
    ("fputs_unlocked", fputs),
    ("putchar", putchar),
    ("putchar_unlocked", putchar),
    ("putc", putchar),
    ("fputc", putchar),
    ("fwrite", fwrite),
    ("fwrite_unlocked", fwrite),
    ("__mazurka_print", write),
    ("perror", perror),
    ("fflush", zero),
    ("fflush_unlocked", zero),
    ("setvbuf", zero),
    ("setbuf", zero),
    ("setlinebuf", zero),
    ("flockfile", zero),
    ("funlockfile", zero),
    ("ferror", zero),
    ("fclose", zero),
    ("fileno", |call| {
        let file = call.read(call.pointer(0), 4)?;
        call.give(file);
        Ok(())
    }),
    ("feof", one),
    ("getchar", nothing_to_read),
    ("getchar_unlocked", nothing_to_read),
    ("getc", nothing_to_read),
    ("fgetc", nothing_to_read),
    ("scanf", nothing_to_read),
    ("fscanf", nothing_to_read),
    ("__isoc99_scanf", nothing_to_read),
    ("__isoc99_fscanf", nothing_to_read),
    ("__isoc23_scanf", nothing_to_read),
    ("fgets", zero),
    ("fread", zero),
    ("fopen", fopen),
    ("mazurka_print", |call| {
        let text = bytes(call, call.pointer(1), call.int(2))?;
        call.print(&text);
        call.give(call.int(2));
        Ok(())
    }),
    ("mazurka_print_long", stream_integer),
    ("mazurka_print_double", stream_number),
];

fn zero(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give(0);
    Ok(())
}

fn one(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give(1);
    Ok(())
}

/// Standard input is empty.
fn nothing_to_read(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give_int(-1);
    Ok(())
}

/// There are no files.
fn fopen(call: &mut Call<'_>) -> Result<(), Stop> {
    call.set_errno(ENOENT)?;
    call.give(0);
    Ok(())
}

fn bytes(call: &mut Call<'_>, address: u64, len: u64) -> Result<Vec<u8>, Stop> {
    super::strings::bytes(call, address, len)
}

fn list(call: &mut Call<'_>, index: usize) -> Result<Source, Stop> {
    let address = call.pointer(index);
    VaList::new(call, address).map(Source::List)
}

/// Returns what the format at this argument gives.
fn formatted(call: &mut Call<'_>, index: usize, mut source: Source) -> Result<Formatted, Stop> {
    let directives = call.c_string(call.pointer(index))?;
    format(call, &directives, &mut source)
}

fn print(call: &mut Call<'_>, index: usize, source: Source) -> Result<(), Stop> {
    let text = formatted(call, index, source)?.text;
    call.print(&text);
    call.give_int(text.len() as i32);
    Ok(())
}

/// Writes to the buffer that is the first argument, which has room for so many bytes.
fn into(call: &mut Call<'_>, index: usize, room: u64, source: Source) -> Result<(), Stop> {
    let Formatted { text, strings } = formatted(call, index, source)?;
    let buffer = call.pointer(0);
    if room > 0 {
        let kept = text.len().min(usize::try_from(room - 1).unwrap_or(usize::MAX));
        let mut with_end = text[..kept].to_vec();
        with_end.push(0);
        let (to, written) = (buffer, with_end.len() as u64);
        for ReadString { at, len, read } in strings {
            Copied { from: at, len, read, to, written }.check(call)?;
        }
        call.write_bytes(buffer, &with_end)?;
    }
    call.give_int(text.len() as i32);
    Ok(())
}

/// Writes to a new buffer, whose address goes to where the first argument points.
fn into_new(call: &mut Call<'_>, source: Source) -> Result<(), Stop> {
    let mut text = formatted(call, 1, source)?.text;
    call.give_int(text.len() as i32);
    text.push(0);
    let buffer = call.allocate(text.len() as u64, false);
    call.write_bytes(buffer, &text)?;
    call.write(call.pointer(0), 8, buffer)
}

fn puts(call: &mut Call<'_>) -> Result<(), Stop> {
    let mut text = call.c_string(call.pointer(0))?;
    text.push(b'\n');
    call.print(&text);
    call.give_int(text.len() as i32);
    Ok(())
}

fn fputs(call: &mut Call<'_>) -> Result<(), Stop> {
    let text = call.c_string(call.pointer(0))?;
    call.print(&text);
    call.give_int(1);
    Ok(())
}

fn putchar(call: &mut Call<'_>) -> Result<(), Stop> {
    let character = call.int(0) as u8;
    call.print(&[character]);
    call.give_int(i32::from(character));
    Ok(())
}

fn fwrite(call: &mut Call<'_>) -> Result<(), Stop> {
    let len = call.int(1).saturating_mul(call.int(2));
    let text = bytes(call, call.pointer(0), len)?;
    call.check_bytes_written(call.pointer(0), &text, "what is printed depends on")?;
    call.print(&text);
    call.give(if call.int(1) == 0 { 0 } else { call.int(2) });
    Ok(())
}

fn write(call: &mut Call<'_>) -> Result<(), Stop> {
    let text = bytes(call, call.pointer(1), call.int(2))?;
    call.check_bytes_written(call.pointer(1), &text, "what is printed depends on")?;
    call.print(&text);
    call.give(call.int(2));
    Ok(())
}

fn perror(call: &mut Call<'_>) -> Result<(), Stop> {
    let mut text = match call.pointer(0) {
        0 => Vec::new(),
        address => call.c_string(address)?,
    };
    if !text.is_empty() {
        text.extend_from_slice(b": ");
    }
    let error = call.read(call.own_word(0), 4)? as i32;
    text.extend_from_slice(super::system::error_name(error).as_bytes());
    text.push(b'\n');
    call.print(&text);
    Ok(())
}

// How C++ streams write numbers: `std::ios_base` has a precision, a width and flags.
const FIXED: u64 = 0x4;
const HEX: u64 = 0x8;
const LEFT: u64 = 0x20;
const OCT: u64 = 0x40;
const SCIENTIFIC: u64 = 0x100;
const SHOW_BASE: u64 = 0x200;
const SHOW_POINT: u64 = 0x400;
const SHOW_POSITIVE: u64 = 0x800;
const UPPER_CASE: u64 = 0x4000;

fn stream_format(call: &mut Call<'_>) -> Result<(Directive, u64), Stop> {
    let format = call.pointer(1);
    let precision = call.read(format.wrapping_add(8), 8)?;
    let width = call.read(format.wrapping_add(16), 8)?;
    let flags = call.read(format.wrapping_add(24), 4)?;
    let directive = Directive {
        left: flags & LEFT != 0,
        plus: flags & SHOW_POSITIVE != 0,
        alternate: flags & (SHOW_BASE | SHOW_POINT) != 0,
        width: width.min(1 << 20) as usize,
        precision: Some(precision.min(1 << 20) as usize),
        ..Directive::default()
    };
    Ok((directive, flags))
}

fn stream_integer(call: &mut Call<'_>) -> Result<(), Stop> {
    let (directive, flags) = stream_format(call)?;
    let directive = Directive { precision: None, alternate: flags & SHOW_BASE != 0, ..directive };
    let (bits, signed) = (call.int(2), call.int(3) != 0);
    let mut out = Vec::new();
    match flags & (HEX | OCT) {
        0 => {
            let negative = signed && (bits as i64) < 0;
            let number = if negative { (bits as i64).unsigned_abs() } else { bits };
            directive.integer(&mut out, number, negative, true, 10, false);
        }
        OCT => directive.integer(&mut out, bits, false, false, 8, false),
        _ => directive.integer(&mut out, bits, false, false, 16, flags & UPPER_CASE != 0),
    }
    call.print(&out);
    Ok(())
}

fn stream_number(call: &mut Call<'_>) -> Result<(), Stop> {
    let (directive, flags) = stream_format(call)?;
    let directive = Directive { alternate: flags & SHOW_POINT != 0, ..directive };
    let letter = match flags & (FIXED | SCIENTIFIC) {
        FIXED => b'f',
        SCIENTIFIC => b'e',
        0 => b'g',
        _ => b'a',
    };
    let letter = if flags & UPPER_CASE != 0 { letter.to_ascii_uppercase() } else { letter };
    let number = Number::of_double(call.double(2));
    let mut out = Vec::new();
    directive.number(&mut out, &number, letter);
    call.print(&out);
    Ok(())
}
