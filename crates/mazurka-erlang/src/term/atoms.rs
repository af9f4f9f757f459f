//! Atoms.

use std::collections::HashMap;

use super::common::CommonNumbers;
use super::hash::digest_of;

/// An atom: its number in the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Atom(pub(crate) u32);

/// All atoms there are.
#[derive(Debug)]
pub(crate) struct Atoms {
    names: Vec<Box<str>>,
    by_name: HashMap<Box<str>, u32>,
    /// A digest of each name.
    digests: Vec<u64>,
    /// The numbers that other machines give, too.
    common: Option<CommonNumbers>,
}

impl Atoms {
    pub(crate) fn new(common: Option<CommonNumbers>) -> Self {
        let (names, by_name, digests) = (Vec::new(), HashMap::new(), Vec::new());
        let mut atoms = Atoms { names, by_name, digests, common };
        for name in atom::NAMES {
            atoms.intern(name);
        }
        atoms
    }

    /// The atom of this name.
    pub(crate) fn intern(&mut self, name: &str) -> Atom {
        if let Some(&known) = self.by_name.get(name) {
            return Atom(known);
        }
        match self.common.as_ref().map(|common| common.add_atom(self.names.len(), name)) {
            None => self.add(name.into()),
            Some(new) => new.into_iter().for_each(|name| self.add(name)),
        }
        Atom(self.by_name[name])
    }

    fn add(&mut self, name: Box<str>) {
        self.digests.push(digest_of(&name));
        self.by_name.insert(name.clone(), self.names.len() as u32);
        self.names.push(name);
    }

    /// Returns a digest of the name of an atom: unlike its number, it is the same on every machine.
    #[inline]
    pub(super) fn digest(&self, atom: Atom) -> u64 {
        self.digests[atom.0 as usize]
    }

    /// The atom of this name, if it has been met.
    pub(crate) fn find(&self, name: &str) -> Option<Atom> {
        self.by_name.get(name).map(|index| Atom(*index))
    }

    #[inline]
    pub(crate) fn name(&self, atom: Atom) -> &str {
        &self.names[atom.0 as usize]
    }
}

/// The atoms that the interpreter itself knows.
pub(crate) mod atom {
    use super::Atom;

    macro_rules! known_atoms {
        ($($constant:ident = $name:literal),* $(,)?) => {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms, dead_code)]
            enum Index { $($constant),* }
            $(pub(crate) const $constant: Atom = Atom(Index::$constant as u32);)*
            pub(super) const NAMES: &[&str] = &[$($name),*];
        };
    }

    known_atoms! {
        TRUE = "true", FALSE = "false", OK = "ok", ERROR = "error", EXIT = "exit", THROW = "throw",
        UNDEFINED = "undefined", NORMAL = "normal", KILL = "kill", KILLED = "killed",
        NOPROC = "noproc", INFINITY = "infinity", EXIT_MESSAGE = "EXIT", DOWN = "DOWN",
        PROCESS = "process", BADARG = "badarg", BADARITH = "badarith", BADMATCH = "badmatch",
        CASE_CLAUSE = "case_clause", IF_CLAUSE = "if_clause", TRY_CLAUSE = "try_clause",
        FUNCTION_CLAUSE = "function_clause", BADFUN = "badfun", BADARITY = "badarity",
        UNDEF = "undef", BADKEY = "badkey", BADMAP = "badmap", BADRECORD = "badrecord",
        SYSTEM_LIMIT = "system_limit", FILE = "file", LINE = "line", ERLANG = "erlang",
        NONODE = "nonode@nohost", TIMEOUT = "timeout", TRAP_EXIT = "trap_exit",
        PRIORITY = "priority", LINK = "link", MONITOR = "monitor", ALIAS = "alias", FLUSH = "flush",
        INFO = "info", NOCATCH = "nocatch", EXPLICIT_UNALIAS = "explicit_unalias",
        REPLY_DEMONITOR = "reply_demonitor", TAG = "tag", ERROR_HANDLER = "error_handler",
        MODULE = "module", NAME = "name", ARITY = "arity", ENV = "env", TYPE = "type",
        LOCAL = "local", EXTERNAL = "external", INDEX = "index",
        REGISTERED_NAME = "registered_name", MESSAGES = "messages",
        MESSAGE_QUEUE_LEN = "message_queue_len", LINKS = "links", MONITORS = "monitors",
        MONITORED_BY = "monitored_by", STATUS = "status", DICTIONARY = "dictionary",
        CURRENT_FUNCTION = "current_function", INITIAL_CALL = "initial_call",
        GROUP_LEADER = "group_leader", WAITING = "waiting", NONE = "none",
        END_OF_TABLE = "$end_of_table", SET = "set", ORDERED_SET = "ordered_set", BAG = "bag",
        DUPLICATE_BAG = "duplicate_bag", NAMED_TABLE = "named_table", KEYPOS = "keypos",
        PUBLIC = "public", PROTECTED = "protected", PRIVATE = "private", HEIR = "heir",
        SIZE = "size", OWNER = "owner", UNDERSCORE = "_", DOLLAR_DOLLAR = "$$",
        DOLLAR_UNDERSCORE = "$_", CONST = "const", ANDALSO = "andalso", ORELSE = "orelse",
        NOMATCH = "nomatch", SCOPE = "scope", DECIMALS = "decimals", SCIENTIFIC = "scientific",
        COMPACT = "compact", SHORT = "short", UTF8 = "utf8", UNICODE = "unicode", LATIN1 = "latin1",
        LITTLE = "little", NATIVE = "native", SIGNED = "signed", ASYNC = "async", INTEGER = "integer", FLOAT = "float",
        BINARY = "binary", APPEND = "append", PRIVATE_APPEND = "private_append", STRING = "string",
        UTF16 = "utf16", UTF32 = "utf32", ALL = "all", NOCONNECT = "noconnect",
        CURRENT_STACKTRACE = "current_stacktrace", PARENT = "parent",
        RUNNING = "running", NODE = "node", DUMMY = "$mazurka", PLUS = "+", MINUS = "-",
        RAW_TRACE = "$trace", SHUTDOWN = "shutdown",
    }
}
