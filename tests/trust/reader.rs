//! This reader's verdict: on a repository in memory that holds one signed record.

use std::collections::BTreeMap;

use fdl_reader::transport::Memory;
use fdl_reader::trust::{Policy, Verdict};
use fdl_reader::{FdlError, Options, Repository, Root};

const ID: &str = "019a3c4e-7b21-7f3a-9c55-2f0d8e1a4b6c";

/// The record of a version that was made at this time (RFC 3339).
pub fn record(created_at: &str) -> Vec<u8> {
    let catalog =
        serde_json::json!({ "path": "ducklake.duckdb", "bytes": 12, "sha256": "9f86d081".repeat(8) });
    let ducklake = serde_json::json!({ "format": "1.0", "snapshot_id": 1, "snapshots": [1] });
    serde_json::json!({ "fdl": "0.1", "id": ID, "created_at": created_at, "catalog": catalog, "ducklake": ducklake })
        .to_string()
        .into()
}

/// The verdict of a page with this policy; an error where the record is none.
pub fn verdict(record: &[u8], signature: &[u8], policy: Policy) -> Result<Verdict, FdlError> {
    let root = Root::parse("https://host.example/lake/").unwrap();
    let files = BTreeMap::from([
        (format!("{root}fdl.json"), br#"{"fdl": "0.1"}"#.to_vec()),
        (format!("{root}versions/{ID}/version.json"), record.to_vec()),
        (format!("{root}versions/{ID}/version.json.sig"), signature.to_vec()),
    ]);
    let options = Options { policy, first: Some(ID.into()), ..Options::default() };
    pollster::block_on(async {
        let version = Repository::open(Memory { files }, root, options).await?.version(Some(ID)).await?;
        Ok(version.verdict().clone())
    })
}
