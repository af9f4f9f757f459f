//! Debug information, read where something refers to it.
//!
//! A node such as `!5 = !DILocation(line: 3, scope: !2)` stays tokens until it is asked for; what
//! it means is kept then. Types may refer to each other in circles, so each gets its id at once and
//! is read later, from a list.

use std::collections::HashMap;

use super::ReadError;
use super::lexer::{Kind, Token, unescape_name};
use crate::ir::{DebugInfo, DebugType, DebugTypeId, DebugVariable, Field, Place, is_of_the_system};

/// Scopes and typedefs nest no deeper than this; a circle of them would.
const MAX_CHAIN: usize = 10_000;

/// The metadata of a file.
pub(super) struct Metadata<'t> {
    text: &'t str,
    file: &'t str,
    tokens: &'t [Token],
    positions: Vec<Option<u32>>,
    pub(super) info: DebugInfo,
    /// By the number of the node.
    places: HashMap<u32, Option<Place>>,
    /// The file of a scope, by the number of its node.
    scopes: HashMap<u32, Option<u32>>,
    types: HashMap<u32, DebugTypeId>,
    file_names: HashMap<&'t str, u32>,
    /// Types that have an id, but have not been read.
    pending: Vec<(u32, DebugTypeId)>,
}

/// A node: what it is called, and where its fields start.
#[derive(Clone, Copy)]
struct Node<'t> {
    kind: &'t str,
    at: usize,
}

