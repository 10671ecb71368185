/** Errors and checks in Japanese: the same facts as the reader's English, by code. */
import type { CheckOutcome, Failure } from "./failure.js";

/** The sentence for an error; `undefined` where the code is not known here. */
export function errors(error: Failure): string | undefined {
  return sentences[error.code]?.(reading(error.facts));
}

/** The sentence for a check that did not pass; `undefined` where the code is not known here. */
export function checks({ code, facts }: CheckOutcome): string | undefined {
  if (code === null) return undefined;
  return (outcomes[code] ?? sentences[code])?.(reading(facts ?? {}));
}

function reading(facts: Record<string, unknown>): Fact {
  return (name) => {
    const fact = facts[name];
    return typeof fact === "string" || typeof fact === "number" ? String(fact) : "";
  };
}

type Fact = (name: string) => string;

const sentences: Record<string, (fact: Fact) => string> = {
  not_a_repository: (fact) =>
    `FDL リポジトリがありません（${fact("url")} が見つかりません）。fdl.json のあるフォルダーのアドレスかどうか、確かめてください。`,
  no_version: (fact) =>
    `${fact("reference")} がまだ無く、このリポジトリにはバージョンがありません。最初のバージョンが公開されるのを待つか、ほかの ref を選んでください。`,
  no_head: (fact) =>
    `${fact("url")} が無く、既定の ref が分かりません。ブランチ、タグ、バージョン ID のどれかを指定してください。`,
  unknown_ref: (fact) =>
    `「${fact("name")}」という ref もバージョンもありません。リポジトリの ref から選んでください。`,
  ambiguous_ref: (fact) =>
    `「${fact("name")}」という名前のブランチとタグが両方あります。refs/heads/… か refs/tags/… の形で指定してください。`,
  invalid_ref_name: (fact) =>
    `「${fact("name")}」は ref の名前として使えません。ブランチ名、タグ名、バージョン ID のどれかを指定してください。`,
  malformed_ref: (fact) =>
    `${fact("url")} の内容が ref として読めません。リポジトリの公開元に知らせてください。`,
  unknown_major_version: (fact) =>
    `${fact("url")} は仕様のバージョン ${fact("found")} で書かれていて、この fdl-reader では読めません。新しい fdl-reader を使ってください。`,
  missing_version: (fact) =>
    `バージョン ${fact("id")} の記録が ${fact("url")} にありません。取り下げられたか、このミラーに写されていません。ほかのバージョンを選ぶか、元のリポジトリを見てください。`,
  missing_file: (fact) =>
    `${fact("url")} がありません。写しが途中かもしれません。時間をおいて試すか、元のリポジトリを見てください。`,
  past_retention: (fact) =>
    `バージョン ${fact("id")} は保持期間を過ぎていて${paren(fact("expired_at"))}、カタログを開けません。新しいバージョンを選んでください。`,
  withdrawn: (fact) =>
    `バージョン ${fact("id")} は取り下げられました${paren(fact("expired_at"))}。このデータは、もう公開してはならないものです。新しいバージョンを使ってください。`,
  html_instead: (fact) =>
    `${fact("url")} から、求めたファイルではなく Web ページが返りました。アドレスが正しいか、ホストが無いファイルに 404 を返すかを確かめてください。`,
  invalid_utf8: (fact) =>
    `${fact("url")} は UTF-8 の文字列ではありません（${fact("offset")} バイト目）。ファイルが壊れています。リポジトリの公開元に知らせてください。`,
  truncated_json: (fact) =>
    `${fact("url")} は途中で終わっています。もう一度読み込み、それでも同じなら公開元に知らせてください。`,
  malformed_json: (fact) =>
    `${fact("url")} は JSON として読めません（${fact("line")} 行 ${fact("column")} 文字目：${fact("reason")}）。リポジトリの公開元に知らせてください。`,
  invalid_record: (fact) =>
    `${fact("url")} の「${fact("member")}」が仕様に合いません（${fact("reason")}）。リポジトリの公開元に知らせてください。`,
  id_mismatch: (fact) =>
    `${fact("url")} の記録は、フォルダーのバージョン ${fact("expected")} ではなく ${fact("found")} のものです。このバージョンは読みません。リポジトリの公開元に知らせてください。`,
  unsafe_path: (fact) =>
    `${fact("url")} にあるパス「${fact("path")}」は、リポジトリの外を指しうるので使いません（${fact("reason")}）。リポジトリの公開元に知らせてください。`,
  could_not_fetch: (fact) =>
    `${fact("url")} を読み込めませんでした（${fact("reason")}）。通信が切れているか、ホストがこのページからの読み込みを許していません。通信を確かめてください。ホストを管理しているなら、Access-Control-Allow-Origin ヘッダーを返すようにしてください。`,
  http_status: (fact) => {
    // Hosts that may not say what they hold answer so for a missing file.
    const advice =
      fact("status") === "403"
        ? "読み込みが許されていないか、ファイルがありません。アドレスを確かめてください。"
        : "時間をおいて試すか、ホストに問い合わせてください。";
    return `${fact("url")} にホストが HTTP ${fact("status")} を返しました。${advice}`;
  },
  too_large: (fact) =>
    `${fact("url")} は、読み込む上限の ${fact("limit")} バイトを超えています。最後まで読まずにやめました。リポジトリの公開元に知らせてください。`,
  size_mismatch: (fact) => {
    // A file is read no further than the record allows: a longer one has no known length.
    const longer = Number(fact("found")) > Number(fact("expected"));
    const found = longer ? "それより大きい" : `実際は ${fact("found")} バイト`;
    return `${fact("url")} の大きさが記録と違います（記録では ${fact("expected")} バイト、${found}）。ファイルは壊れているか、差し替えられています。公開元に知らせてください。`;
  },
  hash_mismatch: (fact) =>
    `${fact("url")} の中身が記録と違います（記録の SHA-256 は ${fact("expected")}、実際は ${fact("found")}）。ファイルは壊れているか、差し替えられています。公開元に知らせてください。`,
  untrusted_version: (fact) =>
    `バージョン ${fact("id")} には、信頼する署名者の正しい署名がありません（${(outcomes[fact("problem")]?.(fact) ?? "").replace(/。$/, "")}）。そのため、カタログを渡しません。別のバージョンを選ぶか、署名されたものを公開元に求めてください。`,
  broken_version: (fact) =>
    `バージョン ${fact("id")} の ${fact("file")} が記録と一致しません。そのため、カタログを渡しません。公開元に知らせてください。`,
  aborted: () => "読み込みをやめました。",
  invalid_url: (fact) =>
    `「${fact("url")}」はリポジトリのアドレスとして使えません（${fact("reason")}）。https:// から始まるアドレスを指定してください。`,
  unsupported_format: (fact) =>
    `このカタログは DuckLake の形式 ${fact("found")} で書かれています。この fdl-reader が読める形式は ${fact("supported")} です。新しい fdl-reader を使ってください。`,
  malformed_catalog: (fact) =>
    `カタログを読めませんでした（${fact("reason")}）。リポジトリの公開元に知らせてください。`,
  unsupported_table: (fact) =>
    `表 ${fact("schema")}.${fact("table")} は、正しく読めないので表示しません（${fact("reason")}）。`,
  name_taken: (fact) =>
    `エンジンには、すでに「${fact("name")}」という名前のデータベースがあります。別の名前で渡してください。`,
  unsupported_storage: (fact) =>
    `このカタログは ${fact("found")} の形式で保存されていて、ここで使うエンジン（${fact("engine")}）では開けません。新しい DuckDB-Wasm を使ってください。`,
  engine_not_loaded: (fact) =>
    `問い合わせエンジン DuckDB-Wasm を読み込めませんでした（${fact("reason")}）。通信を確かめて、もう一度試してください。`,
  extension_missing: (fact) =>
    `DuckDB の拡張を ${fact("url")} から読み込めませんでした。通信を確かめるか、サイトの管理者に知らせてください。`,
  extension_mismatch: (fact) =>
    `${fact("url")} の拡張は DuckDB ${fact("found")} のもので、ここで使う ${fact("expected")} に合いません。サイトの管理者に知らせてください。`,
  query_failed: (fact) => `DuckDB がこの SQL を断りました：${fact("reason")}`,
  wasm_not_loaded: (fact) =>
    `fdl-reader の本体（WebAssembly）を読み込めませんでした（${fact("reason")}）。通信を確かめて、もう一度読み込んでください。`,
};

