//! How much of a file is in memory at once.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeMap;

use fdl_reader::data::DataOptions;
use fdl_reader::transport::{Answer, Body, Freshness, Memory};
use fdl_reader::{FdlError, Options, RelativePath, Repository, Transport};
use pollster::block_on;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Counts what each thread holds: a test has one of its own.
struct Counting;

thread_local! {
    static HELD: Cell<usize> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(0) };
}

// What a thread gives back may have been taken by another, so these wrap around.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.get().wrapping_add(layout.size());
        HELD.set(held);
        if (held as isize) > MOST.get() as isize {
            MOST.set(held);
        }
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.set(HELD.get().wrapping_sub(layout.size()));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How much more than before was held at most while `work` was done.
fn most_held<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.get();
    MOST.set(before);
    let done = work();
    (MOST.get().wrapping_sub(before), done)
}

const GIB: u64 = 1 << 30;
/// The sha256 of so many zeros.
const SHA256: &str = "49bc20df15e412a64472421e13fe86ff1c5165e18b2afccf160d4dc19fe68a14";
const CHUNK: usize = 64 << 10;

/// A host of a data file that is too large to be held, and serves no parts.
struct Vast {
    files: Memory,
    data_file: String,
}

enum Sent {
    File(<Memory as Transport>::Body),
    Zeros(u64),
}

impl Transport for Vast {
    type Body = Sent;

    async fn get(&self, url: &str, freshness: Freshness) -> Result<Answer<Sent>, FdlError> {
        if url == self.data_file {
            return Ok(Answer::Found(Sent::Zeros(GIB)));
        }
        Ok(self.files.get(url, freshness).await?.map(Sent::File))
    }
}

impl Body for Sent {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        match self {
            Sent::File(body) => body.chunk().await,
            Sent::Zeros(0) => Ok(None),
            Sent::Zeros(left) => {
                *left -= CHUNK as u64;
                Ok(Some(vec![0; CHUNK]))
            }
        }
    }
}

#[test]
fn memory_does_not_grow_with_the_data_file() {
    let scenario = crate::scenario::named("first-commit");
    let url = |path: &str| scenario.root().url(&RelativePath::parse(path).unwrap());
    let mut files = BTreeMap::new();
    for path in ["fdl.json", "HEAD", "refs.json"] {
        files.insert(url(path), scenario.read(path));
    }
    let file = |sha256: Option<&str>| json!({"path": "data/main/t/a.parquet", "bytes": GIB, "record_count": 1, "sha256": sha256});
    let index =
        |sha256| json!({"tables": [{"schema": "main", "name": "t", "files": [file(sha256)]}]}).to_string();
    for (sha256, expected) in [(Some(SHA256), None), (None, Some("malformed_parquet"))] {
        let index = index(sha256);
        let path = scenario.at_tip("version.json");
        let mut record: Value = serde_json::from_slice(&scenario.read(&path)).unwrap();
        let of_index = Sha256::digest(&index).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        record["files"] = json!({"path": "files.json", "bytes": index.len(), "sha256": of_index});
        files.insert(url(&path), record.to_string().into());
        files.insert(url(&scenario.at_tip("files.json")), index.into());

        let host = Vast { files: Memory { files: files.clone() }, data_file: url("data/main/t/a.parquet") };
        let version = block_on(async {
            Repository::open(host, scenario.root(), Options::default()).await?.version(None).await
        });
        let version = version.unwrap();
        let (held, data) =
            most_held(|| block_on(version.verify_data(DataOptions::default(), |_| {})).data.clone());
        let data = data.unwrap();
        assert_eq!(data.bytes, GIB);
        assert_eq!(data.problems.first().map(|problem| problem.code), expected);
        assert!(held > CHUNK && held < 8 * CHUNK, "{held} bytes");
    }
}
