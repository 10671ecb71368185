/** Whether the version in one text, such as `duckdb-v1.6.0`, is newer than that in another, `v1.5.1`. */
export function isNewer(one: string, other: string): boolean {
  const numbers = (text: string) => /v(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [];
  const [wanted, had] = [numbers(one), numbers(other)];
  const differs = wanted.findIndex((number, index) => number !== had[index]);
  return differs >= 0 && (wanted[differs] ?? 0) > (had[differs] ?? 0);
}
