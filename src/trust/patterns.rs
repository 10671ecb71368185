//! Pattern lists: comma-separated patterns with `*`, `?` and `!`.
//!
//! Source: ssh_config(5), "PATTERNS"; OpenSSH's match.c.

use std::fmt;

use serde::Serialize;

/// OpenSSH matches no list that has a pattern of this length or a longer one.
const TOO_LONG: usize = 1023;

/// A list of patterns, kept as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PatternList(String);

impl PatternList {
    /// A list as it is written: comma-separated.
    pub fn new(text: String) -> PatternList {
        PatternList(text)
    }

    /// Whether the list admits `text`: some pattern matches, and no negated one does. A negated
    /// pattern never admits by itself.
    pub fn admits(&self, text: &str) -> bool {
        self.admits_bytes(text.as_bytes())
    }

    fn admits_bytes(&self, text: &[u8]) -> bool {
        let mut admitted = false;
        for (pattern, negated) in self.patterns() {
            if pattern.len() >= TOO_LONG {
                return false;
            }
            if matches(pattern, text, |pattern, byte| pattern == b'?' || pattern == byte) {
                if negated {
                    return false;
                }
                admitted = true;
            }
        }
        admitted
    }

    /// Whether there is anyone whom the list admits: an example is looked for, and where patterns are
    /// so tangled that none is found, it admits nobody.
    pub fn can_admit(&self) -> bool {
        self.patterns().any(|(pattern, negated)| !negated && self.admits_one_of(pattern))
    }

    /// Whether the list admits someone whom `demanded` admits, and that for certain: a name, or a
    /// pattern that `demanded` wholly takes in.
    pub(super) fn is_within(&self, demanded: &PatternList) -> bool {
        if !demanded.0.contains(['*', '?', '!', ',']) {
            return self.admits(&demanded.0);
        }
        let takes_in = |pattern: &[u8]| match is_name(pattern) {
            true => demanded.admits_bytes(pattern),
            false => {
                demanded.patterns().all(|(wide, negated)| !negated && wide.len() < TOO_LONG)
                    && demanded.patterns().any(|(wide, _)| covers(wide, pattern))
            }
        };
        self.patterns().any(|(pattern, negated)| !negated && takes_in(pattern) && self.admits_one_of(pattern))
    }

    /// Whether the list admits one of the names that a pattern of its own stands for: in place of
    /// `?`, a byte that the list has nowhere, and in place of `*` none of it, one, or many.
    fn admits_one_of(&self, pattern: &[u8]) -> bool {
        let new = (b'!'..0x7f).find(|byte| !self.0.as_bytes().contains(byte)).unwrap_or(1);
        [0, 1, 64].into_iter().any(|times| {
            let name: Vec<u8> = pattern
                .iter()
                .flat_map(|&byte| match byte {
                    b'*' => std::iter::repeat_n(new, times),
                    b'?' => std::iter::repeat_n(new, 1),
                    _ => std::iter::repeat_n(byte, 1),
                })
                .collect();
            !name.is_empty() && self.admits_bytes(&name)
        })
    }

    /// Each pattern, and whether it is negated.
    fn patterns(&self) -> impl Iterator<Item = (&[u8], bool)> {
        self.0.split(',').map(|pattern| match pattern.strip_prefix('!') {
            Some(negated) => (negated.as_bytes(), true),
            None => (pattern.as_bytes(), false),
        })
    }
}

fn is_name(pattern: &[u8]) -> bool {
    !pattern.contains(&b'*') && !pattern.contains(&b'?')
}

/// Whether all that `narrow` matches is matched by `wide` too.
fn covers(wide: &[u8], narrow: &[u8]) -> bool {
    matches(wide, narrow, |wide, narrow| wide == narrow || (wide == b'?' && narrow != b'*'))
}

impl fmt::Display for PatternList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One pattern against one text, both as bytes, in time linear in their product: on a mismatch
/// only the last `*` is tried again, which is enough. `fits` compares what is no `*`.
fn matches(pattern: &[u8], text: &[u8], fits: impl Fn(u8, u8) -> bool) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut last_star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                last_star = Some((p, t));
                p += 1;
            }
            Some(&byte) if fits(byte, text[t]) => {
                p += 1;
                t += 1;
            }
            _ => match &mut last_star {
                Some((star, from)) => {
                    *from += 1;
                    (p, t) = (*star + 1, *from);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(list: &str, text: &str) -> bool {
        PatternList::new(list.into()).admits(text)
    }

    #[test]
    fn patterns_match_as_in_ssh_config() {
        assert!(admits("alice@example.org", "alice@example.org"));
        assert!(!admits("alice@example.org", "Alice@example.org"), "case counts");
        assert!(admits("*@example.org", "bob@example.org"));
        assert!(admits("a*b*c", "a--b--b--c") && !admits("a*b*c", "a--c--b"));
        assert!(admits("?ob", "bob") && !admits("?ob", "ob") && !admits("bob?", "bob"));
        assert!(admits("x,bob,y", "bob") && admits("*", "") && !admits("", "x"));
    }

    #[test]
    fn a_negated_pattern_vetoes_its_list_and_never_admits_alone() {
        assert!(!admits("*,!bob", "bob") && !admits("!bob,*", "bob"));
        assert!(admits("*,!bob", "alice"));
        assert!(!admits("!bob", "alice") && !PatternList::new("!bob".into()).can_admit());
    }

    #[test]
    fn a_list_whose_every_pattern_is_taken_back_admits_nobody() {
        let can_admit = |list: &str| PatternList::new(list.into()).can_admit();
        for list in
            ["bob,!bob", "*,!*", "bob,!b*", "?ob,!???", "*@x,b@x,!*@x", "", ",", "!*", "b?*,!b*?", "*,!?*"]
        {
            assert!(!can_admit(list), "{list}");
        }
        for list in ["bob,!alice", "*,!bob", "*,!?", "b*,!b?", "*@x,!b@x", "bob,alice,!bob"] {
            assert!(can_admit(list), "{list}");
        }
    }

    #[test]
    fn a_list_with_a_pattern_that_is_too_long_admits_nobody() {
        let long = |length: usize| format!("{},bob", "x".repeat(length));
        assert!(admits(&long(TOO_LONG - 1), "bob") && !admits(&long(TOO_LONG), "bob"));
        assert!(!PatternList::new(format!("bob,!{}", "x".repeat(TOO_LONG))).can_admit());
    }
}
