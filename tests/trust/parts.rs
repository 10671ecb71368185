//! A signature's parts, in their order.

use base64ct::{Base64, Encoding};
use sha2::Digest as _;

use crate::wire::{string, strings, take};

/// A signature, taken apart or yet to be put together.
#[derive(Clone)]
pub struct Parts {
    pub magic: Vec<u8>,
    pub version: u32,
    pub key: Vec<u8>,
    pub namespace: Vec<u8>,
    pub reserved: Vec<u8>,
    pub hash: Vec<u8>,
    pub signature: Vec<u8>,
    pub rest: Vec<u8>,
}

impl Parts {
    /// The parts of an armored signature.
    pub fn of(armor: &[u8]) -> Parts {
        let blob = blob(armor);
        let (magic, blob) = blob.split_at(6);
        let (version, mut blob) = blob.split_first_chunk::<4>().unwrap();
        let mut next = || take(&mut blob);
        Parts {
            magic: magic.into(),
            version: u32::from_be_bytes(*version),
            key: next(),
            namespace: next(),
            reserved: next(),
            hash: next(),
            signature: next(),
            rest: Vec::new(),
        }
    }

    /// A signature that someone makes: `sign` is given what is signed.
    pub fn signed(
        key: Vec<u8>,
        message: &[u8],
        namespace: &str,
        hash: &str,
        sign: impl FnOnce(&[u8]) -> Vec<u8>,
    ) -> Parts {
        let digest = match hash {
            "sha256" => sha2::Sha256::digest(message).to_vec(),
            _ => sha2::Sha512::digest(message).to_vec(),
        };
        let parts = [namespace.as_bytes(), b"", hash.as_bytes(), &digest];
        Parts {
            magic: b"SSHSIG".into(),
            version: 1,
            key,
            namespace: namespace.into(),
            reserved: Vec::new(),
            hash: hash.into(),
            signature: sign(&[&b"SSHSIG"[..], &strings(parts)].concat()),
            rest: Vec::new(),
        }
    }

    /// Them together again.
    pub fn armor(&self) -> Vec<u8> {
        let strings = [&self.key, &self.namespace, &self.reserved, &self.hash, &self.signature].map(string);
        let blob = [&self.magic[..], &self.version.to_be_bytes(), &strings.concat(), &self.rest].concat();
        armored(&blob)
    }
}

/// What the armor holds.
pub fn blob(armor: &[u8]) -> Vec<u8> {
    let armor = std::str::from_utf8(armor).unwrap();
    let base64: String = armor.lines().filter(|line| !line.starts_with('-')).collect();
    Base64::decode_vec(&base64).unwrap()
}

/// The armor around it.
pub fn armored(blob: &[u8]) -> Vec<u8> {
    let base64 = Base64::encode_string(blob);
    format!("-----BEGIN SSH SIGNATURE-----\n{base64}\n-----END SSH SIGNATURE-----\n").into()
}
