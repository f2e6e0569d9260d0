//! The page that all pictures share, in SVG. It is readable on a light and on a dark background.

use super::shown::shown;

/// Width of a picture, in pixels.
pub const WIDTH: f64 = 960.0;

/// Size of the letters of labels, and a generous guess at the width of one: fonts differ.
pub const FONT: f64 = 13.0;
pub const LETTER: f64 = 7.6;

/// Colours by class, and those for readers who prefer a dark background. The page has a background of its own, so
/// that a picture is readable wherever it is shown.
const STYLE: &str = "\
.page{fill:#fff}.text{fill:#1f2328}.quiet{fill:#59636e}.grid{stroke:#e4e8ec}.axis{stroke:#59636e}\
.ours{fill:#bc4c00}.theirs{fill:#0550ae}.ours-line{stroke:#bc4c00}.theirs-line{stroke:#0550ae}\
@media (prefers-color-scheme:dark){\
.page{fill:#0d1117}.text{fill:#f0f6fc}.quiet{fill:#9198a1}.grid{stroke:#262c36}.axis{stroke:#9198a1}\
.ours{fill:#ffa657}.theirs{fill:#79c0ff}.ours-line{stroke:#ffa657}.theirs-line{stroke:#79c0ff}}";

/// The whole picture: `body` on a page of that `height`. `title` is what a screen reader says.
pub fn document(height: f64, title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif\" font-size=\"{FONT}\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\" rx=\"6\"/>\n{body}</svg>\n"
    )
}

/// `text` as XML has it: a model's name may be anything. Control characters are not allowed in XML at all.
pub fn escaped(text: &str) -> String {
    shown(text).replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_their_text() {
        assert_eq!(escaped("a<b>&\u{1}"), "a&lt;b>&amp;\\u{1}");
    }
}
