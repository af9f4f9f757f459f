//! Strings and blocks of memory.
//!
//! Each function first reads all that it needs, and then writes: so what overlaps comes out right
//! even where C says nothing about it.

use super::overlap::Copied;
use crate::machine::{Call, Run, Stop};
use crate::memory::Fault;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("memcpy", |call| copy(call, 0)),
    ("memmove", |call| copy(call, 0)),
    ("mempcpy", |call| copy(call, call.int(2))),
    ("__memcpy_chk", |call| copy(call, 0)),
    ("__memmove_chk", |call| copy(call, 0)),
    ("__mempcpy_chk", |call| copy(call, call.int(2))),
    ("bcopy", bcopy),
    ("memset", memset),
    ("__memset_chk", memset),
    ("explicit_bzero", bzero),
    ("bzero", bzero),
    ("memcmp", memcmp),
    ("bcmp", memcmp),
    ("memchr", memchr),
    ("rawmemchr", rawmemchr),
    ("memrchr", memrchr),
    ("memmem", memmem),
    ("memccpy", memccpy),
    ("strlen", strlen),
    ("strnlen", strnlen),
    ("strcmp", |call| compare(call, u64::MAX, false)),
    ("strcoll", |call| compare(call, u64::MAX, false)),
    ("strncmp", |call| compare(call, call.int(2), false)),
    ("strcasecmp", |call| compare(call, u64::MAX, true)),
    ("strncasecmp", |call| compare(call, call.int(2), true)),
    ("strcpy", strcpy),
    ("__strcpy_chk", strcpy),
    ("stpcpy", stpcpy),
    ("__stpcpy_chk", stpcpy),
    ("strncpy", strncpy),
    ("__strncpy_chk", strncpy),
    ("stpncpy", stpncpy),
    ("strlcpy", strlcpy),
    ("strlcat", strlcat),
    ("strcat", |call| append(call, u64::MAX)),
    ("__strcat_chk", |call| append(call, u64::MAX)),
    ("strncat", |call| append(call, call.int(2))),
    ("__strncat_chk", |call| append(call, call.int(2))),
    ("strdup", |call| duplicate(call, u64::MAX)),
    ("__strdup", |call| duplicate(call, u64::MAX)),
    ("strndup", |call| duplicate(call, call.int(1))),
    ("strchr", |call| find_character(call, false, false)),
    ("index", |call| find_character(call, false, false)),
    ("strchrnul", |call| find_character(call, false, true)),
    ("strrchr", |call| find_character(call, true, false)),
    ("rindex", |call| find_character(call, true, false)),
    ("strstr", |call| find_text(call, false)),
    ("strcasestr", |call| find_text(call, true)),
    ("strspn", |call| span(call, true)),
    ("strcspn", |call| span(call, false)),
    ("strpbrk", strpbrk),
    ("strtok_r", strtok_r),
    ("__strtok_r", strtok_r),
    ("strsep", strsep),
];

/// The bytes of a block; if they are not all there, that is a violation before any of them is read.
pub(super) fn bytes(call: &mut Call<'_>, address: u64, len: u64) -> Result<Vec<u8>, Stop> {
    if len == 0 {
        return Ok(Vec::new());
    }
    check(call, address, len)?;
    let mut bytes = vec![0; len as usize];
    call.read_bytes(address, &mut bytes)?;
    Ok(bytes)
}

/// Checks that there is a block with this number of bytes.
fn check(call: &mut Call<'_>, address: u64, len: u64) -> Result<(), Stop> {
    match u32::try_from(len) {
        Ok(len) => call.find(address, len).map(|_| ()),
        Err(_) => {
            let size = call.size_of(address).unwrap_or(0) as u32;
            Err(call.fault(address, u32::MAX, Fault::OutOfBounds { size, offset: 0 }))
        }
    }
}

/// `memcpy` and its like; the result is so many bytes behind the target.
fn copy(call: &mut Call<'_>, behind: u64) -> Result<(), Stop> {
    let (to, len) = (call.pointer(0), call.int(2));
    let bytes = bytes(call, call.pointer(1), len)?;
    if len > 0 {
        check(call, to, len)?;
    }
    call.write_bytes(to, &bytes)?;
    call.give(to.wrapping_add(behind));
    Ok(())
}

