"""Repositories with something wrong. Each was whole when the judge saw it.

Unless the scenario is about the signature, a changed record is signed again: what is wrong must
be found although a trusted signer vouches for the record.
"""

from breaking import Breaking
from repository import as_json
from scenario import broken


@broken(
    "A catalog that differs in one byte from what the record names is not opened.",
    fails="catalog: hash_mismatch",
)
def flipped_catalog(files: Breaking) -> dict:
    catalog = files.at_tip("ducklake.duckdb")
    files.flip(catalog, catalog.stat().st_size // 2)
    return {"flipped": "ducklake.duckdb"}


@broken(
    "A dataset.json that differs in one byte from what the record names is not believed.",
    fails="catalog: broken_version",
)
def flipped_dataset(files: Breaking) -> dict:
    files.flip(files.at_tip("dataset.json"), b"Flipped dataset")
    return {"flipped": "dataset.json"}


@broken(
    "A record that differs in one byte from what was signed is not believed, though it parses.",
    fails="catalog: untrusted_version",
)
def flipped_record(files: Breaking) -> dict:
    files.flip(files.at_tip("version.json"), b"Add a note column")
    return {"flipped": "version.json"}


@broken(
    "A files.json that differs in one byte from what the record names is not believed.",
    fails="catalog: broken_version",
)
def flipped_files(files: Breaking) -> dict:
    files.flip(files.at_tip("files.json"), b'"record_count"')
    return {"flipped": "files.json"}


@broken(
    "A signature that differs in one byte vouches for nothing.",
    fails="catalog: untrusted_version",
)
def flipped_signature(files: Breaking) -> dict:
    signature = files.at_tip("version.json.sig")
    lines = signature.read_text().splitlines(keepends=True)
    lines[-2] = ("B" if lines[-2][0] == "A" else "A") + lines[-2][1:]
    signature.write_text("".join(lines))
    return {"flipped": "version.json.sig"}


@broken(
    "Without any signature a broken catalog is found by its hash.",
    fails="catalog: hash_mismatch",
    sign=False,
)
def flipped_catalog_unsigned(files: Breaking) -> dict:
    return flipped_catalog(files)


@broken(
    "A catalog shorter than the record says is not opened.",
    fails="catalog: size_mismatch",
)
def catalog_truncated(files: Breaking) -> None:
    files.cut(files.at_tip("ducklake.duckdb"))


@broken(
    "A catalog that the host does not have is said to be missing.",
    fails="catalog: missing_file",
)
def missing_catalog(files: Breaking) -> None:
    files.at_tip("ducklake.duckdb").unlink()


@broken(
    "A dataset.json that the record names and the host does not have is said to be missing.",
    fails="catalog: broken_version",
)
def missing_dataset(files: Breaking) -> None:
    files.at_tip("dataset.json").unlink()


@broken(
    "A data file that the catalog names and the host does not have breaks only its table.",
    fails="rows: missing_file",
)
def missing_data_file(files: Breaking) -> dict:
    file = min(files.root.glob("data/main/towns/*.parquet"))
    file.unlink()
    return {"missing": file.relative_to(files.root).as_posix()}


@broken(
    "HTML where a record is due counts as missing.",
    fails="version: html_instead",
)
def html_instead_of_json(files: Breaking) -> None:
    files.html_instead(f"versions/{files.tip}/version.json")


@broken(
    "HTML where fdl.json is due: this is no repository.",
    fails="open: html_instead",
)
def html_fdl(files: Breaking) -> None:
    files.html_instead("fdl.json")


@broken("HTML where refs.json is due counts as missing, and the refs' own files are read.")
def html_refs_json(files: Breaking) -> None:
    files.html_instead("refs.json")


@broken(
    "HTML where refs.json and a ref are due counts as missing: the ref does not exist.",
    fails="version: no_version",
)
def html_refs(files: Breaking) -> None:
    files.html_instead("refs.json")
    files.html_instead("refs/heads/main")


@broken(
    "A record that is not UTF-8 is refused.",
    fails="version: invalid_utf8",
)
def invalid_utf8_record(files: Breaking) -> dict:
    record = files.at_tip("version.json").read_bytes()
    files.replace_record(files.tip, record.replace(b"note", b"n\xf6te"))
    return {"offset": record.index(b"note") + 1}


@broken(
    "A dataset.json that is not UTF-8 is refused, though the record names just these bytes.",
    fails="version: invalid_utf8",
)
def invalid_utf8_dataset(files: Breaking) -> dict:
    dataset = files.at_tip("dataset.json")
    content = dataset.read_bytes()
    dataset.write_bytes(content.replace(b"note", b"n\xf6te", 1))
    files.name_again(dataset)
    return {"offset": content.index(b"note") + 1}


@broken(
    "A record that ends early is refused.",
    fails="version: truncated_json",
)
def truncated_json(files: Breaking) -> None:
    record = files.at_tip("version.json").read_bytes()
    files.replace_record(files.tip, record[: len(record) // 2])


@broken(
    "A record whose id is not its folder's is refused, though it was signed.",
    fails="version: id_mismatch",
)
def record_id_not_its_folder(files: Breaking) -> dict:
    for name in (
        "version.json",
        "version.json.sig",
        "ducklake.duckdb",
        "dataset.json",
        "files.json",
    ):
        first = files.root / "versions" / files.first / name
        files.at_tip(name).write_bytes(first.read_bytes())
    return {"found": files.first}


@broken(
    "A catalog path with .. is refused.",
    fails="version: unsafe_path",
)
def catalog_path_dotdot(files: Breaking) -> dict:
    path = f"../{files.first}/ducklake.duckdb"
    files.change_record(files.tip, catalog=files.record(files.first)["catalog"] | {"path": path})
    return {"path": path}


@broken(
    "A major version that the reader does not know is not read.",
    fails="open: unknown_major_version",
)
def unknown_major_version(files: Breaking) -> None:
    files.change_settings(fdl="1.0")


@broken("A version that names itself as its parent does not make the history endless.")
def self_parent(files: Breaking) -> None:
    files.change_record(files.tip, parents=[files.tip])


@broken("Versions that name each other as parents do not make the history endless.")
def cycle(files: Breaking) -> None:
    files.change_record(files.first, parents=[files.tip])


@broken("A parent without a record is shown as missing.")
def missing_parent(files: Breaking) -> dict:
    files.delete_version(files.first)
    return {"missing": files.first}


@broken(
    "A ref that holds the ID of a version without a folder leads to a missing version.",
    fails="version: missing_version",
)
def missing_version(files: Breaking) -> dict:
    files.delete_version(files.tip)
    return {"missing": files.tip}


@broken(
    "A repository without HEAD has no default ref.",
    fails="version: no_head",
)
def no_head(files: Breaking) -> None:
    (files.root / "HEAD").unlink()


@broken(
    "A ref that holds no version ID is malformed.",
    fails="version: malformed_ref",
)
def malformed_ref(files: Breaking) -> None:
    (files.root / "refs.json").unlink()
    (files.root / "refs/heads/main").write_text("not a version\n")


@broken("Members that the reader does not know are ignored.")
def unknown_members(files: Breaking) -> None:
    files.change_record(files.tip, weather={"sky": "clear"})
    files.change_settings(colour="green")


@broken(
    "expired.json alone decides: a version that has it is past retention, catalog or no catalog.",
    fails="catalog: past_retention",
)
def expired_with_catalog(files: Breaking) -> None:
    mark = {"expired_at": "2026-04-01T00:00:00Z", "reason": "retention"}
    files.at_tip("expired.json").write_bytes(as_json(mark))


@broken(
    "A catalog with a view in place of a table would run its publisher's SQL in the page.",
    fails="rows: malformed_catalog",
)
def catalog_with_a_view(files: Breaking) -> None:
    files.rewrite_catalog(
        "ALTER TABLE ducklake_data_file RENAME TO data_file",
        "CREATE VIEW ducklake_data_file AS SELECT * REPLACE (getvariable('secret') AS path) FROM data_file",
    )


@broken(
    "Columns that a catalog lists twice at every level do not keep a reader busy for ever.",
    fails="rows: unsupported_table",
)
def catalog_with_multiplied_columns(files: Breaking) -> None:
    files.rewrite_catalog(
        """INSERT INTO ducklake_column BY NAME
           SELECT 100 + i AS column_id, 1 AS begin_snapshot, table_id, 100 + i AS column_order,
                  'a' AS column_name, 'struct' AS column_type, true AS nulls_allowed,
                  CASE WHEN i > 0 THEN 99 + i END AS parent_column
           FROM range(60) t(i), range(2), (SELECT table_id FROM ducklake_table LIMIT 1)"""
    )


@broken(
    "A data file that a catalog places outside data_dir is not read.",
    fails="rows: unsupported_table",
)
def catalog_with_a_path_outside(files: Breaking) -> None:
    files.rewrite_catalog("UPDATE ducklake_data_file SET path = '../../../../other/x.parquet'")
