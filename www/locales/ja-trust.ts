import type { trust as english } from "./en-trust.js";
import type { Formats } from "./formats.js";

/** What is said of trust, in Japanese. */
export const trust = (format: Formats): ReturnType<typeof english> => {
  const counted = (files: number) => `${format.number(files)} ファイル`;

  return {
    verdict: {
      heading: "このバージョンは信じられるか",
      integrity: "完全性",
      integrityAsks: "中身は、記録に書かれたとおりか",
      signature: "署名",
      signatureAsks: "このページが信頼する人が、記録に署名したか",

      intact: "記録のとおり",
      intactSays:
        "記録にあるファイルのうち、ここで読むものはすべて、大きさも SHA-256 も記録と一致しています。",
      intactSoFar: "ここまでは記録のとおり",
      intactSoFarSays: (files) =>
        `これまでに読んだものは記録と一致しています。${format.list(files)} はまだ読んでいません。行を表示する前に確かめます。`,
      broken: "壊れている",
      brokenSays: (files) =>
        `${format.list(files)} が、記録のとおりではありません。このバージョンの行は表示しません。`,
      uncheckedIntegrity: "確かめていない",
      uncheckedIntegritySays: (files) =>
        `${format.list(files)} は、記録と照らし合わせられませんでした。`,
      nothingRead: "まだ何も読んでいない",
      nothingReadSays:
        "記録が挙げるファイルは、まだ何も読んでいません。カタログは、行を表示する前に確かめます。",

      trusted: "信頼する人の署名がある",
      trustedSays: (principal) =>
        `このページが ${principal} のものとして信頼する鍵で、記録に署名されています。`,
      untrusted: "署名はあるが、信頼できない",
      untrustedBecause: {
        listed_key: "リポジトリの挙げる鍵だが、信頼していない",
        revoked: "署名はあるが、鍵が失効している",
        principal_not_allowed: "署名はあるが、求める人のものではない",
        not_yet_valid: "署名はあるが、鍵の期間より前",
        expired_key: "署名はあるが、鍵の期間を過ぎている",
        certificate_not_yet_valid: "署名はあるが、鍵の期間より前",
        certificate_expired: "署名はあるが、鍵の期間を過ぎている",
        wrong_namespace: "署名はあるが、別の用途のもの",
        namespace_not_allowed: "署名はあるが、別の用途のもの",
      },
      untrustedKeySays:
        "署名そのものは正しいものですが、その鍵は、このページが信頼する鍵ではありません。このような署名は誰にでも作れます。",
      unsigned: "署名が無い",
      unsignedSays: "このバージョンには署名が無く、責任を持つ人が分かりません。",
      bad: "署名が合わない",
      badSays:
        "この署名は、この記録に対するものではありません。署名のあとで記録が変えられたか、別の記録の署名です。",
      uncheckedSignature: "確かめられなかった",
      uncheckedSignatureSays:
        "署名があるかもしれませんが、確かめられませんでした。良いとも悪いとも言えません。",
      nobody: "保証する人がいない",
      nobodySays:
        "このページには信頼する署名者が与えられていないので、誰が作ったバージョンかは分かりません。",
      nobodySigned: (fingerprint) =>
        `鍵 ${fingerprint} による正しい署名がありますが、このページには信頼する署名者が与えられていないので、それが誰の鍵かは分かりません。`,
      nobodyUnsigned:
        "このバージョンには署名が無く、このページには信頼する署名者も与えられていません。",
      authorDiffers: (author, principal) =>
        `記録にある作成者は ${author} で、署名したのは ${principal} です。ほかの人が書いたものに署名することもあるので、それだけで問題とは言えません。`,

      refusedHeadline: "行は表示しません",
      refusedBroken: (files) =>
        `${format.list(files)} が壊れているので、表の中身は何もあてにできません。時間をおくか、別のミラーで試し、公開元に知らせてください。分かったことは次のとおりです。`,
      refusedBadSignature:
        "記録と署名が合いません。どちらかが変えられているので、この記録に続くものは何もあてにできません。別のミラーで試し、公開元に知らせてください。",
      refusedRevoked:
        "このバージョンに署名した鍵は失効しています。鍵を持っているのが本人とは限りません。別のバージョンを選ぶか、署名し直したものを公開元に求めてください。",
      refusedListed:
        "このページは、信頼する人が署名したバージョンの行だけを表示します。このバージョンに署名した鍵は、リポジトリ自身が挙げているものですが、その一覧は、リポジトリを配る者なら誰でも書けます。記録と説明は、裏付けの無いものとしてここに示しています。公開元がほかの場所でも同じ鍵を示しているなら、このページの管理者に、その鍵を信頼するよう頼んでください。",
      refusedSignature:
        "このページは、信頼する人が署名したバージョンの行だけを表示します。このバージョンには、その署名がありません。記録と説明は、裏付けの無いものとしてここに示しています。別のバージョンを選ぶか、署名されたものを公開元に求めてください。",
      refusedUnchecked: (files) =>
        `このページは、どのファイルも確かめられたバージョンの行だけを表示します。${format.list(files)} は確かめられませんでした。時間をおくか、別のミラーで試してください。分かったことは次のとおりです。`,

      details: "確かめたことと、確かめていないこと",
      checks: "検証の内訳",
      file: "ファイル",
      outcome: "結果",
      passed: "合格",
      failed: "不合格",
      unchecked: "確かめていない",
      absent: "無い",
      readFrom: "読んだ場所：",
      passedOver: (root, sentence) => `${root} からは読みませんでした。${sentence}`,
      servedByMirrors: (roots) =>
        `リポジトリ本来のアドレスでは得られないか壊れていたファイルを、${format.list(roots)} から読みました。読んだものは同じように記録と照らし合わせるので、ミラーを信頼する必要はありません。`,
      copyReport: "報告をコピーする",
      copied: "報告をクリップボードにコピーしました。",
      notCopied:
        "このブラウザでは、ページからコピーできません。下の報告を選んで、コピーしてください。",
      report: "報告",
      covered: "確かめた範囲",
      coveredSays: "ここまでに、次のファイルを確かめました。",
      coveredNothing: "まだ、どのファイルも確かめられていません。",
      uncovered: "確かめていない範囲",
      uncoveredRecord:
        "記録（version.json）に正しい署名がありません。ほかのファイルは記録と一致していても、記録そのものは誰にでも書けます。",
      uncoveredDescription:
        "記録は dataset.json を挙げていません。題名や説明、表と列の説明は、ホストが変えることができます。",
      uncoveredRefs:
        "HEAD、refs.json、ref には署名がありません。ホストは、かつて署名された古いバージョンを見せることも、新しいものを隠すこともできます。",
      uncoveredRepository:
        "記録には、どのリポジトリのものかが書かれていません。署名されたバージョンを、別のアドレスで見せることもできます。",
      uncoveredParents:
        "親は ID で示され、ハッシュではありません。前のバージョンには、それぞれ別の検証が要ります。",
      uncoveredData:
        "データファイル（Parquet）は、何とも照らし合わせていません。それを配る者は、中の値を変えることができます。",
      coveredData:
        "データファイルは、行を表示する前に、すべて丸ごとダウンロードし、記録された SHA-256 と照らし合わせます。違うファイルや、記録の無いファイルのある表は、表示しません。",
      uncoveredDataHashes: (files) =>
        `データファイルのうち ${counted(files)}には、SHA-256 が記録されていません。それを配る者は、中の値を変えることができます。`,
      moreFiles: (files) => `ほか ${counted(files)}`,
      uncoveredExpired:
        "expired.json には署名がありません。ホストは、保持期間を過ぎたという印を付けることも外すこともできます。",
      signer: "署名した人",
      principal: "署名者",
      noPrincipal: "このページの一覧にはありません",
      noList: "不明（このページには一覧がありません）",
      notLookedUp: "署名が数に入らないので、調べていません",
      keyType: "鍵の種類",
      fingerprint: "フィンガープリント",
      namespace: "名前空間",
      time: "判定に使った時刻",
      timeSays: {
        created: (moment) => `${moment}（記録に書かれた時刻）`,
        now: (moment) => `${moment}（このページがリポジトリを開いた時刻）`,
        given: (moment) => `${moment}（このページが指定した時刻）`,
      },
      line: "鍵のある行",
      lineSays: (line) => `信頼する署名者の ${format.number(line)} 行目`,
      author: "作成者",
      noAuthor: "記録に無い",
      authorSays: (author) => `${author}（記録に書かれたまま）`,
      listedAs: "fdl.json での扱い",
      listedAsSays: (principals) => `${principals} の鍵として挙げられている（根拠にはならない）`,
      certificate: "証明書",
      certificateSays: (id, serial) =>
        serial === null ? `「${id}」` : `「${id}」、番号 ${serial}`,
      certifiedFor: "証明書の名義",
      certifiedForNobody: "なし",
      certified: "証明書の期間",
      authority: "発行者の鍵",
      expected: "リポジトリが挙げる鍵",
      expectedSays:
        "リポジトリが fdl.json に挙げている鍵です。ミラーはこのファイルも書き換えられるので、どの鍵を探せばよいかの手がかりであって、誰を信頼するかの根拠ではありません。",
      unreadable: "この行は読めません",
    },

    trusted: {
      heading: "このページが信頼する人",
      nobody: "このページには、信頼する署名者が与えられていません。",
      none: "このページの信頼する署名者には、数に入る行が一つも無く、誰も信頼しません。",
      who: "誰",
      key: "鍵",
      what: "用途",
      when: "期間",
      authority: "認証局：この鍵が証明する鍵を、証明書にある名前について認める",
      signedThis: "このバージョンに署名",
      anything: "すべて",
      validity: (from, until) => {
        if (from === null) return until === null ? "いつでも" : `${until} まで`;
        return until === null ? `${from} から` : `${from} から ${until} まで`;
      },
      line: (line) => `${format.number(line)} 行目`,
      skipped: "読めないため、数に入らない行",
      skippedSays: (line, reason) => `${format.number(line)} 行目：${reason}`,
      asks: (principal) => `このページは、${principal} の署名を求めています。`,
      revokes:
        "このページは、失効した鍵の一覧も持っています。それらの鍵は、誰のものでも数に入りません。",
    },

    data: {
      heading: "データファイル",
      about:
        "行はデータファイル（Parquet）にあり、求められたときにだけ記録と照らし合わせます。そのために、すべてをダウンロードします。",
      aboutBeforeRows:
        "行はデータファイル（Parquet）にあります。このページは、すべてを丸ごとダウンロードし、記録と違うファイルの行は表示しません。どのファイルがどうだったかは、ここで見られます。",
      verify: "データファイルを確かめる",
      again: "もう一度確かめる",
      cancel: "やめる",
      cancelled: "やめました。データファイルについては何も言えません。",
      listing: "どのデータファイルがあるかを調べています…",
      progress: (files, filesTotal, received, total) =>
        `${format.number(filesTotal)} ファイルのうち ${format.number(files)}、${total}のうち${received}を読みました。`,
      isVerified: "データファイルは、すべて記録のとおり",
      isCompared: "違うデータファイルは無いが、ハッシュの無いものがある",
      isUnchecked: "確かめられなかったデータファイルがある",
      isNotListed: "どのデータファイルがあるか分からない",
      isBroken: "記録と違うデータファイルがある",
      isNothing: "確かめるデータファイルは無い",
      verified: (files) => `${counted(files)}を確かめました。SHA-256 が記録と一致しています。`,
      compared: (files) =>
        `${counted(files)}を比べました。SHA-256 は記録されていませんが、大きさと行数は記録と一致しています。途中で切れたものや取り違えは分かりますが、偽物は見分けられません。`,
      failed: (files) =>
        `${counted(files)}が不合格です。記録と違うか、ありません。この写しはあてにせず、公開元に知らせてください。`,
      unchecked: (files) =>
        `${counted(files)}は確かめられませんでした。時間をおいて試してください。`,
      not_available: (files) =>
        `${counted(files)}は公開されていません。このバージョンのもとになったファイルで、ホストが手元に置いているものです。問題ではありません。`,
      listedBy: {
        "files.json": (bytes) =>
          `どのファイルがあるかは、記録が挙げる files.json によります。${bytes}を読みました。`,
        catalog: (bytes) => `どのファイルがあるかは、カタログによります。${bytes}を読みました。`,
      },
      problems: "伝えることのあるファイル",
      kinds: {
        data: "データファイル",
        delete: "削除ファイル",
        source: "もとになったファイル",
      },
      outcomes: {
        failed: "不合格",
        unchecked: "確かめていない",
        not_available: "公開されていない",
      },
      more: (files) => `ほかに ${counted(files)}。`,
    },

    warnings: {
      showSeen: "前に見たバージョンを表示する",
      accept: "いまのものを受け入れる",
      accepted: "受け入れました。これからは、いまのものと比べます。",
    },
  };
};