fn bcopy(call: &mut Call<'_>) -> Result<(), Stop> {
    let bytes = bytes(call, call.pointer(0), call.int(2))?;
    call.write_bytes(call.pointer(1), &bytes)
}

pub(super) fn fill(call: &mut Call<'_>, to: u64, byte: u8, len: u64) -> Result<(), Stop> {
    if len == 0 {
        return Ok(());
    }
    check(call, to, len)?;
    call.write_bytes(to, &vec![byte; len as usize])
}

fn memset(call: &mut Call<'_>) -> Result<(), Stop> {
    fill(call, call.pointer(0), call.int(1) as u8, call.int(2))?;
    call.give(call.pointer(0));
    Ok(())
}

fn bzero(call: &mut Call<'_>) -> Result<(), Stop> {
    fill(call, call.pointer(0), 0, call.int(1))
}

/// The difference of the first bytes that are not the same.
fn difference(left: &[u8], right: &[u8]) -> i32 {
    let both = left.iter().zip(right).find(|(a, b)| a != b);
    both.map_or(0, |(a, b)| i32::from(*a) - i32::from(*b))
}

fn memcmp(call: &mut Call<'_>) -> Result<(), Stop> {
    let left = bytes(call, call.pointer(0), call.int(2))?;
    let right = bytes(call, call.pointer(1), call.int(2))?;
    call.give_int(difference(&left, &right));
    Ok(())
}

fn memchr(call: &mut Call<'_>) -> Result<(), Stop> {
    let (start, wanted) = (call.pointer(0), call.int(1) as u8);
    for i in 0..call.int(2) {
        let at = start.wrapping_add(i);
        if call.read(at, 1)? as u8 == wanted {
            call.give(at);
            return Ok(());
        }
    }
    call.give(0);
    Ok(())
}

fn rawmemchr(call: &mut Call<'_>) -> Result<(), Stop> {
    let mut at = call.pointer(0);
    while call.read(at, 1)? as u8 != call.int(1) as u8 {
        at = at.wrapping_add(1);
    }
    call.give(at);
    Ok(())
}

fn memrchr(call: &mut Call<'_>) -> Result<(), Stop> {
    let start = call.pointer(0);
    let bytes = bytes(call, start, call.int(2))?;
    let found = bytes.iter().rposition(|&byte| byte == call.int(1) as u8);
    call.give(found.map_or(0, |at| start.wrapping_add(at as u64)));
    Ok(())
}

fn position(text: &[u8], part: &[u8]) -> Option<usize> {
    match part.len() {
        0 => Some(0),
        len => text.windows(len).position(|window| window == part),
    }
}

fn memmem(call: &mut Call<'_>) -> Result<(), Stop> {
    let start = call.pointer(0);
    let text = bytes(call, start, call.int(1))?;
    let part = bytes(call, call.pointer(2), call.int(3))?;
    call.give(position(&text, &part).map_or(0, |at| start.wrapping_add(at as u64)));
    Ok(())
}

fn memccpy(call: &mut Call<'_>) -> Result<(), Stop> {
    let (to, from, last) = (call.pointer(0), call.pointer(1), call.int(2) as u8);
    let mut copied = Vec::new();
    while (copied.len() as u64) < call.int(3) && copied.last() != Some(&last) {
        copied.push(call.read(from.wrapping_add(copied.len() as u64), 1)? as u8);
    }
    let len = copied.len() as u64;
    Copied { from, len, read: len, to, written: len }.check(call)?;
    call.write_bytes(to, &copied)?;
    let found = copied.last() == Some(&last);
    call.give(if found { to.wrapping_add(copied.len() as u64) } else { 0 });
    Ok(())
}

fn strlen(call: &mut Call<'_>) -> Result<(), Stop> {
    let text = call.c_string(call.pointer(0))?;
    call.give(text.len() as u64);
    Ok(())
}

