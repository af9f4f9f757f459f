//! How many executions each explorer runs on the programs of the literature.

mod messages;
mod restarts;
mod shared_memory;
mod toy;
