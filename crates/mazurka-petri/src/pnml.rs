//! Reading nets from PNML.
//!
//! All pages of the first net are read as one. Places and transitions are named by their `name`s if
//! these exist and are unique, and by their ids otherwise. Graphical information is skipped. An arc
//! may be a read arc: of type `read` or `test`, as several tools write it.

use std::collections::{HashMap, HashSet};
use std::fmt;

use roxmltree::{Document, Node};

use crate::{Net, Transition};

/// A PNML file that Mazurka cannot read, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PnmlError {
    /// The line, counted from 1; 0 for the whole file.
    pub line: u32,
    /// The error.
    pub message: String,
}

impl fmt::Display for PnmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for PnmlError {}

impl Net {
    /// Reads the first net of a PNML document.
    pub fn from_pnml(text: &str) -> Result<Net, PnmlError> {
        let document = Document::parse(text).map_err(|error| PnmlError {
            line: error.pos().row,
            message: format!("this is not well-formed XML: {error}"),
        })?;
        Reader { document: &document }.read()
    }
}

/// The indices of places or transitions, by their ids.
type Index = HashMap<String, usize>;

struct Reader<'a> {
    document: &'a Document<'a>,
}

impl<'a> Reader<'a> {
    fn error(&self, node: Node<'_, '_>, message: impl Into<String>) -> PnmlError {
        let line = self.document.text_pos_at(node.range().start).row;
        PnmlError { line, message: message.into() }
    }

    fn read(&self) -> Result<Net, PnmlError> {
        let is_net = |node: &Node<'_, '_>| node.has_tag_name_local("net");
        let Some(net) = self.document.descendants().find(is_net) else {
            let message = "the file contains no element `net`; is it a PNML file?";
            return Err(PnmlError { line: 0, message: message.to_owned() });
        };
        // In other types of nets, tokens and inscriptions have a different meaning.
        let kind = net.attribute("type").unwrap_or("ptnet");
        if kind.contains("symmetric") || kind.contains("highlevel") || kind.contains("coremodel") {
            let message = format!(
                "this is a net of type `{kind}`; Mazurka reads place/transition nets (`ptnet`)"
            );
            return Err(self.error(net, message));
        }
        let nodes: Vec<_> = net.descendants().filter(Node::is_element).collect();
        let of_kind = |name: &'static str| nodes.iter().filter(move |n| n.has_tag_name_local(name));
        let mut result = Net::default();
        let names = self.names(of_kind("place").chain(of_kind("transition")))?;
        let mut places = Index::new();
        for place in of_kind("place") {
            let id = self.id(*place)?;
            let tokens = self.number(*place, "initialMarking", 0)?;
            if tokens > 1 {
                let message = format!(
                    "place `{}` has {tokens} tokens at first; Mazurka checks safe nets only, in which \
                     no place ever holds two tokens",
                    names[id]
                );
                return Err(self.error(*place, message));
            }
            places.insert(id.to_owned(), result.add_place(names[id].clone(), tokens == 1));
        }
        let (mut index, mut transitions) = (Index::new(), Vec::new());
        for transition in of_kind("transition") {
            let id = self.id(*transition)?;
            index.insert(id.to_owned(), transitions.len());
            transitions.push(Transition { name: names[id].clone(), ..Transition::default() });
        }
        for arc in of_kind("arc") {
            self.add_arc(*arc, &places, &index, &mut transitions)?;
        }
        if transitions.is_empty() {
            return Err(self.error(net, "the net has no transition"));
        }
        transitions.into_iter().for_each(|transition| result.add_transition(transition));
        Ok(result)
    }

