//! Folding of long schedules.

use crate::rows::Row;

/// The maximum number of rows of a schedule that is not folded.
const MOST_ROWS: usize = 60;
/// The minimum number of rows in a fold.
const SHORTEST_FOLD: usize = 3;
/// The number of rows that are shown at the beginning of a schedule with too many context switches.
/// At the end, which matters more, [`TAIL`] rows are shown.
const HEAD: usize = 15;
const TAIL: usize = 40;

/// Returns for each row whether it is folded: it is far from the beginning, the end, the failure,
/// and all context switches.
pub(crate) fn fold(rows: &[Row]) -> Vec<bool> {
    if rows.len() <= MOST_ROWS {
        return vec![false; rows.len()];
    }
    let around = (2..=5).rev().map(|distance| far_from_everything(rows, distance));
    let mut fitting = around
        .filter(|left_out| left_out.iter().filter(|left_out| !**left_out).count() <= MOST_ROWS);
    fitting.next().unwrap_or_else(|| {
        (0..rows.len()).map(|row| (HEAD..rows.len() - TAIL).contains(&row)).collect()
    })
}

/// Returns the rows that are further than `distance` from any row of interest.
fn far_from_everything(rows: &[Row], distance: usize) -> Vec<bool> {
    let mut left_out = vec![true; rows.len()];
    let mut show = |from: usize, to: usize| {
        let to = to.min(rows.len());
        left_out[from.min(to)..to].fill(false);
    };
    show(0, 2 * distance);
    show(rows.len().saturating_sub(2 * distance), rows.len());
    for (index, _) in
        rows.iter().enumerate().filter(|(_, row)| row.switch || row.failing || row.decisive)
    {
        show(index.saturating_sub(distance), index + distance);
    }
    for run in left_out.chunk_by_mut(|a, b| a == b) {
        if run.len() < SHORTEST_FOLD {
            run.fill(false);
        }
    }
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::LineKind;

    /// Returns rows with context switches at these indices.
    fn rows(number: usize, switches: &[usize]) -> Vec<Row> {
        let row = |index: usize| Row {
            step: Some(index + 1),
            place: String::new(),
            process: 0,
            text: String::new(),
            failing: index + 1 == number,
            decisive: false,
            switch: switches.contains(&index),
            kind: LineKind::Operation,
        };
        (0..number).map(row).collect()
    }

    fn shown(rows: &[Row]) -> Vec<usize> {
        let left_out = fold(rows);
        (0..rows.len()).filter(|index| !left_out[*index]).collect()
    }

    #[test]
    fn short_schedules_are_whole() {
        assert_eq!(shown(&rows(60, &[])).len(), 60);
    }

    #[test]
    fn context_switches_stay_in_sight() {
        let shown = shown(&rows(1000, &[300, 301, 700]));
        assert!(
            [0, 1, 299, 300, 301, 302, 699, 700, 701, 998, 999].iter().all(|i| shown.contains(i))
        );
        assert!(shown.len() <= MOST_ROWS && !shown.contains(&500), "{shown:?}");
    }

    #[test]
    fn with_too_many_switches_the_ends_are_shown() {
        let switches: Vec<usize> = (0..1000).collect();
        let shown = shown(&rows(1000, &switches));
        let expected: Vec<usize> = (0..HEAD).chain(1000 - TAIL..1000).collect();
        assert_eq!(shown, expected);
    }
}
