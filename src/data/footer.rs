//! How many rows a Parquet file holds, by its footer alone.
//!
//! Source: the Parquet format, "File format" and `parquet.thrift` (`FileMetaData`, whose third field
//! is `num_rows`), in Thrift's compact protocol. A file ends with its footer, the footer's length in
//! four bytes, and `PAR1`; or `PARE` where the footer is encrypted.

/// Why the rows could not be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FooterProblem {
    /// The footer is longer than the bytes given: so many bytes of the file's end are needed.
    Longer(u64),
    /// The footer is encrypted.
    Encrypted,
    /// This is not the end of a Parquet file.
    Malformed,
}

/// The length of the footer and `PAR1`, which come last.
const TRAILER: usize = 8;

/// The number of rows in the Parquet file that ends with the bytes `tail`.
///
/// # Errors
/// Why they could not be counted.
pub fn row_count(tail: &[u8]) -> Result<u64, FooterProblem> {
    use FooterProblem::{Encrypted, Longer, Malformed};
    let (before, trailer) = tail.split_last_chunk::<TRAILER>().ok_or(Malformed)?;
    let [a, b, c, d, magic @ ..] = *trailer;
    match &magic {
        b"PAR1" => {}
        b"PARE" => return Err(Encrypted),
        _ => return Err(Malformed),
    }
    let length = u32::from_le_bytes([a, b, c, d]);
    let needed = u64::from(length) + TRAILER as u64;
    let start = before.len().checked_sub(length as usize).ok_or(Longer(needed))?;
    before.get(start..).and_then(num_rows).ok_or(Malformed)
}

/// `num_rows` of a `FileMetaData`; `None` where the bytes are not one.
fn num_rows(footer: &[u8]) -> Option<u64> {
    let mut thrift = Thrift { rest: footer };
    let (mut id, mut rows) = (0, None);
    while let Some((delta, kind)) = thrift.field()? {
        id = thrift.field_id(id, delta)?;
        match (id, kind) {
            (3, I64) if rows.is_none() => rows = Some(thrift.zigzag()?),
            (3, _) => return None,
            (_, kind) => thrift.skip_field(kind, DEPTH)?,
        }
    }
    u64::try_from(rows?).ok()
}

/// Thrift's types, as the compact protocol numbers them.
const BOOLS: [u8; 2] = [1, 2];
const BYTE: u8 = 3;
const INTEGERS: [u8; 3] = [4, 5, I64];
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LISTS: [u8; 2] = [9, 10];
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// Structures in each other: a `FileMetaData` needs seven.
const DEPTH: u8 = 32;

/// Bytes in Thrift's compact protocol. Nothing is kept of what is passed over, and each step takes
/// at least one byte, so that no length in them costs more than the bytes that are there.
struct Thrift<'a> {
    rest: &'a [u8],
}

impl Thrift<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn pass(&mut self, bytes: u64) -> Option<()> {
        self.rest = self.rest.get(usize::try_from(bytes).ok()?..)?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// The head of the next field: how far its id is from the one before (0 where the id follows)
    /// and its type. `Some(None)` at the end of the structure.
    fn field(&mut self) -> Option<Option<(u8, u8)>> {
        let head = self.byte()?;
        Some((head != 0).then_some((head >> 4, head & 0x0f)))
    }

    fn field_id(&mut self, before: i64, delta: u8) -> Option<i64> {
        if delta == 0 { self.zigzag() } else { before.checked_add(delta.into()) }
    }

    /// Passes over a field. That a flag is set or not is said by its type alone.
    fn skip_field(&mut self, kind: u8, depth: u8) -> Option<()> {
        if BOOLS.contains(&kind) { Some(()) } else { self.skip(kind, depth) }
    }

