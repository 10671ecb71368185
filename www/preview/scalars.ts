/** From a stored value to its text, for each type and each way in which Parquet holds it. */
import type { SchemaElement } from "hyparquet";
import type { Raw } from "./pages.js";
import * as text from "./text.js";

/** The text of a stored value that is not NULL. It throws where the value cannot be one of the type. */
export type ToText = (raw: Raw) => string;

/**
 * How a value of a type, in DuckDB's words, is shown that a file holds in this way; `undefined` where
 * that is not certain.
 */
export function scalar(type: string, element: SchemaElement): ToText | undefined {
  const whole = integers[type];
  if (whole) return integer(whole, element);
  const decimal = decimalType(type);
  if (decimal) return decimals(decimal, element);
  return types[type]?.(element);
}

/** Whether a type's text is certain, however a file may hold it. */
export function isKnown(type: string): boolean {
  return type in integers || type in types || decimalType(type) !== undefined;
}

interface Range {
  bits: number;
  signed: boolean;
}

const integers: Record<string, Range> = {
  TINYINT: { bits: 8, signed: true },
  SMALLINT: { bits: 16, signed: true },
  INTEGER: { bits: 32, signed: true },
  BIGINT: { bits: 64, signed: true },
  UTINYINT: { bits: 8, signed: false },
  USMALLINT: { bits: 16, signed: false },
  UINTEGER: { bits: 32, signed: false },
  UBIGINT: { bits: 64, signed: false },
};

/** Whether a whole number is one of the type. */
export function isWithin(type: string, value: bigint): boolean {
  const range = integers[type];
  return range !== undefined && fits(range, value);
}

function fits({ bits, signed }: Range, value: bigint): boolean {
  return (signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) === value;
}

/** A column that was promoted is shown as the wider type, of which every former value is one. */
function integer(range: Range, element: SchemaElement): ToText | undefined {
  const [, sign = "", size] = /^(U?)INT_(\d+)$/.exec(element.converted_type ?? "") ?? [];
  const physical = { INT32: 32, INT64: 64 }[element.type as string];
  if (physical === undefined) return undefined;
  if (size === undefined && (element.converted_type ?? element.logical_type)) return undefined;
  const stored = { bits: size === undefined ? physical : Number(size), signed: sign === "" };
  const widens =
    stored.signed === range.signed ? stored.bits <= range.bits : stored.bits < range.bits;
  if (!widens || (stored.signed && !range.signed)) return undefined;
  return (raw) => {
    const value = BigInt(numeric(raw));
    const meant = stored.signed ? value : BigInt.asUintN(physical, value);
    if (!fits(stored, meant)) throw new Error("a number is out of its range");
    return text.plain(meant);
  };
}

/** The width and the scale of `DECIMAL(width,scale)`. */
export function decimalType(type: string): { width: number; scale: number } | undefined {
  const [, width, scale] = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(type) ?? [];
  return width === undefined ? undefined : { width: Number(width), scale: Number(scale) };
}

function decimals(
  { width, scale }: { width: number; scale: number },
  { type, converted_type, scale: stored = 0, precision = 0 }: SchemaElement,
): ToText | undefined {
  if (converted_type !== "DECIMAL" || stored !== scale || precision > width) return undefined;
  const most = 10n ** BigInt(width);
  const shown = (value: bigint) => {
    if (value <= -most || value >= most) throw new Error("a number is out of its range");
    return text.decimal(value, width, scale);
  };
  switch (type) {
    case "INT32":
    case "INT64":
      return (raw) => shown(BigInt(numeric(raw)));
    case "FIXED_LEN_BYTE_ARRAY":
      return (raw) => shown(bigEndian(bytes(raw)));
    default:
      return undefined;
  }
}

type Shown = (element: SchemaElement) => ToText | undefined;

