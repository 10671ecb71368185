//! A text from outside within a sentence, as text alone.

use std::fmt::{self, Write};

/// Between quotes, with all that nobody sees, or that turns around what stands beside it, written out.
///
/// As `{:?}` writes it, but without that one's tables of every character there is. In the wasm `{:?}`
/// says nothing: see `scripts/steps/panics.mjs`.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\0' => f.write_str("\\0")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                _ if is_unseen(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                _ => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// Controls, blanks that look like the common one or like nothing, marks of direction, fillers, what only
/// tells how its neighbours are set, and what has no meaning outside of one program or is no character.
fn is_unseen(c: char) -> bool {
    (c != ' ' && c.is_whitespace())
        || c.is_control()
        || u32::from(c) & 0xfffe == 0xfffe
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            | '\u{fdd0}'..='\u{fdef}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_is_seen_is_written_as_it_is_and_quotes_and_backslashes_are_told_apart() {
        for text in ["main", "", "日本語の枝", "Žižka é", "it's", "a\"b\\c", "line\nline\r\t\0", "🎏"]
        {
            assert_eq!(Quoted(text).to_string(), format!("{text:?}"));
        }
    }

    #[test]
    fn what_nobody_sees_or_what_turns_the_text_around_is_written_out() {
        for c in "\u{1}\u{1b}\u{7f}\u{85}\u{a0}\u{ad}\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\
                  \u{202e}\u{2066}\u{2069}\u{3000}\u{feff}\u{fffa}\u{605}\u{6dd}\u{8e2}\u{fdd0}\u{1343f}\u{2ffff}\u{e0041}\u{f0000}\u{10ffff}"
            .chars()
        {
            assert_eq!(Quoted(&format!("a{c}b")).to_string(), format!("\"a\\u{{{:x}}}b\"", u32::from(c)));
        }
    }

    #[test]
    fn no_sentence_is_written_by_debug_which_says_nothing_in_the_wasm() {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut read = 0;
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() && !path.ends_with("tests") {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs")
                    && !path.ends_with("wycheproof.rs")
                {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
                    let mut lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                    assert_eq!(lines.find(|line| line.contains(":?}")), None, "{}", path.display());
                    read += 1;
                }
            }
        }
        assert!(read > 50, "{read}");
    }

    #[test]
    fn no_character_is_written_out_that_debug_writes_as_it_is() {
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            let debug = format!("{text:?}");
            let quoted = Quoted(&text).to_string();
            assert!(quoted == debug || quoted == format!("\"{c}\""), "{debug}");
        }
    }
}
