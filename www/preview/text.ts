/**
 * Values as text, exactly as DuckDB's `CAST(value AS VARCHAR)` writes them in the time zone UTC: the one
 * place for it. The judge is DuckDB.
 */

import { notPreviewable } from "./failures.js";
import { digitsOf } from "./float-digits.js";

const microsecond = { day: 86_400_000_000n, second: 1_000_000n, digits: 6 };
const nanosecond = { day: 86_400_000_000_000n, second: 1_000_000_000n, digits: 9 };

/** The greatest value of 64 bits, which DuckDB takes for infinity. */
const endOfTime = (1n << 63n) - 1n;
const endOfDays = 2 ** 31 - 1;

/** Whole numbers, JSON and the like are what they are. */
export const plain = String;

export function double(value: number): string {
  return floating(value, false);
}

export function float(value: number): string {
  return floating(value, true);
}

/** @throws {FdlError} `not_previewable` where DuckDB may write other digits */
function floating(value: number, isFloat: boolean): string {
  if (Number.isNaN(value)) return "nan";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (!Number.isFinite(value)) return `${sign}inf`;
  if (value === 0) return `${sign}0.0`;
  const found = digitsOf(Math.abs(value), isFloat);
  if (!found) throw notPreviewable("type", `${isFloat ? "FLOAT" : "DOUBLE"} ${String(value)}`);
  const { exponent } = found;
  const digits = found.digits.replace(/0+$/, "");
  if (exponent < -4 || exponent >= 16) {
    const places = digits.length > 1 ? `${digits[0] ?? ""}.${digits.slice(1)}` : digits;
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${places}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const before = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${before}.${digits.slice(exponent + 1) || "0"}`;
}

/** `DECIMAL(width, scale)`, from its digits. */
export function decimal(unscaled: bigint, width: number, scale: number): string {
  if (scale === 0) return String(unscaled);
  const sign = unscaled < 0n ? "-" : "";
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const before = digits.slice(0, -scale);
  // Where no digit can stand before the point, none does.
  return `${sign}${width === scale ? "" : before}.${digits.slice(-scale)}`;
}

/** Bytes: what is printable ASCII as it is, the others as `\xFF`. */
export function blob(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const isPlain = byte >= 32 && byte <= 126 && byte !== 34 && byte !== 39 && byte !== 92;
    text += isPlain
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}

export function uuid(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Days since 1970-01-01. */
export function date(days: number): string {
  if (Math.abs(days) === endOfDays) return days < 0 ? "-infinity" : "infinity";
  const { year, month, day } = civil(days);
  const [counted, suffix] = year <= 0 ? [1 - year, " (BC)"] : [year, ""];
  return `${String(counted).padStart(4, "0")}-${two(month)}-${two(day)}${suffix}`;
}

/** Microseconds since midnight. */
export function time(micros: bigint): string {
  return clock(micros, microsecond);
}

/** Microseconds since 1970-01-01, and likewise nanoseconds. */
export function timestamp(micros: bigint): string {
  return moment(micros, microsecond, "");
}

export function timestampNanos(nanos: bigint): string {
  return moment(nanos, nanosecond, "");
}

export function timestampUtc(micros: bigint): string {
  return moment(micros, microsecond, "+00");
}

export function timestampMillis(millis: bigint): string {
  return isInfinite(millis) ? timestamp(millis) : timestamp(millis * 1000n);
}

export function isInfinite(since: bigint): boolean {
  return since === endOfTime || since === -endOfTime;
}

function moment(since: bigint, unit: typeof microsecond, zone: string): string {
  if (isInfinite(since)) return since < 0n ? "-infinity" : "infinity";
  const inDay = ((since % unit.day) + unit.day) % unit.day;
  return `${date(Number((since - inDay) / unit.day))} ${clock(inDay, unit)}${zone}`;
}

function clock(inDay: bigint, { second, digits }: typeof microsecond): string {
  const seconds = Number(inDay / second);
  const fraction = String(inDay % second)
    .padStart(digits, "0")
    .replace(/0+$/, "");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const whole = `${two(hours)}:${two(minutes)}:${two(seconds % 60)}`;
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

export function interval(months: number, days: number, micros: bigint): string {
  const parts: string[] = [];
  const count = (number: number, unit: string) => {
    if (number !== 0) parts.push(`${String(number)} ${unit}${Math.abs(number) === 1 ? "" : "s"}`);
  };
  count(Math.trunc(months / 12), "year");
  count(months % 12, "month");
  count(days, "day");
  if (micros !== 0n || parts.length === 0) {
    parts.push(micros < 0n ? `-${time(-micros)}` : time(micros));
  }
  return parts.join(" ");
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** The Gregorian calendar, before it was made too; years count through 0. */
function civil(days: number): { year: number; month: number; day: number } {
  // Eras of 400 years, which begin on 1 March.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const inEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) /
      365,
  );
  const inYear =
    inEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * inYear + 2) / 153);
  const day = inYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day };
}

/** A text within a list, a struct or a map; `null` where there is none. */
export interface Within {
  text: string | null;
  /** Whether the text is that of a list, a struct or a map, which is never quoted. */
  nested: boolean;
}

export function list(elements: Within[]): string {
  return `[${elements.map(within).join(", ")}]`;
}

export function struct(members: [name: string, value: Within][]): string {
  return `{${members.map(([name, value]) => `${quoted(name)}: ${within(value)}`).join(", ")}}`;
}

export function map(entries: [key: Within, value: Within][]): string {
  return `{${entries.map(([key, value]) => `${within(key)}=${within(value)}`).join(", ")}}`;
}

/** What would read differently without quotes. */
const needsQuotes = /^$|^[ \t-\r]|[ \t-\r]$|^null$|["'(),:=[\]{}]/i;

function within({ text, nested }: Within): string {
  if (text === null) return "NULL";
  return !nested && needsQuotes.test(text) ? quoted(text) : text;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
