//! What the senders of both kinds of channels have in common.

/// Implements what does not depend on the bound of the channel, and a sender that does not keep the channel
/// open.
macro_rules! sender {
    ($sender:ident, $weak:ident) => {
        impl<T> $sender<T> {
            /// Waits until the receiver is closed.
            #[track_caller]
            pub fn closed(&self) -> impl Future<Output = ()> {
                closed(&self.channel, Location::caller())
            }

            /// Returns whether the receiver is closed.
            #[track_caller]
            pub fn is_closed(&self) -> bool {
                self.channel.is_closed(Location::caller())
            }

            /// Returns whether both senders are of the same channel.
            pub fn same_channel(&self, other: &Self) -> bool {
                Arc::ptr_eq(&self.channel, &other.channel)
            }

            /// Returns a sender that does not keep the channel open.
            pub fn downgrade(&self) -> $weak<T> {
                self.channel.senders.share();
                $weak { channel: Arc::downgrade(&self.channel) }
            }

            /// Returns the number of senders.
            #[track_caller]
            pub fn strong_count(&self) -> usize {
                self.channel.senders.count()
            }
        }

        impl<T> Clone for $sender<T> {
            fn clone(&self) -> Self {
                self.channel.senders.add();
                $sender { channel: Arc::clone(&self.channel) }
            }
        }

        impl<T> Drop for $sender<T> {
            #[track_caller]
            fn drop(&mut self) {
                self.channel.remove_sender(Location::caller());
            }
        }

        impl<T> fmt::Debug for $sender<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($sender)).finish_non_exhaustive()
            }
        }

        /// A sender that does not keep the channel open.
        pub struct $weak<T> {
            channel: Weak<Channel<T>>,
        }

        impl<T> $weak<T> {
            /// Returns a sender, unless all senders are gone.
            #[track_caller]
            pub fn upgrade(&self) -> Option<$sender<T>> {
                let channel = self.channel.upgrade()?;
                channel.senders.revive().then(|| $sender { channel })
            }
        }

        impl<T> Clone for $weak<T> {
            fn clone(&self) -> Self {
                $weak { channel: Weak::clone(&self.channel) }
            }
        }

        impl<T> fmt::Debug for $weak<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($weak)).finish_non_exhaustive()
            }
        }
    };
}

pub(super) use sender;
