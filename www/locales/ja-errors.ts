/** Errors and checks in Japanese: the same facts as the reader's English, by code. */
import type { CheckOutcome, Failure } from "./failure.js";

/** The sentence for an error or a warning; `undefined` where the code is not known here. */
export function errors({ code, facts }: Failure): string | undefined {
  return worded(sentences[code], facts);
}

/** The sentence for a check that did not pass; `undefined` where the code is not known here. */
export function checks({ code, facts }: CheckOutcome): string | undefined {
  return code === null ? undefined : worded(outcomes[code] ?? sentences[code], facts ?? {});
}

function worded(
  sentence: ((fact: Fact) => string) | undefined,
  facts: Record<string, unknown>,
): string | undefined {
  return sentence && sentence(reading(facts)) + atMirrors(facts.mirrors);
}

/** That no mirror could help, and why, where mirrors were asked too. */
function atMirrors(mirrors: unknown): string {
  if (!Array.isArray(mirrors)) return "";
  const failures = (mirrors as { root: string; code: string }[]).map(
    ({ root, code, ...facts }) => `${root}：${sentences[code]?.(reading(facts)) ?? code}`,
  );
  return ["ミラーからも得られませんでした。", ...failures].join(" ");
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
    `バージョン ${fact("id")} には、信頼する署名者の正しい署名がありません（${untrusted[fact("problem")] ?? "署名を確かめられませんでした"}）。そのため、カタログを渡しません。別のバージョンを選ぶか、署名されたものを公開元に求めてください。`,
  broken_version: (fact) =>
    `バージョン ${fact("id")} の ${fact("file")} が記録と一致しません。そのため、カタログを渡しません。公開元に知らせてください。`,
  other_repository: (fact) =>
    `${fact("url")} は別のリポジトリのものです（求める id は${id(fact("expected"))}、実際は${id(fact("found"))}）。ミラーとしては読みませんでした。ミラーの指定を確かめてください。`,
  row_count_mismatch: (fact) =>
    `${fact("url")} の行数が記録と違います（記録では ${fact("expected")} 行、実際は ${fact("found")} 行）。ファイルは差し替えられたか、別のファイルです。公開元に知らせてください。`,
  malformed_parquet: (fact) =>
    `${fact("url")} の終わりが Parquet ファイルの形になっていません。変えられたか、写しが途中です。公開元に知らせてください。`,
  encrypted_parquet: (fact) => `${fact("url")} は暗号化されていて、行を数えられません。`,
  nothing_recorded: (fact) =>
    `${fact("url")} については、SHA-256 も大きさも行数も記録されていないので、照らし合わせるものがありません。公開元に知らせてください。`,
  not_available: (fact) =>
    `ホストは ${fact("url")} を公開していません。元のファイルを公開するかどうかは、ホストが決めることです。`,
  data_files_not_listed: (fact) =>
    `バージョン ${fact("id")} にどのデータファイルがあるか、分かりませんでした。記録が files.json を挙げておらず、カタログも読んでいません。`,
  invalid_revoked_keys: (fact) =>
    `失効した鍵の一覧が読めません（${fact("reason")}）。一覧を直すまで、何も開きません。ページの管理者に知らせてください。`,
  invalid_time: (fact) =>
    `「${fact("time")}」は時刻として読めません。2026-10-15T09:00:00Z のように書いてください。`,
  rolled_back: (fact) =>
    `${fact("ref")} はいまバージョン ${fact("found")} を指していますが、それは、前にここで見たときのバージョン ${fact("seen")} より後のものではありません。ホストが古い状態を見せているのかもしれません。公開元が意図したことだと確かめられたときだけ、受け入れてください。`,
  moved_tag: (fact) =>
    `タグ ${fact("ref")} はいまバージョン ${fact("found")} を指していますが、前にここで見たときは ${fact("seen")} でした。タグは動かないはずのものです。公開元が意図したことだと確かめられたときだけ、受け入れてください。`,
  changed_id: (fact) =>
    `${fact("url")} のリポジトリの id はいま${id(fact("found"))}ですが、前にここで見たときは${id(fact("seen"))}でした。別のリポジトリに置き換わったと公開元から確かめられたときだけ、受け入れてください。`,
  cannot_tell: (fact) =>
    `${fact("ref")} がいま指すバージョン ${fact("found")} が、前にここで見たときのバージョン ${fact("seen")} より後のものかどうか、分かりません（${(obstacles[fact("reason")] ?? (() => fact("reason")))(fact("version"))}）。時間をおいて試すか、公開元に確かめてから受け入れてください。`,
  store_unusable: (fact) =>
    `前に見た版を覚えておけません（${fact("reason")}）。そのため、古い状態を見せられても気づけません。ブラウザの設定で、このサイトにデータの保存を許してください。`,
  aborted: () => "読み込みをやめました。",
  invalid_url: (fact) =>
    `「${fact("url")}」はリポジトリのアドレスとして使えません（${fact("reason")}）。https:// から始まるアドレスを指定してください。`,
  unsupported_format: (fact) =>
    `このカタログは DuckLake の形式 ${fact("found")} で書かれています。この fdl-reader が読める形式は ${fact("supported")} です。新しい fdl-reader を使ってください。`,
  malformed_catalog: (fact) =>
    `カタログを読めませんでした（${fact("reason")}）。リポジトリの公開元に知らせてください。`,
  not_previewable: (fact) =>
    `行をエンジンなしで正確に示すことはできません（${fact("reason")}${paren(fact("detail"))}）。DuckDB で読んでください。`,
  unsupported_table: (fact) =>
    `表 ${fact("schema")}.${fact("table")} は、正しく読めないので表示しません（${fact("reason")}）。`,
  name_taken: (fact) =>
    `エンジンには、すでに「${fact("name")}」という名前のデータベースがあります。別の名前で渡してください。`,
  unsupported_storage: (fact) =>
    `このカタログは ${fact("found")} の形式で保存されていて、ここで使うエンジン（${fact("engine")}）では開けません。新しい DuckDB-Wasm を使ってください。`,
  engine_not_loaded: (fact) =>
    `問い合わせエンジン DuckDB-Wasm を読み込めませんでした（${fact("reason")}）。通信を確かめて、もう一度試してください。`,
  engine_lost: (fact) =>
    `問い合わせエンジン DuckDB が止まりました（${fact("reason")}）。実行中だったものは失われました。もう一度実行すると、新しいエンジンが始まります。`,
  out_of_memory: (fact) =>
    `この問い合わせには、ブラウザの使えるメモリでは足りません（${fact("reason")}）。行や列を減らすか、集計を求めてください。`,
  unsupported_engine: (fact) =>
    `エンジンは DuckDB ${fact("found")}（${fact("platform")}）です。DuckDB ${fact("needed")} 以降の、wasm_eh のものが必要です。`,
  parts_not_served: (fact) =>
    `ホストは、${fact("url")} の一部だけを求めたときに、読める形で返しません。Parquet ファイルの一部を圧縮しないように、ホストの管理者に知らせてください。`,
  data_too_large: (fact) =>
    `データファイルは合わせて ${fact("bytes")} バイトあり、確かめるために持てる上限の ${fact("limit")} バイトを超えています。上限を上げるか、データを確かめずに読んでください。`,
  not_verifiable_by_ducklake: () =>
    "DuckLake で渡すと、エンジンが自分でデータファイルを読むので、先に確かめることができません。データを確かめるなら、Parquet で渡してください。",
  extension_missing: (fact) =>
    `DuckDB の拡張を ${fact("url")} から読み込めませんでした。通信を確かめるか、サイトの管理者に知らせてください。`,
  extension_mismatch: (fact) =>
    `${fact("url")} の拡張は DuckDB ${fact("found")} のもので、ここで使う ${fact("expected")} に合いません。サイトの管理者に知らせてください。`,
  values_not_exact: (fact) =>
    `この文が返す「${fact("column")}」の値は、正確に表示できません。${
      fact("undone") === "false"
        ? "文は実行されました。値が要るところで CAST(… AS VARCHAR) としてください。"
        : "文による変更は取り消しました。文の中で CAST(… AS VARCHAR) とし、もう一度実行してください。"
    }`,
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
  listed_key: (fact) =>
    `署名は正しいもので、その鍵（${fact("fingerprint")}）は、リポジトリ自身が ${fact("listed_as")} のものとして挙げていますが、このページは信頼していません。信頼する前に、公開元がほかの場所で示している鍵と比べてください。`,
  revoked: (fact) =>
    `署名は正しいものですが、その${revocable[fact("what")] ?? fact("what")}（${fact("fingerprint")}）は失効しています。`,
  principal_not_allowed: (fact) => {
    const asked = fact("demanded");
    return asked === ""
      ? `署名は正しいものですが、信頼する署名者の ${fact("line")} 行目が認めるのは「${fact("listed")}」だけで、証明書は別の人のものです。`
      : `署名は正しいものですが、信頼する署名者の ${fact("line")} 行目によれば鍵は「${fact("listed")}」のもので、このページの求める「${asked}」のものではありません。`;
  },
  certificate_bad_authority_signature: () => "署名の鍵の証明書に、発行者の正しい署名がありません。",
  certificate_not_for_users: () =>
    "署名は正しいものですが、その鍵の証明書は、人ではなくホストのものです。",
  certificate_not_yet_valid: () =>
    "署名は正しいものですが、その鍵の証明書は、もっと後の時刻からしか認められません。",
  certificate_expired: () =>
    "署名は正しいものですが、その鍵の証明書は、その時刻にはもう認められません。",
  certificate_without_principals: () =>
    "署名は正しいものですが、その鍵の証明書には、誰のものかが書かれていません。",
};