    fn add_arc(
        &self,
        arc: Node<'_, '_>,
        places: &Index,
        index: &Index,
        transitions: &mut [Transition],
    ) -> Result<(), PnmlError> {
        let end = |name: &str| {
            arc.attribute(name).ok_or_else(|| self.error(arc, format!("this arc has no `{name}`")))
        };
        let (source, target) = (end("source")?, end("target")?);
        let weight = self.number(arc, "inscription", 1)?;
        if weight != 1 {
            let message = format!(
                "this arc moves {weight} tokens; in a safe net, which is all that Mazurka takes, an \
                 arc moves one"
            );
            return Err(self.error(arc, message));
        }
        let is_read = match self.kind_of(arc).as_deref() {
            None | Some("normal") => false,
            Some("read" | "test") => true,
            Some(other) => {
                let message = format!(
                    "this is an arc of type `{other}`; Mazurka reads normal arcs and read arcs"
                );
                return Err(self.error(arc, message));
            }
        };
        let ends = (places.get(source), index.get(target), index.get(source), places.get(target));
        let (arcs, place) = match ends {
            (Some(place), Some(transition), ..) | (_, _, Some(transition), Some(place))
                if is_read =>
            {
                (&mut transitions[*transition].reads, *place)
            }
            (Some(place), Some(transition), ..) => (&mut transitions[*transition].takes, *place),
            (_, _, Some(transition), Some(place)) => (&mut transitions[*transition].puts, *place),
            _ => {
                let message = format!(
                    "this arc goes from `{source}` to `{target}`; an arc must connect a place and a \
                     transition of the net"
                );
                return Err(self.error(arc, message));
            }
        };
        // Two reads of one token are one read.
        if !is_read && arcs.contains(&place) {
            let message = format!(
                "this is the second arc from `{source}` to `{target}`, so that two tokens move; in \
                 a safe net, which is all that Mazurka takes, only one can"
            );
            return Err(self.error(arc, message));
        }
        arcs.push(place);
        Ok(())
    }

    /// Returns the type of an arc, which tools write as an attribute or as an element.
    fn kind_of(&self, arc: Node<'_, '_>) -> Option<String> {
        if let Some(kind) = arc.attribute("type") {
            return Some(kind.to_lowercase());
        }
        let element = arc.children().find(|child| child.has_tag_name_local("type"))?;
        let kind = element.attribute("value").map(str::to_owned).or_else(|| text_of(element))?;
        Some(kind.trim().to_lowercase())
    }

    fn id<'b>(&self, node: Node<'b, '_>) -> Result<&'b str, PnmlError> {
        let error = || self.error(node, format!("this {} has no `id`", node.tag_name().name()));
        node.attribute("id").ok_or_else(error)
    }

    /// Returns the names of places and transitions, by their ids.
    fn names<'b>(
        &self,
        nodes: impl Iterator<Item = &'b Node<'b, 'b>> + Clone,
    ) -> Result<HashMap<String, String>, PnmlError>
    where
        'a: 'b,
    {
        let mut ids = HashSet::new();
        let mut uses: HashMap<String, usize> = HashMap::new();
        for node in nodes.clone() {
            let id = self.id(*node)?;
            if !ids.insert(id.to_owned()) {
                return Err(self
                    .error(*node, format!("another place or transition has the id `{id}`, too")));
            }
            if let Some(name) = name_of(*node) {
                *uses.entry(name).or_default() += 1;
            }
        }
        let named = nodes.map(|node| {
            let id = self.id(*node)?;
            let name = name_of(*node).filter(|name| uses[name] == 1 && !ids.contains(name));
            Ok((id.to_owned(), name.unwrap_or_else(|| id.to_owned())))
        });
        named.collect()
    }

    /// Returns the number in a labelled child such as `initialMarking`.
    fn number(&self, node: Node<'_, '_>, label: &str, default: u64) -> Result<u64, PnmlError> {
        let Some(child) = node.children().find(|child| child.has_tag_name_local(label)) else {
            return Ok(default);
        };
        let Some(text) = text_of(child).filter(|text| !text.is_empty()) else {
            return Ok(default);
        };
        // Some tools write `Default,1`.
        let digits = text.rsplit(',').next().unwrap_or_default().trim().to_owned();
        let error = || self.error(child, format!("`{text}` is not a number of tokens"));
        digits.parse().map_err(|_| error())
    }
}

