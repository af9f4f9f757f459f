//! Which writes the reads of an execution read from, under a memory model.

use mazurka_core::memory::{Event, Graph, INITIAL, Kind};

use crate::recording::{Line, LineKind, Recording};

/// The maximum number of missed writes that the text of a read names.
const MOST_MISSED: usize = 2;

/// What a read reads from. Steps are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Source {
    /// The step of the read, and its place among the actions of that step.
    pub(crate) step: usize,
    pub(crate) action: usize,
    /// The step of the write that it reads from, or `None` for the initial value.
    pub(crate) reads_from: Option<usize>,
    /// The steps of the writes that were performed before the read, and that come later in coherence
    /// order than the write that it reads from.
    pub(crate) missed: Vec<usize>,
}

/// The reads-from relation and the coherence order of an execution, by steps.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Sources {
    pub(crate) reads: Vec<Source>,
    /// The writes to each location that has at least two, in coherence order.
    pub(crate) coherence: Vec<Vec<usize>>,
}

impl Sources {
    /// Returns the relations of the first `steps` steps of a graph.
    pub(crate) fn of(graph: &Graph, steps: usize) -> Self {
        let within = |event: &Event| event.step().filter(|step| *step < steps);
        let writes_of = |location: u32| graph.coherence(location).iter().map(|w| graph.event(*w));
        let mut sources = Sources::default();
        // The last step, and the number of its last action.
        let mut last: Option<(usize, usize)> = None;
        for (id, event) in graph.events().iter().enumerate() {
            let Some(step) = within(event) else { continue };
            let completes_update = event.kind == Kind::Write && event.is_exclusive;
            let action = match last {
                Some((same, action)) if same == step => action + usize::from(!completes_update),
                _ => 0,
            };
            last = Some((step, action));
            // What an access of another size wrote is not known to the graph.
            let is_part =
                || graph.overlapping(event.location).iter().any(|o| writes_of(*o).len() > 0);
            if event.kind != Kind::Read || event.reads_from == INITIAL && is_part() {
                continue;
            }
            let reads_from = match event.reads_from {
                INITIAL => None,
                write => graph.event(write).step(),
            };
            let writes = graph.coherence(event.location);
            let seen = writes.iter().position(|write| *write == event.reads_from);
            let newer = writes[seen.map_or(0, |seen| seen + 1)..].iter();
            let missed = newer
                .filter(|write| (**write as usize) < id)
                .filter_map(|write| within(graph.event(*write)).filter(|other| *other != step));
            sources.reads.push(Source { step, action, reads_from, missed: missed.collect() });
        }
        for location in 0..graph.locations() {
            let order: Vec<usize> = writes_of(location).filter_map(within).collect();
            if order.len() > 1 {
                sources.coherence.push(order);
            }
        }
        sources
    }

    /// Returns the source of the read that a line of a recording is about.
    pub(crate) fn of_line(&self, recording: &Recording, index: usize) -> Option<&Source> {
        let line = &recording.lines[index];
        if line.kind != LineKind::Operation {
            return None;
        }
        let same_step =
            |earlier: &&Line| earlier.kind == LineKind::Operation && earlier.step == line.step;
        let action = recording.lines[..index].iter().filter(same_step).count();
        self.reads.iter().find(|read| (read.step, read.action) == (line.step, action))
    }

    /// Marks the reads of old values in a recording: says which write each read, and which newer ones it
    /// missed.
    pub(crate) fn mark(&self, recording: &mut Recording) {
        let marks: Vec<(usize, String)> = (0..recording.lines.len())
            .filter_map(|index| {
                let source = self.of_line(recording, index)?;
                Some((index, mark(source, recording, &recording.lines[index])?))
            })
            .collect();
        for (index, mark) in marks {
            recording.lines[index].text.push_str(&mark);
        }
    }
}

/// Returns what is added to the text of a read of an old value.
fn mark(source: &Source, recording: &Recording, read: &Line) -> Option<String> {
    // The latest writes in coherence order are the most interesting.
    let mut missed: Vec<String> = source
        .missed
        .iter()
        .rev()
        .take(MOST_MISSED)
        .map(|step| describe(recording, *step, read))
        .collect();
    if missed.is_empty() {
        return None;
    }
    if source.missed.len() > MOST_MISSED {
        missed.push(format!("{} more", source.missed.len() - MOST_MISSED));
    }
    let seen = match source.reads_from {
        None => "initial value".to_owned(),
        Some(write) => format!("from {}", describe(recording, write, read)),
    };
    Some(format!(" ({seen}; not yet {})", missed.join("; ")))
}

/// Returns the text of a write, and its line in the source. The file is left out if it is that of the
/// read.
fn describe(recording: &Recording, step: usize, read: &Line) -> String {
    let is_operation = |line: &&Line| line.kind == LineKind::Operation && line.step == step;
    let Some(line) = recording.lines.iter().find(is_operation) else {
        return format!("step {}", step + 1);
    };
    let text = line.text.lines().next().unwrap_or_default();
    let Some(place) = &line.place else { return text.to_owned() };
    let is_same_file = read.place.as_ref().is_some_and(|other| other.file == place.file);
    match is_same_file {
        true => format!("{text}, line {}", place.line),
        false => {
            let file = place.file.rsplit(['/', '\\']).next().unwrap_or(&place.file);
            format!("{text}, {file}:{}", place.line)
        }
    }
}