/** Why a signature does not count, in a few words. */
const untrusted: Record<string, string> = {
  unsigned: "署名が無い",
  malformed_signature: "署名が読めない",
  bad_signature: "署名が記録に合わない",
  weak_key: "署名の鍵が短すぎる",
  wrong_namespace: "署名は正しいが、別の用途のもの",
  namespace_not_allowed: "署名は正しいが、その鍵は別の用途にだけ認められている",
  unknown_key: "署名は正しいが、信頼する人の鍵ではない",
  listed_key: "署名は正しいが、リポジトリが挙げているだけで、信頼する鍵ではない",
  no_trusted_signers: "信頼する署名者が与えられていない",
  revoked: "署名の鍵が失効している",
  principal_not_allowed: "署名は正しいが、求める人のものではない",
  not_yet_valid: "署名は正しいが、鍵の期間より前",
  expired_key: "署名は正しいが、鍵の期間を過ぎている",
  certificate_bad_authority_signature: "鍵の証明書が正しくない",
  certificate_not_for_users: "鍵の証明書が人のものではない",
  certificate_not_yet_valid: "署名は正しいが、証明書の期間より前",
  certificate_expired: "署名は正しいが、証明書の期間を過ぎている",
  certificate_without_principals: "鍵の証明書に名前が無い",
};

