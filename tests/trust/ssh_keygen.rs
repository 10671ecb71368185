//! The judge: OpenSSH's own `ssh-keygen`, in the time zone UTC unless a test says otherwise.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};

/// A key pair.
pub struct Key {
    private: PathBuf,
    /// Type and base64, as a line of trusted signers has them.
    pub public: String,
}

/// A kind of key, with the argument that chooses its size where it has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ed25519,
    Ecdsa(&'static str),
    Rsa(&'static str),
}

/// Whom the pages of these tests know.
pub static ALICE: LazyLock<Key> = LazyLock::new(|| Key::of(Kind::Ed25519));
pub static BOB: LazyLock<Key> = LazyLock::new(|| Key::of(Kind::Ed25519));
pub static MALLORY: LazyLock<Key> = LazyLock::new(|| Key::of(Kind::Ed25519));

impl Key {
    /// A new key.
    pub fn of(kind: Kind) -> Key {
        let private = new_file("key");
        let (name, size) = match kind {
            Kind::Ed25519 => ("ed25519", "256"),
            Kind::Ecdsa(size) => ("ecdsa", size),
            Kind::Rsa(size) => ("rsa", size),
        };
        let path = private.to_str().unwrap();
        let made = run(&["-q", "-t", name, "-b", size, "-N", "", "-C", "", "-f", path], b"", "UTC");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let public = fs::read_to_string(format!("{path}.pub")).unwrap().trim().to_owned();
        Key { private, public }
    }

    /// An armored signature over `message`.
    pub fn sign(&self, message: &[u8], namespace: &str, hash: &str) -> Vec<u8> {
        let (hash, key) = (format!("hashalg={hash}"), self.private.to_str().unwrap());
        let signed = run(&["-Y", "sign", "-q", "-O", &hash, "-n", namespace, "-f", key], message, "UTC");
        assert!(signed.status.success(), "{}", String::from_utf8_lossy(&signed.stderr));
        signed.stdout
    }
}

/// Whether the signature is good, whoever made it.
pub fn is_good(signature: &[u8], message: &[u8], namespace: &str) -> bool {
    let signature = written("sig", signature);
    let signature = signature.to_str().unwrap();
    run(&["-Y", "check-novalidate", "-n", namespace, "-s", signature], message, "UTC").status.success()
}

/// Whether the list trusts the signature by one of these principals, at a time such as
/// `20261015090000Z`.
pub fn trusts(
    list: &[u8],
    principals: &[&str],
    signature: &[u8],
    message: &[u8],
    namespace: &str,
    time: &str,
    time_zone: &str,
) -> bool {
    let (list, signature) = (written("list", list), written("sig", signature));
    let (list, signature) = (list.to_str().unwrap(), signature.to_str().unwrap());
    let time = format!("verify-time={time}");
    principals.iter().any(|principal| {
        let of = ["-Y", "verify", "-n", namespace, "-f", list, "-s", signature];
        run(&[&of[..], &["-I", principal, "-O", &time]].concat(), message, time_zone).status.success()
    })
}

fn run(arguments: &[&str], input: &[u8], time_zone: &str) -> Output {
    let mut child = Command::new("ssh-keygen")
        .args(arguments)
        .env("TZ", time_zone)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect(
            "ssh-keygen is missing: install OpenSSH's client (on Debian: apt-get install openssh-client)",
        );
    // Where it has read enough, it closes its end.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn written(kind: &str, content: &[u8]) -> PathBuf {
    let path = new_file(kind);
    fs::write(&path, content).unwrap();
    path
}

/// A path in a folder of this run.
fn new_file(kind: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let folder = FOLDER.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trust");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    });
    folder.join(format!("{}.{kind}", NUMBER.fetch_add(1, Ordering::Relaxed)))
}
