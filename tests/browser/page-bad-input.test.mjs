/** Each bad input in the page: its own words, in both languages, and what to do. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { judged } from "./api.mjs";
import { openSite, srcOf } from "./page.mjs";

const [expired] = judged.retention.facts.expired;
const [withdrawn] = judged.withdrawal.facts.withdrawn;
const [deleted] = judged["withdrawal-record-deleted"].facts.withdrawn;

/** The headline in each language, and what the sentence says to do. */
const inputs = [
  {
    input: "a missing repository",
    src: "/repositories/nowhere/",
    code: "not_a_repository",
    en: ["There is no repository here", /Check the address/],
    ja: ["ここにリポジトリはありません", /アドレスかどうか、確かめてください/],
  },
  {
    input: "HEAD without a version",
    src: srcOf("after-init"),
    code: "no_version",
    en: ["No version yet", /refs\/heads\/main does not exist yet.*Come back/s],
    ja: ["まだバージョンがありません", /refs\/heads\/main がまだ無く.*もう一度見るか/s],
  },
  {
    input: "a repository without HEAD",
    src: srcOf("no-head"),
    code: "no_head",
    en: ["The repository has no default ref", /Name a branch, a tag or a version ID/],
    ja: ["既定の ref がありません", /どれかを指定してください/],
  },
  {
    input: "an unknown ref",
    src: srcOf("tagged"),
    ref: "mian",
    code: "unknown_ref",
    en: ["There is no such ref", /mian.*Choose one/s],
    ja: ["その ref はありません", /mian.*選んでください/s],
  },
  {
    input: "what no ref can be called",
    src: srcOf("tagged"),
    ref: "ma..in",
    code: "invalid_ref_name",
    en: ["That is not the name of a ref", /Name a branch, a tag or a version ID/],
    ja: ["ref の名前ではありません", /どれかを指定してください/],
  },
  {
    input: "an ambiguous ref",
    src: srcOf("ambiguous-ref-name"),
    ref: "spring",
    code: "ambiguous_ref",
    en: ["That name means two refs", /Write refs\/heads\/spring or refs\/tags\/spring/],
    ja: ["その名前の ref は二つあります", /refs\/heads\/… か refs\/tags\/… の形で指定してください/],
  },
  {
    input: "a ref that holds no version ID",
    src: srcOf("malformed-ref"),
    code: "malformed_ref",
    en: ["The ref cannot be read", /refs\/heads\/main.*tell the publisher/is],
    ja: ["ref が読めません", /refs\/heads\/main.*公開元に知らせてください/s],
  },
  {
    input: "a ref that holds the ID of no version",
    src: srcOf("missing-version"),
    code: "missing_version",
    en: ["The version is not there", /choose another version/i],
    ja: ["そのバージョンはありません", /ほかのバージョンを選ぶか/],
  },
  {
    input: "an unknown major version",
    src: srcOf("unknown-major-version"),
    code: "unknown_major_version",
    en: ["A newer reader is needed", /version 1\.0 of the FDL specification/],
    ja: ["新しい fdl-reader が必要です", /1\.0.*新しい fdl-reader を使ってください/s],
  },
  {
    input: "a version past retention",
    src: srcOf("retention"),
    ref: expired,
    code: "past_retention",
    en: ["Past retention", /Choose a/],
    ja: ["保持期間を過ぎています", /選んでください/],
  },
  {
    input: "a withdrawn version",
    src: srcOf("withdrawal"),
    ref: withdrawn,
    code: "withdrawn",
    en: ["Withdrawn", /Use a newer version/],
    ja: ["取り下げられました", /新しいバージョンを使い/],
  },
  {
    input: "a withdrawn version whose record is deleted",
    src: srcOf("withdrawal-record-deleted"),
    ref: deleted,
    code: "missing_version",
    en: ["The version is not there", /withdrawn/],
    ja: ["そのバージョンはありません", /取り下げられたか/],
  },
  {
    input: "HTML instead of JSON",
    src: srcOf("html-instead-of-json"),
    code: "html_instead",
    en: ["A web page came instead of the file", /version\.json.*check the address/s],
    ja: ["ファイルの代わりに Web ページが返りました", /version\.json.*確かめてください/s],
  },
  {
    input: "invalid UTF-8",
    src: srcOf("invalid-utf8-record"),
    code: "invalid_utf8",
    en: ["A file is broken", /version\.json is not UTF-8.*tell the publisher/is],
    ja: ["ファイルが壊れています", /version\.json は UTF-8 .*公開元に知らせてください/s],
  },
  {
    input: "truncated JSON",
    src: srcOf("truncated-json"),
    code: "truncated_json",
    en: ["A file is broken", /version\.json ends in the middle.*try again/is],
    ja: ["ファイルが壊れています", /version\.json は途中で終わっています.*もう一度/s],
  },
  {
    input: "a record whose id is not its folder's",
    src: srcOf("record-id-not-its-folder"),
    code: "id_mismatch",
    en: ["The record belongs to another version", /version\.json.*tell the publisher/is],
    ja: ["別のバージョンの記録です", /version\.json.*公開元に知らせてください/s],
  },
  {
    input: "a catalog path with ..",
    src: srcOf("catalog-path-dotdot"),
    code: "unsafe_path",
    en: ["A path was refused", /\.\.\/.*tell the publisher/is],
    ja: ["パスを断りました", /\.\.\/.*公開元に知らせてください/s],
  },
  {
    input: "what is no address",
    src: "javascript:alert(1)",
    code: "invalid_url",
    en: ["That is not an address", /javascript:alert\(1\)/],
    ja: ["アドレスではありません", /https:\/\/ から始まるアドレスを指定してください/],
  },
];

let site;
before(async () => (site = await openSite()));
afterEach(() => site.leave());
after(() => site.close());

/** What each input was told, by its code: no two codes may share their words. */
const told = new Map();

for (const { input, src, ref, code, ...words } of inputs) {
  test(`${input} is told in English and in Japanese`, async () => {
    const page = await site.portal({ src, ...(ref ? { ref } : {}), lang: "en" }, { locale: "en" });
    for (const [button, language] of [
      ["English", "en"],
      ["日本語", "ja"],
    ]) {
      await page.locator("header button", { hasText: button }).click();
      await page.locator(`fdl-viewer:lang(${language}) .main .notice`).waitFor();
      const notice = page.locator("fdl-viewer .main .notice");
      const headline = await notice.locator(".headline").innerText();
      const sentence = await notice.locator(".sentence").innerText();
      const [expected, tells] = words[language];
      assert.equal(headline, expected);
      assert.match(sentence, tells);
      assert.doesNotMatch(`${headline} ${sentence}`, /[a-z]_[a-z]/, "codes are for programs");
      assert.equal(/[ぁ-ん]/.test(sentence), language === "ja");
      distinct(`${language} ${code}`, `${headline}\n${sentence}`);
    }
    assert.equal(await page.locator("fdl-rows, fdl-grid, fdl-query").count(), 0);
    await narrow(page);
  });
}

/** The same words without what differs anyway. */
function distinct(code, words) {
  const bare = words.replace(/https?:[^\s」)）]+/g, "…").replace(/[0-9a-f]{8}-[0-9a-f-]+/g, "…");
  for (const [other, said] of told) if (other !== code) assert.notEqual(bare, said, other);
  told.set(code, bare);
}

/** Nothing is wider than a small telephone. */
async function narrow(page) {
  await page.setViewportSize({ width: 360, height: 640 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
}