impl<'t> Metadata<'t> {
    pub(super) fn new(
        text: &'t str,
        file: &'t str,
        tokens: &'t [Token],
        positions: Vec<Option<u32>>,
    ) -> Metadata<'t> {
        Metadata {
            text,
            file,
            tokens,
            positions,
            info: DebugInfo::default(),
            places: HashMap::new(),
            scopes: HashMap::new(),
            types: HashMap::new(),
            file_names: HashMap::new(),
            pending: Vec::new(),
        }
    }

    fn token_text(&self, at: usize) -> &'t str {
        let token = self.tokens[at];
        &self.text[token.start as usize..token.end as usize]
    }

    /// The node with this number, which is used on this line.
    fn node(&self, number: u32, line: u32) -> Result<Node<'t>, ReadError> {
        let Some(&Some(position)) = self.positions.get(number as usize) else {
            return Err(ReadError::new(
                self.file,
                line,
                format!(
                    "metadata !{number} is used, but not defined: the file seems to be cut off"
                ),
            ));
        };
        let mut at = position as usize + 2;
        if self.tokens[at].kind == Kind::Word {
            at += 1; // `distinct`
        }
        if self.tokens[at].kind != Kind::Metadata {
            return Err(ReadError::cut_off(self.file, self.tokens[at].line, "metadata"));
        }
        Ok(Node { kind: self.token_text(at), at: at + 1 })
    }

    fn line_of(&self, node: Node<'t>) -> u32 {
        self.tokens[node.at - 1].line
    }

    /// The token that is the value of a field.
    fn field(&self, node: Node<'t>, name: &str) -> Option<usize> {
        let mut depth = 0;
        for at in node.at..self.tokens.len() - 1 {
            match self.tokens[at].kind {
                Kind::Punctuation(b'(' | b'{') => depth += 1,
                Kind::Punctuation(b')' | b'}') => {
                    depth -= 1;
                    if depth == 0 {
                        return None;
                    }
                }
                Kind::Label if depth == 1 && self.token_text(at) == name => return Some(at + 1),
                _ => {}
            }
        }
        None
    }

    fn reference(&self, node: Node<'t>, name: &str) -> Option<u32> {
        let at = self.field(node, name)?;
        if self.tokens[at].kind != Kind::Metadata {
            return None;
        }
        self.token_text(at).parse().ok()
    }

    fn integer(&self, node: Node<'t>, name: &str) -> Option<i128> {
        let at = self.field(node, name)?;
        self.token_text(at).parse().ok()
    }

    fn size(&self, node: Node<'t>, name: &str) -> u64 {
        self.integer(node, name).and_then(|n| n.try_into().ok()).unwrap_or(0)
    }

    fn string(&self, node: Node<'t>, name: &str) -> Option<&'t str> {
        let at = self.field(node, name)?;
        (self.tokens[at].kind == Kind::String).then(|| self.token_text(at))
    }

    fn name(&self, node: Node<'t>) -> String {
        self.string(node, "name").map(unescape_name).unwrap_or_default()
    }

    fn word(&self, node: Node<'t>, name: &str) -> &'t str {
        self.field(node, name).map_or("", |at| self.token_text(at))
    }

    /// Whether `flags: A | B` has this one.
    fn has_flag(&self, node: Node<'t>, flag: &str) -> bool {
        let Some(mut at) = self.field(node, "flags") else { return false };
        while self.tokens[at].kind == Kind::Word {
            if self.token_text(at) == flag {
                return true;
            }
            if self.tokens[at + 1].kind != Kind::Punctuation(b'|') {
                return false;
            }
            at += 2;
        }
        false
    }

    /// The nodes of a list such as `!{!1, null, !2}`; those that are `null` are left out.
    fn list(&self, number: u32, line: u32) -> Result<Vec<u32>, ReadError> {
        let node = self.node(number, line)?;
        let mut all = Vec::new();
        for at in node.at..self.tokens.len() {
            match self.tokens[at].kind {
                Kind::Metadata => all.extend(self.token_text(at).parse::<u32>()),
                Kind::Punctuation(b'}' | b')') | Kind::End => break,
                _ => {}
            }
        }
        Ok(all)
    }

    fn file_named(&mut self, name: &'t str) -> u32 {
        let files = &mut self.info.files;
        *self.file_names.entry(name).or_insert_with(|| {
            files.push(unescape_name(name));
            files.len() as u32 - 1
        })
    }

    /// The file that a `DIFile` is.
    fn file_node(&mut self, number: u32, line: u32) -> Result<Option<u32>, ReadError> {
        let node = self.node(number, line)?;
        Ok(self.string(node, "filename").map(|name| self.file_named(name)))
    }

    /// The file that a scope is in: its own, or that of the scope around it.
    fn file_of_scope(&mut self, scope: u32, line: u32) -> Result<Option<u32>, ReadError> {
        if let Some(&file) = self.scopes.get(&scope) {
            return Ok(file);
        }
        let mut at = scope;
        let mut file = None;
        for _ in 0..MAX_CHAIN {
            let node = self.node(at, line)?;
            if node.kind == "DIFile" {
                file = self.file_node(at, line)?;
                break;
            }
            if let Some(number) = self.reference(node, "file") {
                file = self.file_node(number, line)?;
                break;
            }
            let Some(outer) = self.reference(node, "scope") else { break };
            at = outer;
        }
        self.scopes.insert(scope, file);
        Ok(file)
    }

    /// What a `!dbg` of an instruction on this line says.
    pub(super) fn place(&mut self, number: u32, line: u32) -> Result<Option<Place>, ReadError> {
        if let Some(&place) = self.places.get(&number) {
            return Ok(place);
        }
        let mut place = self.location(number, line)?;
        // What was inlined from the C++ library's headers is told to be where the program has it.
        let mut inlined = number;
        for _ in 0..MAX_CHAIN {
            let node = self.node(inlined, line)?;
            let Some(outer) = self.reference(node, "inlinedAt") else { break };
            if place.is_some_and(|place| !is_of_the_system(&self.info.files[place.file as usize])) {
                break;
            }
            place = self.location(outer, line)?.or(place);
            inlined = outer;
        }
        self.places.insert(number, place);
        Ok(place)
    }

    /// What a `DILocation` says itself.
    fn location(&mut self, number: u32, line: u32) -> Result<Option<Place>, ReadError> {
        let node = self.node(number, line)?;
        let mut place = None;
        // Line 0 is the compiler's word for code that stands nowhere.
        let at = self.integer(node, "line").and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        if node.kind == "DILocation" && at != 0 {
            let column =
                self.integer(node, "column").and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
            if let Some(scope) = self.reference(node, "scope") {
                let file = self.file_of_scope(scope, self.line_of(node))?;
                place = file.map(|file| Place { file, line: at, column });
            }
        }
        Ok(place)
    }

    /// Where something is declared, by its fields `file` and `line`.
    fn declared_at(&mut self, node: Node<'t>) -> Result<Option<Place>, ReadError> {
        let line = self.size(node, "line") as u32;
        let here = self.line_of(node);
        let file = match self.reference(node, "file") {
            Some(file) => self.file_node(file, here)?,
            None => None,
        };
        Ok(file.filter(|_| line != 0).map(|file| Place { file, line, column: 0 }))
    }

    /// The name and the place of a `DISubprogram`.
    pub(super) fn subprogram(
        &mut self,
        number: u32,
        line: u32,
    ) -> Result<(Option<String>, Option<Place>), ReadError> {
        let node = self.node(number, line)?;
        if node.kind != "DISubprogram" {
            return Ok((None, None));
        }
        let name = self.string(node, "name").map(unescape_name);
        Ok((name, self.declared_at(node)?))
    }

    /// A `DILocalVariable` or `DIGlobalVariable`.
    pub(super) fn variable(
        &mut self,
        number: u32,
        line: u32,
    ) -> Result<Option<DebugVariable>, ReadError> {
        let node = self.node(number, line)?;
        if !matches!(node.kind, "DILocalVariable" | "DIGlobalVariable") {
            return Ok(None);
        }
        let name = self.name(node);
        if name.is_empty() {
            return Ok(None);
        }
        let ty = self.type_field(node, "type")?;
        Ok(Some(DebugVariable { name, ty, place: self.declared_at(node)? }))
    }

    /// What a `!dbg` of a global says.
    pub(super) fn global(
        &mut self,
        number: u32,
        line: u32,
    ) -> Result<Option<DebugVariable>, ReadError> {
        let node = self.node(number, line)?;
        match self.reference(node, "var") {
            Some(variable) if node.kind == "DIGlobalVariableExpression" => {
                self.variable(variable, self.line_of(node))
            }
            _ => self.variable(number, line),
        }
    }

    fn type_field(&mut self, node: Node<'t>, name: &str) -> Result<Option<DebugTypeId>, ReadError> {
        match self.reference(node, name) {
            Some(number) => self.ty(number, self.line_of(node)),
            None => Ok(None),
        }
    }

    /// The id of a type, behind its typedefs and qualifiers; `None` if that is `void`.
    fn ty(&mut self, number: u32, line: u32) -> Result<Option<DebugTypeId>, ReadError> {
        let mut number = number;
        for _ in 0..MAX_CHAIN {
            let node = self.node(number, line)?;
            let is_alias = node.kind == "DIDerivedType"
                && matches!(
                    self.word(node, "tag"),
                    "DW_TAG_typedef"
                        | "DW_TAG_const_type"
                        | "DW_TAG_volatile_type"
                        | "DW_TAG_restrict_type"
                        | "DW_TAG_atomic_type"
                        | "DW_TAG_immutable_type"
                        | "DW_TAG_template_alias"
                );
            if !is_alias {
                if let Some(&id) = self.types.get(&number) {
                    return Ok(Some(id));
                }
                let id = DebugTypeId(self.info.types.len() as u32);
                self.info.types.push(DebugType::Other);
                self.types.insert(number, id);
                self.pending.push((number, id));
                return Ok(Some(id));
            }
            let Some(base) = self.reference(node, "baseType") else { return Ok(None) };
            number = base;
        }
        Err(ReadError::new(self.file, line, format!("the type !{number} stands for itself")))
    }

    /// Reads the types that have an id, and those that they refer to.
    pub(super) fn read_pending_types(&mut self) -> Result<(), ReadError> {
        while let Some((number, id)) = self.pending.pop() {
            let node = self.node(number, 1)?;
            let ty = match node.kind {
                "DIBasicType" => self.basic(node),
                "DIDerivedType" => DebugType::Pointer(self.type_field(node, "baseType")?),
                "DICompositeType" => self.composite(node)?,
                _ => DebugType::Other,
            };
            self.info.types[id.0 as usize] = ty;
        }
        Ok(())
    }

    fn basic(&self, node: Node<'t>) -> DebugType {
        let encoding = self.word(node, "encoding");
        DebugType::Basic {
            name: self.name(node),
            size: self.size(node, "size").div_ceil(8),
            signed: matches!(encoding, "DW_ATE_signed" | "DW_ATE_signed_char"),
            float: encoding == "DW_ATE_float",
            boolean: encoding == "DW_ATE_boolean",
        }
    }

    fn composite(&mut self, node: Node<'t>) -> Result<DebugType, ReadError> {
        let line = self.line_of(node);
        let elements = match self.reference(node, "elements") {
            Some(list) => self.list(list, line)?,
            None => Vec::new(),
        };
        let size = self.size(node, "size").div_ceil(8);
        match self.word(node, "tag") {
            "DW_TAG_array_type" => {
                let element = self.type_field(node, "baseType")?;
                self.array(element, &elements, line)
            }
            "DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type" => {
                let fields = self.members(&elements, line)?;
                Ok(DebugType::Record { name: self.name(node), size, fields })
            }
            "DW_TAG_enumeration_type" => {
                let mut constants = Vec::new();
                for element in elements {
                    let enumerator = self.node(element, line)?;
                    if enumerator.kind == "DIEnumerator" {
                        let value = self.integer(enumerator, "value").unwrap_or(0);
                        constants.push((self.name(enumerator), value as i64));
                    }
                }
                Ok(DebugType::Enumeration { name: self.name(node), size, constants })
            }
            _ => Ok(DebugType::Other),
        }
    }

    /// An array of arrays, from the innermost dimension, which is the last one.
    fn array(
        &mut self,
        element: Option<DebugTypeId>,
        dimensions: &[u32],
        line: u32,
    ) -> Result<DebugType, ReadError> {
        let mut element = element;
        let mut whole = None;
        for &dimension in dimensions.iter().rev() {
            if let Some(inner) = whole.take() {
                self.info.types.push(inner);
                element = Some(DebugTypeId(self.info.types.len() as u32 - 1));
            }
            let node = self.node(dimension, line)?;
            let count = match self.integer(node, "count") {
                Some(count) => count,
                None => self
                    .integer(node, "upperBound")
                    .map_or(0, |last| last - self.integer(node, "lowerBound").unwrap_or(0) + 1),
            };
            whole = Some(DebugType::Array { element, count: count.try_into().unwrap_or(0) });
        }
        Ok(whole.unwrap_or(DebugType::Array { element, count: 0 }))
    }

    fn members(&mut self, elements: &[u32], line: u32) -> Result<Vec<Field>, ReadError> {
        let mut fields = Vec::new();
        for &element in elements {
            let node = self.node(element, line)?;
            let tag = self.word(node, "tag");
            let is_field = node.kind == "DIDerivedType"
                && matches!(tag, "DW_TAG_member" | "DW_TAG_inheritance")
                && !self.has_flag(node, "DIFlagStaticMember");
            if !is_field {
                continue;
            }
            let offset = self.size(node, "offset");
            let size = self.size(node, "size");
            let bits = self
                .has_flag(node, "DIFlagBitField")
                .then_some(((offset % 8) as u8, size.min(255) as u8));
            fields.push(Field {
                name: self.name(node),
                offset: offset / 8,
                bits,
                ty: self.type_field(node, "baseType")?,
            });
        }
        fields.sort_by_key(|field| (field.offset, field.bits));
        Ok(fields)
    }
}
