//! Takes what is missing out of a result: `null` there, the reason in a list.

use serde_json::{Map, Value, json};

/// `value` with every [`Known`](crate::machine::Known) in it replaced by what
/// it holds, or by `null` with an entry in `missing` that says why.
///
/// So a `null` and an entry always come together.
pub(super) fn part(
    path: &str,
    value: Value,
    missing: &mut Vec<Value>,
) -> Value {
    match value {
        Value::Object(mut object) => {
            if let Some(known) = only(&mut object, "$known") {
                return part(path, known, missing);
            }
            if let Some(reason) = only(&mut object, "$missing") {
                missing.push(entry(path, &reason));
                return Value::Null;
            }
            let parts = object.into_iter().map(|(key, value)| {
                let value = part(&format!("{path}.{key}"), value, missing);
                (key, value)
            });
            Value::Object(parts.collect())
        }
        Value::Array(items) => {
            let parts = items.into_iter().enumerate().map(|(index, value)| {
                part(&format!("{path}[{index}]"), value, missing)
            });
            Value::Array(parts.collect())
        }
        // Not by way of `Known`: an option, or a number that is none.
        Value::Null => {
            let why = "it has no value, and nobody wrote down why";
            missing.push(entry(path, &json!({"kind": "unknown", "why": why})));
            Value::Null
        }
        other => other,
    }
}

/// The value of `key`, if the object has no other.
fn only(object: &mut Map<String, Value>, key: &str) -> Option<Value> {
    (object.len() == 1).then(|| object.remove(key)).flatten()
}

fn entry(path: &str, reason: &Value) -> Value {
    let hint = reason["try"].as_str().unwrap_or_default();
    json!({
        "path": path,
        "kind": reason["kind"],
        "why": reason["why"],
        "try": hint,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Known, Missing};

    #[test]
    fn a_null_and_an_entry_come_together() {
        let known: Known<Vec<Known<u64>>> = Known::Value(vec![
            Known::Value(5),
            Missing::refused("no").or_try("sudo").into(),
        ]);
        let value = json!({"a": known, "b": f64::NAN, "c": "text"});
        let mut missing = Vec::new();
        let value = part("result", value, &mut missing);
        assert_eq!(value, json!({"a": [5, null], "b": null, "c": "text"}));
        let refused = json!({
            "path": "result.a[1]", "kind": "refused", "why": "no",
            "try": "sudo",
        });
        assert_eq!(missing[0], refused);
        assert_eq!(missing[1]["path"], "result.b");
        assert_eq!(missing.len(), 2);
    }
}
