/** What a past-retention mark says, in words. */
import type { Locale } from "../locales/index.js";
import type { Expired } from "../reader/types.js";

/** The short form that a list has room for. */
export function expiredInShort(expired: Expired, { text: { history }, day }: Locale): string {
  const since = expired.expired_at === null ? null : day(expired.expired_at);
  switch (expired.reason) {
    case "withdrawn":
      return history.withdrawn(since);
    case "retention":
    case null:
      return history.pastRetention(since);
    default:
      return history.expiredOtherwise(expired.reason, since);
  }
}

/** The whole of it, with what to do. */
export function expiredInFull(expired: Expired, { text, day }: Locale): string {
  const since = expired.expired_at === null ? null : day(expired.expired_at);
  switch (expired.reason) {
    case "withdrawn":
      return text.expired.withdrawn(since);
    case "retention":
    case null:
      return text.expired.pastRetention(since);
    default:
      return text.expired.otherwise(expired.reason, since);
  }
}