    fn skip(&mut self, kind: u8, depth: u8) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            BYTE => self.pass(1),
            kind if BOOLS.contains(&kind) => self.pass(1),
            kind if INTEGERS.contains(&kind) => self.varint().map(drop),
            DOUBLE => self.pass(8),
            UUID => self.pass(16),
            BINARY => {
                let length = self.varint()?;
                self.pass(length)
            }
            kind if LISTS.contains(&kind) => {
                let head = self.byte()?;
                let length = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                (0..length).try_for_each(|_| self.skip(head & 0x0f, depth))
            }
            MAP => {
                let length = self.varint()?;
                if length == 0 {
                    return Some(());
                }
                let kinds = self.byte()?;
                (0..length).try_for_each(|_| {
                    self.skip(kinds >> 4, depth)?;
                    self.skip(kinds & 0x0f, depth)
                })
            }
            STRUCT => {
                while let Some((delta, kind)) = self.field()? {
                    self.field_id(0, delta)?;
                    self.skip_field(kind, depth)?;
                }
                Some(())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FooterProblem::{Encrypted, Longer, Malformed};
    use super::*;

    /// The end of a Parquet file with this footer.
    fn tail(footer: &[u8]) -> Vec<u8> {
        [b"PAR1 columns", footer, &(footer.len() as u32).to_le_bytes(), b"PAR1"].concat()
    }

    /// version 1, a schema of one element, 300 rows, no row groups.
    const FOOTER: &[u8] = &[0x15, 0x02, 0x19, 0x1c, 0x48, 1, b'x', 0, 0x16, 0xd8, 0x04, 0x19, 0x0c, 0];

    #[test]
    fn rows_are_those_of_the_footer() {
        assert_eq!(row_count(&tail(FOOTER)), Ok(300));
        assert_eq!(row_count(&tail(FOOTER)[12..]), Ok(300), "the footer and what follows it are enough");
    }

    #[test]
    fn a_field_may_give_its_id_in_full() {
        assert_eq!(row_count(&tail(&[0x06, 0x06, 0x0a, 0])), Ok(5));
    }

    #[test]
    fn a_footer_that_begins_before_the_bytes_given_tells_how_many_are_needed() {
        let tail = tail(FOOTER);
        let needed = FOOTER.len() as u64 + 8;
        for given in 8..needed as usize {
            assert_eq!(row_count(&tail[tail.len() - given..]), Err(Longer(needed)));
        }
    }

    #[test]
    fn an_encrypted_footer_is_told_by_its_last_four_bytes() {
        let mut tail = tail(FOOTER);
        let at = tail.len() - 1;
        tail[at] = b'E';
        assert_eq!(row_count(&tail), Err(Encrypted));
    }

    #[test]
    fn what_is_not_the_end_of_a_parquet_file_is_malformed() {
        for bytes in [&b""[..], b"PAR1", b"PAR1PAR", b"<!doctype html>", b"\0\0\0\0PAR1", b"\0\0\0\0par1"] {
            assert_eq!(row_count(bytes), Err(Malformed), "{bytes:?}");
        }
    }

    #[test]
    fn a_footer_without_one_count_of_rows_is_malformed() {
        for (what, footer) in [
            ("none", &[0x15, 0x02, 0][..]),
            ("two", &[0x36, 0x02, 0x06, 0x06, 0x02, 0]),
            ("negative", &[0x36, 0x01, 0]),
            ("of another type", &[0x35, 0x02, 0]),
            ("longer than 64 bits", &[0x36, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0]),
            ("no end", &[0x36, 0x02]),
        ] {
            assert_eq!(row_count(&tail(footer)), Err(Malformed), "{what}");
        }
    }

    #[test]
    fn a_footer_cut_anywhere_is_malformed() {
        for length in 0..FOOTER.len() {
            assert_eq!(row_count(&tail(&FOOTER[..length])), Err(Malformed), "{length}");
        }
    }

    #[test]
    fn a_length_that_lies_costs_no_more_than_the_bytes_that_are_there() {
        let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
        for head in [&[0x18][..], &[0x19, 0xf1], &[0x19, 0xfc], &[0x19, 0xf0], &[0x1b]] {
            let footer = [head, &huge, &[0xcc, 1, 1, 1]].concat();
            assert_eq!(row_count(&tail(&footer)), Err(Malformed), "{head:?}");
        }
        let all = [&u32::MAX.to_le_bytes()[..], b"PAR1"].concat();
        assert_eq!(row_count(&all), Err(Longer(u64::from(u32::MAX) + 8)));
    }

    #[test]
    fn structures_in_each_other_without_end_are_malformed() {
        for (what, nested) in [("structures", 0x1c), ("lists", 0x19), ("maps", 0x1b)] {
            let footer = [&[nested][..], &vec![nested; 1 << 20]].concat();
            assert_eq!(row_count(&tail(&footer)), Err(Malformed), "{what}");
        }
    }
}
