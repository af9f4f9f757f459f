//! How fast executions run: three threads that store once each, joined.
//!
//! A few choices in front make for enough executions to tell.

use std::sync::Arc;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::{Algorithm, Check, thread};

fn main() {
    for algorithm in Algorithm::ALL {
        let verdict = Check::new().algorithm(algorithm).run(|| {
            for _ in 0..4 {
                mazurka::choose(20);
            }
            let variable = Arc::new(AtomicUsize::new(0));
            let threads: Vec<_> = (0..3)
                .map(|i| {
                    let variable = Arc::clone(&variable);
                    thread::spawn(move || variable.store(i, SeqCst))
                })
                .collect();
            for thread in threads {
                thread.join().unwrap();
            }
        });
        println!("{algorithm}: {} executions, {:.0}/s", verdict.executions, verdict.rate());
    }
}
