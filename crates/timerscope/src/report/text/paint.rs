//! What the terminal can show.

use anstyle::{AnsiColor, Effects, Style};

use crate::report::Tone;

/// What the terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// Columns to stay within; none for a pipe, where lines are not wrapped.
    pub width: Option<usize>,
    /// Whether escape codes for colours are written.
    pub colour: bool,
    /// Whether everything is ASCII, for terminals without UTF-8.
    pub ascii: bool,
}

/// What a piece of text is, for its looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// The title of the document or of a part.
    Title,
    /// What leads the eye but need not be read: rules, headings of columns.
    Faint,
    /// The full part of a bar.
    Bar,
    /// The words that say what kind of sentence follows.
    Lead(Tone),
}

impl TextStyle {
    /// Colours `text`, if the terminal shows colours.
    pub(super) fn paint(&self, look: Look, text: &str) -> String {
        if !self.colour || text.is_empty() {
            return text.to_owned();
        }
        let style = look.style();
        format!("{style}{text}{style:#}")
    }

    /// A line under a heading, `width` columns wide.
    pub(super) fn rule(&self, width: usize) -> String {
        let dash = if self.ascii { "-" } else { "\u{2500}" };
        self.paint(Look::Faint, &dash.repeat(width))
    }

    /// A bar of `share` of `width` columns; never empty unless the share is.
    pub(super) fn bar(&self, share: f64, width: usize) -> String {
        let share = share.clamp(0.0, 1.0);
        if share == 0.0 {
            return String::new();
        }
        if self.ascii {
            let columns = (share * width as f64).round() as usize;
            return self.paint(Look::Bar, &"#".repeat(columns.max(1)));
        }
        let eighths = ((share * width as f64 * 8.0).round() as usize).max(1);
        let mut bar = "\u{2588}".repeat(eighths / 8);
        if !eighths.is_multiple_of(8) {
            bar.push(EIGHTHS[eighths % 8 - 1]);
        }
        self.paint(Look::Bar, &bar)
    }
}

/// Blocks of one to seven eighths of a column.
const EIGHTHS: [char; 7] = [
    '\u{258f}', '\u{258e}', '\u{258d}', '\u{258c}', '\u{258b}', '\u{258a}',
    '\u{2589}',
];

impl Look {
    const fn style(self) -> Style {
        let plain = Style::new();
        match self {
            Self::Title | Self::Lead(Tone::Neutral) => {
                plain.effects(Effects::BOLD)
            }
            Self::Faint => plain.effects(Effects::DIMMED),
            Self::Bar => plain.fg_color(Some(colour(AnsiColor::Cyan))),
            Self::Lead(Tone::Good) => plain
                .effects(Effects::BOLD)
                .fg_color(Some(colour(AnsiColor::Green))),
            Self::Lead(Tone::Attention) => plain
                .effects(Effects::BOLD)
                .fg_color(Some(colour(AnsiColor::Yellow))),
        }
    }
}

const fn colour(ansi: AnsiColor) -> anstyle::Color {
    anstyle::Color::Ansi(ansi)
}
