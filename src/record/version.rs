//! version.json: the record of a version.
//!
//! Source: the example in the specification's page "Inside a repository"; what our pages leave
//! open is listed in `docs/format.md`.

use serde::{Serialize, Serializer};

use super::member::{Member, Read, read_json};
use super::{Sha256, Timestamp, edition};
use crate::error::FdlError;
use crate::layout::{RelativePath, VersionId, file};

/// The record of a version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VersionRecord {
    /// The version of the specification.
    pub fdl: String,
    /// The version's ID, which is also the name of its folder.
    pub id: VersionId,
    /// The version's number on its line of history.
    pub seq: Option<u64>,
    /// The versions it was made from; none for the first, two for a merge.
    pub parents: Vec<VersionId>,
    /// When the version was made.
    pub created_at: Timestamp,
    /// Who made it, by the record's own word.
    pub author: Author,
    /// Why.
    pub message: Option<String>,
    /// The frozen catalog.
    pub catalog: NamedCatalog,
    /// The catalog in other DuckLake formats, in the order of those.
    #[serde(serialize_with = "by_format")]
    pub catalogs: Vec<(String, NamedCatalog)>,
    /// The description of what the version holds.
    pub dataset: Option<NamedFile>,
    /// The index of the data files.
    pub files: Option<NamedFile>,
    /// The state of the DuckLake that the version is.
    pub ducklake: DuckLake,
    /// What the version was made from, by sha256.
    pub inputs: Vec<Input>,
}

/// Who made a version, by the record's own word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Author {
    /// A name.
    pub name: Option<String>,
    /// An address.
    pub email: Option<String>,
}

/// A file that the record names, with what its bytes must be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedFile {
    /// Relative to the version's folder.
    pub path: RelativePath,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its hash.
    pub sha256: Sha256,
}

/// A catalog that the record names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedCatalog {
    /// Where it is, and what its bytes must be.
    #[serde(flatten)]
    pub file: NamedFile,
    /// The storage version that an engine needs, such as `duckdb-v1.5.0`.
    pub storage: Option<String>,
}

fn by_format<S: Serializer>(catalogs: &[(String, NamedCatalog)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(catalogs.iter().map(|(format, catalog)| (format, catalog)))
}

/// The state of the DuckLake that a version is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DuckLake {
    /// The DuckLake format of the catalog.
    pub format: String,
    /// The snapshot that is read.
    pub snapshot_id: u64,
    /// The snapshots that the version made.
    pub snapshots: Vec<u64>,
}

/// What a version was made from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Input {
    /// Its hash, by which `sources/` has it.
    pub sha256: Sha256,
    /// Whatever else the record says about it.
    #[serde(flatten)]
    pub rest: serde_json::Map<String, serde_json::Value>,
}

impl VersionRecord {
    /// Reads the version.json of the folder `versions/<id>/`.
    ///
    /// # Errors
    /// [`FdlError::UnknownMajorVersion`], [`FdlError::IdMismatch`], [`FdlError::UnsafePath`],
    /// [`FdlError::InvalidRecord`], and those of bad JSON.
    pub fn parse(url: &str, id: &VersionId, bytes: &[u8]) -> Result<VersionRecord, FdlError> {
        read_json(url, bytes, |root| VersionRecord::read(root, id))
    }

    fn read(root: &Member, id: &VersionId) -> Read<VersionRecord> {
        let fdl = edition(root)?;
        let found = root.member("id").version_id()?;
        if found != *id {
            let (url, expected) = (root.url.into(), id.clone());
            return Err(Box::new(FdlError::IdMismatch { url, expected, found }));
        }
        // Later tools write the catalog as `metadata`.
        let (catalog, metadata) = (root.member("catalog"), root.member("metadata"));
        let catalog = if catalog.is_missing()? && !metadata.is_missing()? { metadata } else { catalog };
        let mut catalogs = Vec::new();
        for (format, catalog) in root.member("catalogs").members()? {
            catalogs.push((format.into(), read_catalog(&catalog)?));
        }
        let ducklake = root.member("ducklake");
        let record = VersionRecord {
            fdl,
            id: found,
            seq: root.member("seq").optional_count()?,
            parents: read_parents(&root.member("parents"))?,
            created_at: root.member("created_at").timestamp()?,
            author: root.member("author").optional(read_author)?.unwrap_or_default(),
            message: root.member("message").optional_text()?,
            catalog: read_catalog(&catalog)?,
            catalogs,
            dataset: root.member("dataset").optional(read_file)?,
            files: root.member("files").optional(read_file)?,
            ducklake: DuckLake {
                format: ducklake.member("format").text()?,
                snapshot_id: ducklake.member("snapshot_id").count()?,
                snapshots: ducklake.member("snapshots").each(|snapshot| snapshot.count())?,
            },
            inputs: root.member("inputs").each(read_input)?,
        };
        record.names_each_file_once(root)?;
        Ok(record)
    }

    /// Each file is checked by its name, so two that share one, or that take the name of a file of
    /// the layout, could not be told apart in a verdict.
    fn names_each_file_once(&self, root: &Member) -> Read<()> {
        let mut taken: Vec<String> =
            [file::record(), file::signature(), file::expired()].iter().map(ToString::to_string).collect();
        let main = &self.catalog.file;
        // `catalogs` may list the main one too.
        let others = self.catalogs.iter().map(|(_, catalog)| &catalog.file).filter(|file| *file != main);
        for named in [main].into_iter().chain(others).chain(&self.dataset).chain(&self.files) {
            let path = named.path.to_string();
            if taken.contains(&path) {
                return Err(root.unsafe_path(path, "is the name of another file of the version"));
            }
            taken.push(path);
        }
        Ok(())
    }
}