/** What was revoked. */
const revocable: Record<string, string> = {
  key: "鍵",
  certificate: "証明書",
  "certificate authority": "証明書を発行した鍵",
};

/** Why the way to the ancestors of a version ends too early. */
const obstacles: Record<string, (version: string) => string> = {
  missing: (version) => `${version} の記録がありません`,
  unreadable: (version) => `${version} の記録を読めませんでした`,
  untrusted: (version) => `${version} の記録に、信頼する人の署名がありません`,
  too_far: (version) => `間のバージョンが多すぎるので、${version} より前は読みませんでした`,
};

const id = (given: string) => (given === "" ? "なし" : `「${given}」`);

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
  other_repository: "ミラーが別のリポジトリです",
  row_count_mismatch: "壊れています",
  malformed_parquet: "壊れています",
  encrypted_parquet: "暗号化されています",
  nothing_recorded: "照らし合わせるものがありません",
  not_available: "公開されていません",
  data_files_not_listed: "データファイルの一覧がありません",
  invalid_revoked_keys: "失効した鍵の一覧が読めません",
  invalid_time: "時刻ではありません",
  rolled_back: "前に見たものより古いかもしれません",
  moved_tag: "タグが動いています",
  changed_id: "前に見たときと別のリポジトリです",
  cannot_tell: "前に見たものより新しいか分かりません",
  store_unusable: "見た版を覚えておけません",
  name_taken: "その名前は使われています",
  untrusted_version: "信頼できません",
  broken_version: "壊れています",
  aborted: "やめました",
  invalid_url: "アドレスではありません",
  unsupported_format: "新しい fdl-reader が必要です",
  malformed_catalog: "カタログが読めません",
  not_previewable: "問い合わせエンジンが要ります",
  unsupported_table: "この表はここでは読めません",
  unsupported_storage: "新しいエンジンが必要です",
  engine_not_loaded: "問い合わせエンジンを読み込めませんでした",
  engine_lost: "問い合わせエンジンが止まりました",
  out_of_memory: "メモリが足りません",
  unsupported_engine: "新しいエンジンが必要です",
  parts_not_served: "ホストがファイルの一部を返しません",
  data_too_large: "データが大きすぎて確かめられません",
  not_verifiable_by_ducklake: "この渡し方ではデータを確かめられません",
  extension_missing: "問い合わせエンジンの部品がありません",
  extension_mismatch: "問い合わせエンジンの部品が合いません",
  query_failed: "実行できませんでした",
  values_not_exact: "正確に表示できない値です",
  wasm_not_loaded: "fdl-reader を読み込めませんでした",
};
