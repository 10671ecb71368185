//! Key revocation lists in OpenSSH's own form.
//!
//! Source: OpenSSH's PROTOCOL.krl and krl.c. A list that holds anything that is not known is not
//! read at all: what cannot be read might revoke the key that matters.

use super::algorithm;
use super::key::PublicKey;
use super::revoked::{Revoked, RevokedCertificates};
use super::wire::Wire;
use crate::quoted::Quoted;

const MAGIC: &[u8] = b"SSHKRL\n\0";

/// The longest bitmap of serial numbers that OpenSSH takes, in bytes.
const MAX_BITMAP: usize = 2048;

pub(super) fn is_krl(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a KRL; an error is the end of a sentence.
pub(super) async fn read(bytes: &[u8]) -> Result<Revoked, String> {
    let mut wire = Wire(bytes);
    wire.take(MAGIC.len());
    match wire.uint32() {
        Some(1) => {}
        Some(version) => return Err(format!("it is a KRL of version {version}, which is not known")),
        None => return Err(DAMAGED.into()),
    }
    let mut header = || {
        let _numbers = (wire.uint64()?, wire.uint64()?, wire.uint64()?);
        let _reserved = wire.string()?;
        wire.text() // a comment
    };
    header().ok_or(DAMAGED)?;
    let mut revoked = Revoked::default();
    while !wire.is_empty() {
        let (kind, mut section) = read_section(&mut wire)?;
        match kind {
            1 => revoked.certificates.push(read_certificates(&mut section).await?),
            2 => read_strings(&mut section, None, &mut revoked.keys)?,
            3 => read_strings(&mut section, Some(20), &mut revoked.sha1)?,
            5 => read_strings(&mut section, Some(32), &mut revoked.sha256)?,
            255 => read_extension(&mut section)?,
            _ => return Err(format!("it is a KRL with a section of kind {kind}, which is not known")),
        }
        if !section.is_empty() {
            return Err(DAMAGED.into());
        }
    }
    Ok(revoked)
}

const DAMAGED: &str = "it is a KRL that is damaged";

fn read_section<'a>(wire: &mut Wire<'a>) -> Result<(u8, Wire<'a>), String> {
    let (kind, section) = wire.byte().zip(wire.string()).ok_or(DAMAGED)?;
    Ok((kind, Wire(section)))
}

fn read_strings(section: &mut Wire, length: Option<usize>, into: &mut Vec<Vec<u8>>) -> Result<(), String> {
    while !section.is_empty() {
        let string = section.string().filter(|string| length.is_none_or(|length| string.len() == length));
        into.push(string.ok_or(DAMAGED)?.into());
    }
    Ok(())
}

/// What later versions add may be passed over where it says so.
fn read_extension(section: &mut Wire) -> Result<(), String> {
    let (name, is_critical) = section.text().zip(section.byte()).ok_or(DAMAGED)?;
    section.string().ok_or(DAMAGED)?;
    match is_critical {
        0 => Ok(()),
        _ => Err(format!("it is a KRL with the extension {}, which is not known", Quoted(name))),
    }
}

async fn read_certificates(section: &mut Wire<'_>) -> Result<RevokedCertificates, String> {
    let (authority, _reserved) = section.string().zip(section.string()).ok_or(DAMAGED)?;
    let mut revoked = RevokedCertificates::default();
    if !authority.is_empty() {
        let authority = PublicKey::read_plain(authority).map_err(|_| DAMAGED)?;
        if algorithm::is_damaged(&authority).await {
            return Err(DAMAGED.into());
        }
        revoked.authority = Some(authority.blob);
    }
    while !section.is_empty() {
        let (kind, mut list) = read_section(section)?;
        match kind {
            0x20 => {
                while !list.is_empty() {
                    let serial = list.uint64().ok_or(DAMAGED)?;
                    revoked.serials.push((serial, serial));
                }
            }
            0x21 => revoked.serials.push(list.uint64().zip(list.uint64()).ok_or(DAMAGED)?),
            0x22 => read_bitmap(&mut list, &mut revoked.serials).ok_or(DAMAGED)?,
            0x23 => {
                while !list.is_empty() {
                    revoked.key_ids.push(list.text().ok_or(DAMAGED)?.into());
                }
            }
            0x39 => read_extension(&mut list)?,
            _ => return Err(format!("it is a KRL with certificates of kind {kind}, which is not known")),
        }
        if !list.is_empty() {
            return Err(DAMAGED.into());
        }
    }
    // No certificate has the serial number 0 by its authority's wish.
    match revoked.serials.iter().all(|(from, to)| 0 < *from && from <= to) {
        true => Ok(revoked),
        false => Err(DAMAGED.into()),
    }
}

/// A number to count from, and a number whose bits say which of those that follow are meant.
fn read_bitmap(list: &mut Wire, serials: &mut Vec<(u64, u64)>) -> Option<()> {
    let first = list.uint64()?;
    let bits = list
        .string()
        .filter(|bits| bits.len() <= MAX_BITMAP + 1 && bits.first().is_none_or(|byte| *byte < 0x80))?;
    for (byte, at) in bits.iter().rev().zip(0u64..) {
        for bit in (0..8).filter(|bit| byte >> bit & 1 == 1) {
            let serial = first.checked_add(8 * at + bit)?;
            serials.push((serial, serial));
        }
    }
    Some(())
}
