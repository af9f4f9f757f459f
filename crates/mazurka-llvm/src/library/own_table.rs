//! Tables of counts that a thread keeps for itself, in its own memory, where no other thread looks.

use mazurka_core::verdict::ViolationKind;

use crate::machine::{Call, Stop};

/// How many counts other than zero a table can hold.
const MOST: u64 = 64;

/// Returns the address of the count for `key`, in the table that the thread's own word `word` leads
/// to. A count is zero at first. `key` is not zero.
pub(super) fn count(call: &mut Call<'_>, word: u32, key: u64) -> Result<u64, Stop> {
    let word = call.own_word(word);
    let mut table = call.read(word, 8)?;
    if table == 0 {
        table = call.allocate_own(16 * MOST);
        call.write(word, 8, table)?;
    }
    let mut free = None;
    for index in 0..MOST {
        let entry = table + 16 * index;
        match call.read(entry, 8)? {
            0 => {
                free.get_or_insert(entry);
                break;
            }
            known if known == key => return Ok(entry + 8),
            _ if free.is_none() && call.read(entry + 8, 8)? == 0 => free = Some(entry),
            _ => {}
        }
    }
    let Some(entry) = free else {
        let message = format!(
            "a thread holds more than {MOST} reader-writer locks, or reads the clock at more than \
             {MOST} places, which is not supported"
        );
        return Err(call.violation(ViolationKind::Unsupported, message));
    };
    call.write(entry, 8, key)?;
    Ok(entry + 8)
}
