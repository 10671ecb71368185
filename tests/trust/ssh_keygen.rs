//! The judge: OpenSSH's own `ssh-keygen`, in the time zone UTC unless a test says otherwise.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use base64ct::{Base64, Encoding};

/// A key pair, or a certificate of one.
pub struct Key {
    /// What ssh-keygen signs with: the private key, or the certificate beside it.
    signs_with: PathBuf,
    private: PathBuf,
    /// Type and base64, as a line of trusted signers has them.
    pub public: String,
}

/// A kind of key, with the argument that chooses its size where it has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Ed25519,
    Ecdsa(&'static str),
    Rsa(&'static str),
}

/// Whom the pages of these tests know.
pub static ALICE: LazyLock<Key> = LazyLock::new(|| Key::of(Kind::Ed25519));
pub static BOB: LazyLock<Key> = LazyLock::new(|| Key::of(Kind::Ed25519));
pub static MALLORY: LazyLock<Key> = LazyLock::new(|| Key::of(Kind::Ed25519));

/// One key of each kind that this build checks, made once.
pub static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let mut kinds = vec![Kind::Ed25519];
    if cfg!(feature = "ecdsa") {
        kinds.extend(["256", "384", "521"].map(Kind::Ecdsa));
    }
    if cfg!(feature = "rsa") {
        kinds.push(Kind::Rsa("2048"));
    }
    kinds.into_iter().map(Key::of).collect()
});

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
        succeeds(&["-q", "-t", name, "-b", size, "-N", "", "-C", "", "-f", path]);
        let public = read_public(&format!("{path}.pub"));
        Key { signs_with: private.clone(), private, public }
    }

    /// A certificate of the key by this authority: its options are those of `ssh-keygen -s`.
    pub fn certified(&self, authority: &Key, options: &[&str]) -> Key {
        let private = new_file("key");
        fs::copy(&self.private, &private).unwrap();
        let path = private.to_str().unwrap();
        let certificate = certify(path, &self.public, authority, options);
        Key { signs_with: format!("{path}-cert.pub").into(), private, public: certificate }
    }

    /// Its wire form.
    pub fn blob(&self) -> Vec<u8> {
        Base64::decode_vec(self.public.split(' ').nth(1).unwrap()).unwrap()
    }

    /// Such as `SHA256:…`.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.public)
    }

    /// An armored signature over `message`.
    pub fn sign(&self, message: &[u8], namespace: &str, hash: &str) -> Vec<u8> {
        let (hash, key) = (format!("hashalg={hash}"), self.signs_with.to_str().unwrap());
        let signed = run(&["-Y", "sign", "-q", "-O", &hash, "-n", namespace, "-f", key], message, "UTC");
        assert!(signed.status.success(), "{}", String::from_utf8_lossy(&signed.stderr));
        signed.stdout
    }

    /// The same by an agent that is given the key, ssh-keygen having its public half alone.
    pub fn sign_with_agent(&self, socket: &str, message: &[u8]) -> Vec<u8> {
        let added =
            Command::new("ssh-add").arg("-q").arg(&self.private).env("SSH_AUTH_SOCK", socket).status();
        assert!(added.unwrap().success());
        let public = written("pub", self.public.as_bytes());
        let public = public.to_str().unwrap();
        let mut command = command(&["-Y", "sign", "-q", "-n", "fdl", "-f", public], "UTC");
        let signed = answer(command.env("SSH_AUTH_SOCK", socket), message);
        assert!(signed.status.success(), "{}", String::from_utf8_lossy(&signed.stderr));
        signed.stdout
    }
}

/// The fingerprint of a public key, such as `SHA256:…`.
pub fn fingerprint(public: &str) -> String {
    let file = written("pub", public.as_bytes());
    let output = run(&["-l", "-f", file.to_str().unwrap()], b"", "UTC");
    let line = String::from_utf8(output.stdout).unwrap();
    line.split(' ').nth(1).unwrap().into()
}

/// A certificate of a public key that lies in a device, say.
pub fn certificate_of(public: &str, authority: &Key, options: &[&str]) -> String {
    certify(new_file("key").to_str().unwrap(), public, authority, options)
}

