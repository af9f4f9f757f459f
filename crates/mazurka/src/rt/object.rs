//! Shared objects, and how they come by their ids.

use std::panic::Location as SourceLocation;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use mazurka_core::model::{ObjectId, ProcessId};
use mazurka_core::verdict::ViolationKind;

use super::names::{Name, Own};
use super::process::Site;
use super::{Runtime, with};

/// What every primitive embeds: its identity.
///
/// Constructors are `const`, so that primitives can be statics; therefore an object gets its id
/// only when it is first touched, in every execution again. The stamp says in which execution
/// the id was given.
#[derive(Debug)]
pub(crate) struct ObjectCell {
    // Atomics since two checks on two OS threads may use one static. Relaxed, since `id` is read
    // only by the OS thread that wrote it: no other OS thread has that stamp.
    stamp: AtomicU64,
    id: AtomicU32,
    site: Site,
    label: Option<&'static str>,
}

impl ObjectCell {
    /// An object that is made by the caller's caller.
    #[track_caller]
    pub(crate) const fn new() -> Self {
        ObjectCell {
            stamp: AtomicU64::new(0),
            id: AtomicU32::new(0),
            site: SourceLocation::caller(),
            label: None,
        }
    }

    /// Gives the object a name for people.
    pub(crate) const fn set_label(&mut self, label: &'static str) {
        self.label = Some(label);
    }

    /// The object's id in this execution. If it has none yet, it gets one, and its value becomes
    /// `initial`.
    #[inline]
    pub(crate) fn id(&self, kind: &'static str, initial: u64) -> ObjectId {
        self.resolve(kind, initial, true)
    }

    /// Returns the id of an object that holds data outside of the runtime, as [`id`](Self::id) does. Two checks
    /// cannot use it at once.
    ///
    /// # Panics
    ///
    /// If another check uses the object.
    #[inline]
    pub(crate) fn id_unshared(&self, kind: &'static str, initial: u64) -> ObjectId {
        self.resolve(kind, initial, false)
    }

    /// The object's id if it has one in this execution.
    pub(crate) fn known_id(&self) -> Option<ObjectId> {
        let stamp = self.stamp.load(Relaxed);
        super::try_with(|rt| match stamp == rt.stamp {
            true => Some(ObjectId(self.id.load(Relaxed))),
            false => rt.borrowed.iter().find(|(at, _)| *at == self.address()).map(|(_, id)| *id),
        })
        .flatten()
    }

    /// Returns the id of an object that belongs to this check.
    #[inline]
    pub(super) fn id_in(&self, rt: &Runtime) -> Option<ObjectId> {
        (self.stamp.load(Relaxed) == rt.stamp).then(|| ObjectId(self.id.load(Relaxed)))
    }

    /// Makes the object a new one: the next touch names it again. For `get_mut` and the like,
    /// whose caller has the object to itself.
    pub(crate) fn forget(&mut self) {
        *self.stamp.get_mut() = 0;
    }

    /// Whether the object has ever had an id.
    pub(crate) fn is_untouched(&self) -> bool {
        self.stamp.load(Relaxed) == 0
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    #[inline]
    fn resolve(&self, kind: &'static str, initial: u64, shareable: bool) -> ObjectId {
        let found = with(|rt| match self.stamp.load(Relaxed) == rt.stamp {
            true => Some(ObjectId(self.id.load(Relaxed))),
            false => self.name(rt, kind, initial, shareable),
        });
        found.unwrap_or_else(|| {
            panic!(
                "the {kind} of {} is a static that two checks, or two workers of one, use at once, on \
                 two OS threads: create it inside of the closure, run the checks one after the \
                 other, or check with one worker",
                self.site
            )
        })
    }

    #[cold]
    #[inline(never)]
    fn name(
        &self,
        rt: &mut Runtime,
        kind: &'static str,
        initial: u64,
        shareable: bool,
    ) -> Option<ObjectId> {
        // A static that was another check's when this execution came upon it stays what it is, even if
        // that check has ended since. It stays where it is too, so its address identifies it.
        let address = self.address();
        if let Some((_, id)) = rt.borrowed.iter().find(|(at, _)| *at == address) {
            return Some(*id);
        }
        let old = self.stamp.load(Relaxed);
        if old == 0 || old >> EXECUTION_BITS == rt.stamp >> EXECUTION_BITS || !is_live(old) {
            // Of two checks that come upon a static at once, one gets it.
            if self.stamp.compare_exchange(old, rt.stamp, Relaxed, Relaxed).is_ok() {
                let id = rt.register(self, kind, initial);
                self.id.store(id.0, Relaxed);
                return Some(id);
            }
        }
        // It is another check's.
        if !shareable {
            return None;
        }
        let id = rt.register(self, kind, initial);
        rt.borrowed.push((address, id));
        Some(id)
    }
}

/// The message of the violation that asks for a new start. It is never shown.
const RESTART: &str = "a place in the source creates several objects: the check must start anew";

/// What the runtime knows of an object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(super) value: u64,
    kind: &'static str,
    label: Option<&'static str>,
    site: Site,
    holder: Option<(ProcessId, Site)>,
    /// A digest of everything that happened before its last change, if the digests are tracked.
    pub(super) past: u64,
    /// The execution that it was last set up in.
    stamp: u64,
}