fn strnlen(call: &mut Call<'_>) -> Result<(), Stop> {
    let text = call.c_string_up_to(call.pointer(0), call.int(1))?;
    call.give(text.len() as u64);
    Ok(())
}

/// Compares byte by byte, and reads no further than that takes.
fn compare(call: &mut Call<'_>, most: u64, ignore_case: bool) -> Result<(), Stop> {
    let fold = |byte: u64| match ignore_case {
        true => (byte as u8).to_ascii_lowercase(),
        false => byte as u8,
    };
    let mut at = 0;
    let mut result = 0;
    while at < most {
        let left = fold(call.read(call.pointer(0).wrapping_add(at), 1)?);
        let right = fold(call.read(call.pointer(1).wrapping_add(at), 1)?);
        result = i32::from(left) - i32::from(right);
        if result != 0 || left == 0 {
            break;
        }
        at += 1;
    }
    call.give_int(result);
    Ok(())
}

/// Writes a string and the zero at its end.
fn write_text(call: &mut Call<'_>, to: u64, mut text: Vec<u8>) -> Result<(), Stop> {
    text.push(0);
    call.write_bytes(to, &text)
}

fn strcpy(call: &mut Call<'_>) -> Result<(), Stop> {
    let text = call.c_string(call.pointer(1))?;
    Copied::whole(call.pointer(1), call.pointer(0), text.len() as u64).check(call)?;
    write_text(call, call.pointer(0), text)?;
    call.give(call.pointer(0));
    Ok(())
}

fn stpcpy(call: &mut Call<'_>) -> Result<(), Stop> {
    let text = call.c_string(call.pointer(1))?;
    Copied::whole(call.pointer(1), call.pointer(0), text.len() as u64).check(call)?;
    let end = call.pointer(0).wrapping_add(text.len() as u64);
    write_text(call, call.pointer(0), text)?;
    call.give(end);
    Ok(())
}

/// Writes a string and as many zeros as there is room for. Returns the string's length.
fn fill_up(call: &mut Call<'_>) -> Result<u64, Stop> {
    let room = call.int(2);
    let mut text = call.c_string_up_to(call.pointer(1), room)?;
    let len = text.len() as u64;
    if room > 0 {
        let (from, to) = (call.pointer(1), call.pointer(0));
        Copied { from, len, read: room.min(len + 1), to, written: room }.check(call)?;
        check(call, to, room)?;
        text.resize(room as usize, 0);
        call.write_bytes(call.pointer(0), &text)?;
    }
    Ok(len)
}

fn strncpy(call: &mut Call<'_>) -> Result<(), Stop> {
    fill_up(call)?;
    call.give(call.pointer(0));
    Ok(())
}

fn stpncpy(call: &mut Call<'_>) -> Result<(), Stop> {
    let len = fill_up(call)?;
    call.give(call.pointer(0).wrapping_add(len));
    Ok(())
}

fn strlcpy(call: &mut Call<'_>) -> Result<(), Stop> {
    let mut text = call.c_string(call.pointer(1))?;
    call.give(text.len() as u64);
    if let Some(room) = call.int(2).checked_sub(1) {
        text.truncate(room as usize);
        Copied::whole(call.pointer(1), call.pointer(0), text.len() as u64).check(call)?;
        write_text(call, call.pointer(0), text)?;
    }
    Ok(())
}

fn strlcat(call: &mut Call<'_>) -> Result<(), Stop> {
    let mut text = call.c_string(call.pointer(1))?;
    let start = call.c_string_up_to(call.pointer(0), call.int(2))?.len() as u64;
    call.give(start + text.len() as u64);
    if let Some(room) = call.int(2).checked_sub(start + 1) {
        text.truncate(room as usize);
        let to = call.pointer(0).wrapping_add(start);
        Copied::whole(call.pointer(1), to, text.len() as u64).check(call)?;
        write_text(call, to, text)?;
    }
    Ok(())
}

