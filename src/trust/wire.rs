//! SSH's wire form (RFC 4251, section 5).

/// What is left to read of a message.
pub(super) struct Wire<'a>(pub(super) &'a [u8]);

impl<'a> Wire<'a> {
    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn uint32(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(super) fn string(&mut self) -> Option<&'a [u8]> {
        let length = self.uint32()?;
        self.take(length as usize)
    }
}
