//! The fields of a line.

/// The fields `name:value` of an operation. Each is removed when it is read.
pub(crate) struct Fields<'a> {
    operation: &'a str,
    fields: Vec<(&'a str, &'a str)>,
}

impl<'a> Fields<'a> {
    /// Splits the words after the name of an operation.
    pub(crate) fn of(
        operation: &'a str,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<Self, String> {
        let split = |word: &'a str| {
            word.split_once(':')
                .ok_or_else(|| format!("`{word}` is not a field; a field looks like `name:value`"))
        };
        let fields = words.map(split).collect::<Result<_, _>>()?;
        Ok(Fields { operation, fields })
    }

    /// Removes an optional field and returns its value.
    pub(crate) fn optional(&mut self, name: &str) -> Option<&'a str> {
        let place = self.fields.iter().position(|(field, _)| *field == name)?;
        Some(self.fields.remove(place).1)
    }

    /// Removes a field and returns its value.
    pub(crate) fn text(&mut self, name: &str) -> Result<&'a str, String> {
        let missing = || format!("{} needs the field `{name}`", self.operation);
        let place = self.fields.iter().position(|(field, _)| *field == name).ok_or_else(missing)?;
        Ok(self.fields.remove(place).1)
    }

    /// Removes a field that is a decimal number.
    pub(crate) fn number(&mut self, name: &str) -> Result<i64, String> {
        let text = self.text(name)?;
        text.parse().map_err(|_| {
            format!("the field `{name}` of {} is `{text}`, which is not a number", self.operation)
        })
    }

    /// Removes a field that is the number of a thread or an event.
    pub(crate) fn id(&mut self, name: &str) -> Result<u32, String> {
        let text = self.text(name)?;
        text.parse().map_err(|_| {
            let operation = self.operation;
            format!(
                "the field `{name}` of {operation} is `{text}`, which is not a number between 0 and \
                 {}",
                u32::MAX
            )
        })
    }

    /// Removes a field that is an address: decimal, or hexadecimal after `0x`.
    pub(crate) fn address(&mut self, name: &str) -> Result<u64, String> {
        let text = self.text(name)?;
        let number = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        number.map_err(|_| {
            let operation = self.operation;
            format!(
                "the field `{name}` of {operation} is `{text}`, which is not an address; write a \
                 decimal number, or a hexadecimal one after `0x`"
            )
        })
    }

    /// Returns an error if a field has not been read.
    pub(crate) fn end(self) -> Result<(), String> {
        match self.fields.first() {
            None => Ok(()),
            Some((name, _)) => Err(format!("{} has no field `{name}`", self.operation)),
        }
    }
}
