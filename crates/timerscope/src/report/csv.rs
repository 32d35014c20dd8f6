//! A table as comma-separated values.

use std::io::Write;

use csv::Writer;

use super::words::GROUP;
use super::{Cell, Table};

/// Writes the headings and the rows of `table` as RFC 4180 has it.
///
/// A missing value is an empty field: nothing is invented for it. Digits lose
/// their grouping, so that other programs read them as numbers. Short rows
/// are filled up with empty fields.
///
/// # Errors
///
/// When `to` cannot be written to.
pub fn write<W: Write>(table: &Table, to: W) -> Result<(), csv::Error> {
    let mut writer = Writer::from_writer(to);
    if table.columns.is_empty() {
        return Ok(());
    }
    writer.write_record(table.columns.iter().map(|column| &column.title))?;
    for row in &table.rows {
        let cells = (0..table.columns.len()).map(|at| plain(row.get(at)));
        writer.write_record(cells)?;
    }
    writer.flush()?;
    Ok(())
}

/// The text of a cell for a program.
fn plain(cell: Option<&Cell>) -> String {
    match cell {
        Some(Cell::Text(text)) => text.replace(GROUP, ""),
        Some(Cell::Missing(_) | Cell::Empty) | None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Missing;
    use crate::report::{Column, words};

    #[test]
    fn missing_is_an_empty_field_and_numbers_stay_numbers() {
        let table = Table {
            columns: vec![Column::words("wait"), Column::numbers("count")],
            rows: vec![
                vec!["a \"b\", c".into(), words::count(12_345).into()],
                vec!["futex".into(), Cell::Missing(Missing::absent("no"))],
                vec!["short".into()],
            ],
            ..Table::default()
        };
        let mut text = Vec::new();
        write(&table, &mut text).unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "wait,count\n\"a \"\"b\"\", c\",12345\nfutex,\nshort,\n"
        );
    }

    #[test]
    fn a_table_without_columns_writes_nothing() {
        let mut text = Vec::new();
        write(&Table::default(), &mut text).unwrap();
        assert!(text.is_empty());
    }
}
