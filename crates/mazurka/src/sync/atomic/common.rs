//! The methods that all atomics have.
//!
//! Operations are always inlined. A loop over a small function may be compiled so that the function is called from
//! two places, which would be two [states](crate::rt) of a thread that waits.

/// Declares the methods of an atomic that holds a `$value`, which [`Word`](super::word::Word) keeps
/// as bits.
macro_rules! common_methods {
    ($value:ty, $to_bits:path, $from_bits:path) => {
        /// Tells the checker about the atomic before a thread uses it.
        ///
        /// The checker identifies the elements of an array, and other atomics that one line of the
        /// source creates, by the thread that uses them first. If threads use them late, an explorer
        /// cannot always tell that two threads are about to use different ones, and runs more
        /// executions than necessary. If the main thread introduces them before it spawns the
        /// others, they are distinct from the start. This is not a step.
        #[track_caller]
        pub fn introduce(&self) {
            self.word.introduce();
        }

        /// Gives the atomic a name for reports.
        pub const fn with_label(mut self, label: &'static str) -> Self {
            self.word.set_label(label);
            self
        }

        /// Consumes the atomic and returns its value. This is not a step.
        #[track_caller]
        pub fn into_inner(self) -> $value {
            $from_bits(self.word.peek())
        }

        /// Loads the value as plain memory. If another thread stores to the atomic and the two are not
        /// ordered by happens-before, this is a data race.
        ///
        /// # Safety
        ///
        /// None is needed here, where a data race is a violation of the check. In the code that this stands
        /// for, a read through a pointer, a data race is undefined behaviour.
        #[track_caller]
        pub unsafe fn unsync_load(&self) -> $value {
            $from_bits(self.word.load_plain(SourceLocation::caller()))
        }

        /// Loads the value.
        ///
        /// # Panics
        ///
        /// If `order` is `Release` or `AcqRel`.
        #[inline(always)]
        #[track_caller]
        pub fn load(&self, order: Ordering) -> $value {
            super::check_load(order);
            let load = Load { from_bits: $from_bits };
            self.word.access(SourceLocation::caller(), load, Orderings::one(order))
        }

        /// Stores `value`.
        ///
        /// # Panics
        ///
        /// If `order` is `Acquire` or `AcqRel`.
        #[inline(always)]
        #[track_caller]
        pub fn store(&self, value: $value, order: Ordering) {
            super::check_store(order);
            let store = Store($to_bits(value));
            self.word.access(SourceLocation::caller(), store, Orderings::one(order));
        }

        /// Stores `value`, and returns the previous value.
        #[inline(always)]
        #[track_caller]
        pub fn swap(&self, value: $value, order: Ordering) -> $value {
            let operand = $to_bits(value);
            let (change, from_bits) = (move |_| operand, $from_bits);
            let swap = Update { name: "swap", operand, change, from_bits };
            self.word.access(SourceLocation::caller(), swap, Orderings::one(order))
        }

        /// Stores `new` if the value is `current`, and returns the previous value.
        ///
        /// # Errors
        ///
        /// Returns the value if it is not `current`.
        ///
        /// # Panics
        ///
        /// If `failure` is `Release` or `AcqRel`.
        #[inline(always)]
        #[track_caller]
        pub fn compare_exchange(
            &self,
            current: $value,
            new: $value,
            success: Ordering,
            failure: Ordering,
        ) -> Result<$value, $value> {
            super::check_failure(failure);
            let exchange = Exchange {
                name: "compare_exchange",
                expected: $to_bits(current),
                new: $to_bits(new),
                is_weak: false,
                from_bits: $from_bits,
            };
            let orderings = Orderings::exchange(success, failure);
            self.word.access(SourceLocation::caller(), exchange, orderings)
        }

        /// Stores `new` if the value is `current`, and returns the previous value.
        ///
        /// It fails spuriously only if
        /// [`Check::spurious_failures`](crate::Check::spurious_failures) is set: then both outcomes
        /// are explored.
        ///
        /// # Errors
        ///
        /// Returns the value if it is not `current`, or if the operation fails spuriously.
        ///
        /// # Panics
        ///
        /// If `failure` is `Release` or `AcqRel`.
        #[inline(always)]
        #[track_caller]
        pub fn compare_exchange_weak(
            &self,
            current: $value,
            new: $value,
            success: Ordering,
            failure: Ordering,
        ) -> Result<$value, $value> {
            super::check_failure(failure);
            let exchange = Exchange {
                name: "compare_exchange_weak",
                expected: $to_bits(current),
                new: $to_bits(new),
                is_weak: true,
                from_bits: $from_bits,
            };
            let orderings = Orderings::exchange(success, failure);
            let site = SourceLocation::caller();
            self.word.access(site, exchange, orderings)
        }

        /// Stores `f(value)`, and tries again if another thread has changed the value in between.
        /// Returns the previous value.
        ///
        /// # Errors
        ///
        /// Returns the value for which `f` returned `None`.
        #[track_caller]
        pub fn fetch_update(
            &self,
            set_order: Ordering,
            fetch_order: Ordering,
            mut f: impl FnMut($value) -> Option<$value>,
        ) -> Result<$value, $value> {
            let mut seen = self.load(fetch_order);
            while let Some(next) = f(seen) {
                match self.compare_exchange_weak(seen, next, set_order, fetch_order) {
                    Ok(old) => return Ok(old),
                    Err(now) => seen = now,
                }
            }
            Err(seen)
        }

        /// Stores `f(value)`, and tries again if another thread has changed the value in between.
        /// Returns the previous value. It is another name of [`fetch_update`](Self::fetch_update).
        ///
        /// # Errors
        ///
        /// Returns the value for which `f` returned `None`.
        #[track_caller]
        pub fn try_update(
            &self,
            set_order: Ordering,
            fetch_order: Ordering,
            f: impl FnMut($value) -> Option<$value>,
        ) -> Result<$value, $value> {
            self.fetch_update(set_order, fetch_order, f)
        }

        /// Stores `f(value)`, and tries again if another thread has changed the value in between.
        /// Returns the previous value.
        #[track_caller]
        pub fn update(
            &self,
            set_order: Ordering,
            fetch_order: Ordering,
            mut f: impl FnMut($value) -> $value,
        ) -> $value {
            match self.fetch_update(set_order, fetch_order, |value| Some(f(value))) {
                Ok(old) | Err(old) => old,
            }
        }

        /// Stores `new` if the value is `current`, and returns the previous value.
        #[deprecated(note = "use `compare_exchange` or `compare_exchange_weak`")]
        #[inline(always)]
        #[track_caller]
        pub fn compare_and_swap(&self, current: $value, new: $value, order: Ordering) -> $value {
            let exchange = Exchange {
                name: "compare_and_swap",
                expected: $to_bits(current),
                new: $to_bits(new),
                is_weak: false,
                from_bits: $from_bits,
            };
            let site = SourceLocation::caller();
            match self.word.access(site, exchange, Orderings::one(order)) {
                Ok(old) | Err(old) => old,
            }
        }
    };
}

/// Declares read-modify-write methods of an atomic that holds a `$value`: the name of each and the
/// function of the value and the argument that it stores.
macro_rules! update_methods {
    (
        $value:ty, $to_bits:path, $from_bits:path,
        $($doc:literal $method:ident = $function:expr;)*
    ) => {
        $(
            #[doc = $doc]
            #[inline(always)]
            #[track_caller]
            pub fn $method(&self, value: $value, order: Ordering) -> $value {
                let function: fn($value, $value) -> $value = $function;
                let update = Update {
                    name: stringify!($method),
                    operand: $to_bits(value),
                    change: move |bits| $to_bits(function($from_bits(bits), value)),
                    from_bits: $from_bits,
                };
                self.word.access(SourceLocation::caller(), update, Orderings::one(order))
            }
        )*
    };
}

pub(super) use {common_methods, update_methods};
