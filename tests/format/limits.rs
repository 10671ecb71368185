//! How far a file is read.

use std::cell::Cell;
use std::rc::Rc;

use fdl_reader::transport::{Answer, Body, Directory, Freshness};
use fdl_reader::{FdlError, Limits, Options, Repository, Transport};

use crate::host::{Host, Instead};
use crate::scenario;

/// Reads the default ref as far as its record.
fn read(host: &Host, options: Options) -> Result<(), FdlError> {
    host.run(async { host.open_with(options).await?.version(None).await.map(drop) })
}

/// A JSON file, made as long as this with blanks.
fn padded(mut json: Vec<u8>, length: usize) -> Instead {
    json.resize(length, b' ');
    Instead::Bytes(json)
}

#[test]
fn a_text_file_is_read_up_to_64_kib() {
    const LIMIT: usize = 64 << 10;
    let host = Host::of("no-refs-json");
    for file in ["HEAD", "refs/heads/main"] {
        let url = format!("{}{file}", host.scenario().root());
        host.put(file, Instead::Bytes(vec![b'x'; LIMIT]));
        assert_eq!(read(&host, Options::default()).unwrap_err().code(), "malformed_ref");
        host.put(file, Instead::Bytes(vec![b'x'; LIMIT + 1]));
        let error = read(&host, Options::default()).unwrap_err();
        assert_eq!(error, FdlError::TooLarge { url, limit: LIMIT as u64 });
        host.restore(file);
    }
}

#[test]
fn a_json_file_is_read_up_to_16_mib() {
    const LIMIT: usize = 16 << 20;
    let host = Host::of("unsigned");
    let record = host.scenario().at_tip("version.json");
    for file in ["fdl.json", "refs.json", &record] {
        let url = format!("{}{file}", host.scenario().root());
        let json = host.scenario().read(file);
        host.put(file, padded(json.clone(), LIMIT));
        assert_eq!(read(&host, Options::default()), Ok(()), "{file}");
        host.put(file, padded(json, LIMIT + 1));
        let error = read(&host, Options::default()).unwrap_err();
        assert_eq!(error, FdlError::TooLarge { url, limit: LIMIT as u64 });
        host.restore(file);
    }
}

#[test]
fn limits_are_options() {
    let host = Host::of("small-blocks");
    let limits = |limits: Limits| Options { limits, ..Options::default() };
    let text = limits(Limits { text: 8, ..Limits::default() });
    assert_eq!(read(&host, text).unwrap_err().code(), "too_large");
    let json = limits(Limits { json: 8, ..Limits::default() });
    assert_eq!(read(&host, json).unwrap_err().code(), "too_large");
    let catalog = limits(Limits { catalog: 1024, ..Limits::default() });
    let read = async {
        let version = host.open_with(catalog).await?.version(None).await?;
        version.catalog(|_, _| {}).await
    };
    let url = format!("{}{}", host.scenario().root(), host.scenario().at_tip("ducklake.duckdb"));
    assert_eq!(host.run(read).unwrap_err(), FdlError::TooLarge { url, limit: 1024 });
}

#[test]
fn a_catalog_longer_than_its_record_says_is_not_that_catalog() {
    let host = Host::of("small-blocks");
    let catalog = host.scenario().at_tip("ducklake.duckdb");
    let mut bytes = host.scenario().read(&catalog);
    let expected = bytes.len() as u64;
    bytes.push(0);
    host.put(&catalog, Instead::Bytes(bytes));
    let read = async { host.open().await?.version(None).await?.catalog(|_, _| {}).await };
    let error = host.run(read).unwrap_err();
    assert!(
        matches!(error, FdlError::SizeMismatch { expected: named, found, .. } if named == expected && found > expected)
    );
}

/// A host of whose files one never ends.
struct Endless {
    file: String,
    sent: Rc<Cell<u64>>,
}

/// What the host sends: a file, or no end of it.
enum Sent {
    File(<Directory as Transport>::Body),
    NoEnd(Rc<Cell<u64>>),
}

const CHUNK: usize = 16 << 10;

impl Transport for Endless {
    type Body = Sent;

    async fn get(&self, url: &str, freshness: Freshness) -> Result<Answer<Sent>, FdlError> {
        if url.ends_with(&self.file) {
            return Ok(Answer::Found(Sent::NoEnd(self.sent.clone())));
        }
        Ok(match Directory.get(url, freshness).await? {
            Answer::Found(body) => Answer::Found(Sent::File(body)),
            Answer::Missing => Answer::Missing,
            Answer::Status(status) => Answer::Status(status),
        })
    }
}

impl Body for Sent {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        match self {
            Sent::File(body) => body.chunk().await,
            Sent::NoEnd(sent) => {
                sent.set(sent.get() + CHUNK as u64);
                Ok(Some(vec![b' '; CHUNK]))
            }
        }
    }
}

#[test]
fn a_file_that_never_ends_is_read_one_chunk_past_its_limit_and_no_further() {
    let scenario = scenario::named("small-blocks");
    let catalog = scenario.at_tip("ducklake.duckdb");
    let in_record = scenario.read(&catalog).len() as u64;
    let record = scenario.at_tip("version.json");
    for (file, limit, code) in [
        ("HEAD", 64 << 10, "too_large"),
        ("fdl.json", 16 << 20, "too_large"),
        ("refs.json", 16 << 20, "too_large"),
        (&record, 16 << 20, "too_large"),
        (&catalog, in_record, "size_mismatch"),
    ] {
        let sent = Rc::new(Cell::new(0));
        let endless = Endless { file: format!("/{file}"), sent: sent.clone() };
        let read = async {
            let repository = Repository::open(endless, scenario.root(), scenario.options()).await?;
            repository.version(None).await?.catalog(|_, _| {}).await
        };
        assert_eq!(pollster::block_on(read).unwrap_err().code(), code, "{file}");
        assert!(sent.get() > limit && sent.get() <= limit + CHUNK as u64, "{file}: {} bytes", sent.get());
    }
}
