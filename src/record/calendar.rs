//! Days of the calendar and moments in them, as RFC 3339 and ISO 8601 write them.
//!
//! The tests hold this against the crate `time`, which does the same and much more, and would be a
//! twenty-fifth of the wasm.

const SECONDS_A_DAY: i64 = 24 * 60 * 60;

/// Years have four digits.
const YEARS: i64 = 10_000;

/// Seconds since 1970 in UTC; `None` where there is no such day or no such time of the day.
pub(crate) fn seconds(date: [i64; 3], [hour, minute, second]: [i64; 3]) -> Option<i64> {
    let of_the_day =
        (hour < 24 && minute < 60 && second < 60).then_some((hour * 60 + minute) * 60 + second)?;
    Some(day(date)? * SECONDS_A_DAY + of_the_day)
}

/// A moment as RFC 3339 writes it, in seconds since 1970. A leap second is the second before it.
pub(super) fn read_rfc_3339(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let (moment, rest) = bytes.split_at_checked(19)?;
    // The RFC leaves open what stands between the date and the time.
    if [moment[4], moment[7], moment[13], moment[16]] != *b"--::" {
        return None;
    }
    let number = |from: usize| number(&moment[from..from + 2]);
    let date = [number(0)? * 100 + number(2)?, number(5)?, number(8)?];
    let second = number(17)?;
    let local = seconds(date, [number(11)?, number(14)?, if second == 60 { 59 } else { second }])?;
    let zone = match rest.strip_prefix(b".") {
        Some(fraction) => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            &fraction[(digits > 0).then_some(digits)?..]
        }
        None => rest,
    };
    let moment = local - offset(zone)?;
    // There are leap seconds at the end of a month alone.
    let (last_day, last_second) = (moment.div_euclid(SECONDS_A_DAY), moment.rem_euclid(SECONDS_A_DAY));
    if second == 60 && (last_second != SECONDS_A_DAY - 1 || date_of(last_day + 1)[2] != 1) {
        return None;
    }
    Some(moment)
}

/// How many seconds a zone is ahead of UTC.
fn offset(zone: &[u8]) -> Option<i64> {
    match *zone {
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), a, b, b':', c, d] => {
            let (hour, minute) = (number(&[a, b])?, number(&[c, d])?);
            let ahead = (hour < 24 && minute < 60).then_some((hour * 60 + minute) * 60)?;
            Some(if sign == b'+' { ahead } else { -ahead })
        }
        _ => None,
    }
}