fn read_input(input: Member) -> Read<Input> {
    let mut rest = serde_json::Map::new();
    for (name, member) in input.members()? {
        if name != "sha256" {
            rest.insert(name.into(), member.value.clone());
        }
    }
    Ok(Input { sha256: input.member("sha256").sha256()?, rest })
}

/// No version that was ever made has more parents, and each costs a reader two requests.
const MAX_PARENTS: usize = 1000;

fn read_parents(parents: &Member) -> Read<Vec<VersionId>> {
    let ids = parents.each(|parent| parent.version_id())?;
    if ids.len() > MAX_PARENTS { Err(parents.invalid("has more than 1000 items")) } else { Ok(ids) }
}

fn read_author(author: &Member) -> Read<Author> {
    if author.value.is_string() {
        return Ok(Author { name: Some(author.text()?), email: None });
    }
    Ok(Author {
        name: author.member("name").optional_text()?,
        email: author.member("email").optional_text()?,
    })
}

fn read_file(file: &Member) -> Read<NamedFile> {
    Ok(NamedFile {
        path: file.member("path").relative_path()?,
        bytes: file.member("bytes").count()?,
        sha256: file.member("sha256").sha256()?,
    })
}

fn read_catalog(catalog: &Member) -> Read<NamedCatalog> {
    Ok(NamedCatalog { file: read_file(catalog)?, storage: catalog.member("storage").optional_text()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "019a3c4e-7b21-7f3a-9c55-2f0d8e1a4b6c";
    const SHA256: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    /// The example of "Inside a repository", with whole hashes.
    fn example() -> serde_json::Value {
        serde_json::json!({
            "fdl": "0.1", "id": ID, "seq": 2,
            "parents": ["019a2f10-0c4d-7e88-a1b2-55c0d9e3f7aa"],
            "created_at": "2026-10-15T09:00:00Z", "author": { "name": "bob" },
            "message": "Add a note column",
            "catalog": { "path": "ducklake.duckdb", "storage": "duckdb-v1.5.0", "bytes": 4194304, "sha256": SHA256 },
            "dataset": { "path": "dataset.json", "bytes": 2048, "sha256": SHA256 },
            "ducklake": { "format": "1.0", "snapshot_id": 12, "snapshots": [8, 12] },
            "inputs": []
        })
    }

    fn parse(json: &serde_json::Value) -> Result<VersionRecord, FdlError> {
        let id = VersionId::parse(ID).unwrap();
        VersionRecord::parse("version.json", &id, json.to_string().as_bytes())
    }

    fn with(pointer: &str, value: serde_json::Value) -> serde_json::Value {
        let mut json = example();
        *json.pointer_mut(pointer).unwrap() = value;
        json
    }

    #[test]
    fn the_example_of_inside_a_repository_is_read() {
        let record = parse(&example()).unwrap();
        assert_eq!(record.seq, Some(2));
        assert_eq!(record.author.name.as_deref(), Some("bob"));
        assert_eq!(record.catalog.file.path.as_str(), "ducklake.duckdb");
        assert_eq!(record.ducklake.snapshots, [8, 12]);
        assert_eq!(record.files, None);
    }

    #[test]
    fn the_name_of_the_catalog_comes_from_the_record_also_where_it_is_called_metadata() {
        let mut json = example();
        let mut catalog = json.as_object_mut().unwrap().remove("catalog").unwrap();
        catalog["path"] = "metadata.db".into();
        json["metadata"] = catalog;
        assert_eq!(parse(&json).unwrap().catalog.file.path.as_str(), "metadata.db");
    }

    #[test]
    fn a_record_of_another_folder_is_refused() {
        let other = "019a2f10-0c4d-7e88-a1b2-55c0d9e3f7aa";
        assert_eq!(parse(&with("/id", other.into())).unwrap_err().code(), "id_mismatch");
    }

    #[test]
    fn a_path_that_leaves_the_folder_of_the_version_is_refused() {
        for path in ["../x/ducklake.duckdb", "/ducklake.duckdb", "https://evil.example/x", "a\\b", ""] {
            for member in ["/catalog/path", "/dataset/path"] {
                assert_eq!(parse(&with(member, path.into())).unwrap_err().code(), "unsafe_path", "{path}");
            }
        }
    }

    #[test]
    fn no_two_files_of_a_version_share_a_name() {
        for path in ["ducklake.duckdb", "version.json", "version.json.sig", "expired.json"] {
            assert_eq!(
                parse(&with("/dataset/path", path.into())).unwrap_err().code(),
                "unsafe_path",
                "{path}"
            );
        }
    }

    #[test]
    fn members_that_break_a_rule_are_named() {
        for (pointer, value, member) in [
            ("/id", "x".into(), "id"),
            ("/parents/0", "x".into(), "parents[0]"),
            ("/catalog", serde_json::Value::Null, "catalog"),
            // Each parent costs a reader two requests.
            ("/parents", vec!["019a2f10-0c4d-7e88-a1b2-55c0d9e3f7aa"; 1001].into(), "parents"),
            ("/inputs", serde_json::json!([{}]), "inputs[0].sha256"),
            ("/created_at", "today".into(), "created_at"),
            ("/catalog/sha256", "abc".into(), "catalog.sha256"),
            ("/catalog/bytes", (-1).into(), "catalog.bytes"),
            ("/ducklake/snapshot_id", "12".into(), "ducklake.snapshot_id"),
        ] {
            match parse(&with(pointer, value)).unwrap_err() {
                FdlError::InvalidRecord { member: found, .. } => assert_eq!(found, member),
                other => panic!("{pointer}: {other:?}"),
            }
        }
        assert_eq!(parse(&with("/fdl", "1.0".into())).unwrap_err().code(), "unknown_major_version");
    }
}