fn append(call: &mut Call<'_>, most: u64) -> Result<(), Stop> {
    let start = call.c_string(call.pointer(0))?.len() as u64;
    let (from, to) = (call.pointer(1), call.pointer(0).wrapping_add(start));
    let text = call.c_string_up_to(from, most)?;
    let len = text.len() as u64;
    Copied { from, len, read: most.min(len + 1), to, written: len + 1 }.check(call)?;
    write_text(call, to, text)?;
    call.give(call.pointer(0));
    Ok(())
}

fn duplicate(call: &mut Call<'_>, most: u64) -> Result<(), Stop> {
    let text = call.c_string_up_to(call.pointer(0), most)?;
    let copy = call.allocate(text.len() as u64 + 1, false);
    if copy != 0 {
        write_text(call, copy, text)?;
    }
    call.give(copy);
    Ok(())
}

fn find_character(call: &mut Call<'_>, last: bool, or_end: bool) -> Result<(), Stop> {
    let (start, wanted) = (call.pointer(0), call.int(1) as u8);
    let mut found = 0;
    let mut at = start;
    loop {
        let byte = call.read(at, 1)? as u8;
        if byte == wanted {
            found = at;
            if !last {
                break;
            }
        }
        if byte == 0 {
            if or_end {
                found = at;
            }
            break;
        }
        at = at.wrapping_add(1);
    }
    call.give(found);
    Ok(())
}

fn find_text(call: &mut Call<'_>, ignore_case: bool) -> Result<(), Stop> {
    let start = call.pointer(0);
    let mut text = call.c_string(start)?;
    let mut part = call.c_string(call.pointer(1))?;
    if ignore_case {
        text.make_ascii_lowercase();
        part.make_ascii_lowercase();
    }
    call.give(position(&text, &part).map_or(0, |at| start.wrapping_add(at as u64)));
    Ok(())
}

fn span(call: &mut Call<'_>, of: bool) -> Result<(), Stop> {
    let text = call.c_string(call.pointer(0))?;
    let set = call.c_string(call.pointer(1))?;
    let len = text.iter().take_while(|byte| set.contains(byte) == of).count();
    call.give(len as u64);
    Ok(())
}

fn strpbrk(call: &mut Call<'_>) -> Result<(), Stop> {
    let start = call.pointer(0);
    let text = call.c_string(start)?;
    let set = call.c_string(call.pointer(1))?;
    let found = text.iter().position(|byte| set.contains(byte));
    call.give(found.map_or(0, |at| start.wrapping_add(at as u64)));
    Ok(())
}

fn strtok_r(call: &mut Call<'_>) -> Result<(), Stop> {
    let position = call.pointer(2);
    let start = match call.pointer(0) {
        0 => call.read(position, 8)?,
        start => start,
    };
    if start == 0 {
        call.give(0);
        return Ok(());
    }
    let set = call.c_string(call.pointer(1))?;
    let text = call.c_string(start)?;
    let first = text.iter().take_while(|byte| set.contains(byte)).count();
    let len = text[first..].iter().take_while(|byte| !set.contains(byte)).count();
    let end = start.wrapping_add((first + len) as u64);
    if len == 0 {
        call.write(position, 8, end)?;
        call.give(0);
        return Ok(());
    }
    let more = first + len < text.len();
    if more {
        call.write(end, 1, 0)?;
    }
    call.write(position, 8, end.wrapping_add(u64::from(more)))?;
    call.give(start.wrapping_add(first as u64));
    Ok(())
}

fn strsep(call: &mut Call<'_>) -> Result<(), Stop> {
    let position = call.pointer(0);
    let start = call.read(position, 8)?;
    if start == 0 {
        call.give(0);
        return Ok(());
    }
    let set = call.c_string(call.pointer(1))?;
    let text = call.c_string(start)?;
    match text.iter().position(|byte| set.contains(byte)) {
        Some(len) => {
            let end = start.wrapping_add(len as u64);
            call.write(end, 1, 0)?;
            call.write(position, 8, end.wrapping_add(1))?;
        }
        None => call.write(position, 8, 0)?,
    }
    call.give(start);
    Ok(())
}
