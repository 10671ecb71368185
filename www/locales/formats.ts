/** Numbers, dates and lists as a language writes them, by Intl. */
export interface Formats {
  /** The language tag asked for, such as `en-GB`. */
  tag: string;
  number: (value: number) => string;
  /** A size in the unit that suits it. */
  bytes: (value: number) => string;
  /** The day of an RFC 3339 time, in UTC. A text that is no time is given back as it is. */
  day: (time: string) => string;
  /** The same with hour and minute, and "UTC" said. */
  moment: (time: string) => string;
  list: (items: string[]) => string;
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function formatsFor(tag: string): Formats {
  const number = new Intl.NumberFormat(tag);
  const list = new Intl.ListFormat(tag, { type: "conjunction" });
  // Records are written in UTC, and two visitors who compare a time should see the same one.
  const day = new Intl.DateTimeFormat(tag, {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
  const moment = new Intl.DateTimeFormat(tag, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
    timeZoneName: "short",
  });
  const write = (format: Intl.DateTimeFormat, time: string) => {
    const date = new Date(time);
    return Number.isNaN(date.getTime()) ? time : format.format(date);
  };
  return {
    tag,
    number: (value) => number.format(value),
    bytes: (value) => {
      const power = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), units.length - 1);
      return new Intl.NumberFormat(tag, {
        style: "unit",
        unit: units[power] ?? "byte",
        unitDisplay: power === 0 ? "long" : "short",
        maximumSignificantDigits: 3,
      }).format(value / 1000 ** power);
    },
    day: (time) => write(day, time),
    moment: (time) => write(moment, time),
    list: (items) => list.format(items),
  };
}