impl Runtime {
    /// Names an object.
    ///
    /// If its place in the source creates one object in an execution, the place is its name, which
    /// means the same in every execution. Otherwise it is named after the process that has come
    /// upon it first. That a place creates several is seen when the second one is met; if anybody
    /// has heard the name of the first one by then, the check starts anew.
    fn register(&mut self, cell: &ObjectCell, kind: &'static str, value: u64) -> ObjectId {
        if self.dead || self.ahead.is_some() {
            return self.register_unnamed(cell.site, cell.label, kind, value);
        }
        let id = self.name_object(cell.site);
        let stamp = self.stamp;
        let ObjectCell { label, site, .. } = *cell;
        self.put(id, Object { value, kind, label, site, holder: None, past: 0, stamp });
        id
    }

    /// Sets up an object that is not in an [`ObjectCell`].
    pub(super) fn register_at(&mut self, site: Site, kind: &'static str, value: u64) -> ObjectId {
        if self.ahead.is_some() {
            return self.register_unnamed(site, None, kind, value);
        }
        let id = self.name_object(site);
        self.put(
            id,
            Object { value, kind, label: None, site, holder: None, past: 0, stamp: self.stamp },
        );
        id
    }

    fn name_object(&mut self, site: Site) -> ObjectId {
        let site = std::ptr::from_ref(site) as usize;
        let name = self.next_name();
        match self.is_only_one(site, name) {
            true => self.names.single(site),
            false => self.names.object(name),
        }
    }

    /// Gives an id to an object that a destructor uses first while the execution is being torn down, or a
    /// process that runs ahead. No explorer sees it, so it needs no name that other executions share.
    #[cold]
    fn register_unnamed(
        &mut self,
        site: Site,
        label: Option<&'static str>,
        kind: &'static str,
        value: u64,
    ) -> ObjectId {
        let known = self.objects.len().max(self.names.objects());
        let id = ObjectId(u32::try_from(known).expect("fewer than 2³² objects"));
        self.put(id, Object { value, kind, label, site, holder: None, past: 0, stamp: self.stamp });
        id
    }

    /// What the current process calls the next object that it names.
    fn next_name(&mut self) -> Name {
        let (namer, steps) = self.namer();
        let process = &mut self.processes[self.current];
        let name = Name { namer, steps, birth: process.naming, rank: process.named };
        process.named += 1;
        name
    }

    /// Whether the object with this name is the only one of its place, as far as is known.
    fn is_only_one(&mut self, site: usize, name: Name) -> bool {
        if self.plural_sites.contains(&site) {
            return false;
        }
        let Some((_, first)) = self.sites.iter().find(|(known, _)| *known == site) else {
            self.sites.push((site, name));
            return true;
        };
        self.plural_sites.push(site);
        match self.is_unheard_of {
            true => self.names.rename(site, *first),
            false => {
                self.new_plural_site = Some(site);
                self.fail(ViolationKind::Nondeterminism, RESTART.to_owned());
            }
        }
        false
    }

    #[inline(always)]
    fn put(&mut self, id: ObjectId, object: Object) {
        let index = id.0 as usize;
        if index >= self.objects.len() {
            self.make_room_for_objects(index + 1, object.site);
        }
        self.objects[index] = object;
    }

    #[cold]
    #[inline(never)]
    fn make_room_for_objects(&mut self, needed: usize, site: Site) {
        let nothing =
            Object { value: 0, kind: "", label: None, site, holder: None, past: 0, stamp: 0 };
        self.objects.resize(needed.max(self.names.objects()), nothing);
    }

    /// An object that belongs to a process of this execution.
    #[inline]
    pub(crate) fn own_object(&mut self, process: ProcessId, which: Own) -> ObjectId {
        let index = process.index();
        let id = self.names.own(index, which);
        let slot = &mut self.processes[index];
        if !std::mem::replace(&mut slot.own_ready[which as usize], true) {
            let kind = match which {
                Own::Token => "park token",
                Own::End => "end",
                Own::Mailbox => "mailbox",
                Own::Queue => "event queue",
                Own::Locals => "thread-local values",
                Own::Wake => "wake state",
            };
            let (site, stamp) = (slot.pending.site, self.stamp);
            self.put(
                id,
                Object { value: 0, kind, label: None, site, holder: None, past: 0, stamp },
            );
        }
        id
    }

