import type { Text } from "./en.js";
import { trust } from "./ja-trust.js";
import { checks, errors, headlines } from "./ja-errors.js";
import type { Formats } from "./formats.js";

/** Every text in Japanese. */
export const ja = (format: Formats): Text => {
  const count = (value: number, unit: string) => `${format.number(value)} ${unit}`;
  const since = (day: string | null) => (day === null ? "" : `${day}に`);

  return {
    error: (error) => errors(error) ?? error.message,
    check: (check) => checks(check) ?? check.message ?? "",
    headline: (code) => headlines[code] ?? "表示できませんでした",

    viewer: {
      opening: "リポジトリを開いています…",
      reading: "バージョンを読んでいます…",
      shown: (title, ref) => `${title}（${ref}）を表示しました。`,
      tryAgain: "もう一度試す",
      showDefault: "既定のバージョンを表示する",
      noSource: "リポジトリが指定されていません。属性 src にアドレスを書いてください。",
      noVersionHeadline: "まだバージョンがありません",
      noVersion: (reference) =>
        `リポジトリは作られていますが、${reference} がまだ無く、何も公開されていません。最初のバージョンが公開されてからもう一度見るか、ほかの ref があればそれを選んでください。`,
      unnamed: "題名の無いデータセット",
      earlier: (ref) => `これは、${ref} がいま指しているバージョンではありません。`,
      showTip: (ref) => `${ref} を表示する`,
    },

    refs: {
      label: "ブランチまたはタグ",
      choose: "選んでください",
      branches: "ブランチ",
      tags: "タグ",
      others: "ほかの ref",
      byDefault: (ref) => `${ref}（既定）`,
      single: (id) => `バージョン ${id}`,
      branch: (name) => `ブランチ ${name}`,
      tag: (name) => `タグ ${name}`,
      version: (id) => `バージョン ${id}`,
      servedBy: (root) =>
        `ブランチとタグは、ミラー ${root} から読みました。新しいものがまだ無いかもしれません。`,
    },

    dataset: {
      licenses: "ライセンス",
      sources: "出典",
      contributors: "貢献者",
      keywords: "キーワード",
      withRole: (name, role) => `${name}（${role}）`,
    },

    version: {
      heading: "バージョン",
      number: (seq) => `バージョン ${format.number(seq)}`,
      by: (author) => author,
      details: "記録の全文",
      id: "バージョン ID",
      created: "作成日時",
      author: "作成者",
      message: "メッセージ",
      parents: "親",
      noParents: "なし（最初のバージョン）",
      ducklake: "DuckLake",
      snapshot: (name, snapshot) => `形式 ${name}、スナップショット ${format.number(snapshot)}`,
      catalog: "カタログ",
      catalogSize: (path, bytes, storage) =>
        `${path}、${format.bytes(bytes)}${storage === null ? "" : `、${storage}`}`,
      inputs: "元になったもの",
      specification: "仕様",
      repository: "リポジトリ",
      repositoryId: "リポジトリ ID",
      noId: "なし",
    },

    ...trust(format),

    tables: {
      heading: "表",
      none: "このバージョンには表がありません。",
      unknown: "表の一覧は、カタログを読むと表示します。",
      rows: (rows) => count(rows, "行"),
      columns: (columns) => count(columns, "列"),
      columnsHeading: "列",
      name: "名前",
      type: "型",
      description: "説明",
      refusedHeadline: "この表はここでは読めません",
      refused: (reason) =>
        `正しく読めないので、行は表示しません（${reason}）。別の表を選ぶか、DuckDB の DuckLake 拡張で読んでください。`,
      missing: (name) =>
        `このバージョンに「${name}」という表はありません。一覧から選んでください。`,
    },

    rows: {
      heading: "最初の行",
      waiting: "最初の行は、ここが画面に入ると読み込みます。",
      engine:
        "問い合わせエンジン DuckDB-Wasm を読み込んでいます。数メガバイトあり、読み込むのは一度だけです。",
      catalog: (received, total) => `カタログを読み、確かめています：${total}のうち${received}。`,
      data: (files, filesTotal, received, total) =>
        `行を表示する前に、すべてのデータファイルをダウンロードして確かめています：${format.number(filesTotal)} ファイルのうち ${format.number(files)}、${total}のうち${received}。`,
      verified: "元のデータファイルは、すべて先に確かめました。SHA-256 が記録と一致しています。",
      reading: "行を読んでいます。",
      sorting: "行を並べ替えています。",
      sorted: (column, descending) => `${column} の${descending ? "降順" : "昇順"}です。`,
      sortHint:
        "列の名前を選ぶと、その列で並べ替えます。まだ読み込んでいなければ、そのときに DuckDB-Wasm（数メガバイト）を読み込みます。",
      asStored: "保存された順に表示する",
      columns: "列を選ぶ",
      some: (shown, all) => `${format.number(all)} 行のうち、最初の ${format.number(shown)} 行。`,
      all: (rows) => `全 ${format.number(rows)} 行。`,
      first: (shown) => `最初の ${format.number(shown)} 行。`,
      range: (first, last, all) =>
        `${all === null ? "" : `${format.number(all)} 行のうち、`}${format.number(first)}～${format.number(last)} 行目。`,
      previous: "前の行",
      next: "次の行",
      empty: "この表には行がありません。",
      failed: "行を読めませんでした",
      failedSays:
        "データファイルを読めませんでした。写しが途中か、ホストがこのページからの読み込みを許していないのかもしれません。時間をおいて試すか、公開元に知らせてください。エンジンの言葉：",
    },

    grid: {
      null: "NULL",
      isNull: "値なし",
      showMore: "続きの行を表示",
      showing: (shown, all) =>
        `${format.number(all)} 行のうち ${format.number(shown)} 行を表示しています。`,
      scroll: "行。横に動かせます",
      sortBy: (column) => `${column} で並べ替える`,
    },

    query: {
      heading: "SQL で調べる",
      label: "SQL",
      hint: "SQL はブラウザの中の DuckDB-Wasm で動き、書いたものがこのページの外へ出ることはありません。表の名前は次のとおりです。",
      insert: (name) => `SQL に ${name} を書き込む`,
      loadsEngine:
        "まだ読み込んでいなければ、最初の実行で DuckDB-Wasm（数メガバイト）を読み込みます。",
      run: "実行",
      cancel: "やめる",
      keys: "Ctrl + Enter で実行",
      running: "実行しています…",
      cancelled: "やめました。",
      nothing: "先に SQL を書いてください。",
      more: (rows) =>
        `最初の ${count(rows, "行")}です。続きがあります。行を絞るか、集計してください。`,
      done: (rows, seconds) =>
        `${format.number(Number(seconds.toFixed(2)))} 秒で ${count(rows, "行")}。`,
      ran: (seconds) =>
        `${format.number(Number(seconds.toFixed(2)))} 秒で終わりました。行を返さない文です。`,
      failed: "実行できませんでした",
    },

    history: {
      heading: "履歴",
      loading: "履歴を読んでいます…",
      older: "前のバージョンを表示",
      oldest: "履歴はここまでです。",
      shown: "表示中",
      noMessage: "メッセージなし",
      pastRetention: (day) => `${since(day)}保持期間を過ぎました。表はもう読めません。`,
      withdrawn: (day) =>
        `${since(day)}取り下げられました。このデータは公開してはならないものです。`,
      expiredOtherwise: (reason, day) =>
        `${since(day)}保持期間を過ぎました（${reason}）。表はもう読めません。`,
      missing: "記録の無い親です。取り下げられたか、このミラーに写されていません。",
      merge: (parents) => `${format.number(parents)} つのバージョンのマージ。`,
      trusted: "信頼する人の署名",
      trustedBy: (principal) => `${principal} の署名（信頼）`,
      untrusted: "署名はあるが、信頼できない",
      listed: "署名はあるが、リポジトリが挙げるだけの鍵",
      revoked: "失効した鍵の署名",
      unsigned: "署名なし",
      bad: "署名が合わない",
      broken: "壊れている",
      unchecked: "署名を確かめられない",
    },

    expired: {
      pastRetention: (day) =>
        `このバージョンは、${since(day)}保持期間を過ぎました。記録は残っていますが、表はもう読めません。履歴から別のバージョンを選ぶか、ブランチやタグを選んでください。`,
      otherwise: (reason, day) =>
        `このバージョンは、${since(day)}保持期間を過ぎました。ホストの挙げる理由は「${reason}」です。記録は残っていますが、表はもう読めません。履歴から別のバージョンを選ぶか、ブランチやタグを選んでください。`,
      withdrawn: (day) =>
        `このバージョンは、${since(day)}取り下げられました。このデータは、もう公開してはならないものです。新しいバージョンを使い、手元に写しがあれば消してください。`,
    },

    portal: {
      title: "FDL リーダー",
      tagline: "版を重ねるデータセットを、ブラウザで読み、確かめる",
      language: "言語",
      repository: "リポジトリ",
      demo: "このサイトのデモ",
      trusts: "このページは、サイトが挙げた署名者を信頼します。",
      trustsNobody:
        "このリポジトリはあなたが選んだものなので、このページが信頼する署名者はいません。完全性は確かめますが、保証する人はいません。",
      open: "別のリポジトリを開く",
      address: "リポジトリのアドレス",
      addressHint: "fdl.json のあるフォルダー。例：https://example.org/lake/",
      openButton: "開く",
      backToDemo: "デモに戻る",
      private:
        "このページの内容はすべて、ブラウザの中で読み、確かめています。リポジトリのホストにファイルを求めるほかは、何も送りません。見たバージョンをこのブラウザに覚えておき、代わりに古いものが出てきたときに知らせます。",
    },
  };
};