/// Writes `<path>-cert.pub`.
fn certify(path: &str, public: &str, authority: &Key, options: &[&str]) -> String {
    fs::write(format!("{path}.pub"), public).unwrap();
    let authority = authority.private.to_str().unwrap();
    let file = format!("{path}.pub");
    succeeds(&[&["-q", "-s", authority, "-I", "id"][..], options, &[&file]].concat());
    read_public(&format!("{path}-cert.pub"))
}

fn read_public(path: &str) -> String {
    let line = fs::read_to_string(path).unwrap();
    line.split(' ').take(2).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// A key revocation list of these lines, such as `serial: 7` or `key: ssh-ed25519 AAAA…`; those about
/// certificates mean the authority's, where one is given, and otherwise anyone's.
pub fn krl(lines: &str, authority: Option<&Key>) -> Vec<u8> {
    let (lines, list) = (written("spec", lines.as_bytes()), new_file("krl"));
    let (lines, list) = (lines.to_str().unwrap(), list.to_str().unwrap());
    let authority = authority.map(|authority| written("pub", authority.public.as_bytes()));
    let authority = authority.as_ref().map_or("none", |path| path.to_str().unwrap());
    succeeds(&["-q", "-k", "-f", list, "-s", authority, lines]);
    fs::read(list).unwrap()
}

fn succeeds(arguments: &[&str]) {
    let output = run(arguments, b"", "UTC");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Whether the signature is good, whoever made it.
pub fn is_good(signature: &[u8], message: &[u8], namespace: &str) -> bool {
    let file = written("sig", signature);
    let signature = file.to_str().unwrap();
    let good = run(&["-Y", "check-novalidate", "-n", namespace, "-s", signature], message, "UTC").status;
    fs::remove_file(file).unwrap();
    good.success()
}

/// What ssh-keygen is asked about a signature.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub list: &'a [u8],
    /// By whose names the signature may be trusted: one is enough.
    pub principals: &'a [&'a str],
    pub revoked: Option<&'a [u8]>,
    pub signature: &'a [u8],
    pub message: &'a [u8],
    pub namespace: &'a str,
    /// Such as `20261015090000Z`.
    pub time: &'a str,
    pub time_zone: &'a str,
}

/// Whether the list trusts the signature by one of the principals.
pub fn trusts(question: Question) -> bool {
    let Question { list, principals, revoked, signature, message, namespace, time, time_zone } = question;
    let (list, signature) = (written("list", list), written("sig", signature));
    let revoked = revoked.map(|revoked| written("revoked", revoked));
    let time = format!("verify-time={time}");
    let trusted = principals.iter().any(|principal| {
        let (list, signature) = (list.to_str().unwrap(), signature.to_str().unwrap());
        let mut arguments = vec!["-Y", "verify", "-n", namespace, "-f", list, "-s", signature];
        arguments.extend(["-I", principal, "-O", &time]);
        arguments.extend(revoked.iter().flat_map(|path| ["-r", path.to_str().unwrap()]));
        run(&arguments, message, time_zone).status.success()
    });
    [Some(list), Some(signature), revoked]
        .into_iter()
        .flatten()
        .for_each(|file| fs::remove_file(file).unwrap());
    trusted
}

fn run(arguments: &[&str], input: &[u8], time_zone: &str) -> Output {
    answer(&mut command(arguments, time_zone), input)
}

fn command(arguments: &[&str], time_zone: &str) -> Command {
    let mut command = Command::new("ssh-keygen");
    command.args(arguments).env("TZ", time_zone);
    command
}

fn answer(command: &mut Command, input: &[u8]) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect(
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

/// A path of this run. What runs of an hour ago and more have left behind is taken away.
fn new_file(kind: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let folder = FOLDER.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trust");
        fs::create_dir_all(&folder).unwrap();
        for file in fs::read_dir(&folder).unwrap().flatten() {
            let modified = file.metadata().and_then(|metadata| metadata.modified());
            let age = modified.ok().and_then(|modified| modified.elapsed().ok()).unwrap_or_default();
            if age > Duration::from_secs(3600) {
                let _ = fs::remove_file(file.path());
            }
        }
        folder
    });
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    folder.join(format!("{}-{number}.{kind}", std::process::id()))
}