/** What only checks come to. */
const outcomes: Record<string, (fact: Fact) => string> = {
  not_in_record: () => "記録に挙げられていないので、何もこのファイルを裏付けていません。",
  not_read_yet: () => "読むときに確かめます。",
  unsigned: () => "このバージョンには署名がありません。",
  malformed_signature: (fact) => `署名が読めません（${fact("reason")}）。`,
  unsupported_algorithm: (fact) =>
    `署名の方式 ${fact("algorithm")} は、この fdl-reader では確かめられません。`,
  wrong_namespace: (fact) =>
    `署名は正しいものですが、名前空間が「${fact("found")}」で、このページの求める「${fact("expected")}」ではありません。`,
  weak_key: (fact) =>
    `署名は正しいものですが、${fact("what") === "key" ? "その鍵" : "証明書の認証局の鍵"}は RSA の ${fact("bits")} ビットしかありません。ここでは ${fact("minimum")} ビット未満の鍵を数に入れません。`,
  bad_signature: () => "署名が version.json に合いません。どちらかが変えられています。",
  unknown_key: (fact) =>
    `署名は正しいものですが、その鍵（${fact("fingerprint")}）は信頼する署名者の中にありません。`,
  no_trusted_signers: (fact) =>
    `署名は正しいものですが、信頼する署名者が与えられていないので、その鍵（${fact("fingerprint")}）を保証する人がいません。`,
  namespace_not_allowed: (fact) =>
    `署名は正しいものですが、信頼する署名者の ${fact("line")} 行目は、この鍵を「${fact("allowed")}」にだけ認め、「${fact("namespace")}」には認めていません。`,
  not_yet_valid: (fact) =>
    `署名は正しいものですが、その鍵は、もっと後の時刻からしか認められていません（信頼する署名者の ${fact("line")} 行目）。`,
  expired_key: (fact) =>
    `署名は正しいものですが、その鍵は、その時刻にはもう認められていません（信頼する署名者の ${fact("line")} 行目）。`,
};