const types: Record<string, Shown> = {
  BOOLEAN: ({ type }) =>
    type === "BOOLEAN" ? (raw) => (raw === true ? "true" : "false") : undefined,
  FLOAT: ({ type }) => (type === "FLOAT" ? (raw) => text.float(Number(raw)) : undefined),
  DOUBLE: ({ type }) =>
    type === "DOUBLE" || type === "FLOAT" ? (raw) => text.double(Number(raw)) : undefined,
  // DuckLake stores them so.
  HUGEINT: ({ type }) => (type === "DOUBLE" ? huge : undefined),
  VARCHAR: ({ converted_type }) => (converted_type === "UTF8" ? utf8 : undefined),
  JSON: ({ converted_type }) =>
    converted_type === "JSON" || converted_type === "UTF8" ? utf8 : undefined,
  BLOB: (element) =>
    element.type === "BYTE_ARRAY" && isBare(element) ? (raw) => text.blob(bytes(raw)) : undefined,
  UUID: ({ type, type_length, logical_type }) =>
    type === "FIXED_LEN_BYTE_ARRAY" && type_length === 16 && logical_type?.type === "UUID"
      ? (raw) => text.uuid(bytes(raw))
      : undefined,
  DATE: ({ type, converted_type }) =>
    type === "INT32" && converted_type === "DATE" ? (raw) => text.date(Number(raw)) : undefined,
  TIME: ({ logical_type: logical }) =>
    logical?.type === "TIME" && logical.unit === "MICROS" && !logical.isAdjustedToUTC
      ? (raw) => text.time(inDay(numeric(raw)))
      : undefined,
  TIMESTAMP: moments("MICROS", false, (micros) => text.timestamp(micros)),
  // DuckLake stores them so.
  TIMESTAMP_S: moments("MICROS", false, (micros) => {
    if (micros % 1_000_000n !== 0n && !text.isInfinite(micros)) {
      throw new Error("a time has more than seconds");
    }
    return text.timestamp(micros);
  }),
  TIMESTAMP_MS: moments("MILLIS", false, (millis) => text.timestampMillis(millis)),
  TIMESTAMP_NS: moments("NANOS", false, (nanos) => text.timestampNanos(nanos)),
  "TIMESTAMP WITH TIME ZONE": moments("MICROS", true, (micros) => text.timestampUtc(micros)),
  INTERVAL: ({ type, type_length, converted_type }) =>
    type === "FIXED_LEN_BYTE_ARRAY" && type_length === 12 && converted_type === "INTERVAL"
      ? interval
      : undefined,
};

function moments(unit: string, utc: boolean, shown: (since: bigint) => string): Shown {
  return ({ type, logical_type: logical }) =>
    type === "INT64" &&
    logical?.type === "TIMESTAMP" &&
    logical.unit === unit &&
    logical.isAdjustedToUTC === utc
      ? (raw) => shown(BigInt(numeric(raw)))
      : undefined;
}

function isBare({ converted_type, logical_type }: SchemaElement): boolean {
  return converted_type === undefined && logical_type === undefined;
}

function inDay(micros: number | bigint): bigint {
  const value = BigInt(micros);
  if (value < 0n || value > 86_400_000_000n) throw new Error("a time is out of its day");
  return value;
}

function huge(raw: Raw): string {
  const value = Number(raw);
  if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 127) {
    throw new Error("a number is out of its range");
  }
  return text.plain(BigInt(value));
}

/** Months, days and milliseconds. */
function interval(raw: Raw): string {
  const found = bytes(raw);
  const view = new DataView(found.buffer, found.byteOffset, found.length);
  const micros = BigInt(view.getUint32(8, true)) * 1000n;
  return text.interval(view.getInt32(0, true), view.getInt32(4, true), micros);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function utf8(raw: Raw): string {
  return decoder.decode(bytes(raw));
}

function numeric(raw: Raw): number | bigint {
  if (typeof raw === "number" || typeof raw === "bigint") return raw;
  throw new Error("a number is none");
}

function bytes(raw: Raw): Uint8Array {
  if (raw instanceof Uint8Array) return raw;
  throw new Error("bytes are none");
}

function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}
