//! Keys whose signatures are made here, since ssh-keygen makes none of their kind: those of FIDO
//! devices, and authorities that sign certificates as no ssh-keygen would.

use base64ct::{Base64, Encoding};
use p256::ecdsa::signature::Signer as _;
use sha2::{Digest as _, Sha256};

use crate::parts::Parts;
use crate::wire::{number, string, strings};

/// A key, in a FIDO device or not.
pub struct HandKey {
    secret: Secret,
    /// What the device was asked to make the key for, such as `ssh:`.
    application: Option<String>,
}

enum Secret {
    Ed25519(ed25519_dalek::SigningKey),
    P256(p256::ecdsa::SigningKey),
}

/// What a device notes of a signature: whether someone touched it (1) and was recognised (4), and
/// how often it has signed.
#[derive(Clone, Copy, Debug)]
pub struct Noted {
    pub flags: u8,
    pub counter: u32,
}

/// What they note who touched their device.
pub const TOUCHED: Noted = Noted { flags: 1, counter: 7 };

impl HandKey {
    pub fn ed25519(seed: u8) -> HandKey {
        let secret = Secret::Ed25519(ed25519_dalek::SigningKey::from_bytes(&[seed; 32]));
        HandKey { secret, application: None }
    }

    pub fn p256(seed: u8) -> HandKey {
        let secret = Secret::P256(p256::ecdsa::SigningKey::from_slice(&[seed; 32]).unwrap());
        HandKey { secret, application: None }
    }

    /// The key in a device instead.
    pub fn in_device(self, application: &str) -> HandKey {
        HandKey { application: Some(application.into()), ..self }
    }

    pub fn key_type(&self) -> &'static str {
        match (&self.secret, &self.application) {
            (Secret::Ed25519(_), None) => "ssh-ed25519",
            (Secret::Ed25519(_), Some(_)) => "sk-ssh-ed25519@openssh.com",
            (Secret::P256(_), None) => "ecdsa-sha2-nistp256",
            (Secret::P256(_), Some(_)) => "sk-ecdsa-sha2-nistp256@openssh.com",
        }
    }

    /// What follows the type in its wire form.
    pub fn fields(&self) -> Vec<u8> {
        let key = match &self.secret {
            Secret::Ed25519(key) => string(key.verifying_key().as_bytes()),
            Secret::P256(key) => {
                strings([b"nistp256", &*key.verifying_key().to_sec1_point(false).as_bytes().to_vec()])
            }
        };
        [key, self.application.iter().flat_map(string).collect()].concat()
    }

    /// Its wire form.
    pub fn blob(&self) -> Vec<u8> {
        [string(self.key_type()), self.fields()].concat()
    }

    /// Type and base64, as a line of trusted signers has them.
    pub fn public(&self) -> String {
        line(self.key_type(), &self.blob())
    }

    /// A signature in its wire form.
    pub fn sign_bytes(&self, message: &[u8], noted: Noted) -> Vec<u8> {
        let Some(application) = &self.application else {
            return strings([self.key_type().as_bytes(), &self.raw(message)]);
        };
        let noted = [&[noted.flags][..], &noted.counter.to_be_bytes()].concat();
        let message = [&Sha256::digest(application), &noted[..], &Sha256::digest(message)].concat();
        [strings([self.key_type().as_bytes(), &self.raw(&message)]), noted].concat()
    }

    fn raw(&self, message: &[u8]) -> Vec<u8> {
        match &self.secret {
            Secret::Ed25519(key) => key.sign(message).to_bytes().into(),
            Secret::P256(key) => {
                let signature: p256::ecdsa::Signature = key.sign(message);
                let bytes = signature.to_bytes();
                let (r, s) = bytes.split_at(32);
                [number(r), number(s)].concat()
            }
        }
    }

    /// A signature over a record, in parts.
    pub fn sign(&self, message: &[u8], namespace: &str, hash: &str, noted: Noted) -> Parts {
        Parts::signed(self.blob(), message, namespace, hash, |signed| self.sign_bytes(signed, noted))
    }
}

/// A certificate before it is signed: every part may be what no ssh-keygen would write.
#[derive(Clone)]
pub struct HandCertificate {
    pub key_type: String,
    /// What follows the type in the key's wire form.
    pub fields: Vec<u8>,
    pub serial: u64,
    /// 1 for users, 2 for hosts.
    pub kind: u32,
    pub key_id: Vec<u8>,
    pub principals: Vec<u8>,
    pub valid_after: u64,
    pub valid_before: u64,
    pub critical_options: Vec<u8>,
    pub extensions: Vec<u8>,
    pub reserved: Vec<u8>,
    pub authority: Vec<u8>,
    /// What follows the signature.
    pub rest: Vec<u8>,
}

impl HandCertificate {
    /// One for the key of someone, by this authority, that counts always.
    pub fn of(key: &HandKey, principals: &[&str], authority: &HandKey) -> HandCertificate {
        HandCertificate {
            key_type: format!("{}-cert-v01@openssh.com", key.key_type().trim_end_matches("@openssh.com")),
            fields: key.fields(),
            serial: 1,
            kind: 1,
            key_id: b"id".into(),
            principals: strings(principals),
            valid_after: 0,
            valid_before: u64::MAX,
            critical_options: Vec::new(),
            extensions: Vec::new(),
            reserved: Vec::new(),
            authority: authority.blob(),
            rest: Vec::new(),
        }
    }

    /// Its wire form, signed.
    pub fn signed_by(&self, authority: &HandKey) -> Vec<u8> {
        self.signed(|message| authority.sign_bytes(message, TOUCHED))
    }

    pub fn signed(&self, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let signed = [
            &string(&self.key_type)[..],
            &string([7; 32]), // a nonce
            &self.fields,
            &self.serial.to_be_bytes(),
            &self.kind.to_be_bytes(),
            &strings([&self.key_id, &self.principals]),
            &self.valid_after.to_be_bytes(),
            &self.valid_before.to_be_bytes(),
            &strings([&self.critical_options, &self.extensions, &self.reserved, &self.authority]),
        ]
        .concat();
        let signature = string(sign(&signed));
        [signed, signature, self.rest.clone()].concat()
    }
}

/// A key or certificate as a line has it.
pub fn line(key_type: &str, blob: &[u8]) -> String {
    format!("{key_type} {}", Base64::encode_string(blob))
}
