//! How often each target is run, from which seed, and what is said of it.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::chance::Chance;

/// How often a target is run where no time is given.
const TIMES: u64 = 3000;

/// What no input may take, on a machine that is busy with other things.
const TOO_LONG: Duration = Duration::from_secs(10);

/// Runs a target: `make` makes an input by chance, and `read` says whether it is still one of its
/// kind.
///
/// # Panics
/// Where `read` panics or takes too long, or says the same of every input.
pub fn target(name: &str, make: impl Fn(&mut Chance) -> Vec<u8>, read: impl Fn(&[u8]) -> bool) {
    static IN_ALL: AtomicU64 = AtomicU64::new(0);
    let first = number("FDL_FUZZ_SEED").unwrap_or(1);
    let time = number("FDL_FUZZ_SECONDS").map(Duration::from_secs);
    let started = Instant::now();
    let (mut runs, mut still_read, mut slowest) = (0, 0, Duration::ZERO);
    while time.map_or(runs < TIMES, |time| started.elapsed() < time) {
        let seed = first + runs;
        let input = make(&mut Chance::seeded(seed));
        let start = Instant::now();
        let read = catch_unwind(AssertUnwindSafe(|| read(&input))).unwrap_or_else(|panic| {
            say(&format!("{name} panics: FDL_FUZZ_SEED={seed}, input {}", hex(&input)));
            resume_unwind(panic)
        });
        let took = start.elapsed();
        assert!(took < TOO_LONG, "{name} takes {took:?}: FDL_FUZZ_SEED={seed}, input {}", hex(&input));
        slowest = slowest.max(took);
        still_read += u64::from(read);
        runs += 1;
    }
    let in_all = IN_ALL.fetch_add(runs, Ordering::Relaxed) + runs;
    say(&format!("{name}: {runs} runs, {still_read} still read, {slowest:.0?} at most; {in_all} in all"));
    assert!(runs < TIMES || still_read > 0 && still_read < runs, "the changes are too many or too few");
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a whole number"))
}

/// Past the capture of a test's output, so that it is seen.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