    /// Sets up an object that the program has given a name to.
    pub(super) fn put_given(&mut self, id: ObjectId, site: Site) {
        let (kind, stamp) = ("name", self.stamp);
        self.put(id, Object { value: 0, kind, label: None, site, holder: None, past: 0, stamp });
    }

    /// The objects of this execution, and their values.
    pub(super) fn live_objects(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let live = self.objects.iter().enumerate().filter(|(_, object)| object.stamp == self.stamp);
        live.map(|(id, object)| (id, object.value))
    }

    /// The object's value.
    #[inline]
    pub(crate) fn value(&self, object: ObjectId) -> u64 {
        self.objects[object.0 as usize].value
    }

    /// Changes the object's value while the execution is being torn down, when actions are not
    /// performed any more.
    pub(crate) fn set_value_of_dying(&mut self, object: ObjectId, value: u64) {
        debug_assert!(self.dead);
        self.objects[object.0 as usize].value = value;
    }

    /// What a person calls the object: its label, or its kind and where it was created.
    pub(crate) fn object_name(&self, object: ObjectId) -> String {
        let Object { kind, site, .. } = self.objects[object.0 as usize];
        self.known_name(object).unwrap_or_else(|| {
            let file = site.file().rsplit(['/', '\\']).next().unwrap_or_default();
            let name = format!("{kind}@{file}:{}", site.line());
            self.among_namesakes(name, object)
        })
    }

    /// Whether the object is an atomic, of which people write `x.load()` and not `load(x)`.
    pub(super) fn is_atomic(&self, object: ObjectId) -> bool {
        self.objects[object.0 as usize].kind.starts_with("Atomic")
    }

    /// Returns whether the object is a mailbox.
    pub(super) fn is_mailbox(&self, object: ObjectId) -> bool {
        self.objects[object.0 as usize].kind == "mailbox"
    }

    /// Returns whether the object is the queue of an event loop.
    pub(super) fn is_queue(&self, object: ObjectId) -> bool {
        self.objects[object.0 as usize].kind == "event queue"
    }

    /// The object's label, or, in a recording, what the source calls it.
    fn known_name(&self, id: ObjectId) -> Option<String> {
        let object = &self.objects[id.0 as usize];
        let in_source = || self.recorder.as_ref()?.variable(object.site);
        let name = object.label.map(str::to_owned).or_else(in_source)?;
        Some(self.among_namesakes(name, id))
    }

    fn among_namesakes(&self, name: String, object: ObjectId) -> String {
        match &self.recorder {
            Some(recorder) => recorder.among_namesakes(name, object),
            None => name,
        }
    }

    /// The object's name in a sentence, with the place where it was created.
    pub(crate) fn describe_object(&self, object: ObjectId) -> String {
        let Object { kind, site, .. } = self.objects[object.0 as usize];
        match self.known_name(object) {
            Some(name) => format!("`{name}` ({kind} created at {site})"),
            None => format!("{kind} created at {site}"),
        }
    }

    /// Says who holds the object, since where: for messages about deadlocks.
    #[inline]
    pub(crate) fn set_holder(&mut self, object: ObjectId, holder: Option<(ProcessId, Site)>) {
        self.objects[object.0 as usize].holder = holder;
    }

    /// `, held by 'main' since src/a.rs:8:9`, or nothing.
    pub(crate) fn describe_holder(&self, object: ObjectId) -> String {
        match self.objects[object.0 as usize].holder {
            Some((process, site)) => {
                format!(", held by {} since {site}", self.process_name(process))
            }
            None => String::new(),
        }
    }
}

/// How many bits of a stamp count executions; the others say which runtime it is.
pub(super) const EXECUTION_BITS: u32 = 40;

/// The runtimes there are.
static LIVE: Mutex<Vec<u64>> = Mutex::new(Vec::new());

fn live() -> std::sync::MutexGuard<'static, Vec<u64>> {
    LIVE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn is_live(stamp: u64) -> bool {
    live().contains(&(stamp >> EXECUTION_BITS))
}

/// Gives a runtime its number, and with it all of its stamps.
pub(super) fn enlist() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Relaxed);
    live().push(number);
    number << EXECUTION_BITS
}

pub(super) fn delist(stamp: u64) {
    live().retain(|number| *number != stamp >> EXECUTION_BITS);
}
