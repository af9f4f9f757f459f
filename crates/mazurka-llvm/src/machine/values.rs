//! Values in C's own words.

use mazurka_core::model::Location;

use super::LlvmMachine;
use crate::arithmetic::signed;
use crate::ir::DebugType;
use crate::memory::address::{GLOBALS, TABLES, table_of};
use crate::memory::{NEVER_WRITTEN, function_at};

impl LlvmMachine {
    /// The value of a location, as its type is shown.
    pub(crate) fn show(&self, on: Location, value: u64) -> String {
        let address = self.memory.address_of(on.object) + u64::from(on.start);
        let debug = &self.code.debug;
        let ty = self
            .owner_of(address)
            .and_then(|owner| debug.part(owner.ty?, owner.offset, u64::from(on.len)));
        // A part of a block that is copied, with more than one thing in it.
        if ty.and_then(|ty| debug.size_of(ty)).is_some_and(|size| size < u64::from(on.len)) {
            return format!("{value:#x}");
        }
        if on.len == 8 && value == NEVER_WRITTEN {
            return "(never written)".to_owned();
        }
        match ty.map(|ty| debug.get(ty)) {
            Some(DebugType::Basic { boolean: true, .. }) => {
                if value == 0 { "false" } else { "true" }.to_owned()
            }
            Some(DebugType::Basic { float: true, size: 4, .. }) => {
                f32::from_bits(value as u32).to_string()
            }
            Some(DebugType::Basic { float: true, .. }) => f64::from_bits(value).to_string(),
            Some(DebugType::Basic { name, .. }) if name == "char" && is_shown(value) => {
                format!("'{}'", value as u8 as char)
            }
            Some(DebugType::Basic { signed: false, .. }) => value.to_string(),
            Some(DebugType::Enumeration { constants, .. }) => {
                let value = signed(value, (8 * on.len).min(64) as u8);
                match constants.iter().find(|(_, constant)| *constant == value) {
                    Some((name, _)) => name.clone(),
                    None => value.to_string(),
                }
            }
            Some(DebugType::Pointer(_)) => self.show_pointer(value),
            None if on.len == 8 && (GLOBALS..TABLES).contains(&table_of(value)) => {
                self.show_pointer(value)
            }
            _ => signed(value, (8 * on.len).min(64) as u8).to_string(),
        }
    }

    fn show_pointer(&self, value: u64) -> String {
        if value == 0 {
            return "NULL".to_owned();
        }
        if let Some(function) = function_at(value).and_then(|f| self.code.functions.get(f as usize))
        {
            return function.source_name.clone();
        }
        if let Some(label) = self.code.labels.get(&value) {
            return label.clone();
        }
        match self.memory.object_at(value) {
            Some(_) => format!("&{}", self.describe_memory(value, u32::MAX)),
            None => format!("{value:#x}"),
        }
    }
}

fn is_shown(value: u64) -> bool {
    (0x20..0x7F).contains(&value) && value != 0x27
}
