/**
 * The digits with which DuckDB writes FLOAT and DOUBLE.
 *
 * It uses Grisu3 (F. Loitsch, "Printing Floating-Point Numbers Quickly and Accurately with Integers"),
 * which finds the shortest digits or finds that it cannot; what it then falls back on takes a FLOAT for
 * a DOUBLE and writes some powers of two wrong. So that no text differs, it has to be known here when
 * it does.
 */

/** `0.d₁d₂…` times ten to the power of `exponent + 1`: the exponent is that of the first digit. */
export interface Digits {
  digits: string;
  exponent: number;
}

/** A number as `significand × 2^exponent`. */
interface Binary {
  significand: bigint;
  exponent: number;
}

const bits64 = 64;
const implicitBit = 1n << 52n;

/**
 * The digits of a positive number; `undefined` where DuckDB may write others.
 *
 * @param isFloat whether the column is a FLOAT: the digits need only tell it from its neighbours there
 */
export function digitsOf(value: number, isFloat: boolean): Digits | undefined {
  const binary = taken(value);
  const found = grisu(binary, isFloat);
  if (found.digits !== null) return { digits: found.digits, exponent: found.exponent };
  if (binary.significand === implicitBit) return undefined;
  const shortest = shortestDouble(value);
  // It begins at the exponent that it had come to, and would write a zero in front.
  return shortest.exponent === found.exponent ? shortest : undefined;
}

function shortestDouble(value: number): Digits {
  const [mantissa = "", power = ""] = value.toExponential().split("e");
  return { digits: mantissa.replace(".", ""), exponent: Number(power) };
}

function taken(value: number): Binary {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & (implicitBit - 1n);
  const biased = Number((bits >> 52n) & 0x7ffn);
  return biased === 0
    ? { significand: fraction, exponent: -1074 }
    : { significand: fraction | implicitBit, exponent: biased - 1075 };
}

/** Shifted so that the significand has 64 bits. */
function normalized({ significand, exponent }: Binary): Binary {
  const shift = bits64 - significand.toString(2).length;
  return { significand: significand << BigInt(shift), exponent: exponent - shift };
}

/** The middles between a number and its neighbours, with one exponent. */
function boundaries({ significand, exponent }: Binary, isFloat: boolean) {
  const smallest = isFloat ? -178 : -1074;
  // In units of a quarter of the significand's last place.
  let half = isFloat ? 1n << 30n : 2n;
  if (exponent < smallest) half <<= BigInt(smallest - exponent);
  const nearer = significand === implicitBit && exponent > smallest;
  const four = significand << 2n;
  const upper = normalized({ significand: four + half, exponent: exponent - 2 });
  const shift = BigInt(exponent - 2 - upper.exponent);
  return { upper, lower: (four - (nearer ? half >> 1n : half)) << shift };
}

/** The product of two numbers of 64 bits, without its lower 64 bits, rounded. */
function product(one: bigint, other: bigint): bigint {
  return (one * other + (1n << 63n)) >> 64n;
}

/** A power of ten with 64 bits that brings a number into reach: 10^(-348 + 8 n). */
function powerFor(exponent: number): Binary & { ten: number } {
  const wanted = BigInt(-60 - exponent - 1); // the least exponent that it may have, and 63
  const ceiling = Number((wanted * 0x4d104d42n + 0xffffffffn) >> 32n);
  const ten = -348 + (Math.floor((ceiling + 347) / 8) + 1) * 8;
  let known = powers.get(ten);
  if (!known) powers.set(ten, (known = power(ten)));
  return { ...known, ten };
}

const powers = new Map<number, Binary>();

function power(ten: number): Binary {
  const size = 10n ** BigInt(Math.abs(ten));
  // Enough bits that rounding to 64 of them is right.
  const exponent = -1300;
  const wide = ten < 0 ? (1n << 1300n) / size : size << 1300n;
  const shift = wide.toString(2).length - bits64;
  const significand = (wide + (1n << BigInt(shift - 1))) >> BigInt(shift);
  return { significand, exponent: exponent + shift };
}

/** The shortest digits, or `null` for them where the algorithm cannot tell; the exponent is right or near. */
function grisu(value: Binary, isFloat: boolean): { digits: string | null; exponent: number } {
  const { upper, lower } = boundaries(value, isFloat);
  const normal = normalized(value);
  const cached = powerFor(normal.exponent);
  const scaled = product(normal.significand, cached.significand);
  // The scaled numbers are off by one at most: outside of these two lies what is surely another number.
  const high = product(upper.significand, cached.significand) + 1n;
  const low = product(lower, cached.significand) - 1n;
  const one = BigInt(-(normal.exponent + cached.exponent + bits64));

  const whole = String(high >> one);
  let rest = high & ((1n << one) - 1n);
  let exponent = whole.length - 1;
  const first = exponent - cached.ten;
  let unit = 1n;
  let digits = "";
  for (;;) {
    let remainder: bigint;
    let place: bigint;
    if (exponent >= 0) {
      digits += whole[digits.length] ?? "";
      place = (10n ** BigInt(exponent)) << one;
      remainder = high & ((1n << one) - 1n);
      remainder += BigInt(whole.slice(digits.length) || "0") << one;
    } else {
      rest *= 10n;
      unit *= 10n;
      digits += String(rest >> one);
      rest &= (1n << one) - 1n;
      place = 1n << one;
      remainder = rest;
    }
    const range = (high - low) * unit;
    if (remainder < range) {
      return {
        digits: weeded(digits, high - scaled, range, place, remainder, unit),
        exponent: first,
      };
    }
    exponent--;
  }
}

/**
 * Counts the last digit down as long as that comes nearer to the number; `null` where the error of one
 * unit leaves open how far, or whether the digits are still those of the number.
 */
function weeded(
  digits: string,
  distance: bigint,
  range: bigint,
  place: bigint,
  remainder: bigint,
  unit: bigint,
): string | null {
  const nearer = (target: bigint, strictly: boolean) => {
    if (remainder >= target || range - remainder < place) return false;
    const next = remainder + place;
    const gain = target - remainder - (next - target);
    return next < target || (strictly ? gain > 0n : gain >= 0n);
  };
  let last = Number(digits[digits.length - 1]);
  while (nearer((distance - 1n) * unit, false)) {
    last--;
    remainder += place;
  }
  if (nearer((distance + 1n) * unit, true)) return null;
  if (remainder < 2n * unit || remainder > range - 4n * unit) return null;
  return digits.slice(0, -1) + String(last);
}
