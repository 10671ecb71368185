//! Plans hand-overs, for any engine that can run the SQL.
//!
//! Each line of the input is a JSON object: `alias`, `catalog`, `snapshot`, `root`, `data_dir`, and
//! `rows`, what the engine answered so far, by the names of the queries. Each line of the output is what
//! is still to be asked, `{"questions": {"extensions": […], "queries": [{"name", "sql"}, …]}}`, or where
//! that is nothing `{"plan": {…}}`, or `{"error": {"code", "message"}}`. Where `file` is given, the catalog as
//! DuckDB has it, the plan is how DuckLake attaches that: `{"plan": "ATTACH …"}`.

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};

use fdl_reader::catalog::{CatalogRows, HandOver};
use fdl_reader::record::settings::DataDir;
use fdl_reader::{FdlError, Root};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    for line in stdin().lock().lines() {
        let given: Value = serde_json::from_str(&line?)?;
        let answer = next(&given)?.unwrap_or_else(
            |error| json!({ "error": { "code": error.code(), "message": error.to_string() } }),
        );
        let mut out = stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn next(given: &Value) -> Result<Result<Value, FdlError>, Box<dyn Error>> {
    let text = |member: &str| given[member].as_str().ok_or_else(|| format!("{member} is missing"));
    let (root, data_dir) = (Root::parse(text("root")?)?, DataDir::parse(text("data_dir")?)?);
    let hand_over = HandOver {
        alias: text("alias")?,
        catalog: text("catalog")?,
        snapshot: given["snapshot"].as_u64().ok_or("snapshot is missing")?,
        root: &root,
        data_dir: &data_dir,
    };
    let planned = CatalogRows::parse(&given["rows"].to_string()).and_then(|rows| {
        let questions = hand_over.questions(&rows)?;
        if !questions.queries.is_empty() {
            return Ok(json!({ "questions": questions }));
        }
        match given["file"].as_str() {
            Some(file) => Ok(json!({ "plan": hand_over.by_ducklake(&rows, file)? })),
            None => Ok(json!({ "plan": hand_over.plan(&rows)? })),
        }
    });
    Ok(planned)
}