/// The moment so many seconds after 1970; `None` where it is beyond the year 9999.
pub(super) fn write_rfc_3339(unix: u64) -> Option<String> {
    let unix = i64::try_from(unix).ok()?;
    let [year, month, day] = date_of(unix / SECONDS_A_DAY);
    let (hour, minute, second) = (unix / 3600 % 24, unix / 60 % 60, unix % 60);
    (year < YEARS).then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// Whether this is a date as ISO 8601 writes it: a day of a month, of a week or of a year, with or
/// without dashes.
pub(super) fn is_iso_8601_date(text: &str) -> bool {
    let read = || {
        let (year, rest) = text.as_bytes().split_at_checked(4)?;
        let year = number(year)?;
        let (dashes, rest) = match rest.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        match (dashes, rest) {
            (_, [_, _, _]) => {
                let in_year = 1..=day([year + 1, 1, 1])? - day([year, 1, 1])?;
                in_year.contains(&number(rest)?).then_some(())
            }
            (true, [b'W', a, b, b'-', c]) | (false, [b'W', a, b, c]) => {
                let (week, weekday) = (number(&[*a, *b])?, number(&[*c])?);
                let begins = first_monday(year)? + (week - 1) * 7;
                let is_there = week > 0 && begins < first_monday(year + 1)? && (1..=7).contains(&weekday);
                (is_there && date_of(begins + weekday - 1)[0] < YEARS).then_some(())
            }
            (true, [a, b, b'-', c, d]) | (false, [a, b, c, d]) => {
                day([year, number(&[*a, *b])?, number(&[*c, *d])?]).map(drop)
            }
            _ => None,
        }
    };
    read().is_some()
}

/// The day on which the first week of a year begins: the one that has its fourth day.
fn first_monday(year: i64) -> Option<i64> {
    let fourth = day([year, 1, 4])?;
    Some(fourth - (fourth + 3).rem_euclid(7))
}

/// A number of nothing but digits.
pub(crate) fn number(digits: &[u8]) -> Option<i64> {
    let mut number = 0;
    for digit in digits {
        number = number * 10 + i64::from(digit.is_ascii_digit().then(|| digit - b'0')?);
    }
    Some(number)
}

/// A day by its distance from 1970-01-01; `None` where the calendar has no such day.
fn day([year, month, day]: [i64; 3]) -> Option<i64> {
    let days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    // Years that begin in March have the leap day at their end.
    let (year, from_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    (1..=days).contains(&day).then_some(before + (from_march * 153 + 2) / 5 + day - 1 - 719_468)
}

/// The date of a day.
fn date_of(day: i64) -> [i64; 3] {
    // Counted from a 1st of March on, after which everything comes again in 400 years.
    let (period, day) = ((day + 719_468).div_euclid(146_097), (day + 719_468).rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (year * 365 + year / 4 - year / 100);
    let from_march = (of_year * 5 + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = period * 400 + year + i64::from(month < 3);
    [year, month, of_year - (from_march * 153 + 2) / 5 + 1]
}

#[cfg(test)]
mod tests {
    use time::format_description::well_known::{Iso8601, Rfc3339};
    use time::{Date, OffsetDateTime};

    use super::*;

    /// xorshift64*
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end
        }

        fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
            all[self.below(all.len() as u64) as usize]
        }

        /// Some of it, changed in a place or two every now and then.
        fn changed(&mut self, text: String) -> String {
            let mut text = text.into_bytes();
            for _ in 0..self.one_of(&[0, 0, 0, 0, 1, 1, 2]) {
                let place = self.below(text.len() as u64) as usize;
                match self.below(3) {
                    0 => text[place] = self.one_of(b"0123456789-+:.TZtzW \n"),
                    1 => text.insert(place, self.one_of(b"0123456789-+:.Z")),
                    _ => drop(text.remove(place)),
                }
            }
            String::from_utf8(text).unwrap()
        }

        fn year(&mut self) -> u64 {
            match self.below(3) {
                0 => self.below(10_000),
                1 => self.one_of(&[0, 1, 1900, 1970, 1999, 2000, 2024, 2100, 9998, 9999]),
                _ => 1960 + self.below(100),
            }
        }
    }

    #[test]
    fn rfc_3339_is_read_as_the_crate_time_reads_it() {
        let mut random = Random(1);
        let mut read = 0;
        for _ in 0..2_000_000 {
            let (year, month, day) =
                (random.year(), 1 + random.below(12), random.one_of(&[1, 15, 28, 29, 30, 31]));
            let month = random.one_of(&[month, month, month, 2, 0, 13]);
            let hour = random.one_of(&[0, 9, 12, 22, 23, 23, 24]);
            let (minute, second) =
                (random.one_of(&[0, 30, 59, 59, 60]), random.one_of(&[0, 1, 59, 60, 60, 61]));
            let fraction = random.one_of(&["", "", ".5", ".000000001", ".12345678901234567890", "."]);
            let zone = random.one_of(&[
                "Z", "Z", "z", "+00:00", "-00:00", "+09:00", "-01:00", "+23:59", "-24:00", "+05:60", "",
            ]);
            let written =
                format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}{zone}");
            let text = random.changed(written);
            let expected = OffsetDateTime::parse(&text, &Rfc3339).ok().map(OffsetDateTime::unix_timestamp);
            assert_eq!(read_rfc_3339(&text), expected, "{text:?}");
            read += usize::from(expected.is_some());
        }
        assert!(read > 100_000, "{read}");
        for text in ["", "2026-10-15T09:00:00\u{661}", "2026-10-15\u{e9}9:00:00Z", "２026-10-15T09:00:00Z"] {
            assert_eq!(read_rfc_3339(text), None, "{text}");
            assert!(OffsetDateTime::parse(text, &Rfc3339).is_err());
        }
    }

    #[test]
    fn rfc_3339_is_written_as_the_crate_time_writes_it() {
        let mut random = Random(1);
        let last = 253_402_300_799; // 9999-12-31T23:59:59Z
        let edges = [0, 1, 951_782_399, 951_782_400, last, last + 1, i64::MAX as u64, u64::MAX];
        for unix in edges.into_iter().chain((0..200_000).map(|_| random.below(1 << 31) * 118)) {
            let moment =
                i64::try_from(unix).ok().and_then(|unix| OffsetDateTime::from_unix_timestamp(unix).ok());
            assert_eq!(write_rfc_3339(unix), moment.map(|moment| moment.format(&Rfc3339).unwrap()), "{unix}");
        }
    }

    #[test]
    fn an_iso_8601_date_is_one_for_the_crate_time_too() {
        let mut random = Random(1);
        let mut dates = 0;
        for _ in 0..500_000 {
            let (year, week) = (random.year(), random.one_of(&[0, 1, 2, 26, 51, 52, 53, 54]));
            let (month, day) = (random.below(14), random.one_of(&[0, 1, 28, 29, 30, 31, 32]));
            let (weekday, ordinal) = (random.below(9), random.one_of(&[0, 1, 59, 60, 365, 366, 367]));
            let written = match random.below(6) {
                0 => format!("{year:04}-{month:02}-{day:02}"),
                1 => format!("{year:04}{month:02}{day:02}"),
                2 => format!("{year:04}-W{week:02}-{weekday}"),
                3 => format!("{year:04}W{week:02}{weekday}"),
                4 => format!("{year:04}-{ordinal:03}"),
                _ => format!("{year:04}{ordinal:03}"),
            };
            let text = random.changed(written);
            let expected = Date::parse(&text, &Iso8601::DATE).is_ok();
            // `time` takes one with a time of the day behind it, or with a year of six digits, too.
            if is_iso_8601_date(&text) != expected {
                let has_more = text.len() > 10 || text.contains('T') || text.starts_with(['+', '-']);
                assert!(expected && has_more, "{text:?}");
            }
            dates += usize::from(expected);
        }
        assert!(dates > 100_000, "{dates}");
    }
}
