/** What rows hold that were written before their column was there: its default, cast to its type. */
import { decimalType, isWithin } from "./scalars.js";
import * as text from "./text.js";

/**
 * The text of a default, which the catalog keeps as text; `undefined` where it is not certain what the
 * cast gives.
 */
export function defaultText(type: string, initial: string | null): string | null | undefined {
  if (initial === null) return null;
  const decimal = decimalType(type);
  if (decimal) return decimalText(decimal, initial);
  switch (type) {
    case "VARCHAR":
      return initial;
    case "BOOLEAN":
      return initial === "true" || initial === "false" ? initial : undefined;
    case "DOUBLE":
      return isShortNumber(initial) ? text.double(Number(initial)) : undefined;
    case "FLOAT":
      return isShortNumber(initial) ? text.float(Math.fround(Number(initial))) : undefined;
    case "DATE":
      return isDay(initial) ? initial : undefined;
    case "TIMESTAMP":
      return isMoment(initial) ? initial : undefined;
    case "UUID":
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(initial) ? initial : undefined;
    default:
      return /^(0|-?[1-9]\d*)$/.test(initial) && isWithin(type, BigInt(initial))
        ? initial
        : undefined;
  }
}

/** Few enough digits that a number of 32 bits is rounded once. */
function isShortNumber(initial: string): boolean {
  return /^-?\d{1,9}(\.\d{1,6})?$/.test(initial) && initial.replace(/\D/g, "").length <= 9;
}

function decimalText(
  { width, scale }: { width: number; scale: number },
  initial: string,
): string | undefined {
  const [, sign, before, after = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(initial) ?? [];
  if (before === undefined || after.length > scale) return undefined;
  const unscaled = BigInt(`${before}${after.padEnd(scale, "0")}`);
  if (unscaled >= 10n ** BigInt(width)) return undefined;
  return text.decimal(sign === "-" ? -unscaled : unscaled, width, scale);
}

/** A day that is there, written as DuckDB writes it. */
function isDay(initial: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(initial)) return false;
  const milliseconds = Date.parse(`${initial}T00:00:00Z`);
  return (
    milliseconds >= Date.parse("0001-01-01") && text.date(milliseconds / 86_400_000) === initial
  );
}

function isMoment(initial: string): boolean {
  const [day = "", clock = "", ...more] = initial.split(" ");
  return (
    more.length === 0 &&
    isDay(day) &&
    /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{0,5}[1-9])?$/.test(clock)
  );
}