const paren = (text: string) => (text === "" ? "" : `（${text}）`);

export const headlines: Record<string, string> = {
  not_a_repository: "ここにリポジトリはありません",
  no_version: "まだバージョンがありません",
  no_head: "既定の ref がありません",
  unknown_ref: "その ref はありません",
  ambiguous_ref: "その名前の ref は二つあります",
  invalid_ref_name: "ref の名前ではありません",
  malformed_ref: "ref が読めません",
  unknown_major_version: "新しい fdl-reader が必要です",
  missing_version: "そのバージョンはありません",
  missing_file: "ファイルがありません",
  past_retention: "保持期間を過ぎています",
  withdrawn: "取り下げられました",
  html_instead: "ファイルの代わりに Web ページが返りました",
  invalid_utf8: "ファイルが壊れています",
  truncated_json: "ファイルが壊れています",
  malformed_json: "ファイルが壊れています",
  invalid_record: "ファイルが壊れています",
  id_mismatch: "別のバージョンの記録です",
  unsafe_path: "パスを断りました",
  could_not_fetch: "ホストから読み込めませんでした",
  http_status: "ホストが断りました",
  too_large: "ファイルが大きすぎます",
  size_mismatch: "壊れています",
  hash_mismatch: "壊れています",
  untrusted_version: "信頼できません",
  broken_version: "壊れています",
  aborted: "やめました",
  invalid_url: "アドレスではありません",
  unsupported_format: "新しい fdl-reader が必要です",
  malformed_catalog: "カタログが読めません",
  unsupported_table: "この表はここでは読めません",
  unsupported_storage: "新しいエンジンが必要です",
  engine_not_loaded: "問い合わせエンジンを読み込めませんでした",
  extension_missing: "問い合わせエンジンの部品がありません",
  extension_mismatch: "問い合わせエンジンの部品が合いません",
  query_failed: "実行できませんでした",
  wasm_not_loaded: "fdl-reader を読み込めませんでした",
};
