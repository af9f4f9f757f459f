//! Memory that is there for as long as the program runs: the segments of its files.

use std::ops::Range;
use std::sync::OnceLock;

/// A segment.
struct Segment {
    addresses: Range<usize>,
    is_constant: bool,
}

static SEGMENTS: OnceLock<Vec<Segment>> = OnceLock::new();

/// Returns whether this memory belongs to a segment.
pub(super) fn is_loaded(address: usize, size: usize) -> bool {
    segment_of(address, size).is_some()
}

/// Returns whether this memory belongs to a segment, and nobody writes there: it may hold a table of a `match`.
pub(super) fn is_constant(address: usize, size: usize) -> bool {
    segment_of(address, size).is_some_and(|segment| segment.is_constant)
}

fn segment_of(address: usize, size: usize) -> Option<&'static Segment> {
    let segments = SEGMENTS.get_or_init(segments);
    let has = |segment: &&Segment| {
        let Range { start, end } = segment.addresses;
        start <= address && address <= end && end - address >= size
    };
    segments.iter().find(has)
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
fn segments() -> Vec<Segment> {
    /// Adds the segments of a file.
    unsafe extern "C" fn add(
        info: *mut libc::dl_phdr_info,
        _size: libc::size_t,
        segments: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: `dl_iterate_phdr` passes a description of a file, and what it was given.
        let (info, segments) = unsafe { (&*info, &mut *segments.cast::<Vec<Segment>>()) };
        for index in 0..usize::from(info.dlpi_phnum) {
            // SAFETY: there are so many headers.
            let header = unsafe { &*info.dlpi_phdr.add(index) };
            if header.p_type == libc::PT_LOAD {
                let start = (info.dlpi_addr + header.p_vaddr) as usize;
                let addresses = start..start + header.p_memsz as usize;
                let is_constant = header.p_flags & libc::PF_W == 0;
                segments.push(Segment { addresses, is_constant });
            }
        }
        0
    }
    let mut segments = Vec::new();
    // SAFETY: `add` gets the vector that it expects.
    unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut segments).cast()) };
    segments
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
fn segments() -> Vec<Segment> {
    Vec::new()
}
