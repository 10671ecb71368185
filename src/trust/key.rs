//! Public keys as SSH writes them on the wire, and the certificates that they may come in.
//!
//! Source: RFC 4253, 5656, 8332 and 8709; OpenSSH's PROTOCOL.u2f for the keys of FIDO devices.

use sha2::Digest as _;

use super::base64;
use super::certificate::Certificate;
use super::wire::Wire;

/// A public key, or a certificate of one. Two are equal where their whole wire forms are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// Such as `ssh-ed25519`; that of the key, where it comes in a certificate.
    pub key_type: String,
    /// The key's wire form, its type included and a certificate left out.
    pub blob: Vec<u8>,
    /// The certificate that the key comes in.
    pub certificate: Option<Box<Certificate>>,
}

/// Why bytes are no public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KeyProblem {
    UnknownType(String),
    Damaged,
}

/// The types that OpenSSH knows, so that a mistyped one is reported.
const TYPES: [&str; 7] = [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "ssh-rsa",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
];

/// What the type of a certificate ends in, in place of the `@openssh.com` that its key's may have.
const CERTIFICATE: &str = "-cert-v01@openssh.com";

impl PublicKey {
    /// Reads a key or a certificate whose type is known. Who signed the certificate is not checked.
    pub(super) fn read(blob: &[u8]) -> Result<PublicKey, KeyProblem> {
        let mut wire = Wire(blob);
        let (key_type, is_certificate) = read_type(&mut wire)?;
        if is_certificate {
            wire.string().ok_or(KeyProblem::Damaged)?; // a nonce
        }
        let mut key = PublicKey::unknown(key_type.into(), &[]);
        key.blob =
            [&(key_type.len() as u32).to_be_bytes(), key_type.as_bytes(), read_key(key_type, &mut wire)?]
                .concat();
        if is_certificate {
            let certificate = Certificate::read(blob, &mut wire).ok_or(KeyProblem::Damaged)?;
            key.certificate = Some(certificate.into());
        }
        if wire.is_empty() { Ok(key) } else { Err(KeyProblem::Damaged) }
    }

    /// The same for a key alone.
    pub(super) fn read_plain(blob: &[u8]) -> Result<PublicKey, KeyProblem> {
        match read_type(&mut Wire(blob))? {
            (_, true) => Err(KeyProblem::Damaged),
            (_, false) => PublicKey::read(blob),
        }
    }

    /// A key of a type that is not known.
    pub(super) fn unknown(key_type: String, blob: &[u8]) -> PublicKey {
        PublicKey { key_type, blob: blob.into(), certificate: None }
    }

    /// Whether a line that begins with `name` means this key.
    pub(super) fn is_named(&self, name: &str) -> bool {
        type_of(name) == Some((self.key_type.as_str(), self.certificate.is_some()))
    }

    /// What is left of the wire form behind the type.
    pub(super) fn fields(&self) -> Wire<'_> {
        let mut wire = Wire(&self.blob);
        wire.string();
        wire
    }

    /// `SHA256:…`, as `ssh-keygen -l` prints it.
    pub fn fingerprint(&self) -> String {
        format!("SHA256:{}", base64::encode(&sha2::Sha256::digest(&self.blob)))
    }
}

/// The type of key that a name stands for, and whether it is the name of certificates.
pub(super) fn type_of(name: &str) -> Option<(&'static str, bool)> {
    let stem = |key_type: &'static str| key_type.strip_suffix("@openssh.com").unwrap_or(key_type);
    TYPES.iter().find_map(|&key_type| {
        let is_certificate = name.strip_suffix(CERTIFICATE) == Some(stem(key_type));
        (is_certificate || name == key_type).then_some((key_type, is_certificate))
    })
}

fn read_type(wire: &mut Wire) -> Result<(&'static str, bool), KeyProblem> {
    let name = wire.text().filter(|name| !name.is_empty()).ok_or(KeyProblem::Damaged)?;
    type_of(name).ok_or_else(|| KeyProblem::UnknownType(name.into()))
}

/// What is particular to a type of key, where it is written as it must be.
fn read_key<'a>(key_type: &str, wire: &mut Wire<'a>) -> Result<&'a [u8], KeyProblem> {
    let before = wire.0;
    skip_key(key_type, wire).ok_or(KeyProblem::Damaged)?;
    Ok(&before[..before.len() - wire.0.len()])
}

fn skip_key(key_type: &str, wire: &mut Wire) -> Option<()> {
    match key_type {
        "ssh-rsa" => {
            wire.positive()?; // e
            wire.positive()?; // n
        }
        _ if key_type.contains("ed25519") => {
            wire.string().filter(|key| key.len() == 32)?;
        }
        _ => {
            let curve = wire.text().filter(|curve| key_type.contains(&format!("-{curve}")))?;
            // Not compressed: a 4, and two numbers of the size of the field.
            let length = match curve {
                "nistp256" => 32,
                "nistp384" => 48,
                "nistp521" => 66,
                _ => return None,
            };
            wire.string()
                .filter(|point| point.len() == 1 + 2 * length && point[0] == 4 && is_on(curve, point))?;
        }
    }
    if key_type.starts_with("sk-") {
        wire.text()?; // the application
    }
    Some(())
}

/// Whether the curve has the point. One that it has not is no key, and a list that names it is damaged.
#[cfg(feature = "ecdsa")]
fn is_on(curve: &str, point: &[u8]) -> bool {
    match curve {
        "nistp256" => p256::PublicKey::from_sec1_bytes(point).is_ok(),
        "nistp384" => p384::PublicKey::from_sec1_bytes(point).is_ok(),
        _ => p521::PublicKey::from_sec1_bytes(point).is_ok(),
    }
}

/// A build that checks no signatures of such keys does not look at them either.
#[cfg(not(feature = "ecdsa"))]
fn is_on(_: &str, _: &[u8]) -> bool {
    true
}
