//! SSH's wire form (RFC 4251, section 5).

/// What is left to read of a message.
#[derive(Clone, Copy)]
pub(super) struct Wire<'a>(pub(super) &'a [u8]);

impl<'a> Wire<'a> {
    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    pub(super) fn uint32(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(super) fn uint64(&mut self) -> Option<u64> {
        Some(u64::from_be_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(super) fn string(&mut self) -> Option<&'a [u8]> {
        let length = self.uint32()?;
        self.take(length as usize)
    }

    /// A string that is text, without a NUL, at which it would end for OpenSSH.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.string()?).ok().filter(|text| !text.contains('\0'))
    }

    /// The magnitude of a positive number, written as short as can be.
    pub(super) fn positive(&mut self) -> Option<&'a [u8]> {
        match self.string()? {
            [0, rest @ ..] if rest.first().is_some_and(|first| *first >= 0x80) => Some(rest),
            number if matches!(number.first(), Some(1..=0x7f)) => Some(number),
            _ => None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
