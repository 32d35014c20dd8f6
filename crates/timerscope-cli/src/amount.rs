//! Amounts as people write them: 33e6, 33M, 33000000.

/// The letters for powers of a thousand.
const LETTERS: [(char, f64); 3] = [('k', 1e3), ('M', 1e6), ('G', 1e9)];

/// Reads an amount that is not negative.
pub(crate) fn amount(text: &str) -> Result<f64, String> {
    let lettered = LETTERS
        .iter()
        .find_map(|(letter, times)| Some((text.strip_suffix(*letter)?, times)));
    let (number, times) = lettered.unwrap_or((text, &1.0));
    let read = number.parse::<f64>().ok().map(|number| number * times);
    read.filter(|amount| amount.is_finite() && *amount >= 0.0)
        .ok_or_else(|| format!("`{text}` is not an amount such as 33e6 or 33M"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_ways_to_write_one_amount() {
        for text in ["33e6", "33M", "33000000", "0.033G", "33000k"] {
            assert_eq!(amount(text), Ok(33e6), "{text}");
        }
        for text in ["", "M", "-1", "inf", "NaN", "33 m"] {
            assert!(amount(text).is_err(), "{text}");
        }
    }
}