fn name_of(node: Node<'_, '_>) -> Option<String> {
    let name = node.children().find(|child| child.has_tag_name_local("name"))?;
    text_of(name).filter(|name| !name.is_empty() && !name.contains(','))
}

/// Returns the text of a label: that of its `text` or of the older `value`, or its own.
fn text_of(node: Node<'_, '_>) -> Option<String> {
    let is_text = |child: &Node<'_, '_>| {
        child.has_tag_name_local("text") || child.has_tag_name_local("value")
    };
    let inner = node.children().find(is_text).unwrap_or(node);
    inner.text().map(|text| text.trim().to_owned())
}

/// Tests the names of elements without their namespace, which many files lack.
trait LocalName {
    fn has_tag_name_local(&self, name: &str) -> bool;
}

impl LocalName for Node<'_, '_> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net(body: &str) -> Result<Net, PnmlError> {
        Net::from_pnml(&format!("<pnml><net id=\"n\" type=\"ptnet\">\n{body}\n</net></pnml>"))
    }

    fn error(body: &str) -> String {
        net(body).unwrap_err().to_string()
    }

    const PLACE: &str = "<place id=\"p\"/><transition id=\"t\"/>";

    #[test]
    fn arcs_in_both_directions_are_a_read_arc() {
        let loops =
            format!("{PLACE}<arc source=\"p\" target=\"t\"/><arc source=\"t\" target=\"p\"/>");
        let read = format!("{PLACE}<arc source=\"p\" target=\"t\"><type value=\"test\"/></arc>");
        assert_eq!(net(&loops).unwrap().transitions()[0].reads, [0]);
        assert_eq!(net(&loops), net(&read));
    }

    #[test]
    fn a_token_that_is_read_and_taken_is_taken() {
        let both = format!(
            "{PLACE}<arc source=\"p\" target=\"t\" type=\"read\"/><arc source=\"p\" target=\"t\"/>"
        );
        let net = net(&both).unwrap();
        assert_eq!((net.transitions()[0].takes.len(), net.transitions()[0].reads.len()), (1, 0));
    }

    #[test]
    fn names_are_used_if_they_tell_things_apart() {
        let place =
            |id, name| format!("<place id=\"{id}\"><name><text>{name}</text></name></place>");
        let body = [place("a", "idle"), place("b", "busy"), place("c", "busy")].concat();
        let net = net(&format!("{body}<transition id=\"t\"/>")).unwrap();
        let names: Vec<_> = net.places().iter().map(|place| place.name.as_str()).collect();
        assert_eq!(names, ["idle", "b", "c"]);
    }

    #[test]
    fn errors_say_where_and_what() {
        assert!(error("<transition id=\"t\">").starts_with("line 3: this is not well-formed XML"));
        assert!(error(PLACE.trim_end_matches("<transition id=\"t\"/>")).contains("no transition"));
        let two = "<place id=\"p\"><initialMarking><text>2</text></initialMarking></place>";
        assert!(error(two).starts_with("line 2: place `p` has 2 tokens at first"));
        let arc = format!("{PLACE}\n<arc source=\"p\" target=\"q\"/>");
        assert!(error(&arc).starts_with("line 3: this arc goes from `p` to `q`"));
        let heavy = format!(
            "{PLACE}<arc source=\"p\" target=\"t\"><inscription><text>2</text></inscription></arc>"
        );
        assert!(error(&heavy).contains("moves 2 tokens"));
        let twice = format!("{PLACE}{}", "\n<arc source=\"p\" target=\"t\"/>".repeat(2));
        assert!(error(&twice).starts_with("line 4: this is the second arc from `p` to `t`"));
        let inhibitor = format!("{PLACE}<arc source=\"p\" target=\"t\" type=\"inhibitor\"/>");
        assert!(error(&inhibitor).contains("arc of type `inhibitor`"));
        assert!(Net::from_pnml("<html/>").unwrap_err().to_string().contains("is it a PNML file?"));
    }
}
