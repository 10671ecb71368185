//! Pattern lists: comma-separated patterns with `*`, `?` and `!`.
//!
//! Source: ssh_config(5), "PATTERNS"; OpenSSH's match.c.

use std::fmt;

use serde::Serialize;

/// A list of patterns, kept as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PatternList(String);

impl PatternList {
    pub(crate) fn new(text: String) -> PatternList {
        PatternList(text)
    }

    /// Whether the list admits `text`: some pattern matches, and no negated one does. A negated
    /// pattern never admits by itself.
    pub fn admits(&self, text: &str) -> bool {
        let mut admitted = false;
        for pattern in self.0.split(',') {
            match pattern.strip_prefix('!') {
                Some(negated) if matches(negated.as_bytes(), text.as_bytes()) => return false,
                Some(_) => {}
                None => admitted |= matches(pattern.as_bytes(), text.as_bytes()),
            }
        }
        admitted
    }

    /// Whether there is a pattern that can admit anything at all.
    pub fn can_admit(&self) -> bool {
        self.0.split(',').any(|pattern| !pattern.is_empty() && !pattern.starts_with('!'))
    }
}

impl fmt::Display for PatternList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One pattern against one text, both as bytes, in time linear in their product: on a mismatch
/// only the last `*` is tried again, which is enough.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut last_star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                last_star = Some((p, t));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte == text[t] => {
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
}
