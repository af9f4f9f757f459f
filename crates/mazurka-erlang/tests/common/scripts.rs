//! Random programs: calls of `scripts:run`.

use super::program;
use mazurka_erlang::ErlangProgram;

/// The acts of a process, in the words of `scripts.erl`, by subject. `#` stands for the number of a
/// process, `K` for a key and `T` for a time limit.
const ACTS: &[&[&str]] = &[
    // Messages.
    &[
        "{{say,a},#}",
        "{{say,b},#}",
        "{{apply,a},#}",
        "{name,a}",
        "{node,b}",
        "{hear,T}",
        "{hear,T,a}",
        "{hear,T,b}",
        "{flush,a}",
        "{fail,a}",
    ],
    // Links and exits.
    &[
        "{{signal,bye},#}",
        "{{signal,normal},#}",
        "{{signal,kill},#}",
        "{link,#}",
        "{unlink,#}",
        "{trap,true}",
        "{trap,false}",
        "{news,T}",
        "{{spawn_link,a,bye},#}",
        "{crash,bye}",
        "{crash,bad}",
        "{is_alive,#}",
        "{hear,T}",
    ],
    // Suspensions.
    &[
        "{suspend,#}",
        "{suspend,#}",
        "{{suspend,[unless_suspending]},#}",
        "{{suspend,[asynchronous]},#}",
        "{{suspend,[{asynchronous,a}]},#}",
        "{resume,#}",
        "{resume,#}",
        "suspending",
        "wait",
        "wait",
        "{is_alive,#}",
        "{{signal,kill},#}",
        "{{signal,bye},#}",
        "{{say,a},#}",
        "{hear,T}",
        "{hear,T,a}",
        "{{spawn,a,bye},#}",
    ],
    // Monitors and aliases.
    &[
        "{watch,#}",
        "watch_name",
        "{{monitor,explicit_unalias},#}",
        "{{monitor,demonitor},#}",
        "{{monitor,reply_demonitor},#}",
        "alias",
        "unalias",
        "{share,#}",
        "reply",
        "{demonitor,[]}",
        "{demonitor,[flush]}",
        "{demonitor,[flush,info]}",
        "{demonitor,[info]}",
        "{news,T}",
        "{spawn_monitor,bye}",
        "{{spawn_opt,[monitor],a},#}",
        "{hear,T}",
    ],
    // Names.
    &[
        "{register,#}",
        "{register,#}",
        "unregister",
        "whereis",
        "registered",
        "{name,a}",
        "{node,a}",
        "watch_name",
        "{{info,registered_name},#}",
        "{hear,T}",
        "{after_name,c}",
    ],
    // What processes find out about each other.
    &[
        "{is_alive,#}",
        "processes",
        "{{info,message_queue_len},#}",
        "{{info,messages},#}",
        "{{info,links},#}",
        "{{info,monitors},#}",
        "{{info,monitored_by},#}",
        "{{info,registered_name},#}",
        "{{info,trap_exit},#}",
        "{{info,[links,registered_name]},#}",
        "{{spawn,a,bye},#}",
        "{{spawn_opt,[link],b},#}",
        "{{say,a},#}",
    ],
    // Timers.
    &[
        "{{after_,c},#}",
        "{{after_,a},#}",
        "{after_name,c}",
        "{{start,c},#}",
        "cancel",
        "cancel_soon",
        "read",
        "{share_timer,#}",
        "get_timer",
        "{hear,T}",
        "{hear,T,c}",
    ],
    // Entries of a table.
    &[
        "{insert,K}",
        "{insert_same,K}",
        "{insert_same,K}",
        "{insert_all,[K,K]}",
        "{insert_new,K}",
        "{insert_new_all,[K,K]}",
        "{lookup,K}",
        "{lookup_element,K}",
        "{member,K}",
        "{take,K}",
        "{remove,K}",
        "{remove_object,K}",
        "{count,K}",
        "{change,K}",
    ],
    // Whole tables.
    &[
        "select",
        "{select,K}",
        "some",
        "match",
        "{match,K}",
        "match_delete",
        "select_delete",
        "select_count",
        "list",
        "first",
        "last",
        "{next,K}",
        "{prev,K}",
        "size",
        "owner",
        "empty",
        "delete",
        "{give,#}",
        "{insert_same,K}",
        "{insert_all,[K,K]}",
    ],
    // Writes of equal and of different values, and writes that change nothing.
    &[
        "{insert_same,K}",
        "{insert_same,K}",
        "{insert_all,[K]}",
        "{insert_new,K}",
        "{remove,K}",
        "{remove_object,K}",
        "{take,K}",
        "{lookup,K}",
        "{match_delete,K}",
        "{select_delete,[K]}",
        "{select_delete,[K,K]}",
        "{select_count,[K,K]}",
        "list",
        "type",
    ],
    // Numbers that processes share, and persistent terms.
    &[
        "{set,K}",
        "{set,K}",
        "{poll,K}",
        "{acquire,K}",
        "{add,K}",
        "{add_get,K}",
        "{exchange,K}",
        "{compare,K}",
        "get_number",
        "{keep,K}",
        "{keep,K}",
        "kept",
    ],
    // Polls of entries of a table.
    &[
        "{await,K}",
        "{await_same,K}",
        "{await_none,K}",
        "{await_element,K}",
        "{insert_same,K}",
        "{insert,K}",
        "{insert_all,[K,K]}",
        "{insert_new,K}",
        "{remove,K}",
        "{remove_object,K}",
        "{take,K}",
        "{count,K}",
        "empty",
        "match_delete",
        "select_delete",
        "{match_delete,K}",
        "delete",
        "{give,#}",
        "{lookup,K}",
        "{{signal,kill},#}",
    ],
    // Polls of entries of a table with a name.
    &[
        "{await_named,K}",
        "{await_named,K}",
        "{await_no_name,K}",
        "new",
        "new",
        "new_private",
        "{heir,#}",
        "rename",
        "rename_back",
        "{give_own,#}",
        "{insert_named,K}",
        "{insert_named,K}",
        "{lookup_named,K}",
        "delete_named",
        "{{signal,kill},#}",
    ],
    // Polls of a name.
    &[
        "{await_name,#}",
        "{await_name,#}",
        "{await_free,#}",
        "{register,#}",
        "{register,#}",
        "unregister",
        "whereis",
        "{node,a}",
        "{{signal,kill},#}",
        "{{signal,bye},#}",
    ],
    // Tables with names.
    &[
        "new",
        "{heir,#}",
        "tables",
        "rename",
        "where",
        "{give_own,#}",
        "{insert_named,K}",
        "{lookup_named,K}",
        "delete_named",
    ],
    // Modules that are loaded while the program runs.
    &[
        "{load,K}",
        "{load,K}",
        "{load_module,K}",
        "call",
        "call",
        "delete_code",
        "purge",
        "soft_purge",
        "has_old_code",
        "is_loaded",
        "exported",
        "{{spawn,a,bye},#}",
    ],
    // Group leaders.
    &[
        "{lead,#}",
        "{lead,#}",
        "leader",
        "leader",
        "{{spawn_leader,a},#}",
        "{{info,group_leader},#}",
        "{{signal,kill},#}",
        "{hear,T}",
    ],
    // Persistent terms, the dictionary and exceptions.
    &[
        "{keep,K}",
        "kept",
        "all_kept",
        "forget",
        "{put,K}",
        "get",
        "erase",
        "{throw,K}",
        "{crash,bad}",
        "{{say,a},#}",
    ],
];

/// The acts of processes that are started alike. They know only the first process.
const ALIKE: &[&[&str]] = &[
    &["{{say,a},0}", "{{say,b},0}", "{hear,now}", "{{apply,a},0}", "{fail,a}"],
    &["{set,K}", "{add,K}", "{add_get,K}", "{exchange,K}", "{compare,K}", "get_number"],
    &["{poll,K}", "{acquire,K}", "{set,K}", "{add_get,K}", "{{say,a},0}"],
    &["{keep,K}", "kept", "all_kept", "forget", "{put,K}", "get", "{throw,K}", "{crash,bad}"],
];

/// The acts of the first process among processes that are started alike.
const FIRST: &[&str] = &[
    "{hear,T}",
    "{hear,T,a}",
    "{hear,T,b}",
    "{flush,a}",
    "{set,K}",
    "{add,K}",
    "{add_get,K}",
    "{poll,K}",
    "get_number",
    "{keep,K}",
    "kept",
    "{{say,a},0}",
];

/// Acts that tell processes apart.
const TELLING: &[&str] = &[
    "say_self",
    "say_new",
    "{{spawn,a,bye},0}",
    "{{after_,a},0}",
    "{{start,a},0}",
    "{is_alive,0}",
    "{link,0}",
    "{{signal,bye},0}",
    "{watch,0}",
    "alias",
    "{register,0}",
    "processes",
    "{{info,message_queue_len},0}",
    "new",
];

/// A linear congruential generator.
pub struct Random(pub u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn act(&mut self, subjects: &[usize]) -> String {
        let acts = ACTS[subjects[self.below(subjects.len())]];
        self.one_of(acts)
    }

    fn one_of(&mut self, acts: &[&str]) -> String {
        let mut act = acts[self.below(acts.len())].replace('#', &self.below(3).to_string());
        while let Some(place) = act.find('K') {
            act.replace_range(place..=place, ["x", "y"][self.below(2)]);
        }
        act.replace('T', if self.below(3) == 0 { "infinity" } else { "now" })
    }

    fn script(&mut self, subjects: &[usize], acts: usize) -> String {
        let acts: Vec<String> = (0..acts).map(|_| self.act(subjects)).collect();
        format!("[{}]", acts.join(","))
    }

    /// Returns a call of `scripts:run`: three processes that do one to three acts each. Most
    /// programs are about two or three subjects, so that the acts have something to do with each
    /// other.
    pub fn call(&mut self) -> String {
        let mut subjects: Vec<usize> = match self.below(4) {
            0 => (0..ACTS.len()).collect(),
            count => (0..=count).map(|_| self.below(ACTS.len())).collect(),
        };
        if let Some(subject) = subject() {
            subjects = vec![subject, subject, subjects[0]];
        }
        let sizes = [1 + self.below(3), 1 + self.below(3), 1 + self.below(2)];
        let scripts = sizes.map(|acts| self.script(&subjects, acts));
        format!("scripts:run([{}])", scripts.join(","))
    }

    /// Returns a call of `scripts:run_alike`, and the sizes of the groups of processes that are started alike.
    /// One in `telling` programs has an act that tells processes apart.
    pub fn call_of_alike(&mut self, telling: usize) -> (String, Vec<usize>) {
        let (tells, knows) = (self.below(telling) == 0, self.below(2 * telling) == 0);
        let groups = 1 + self.below(2);
        let (mut scripts, mut counts, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        for group in 0..groups {
            let size = 2 + usize::from(group == 0 && self.below(3) == 0);
            let subject = ALIKE[self.below(ALIKE.len())];
            let mut acts: Vec<String> = (0..=self.below(2)).map(|_| self.one_of(subject)).collect();
            if tells && group == 0 {
                let place = self.below(acts.len() + 1);
                acts.insert(place, self.one_of(TELLING));
            }
            let script = format!("[{}]", acts.join(","));
            // Two groups that do the same are one.
            match scripts.last() == Some(&script) {
                true => *sizes.last_mut().expect("there is a group") += size,
                false => sizes.push(size),
            }
            counts.push(size);
            scripts.push(script);
        }
        let mut first: Vec<String> = (0..self.below(4)).map(|_| self.one_of(FIRST)).collect();
        if knows {
            first.push(format!("{{{{say,a}},{}}}", 1 + self.below(2)));
        }
        let known = if knows { "all" } else { "first" };
        let groups = counts.iter().zip(&scripts);
        let groups: Vec<String> =
            groups.map(|(count, script)| format!("{{{count},{script}}}")).collect();
        let call =
            format!("scripts:run_alike({known},[{}],[{}])", first.join(","), groups.join(","));
        (call, sizes)
    }

    /// Returns a call of `scripts:run` in which processes poll a number, or entries of a table if the act is
    /// about them.
    pub fn polling_call(&mut self, act: &str) -> String {
        let polls = ACTS.iter().position(|acts| acts.contains(&act)).expect("there are polls");
        let subjects = [polls, polls, polls, self.below(ACTS.len())];
        let sizes = [1 + self.below(3), 1 + self.below(3), 1 + self.below(2)];
        let scripts = sizes.map(|acts| self.script(&subjects, acts));
        format!("scripts:run([{}])", scripts.join(","))
    }

    /// Returns a call of `scripts:run` that mostly sends messages: two or three processes that do one or
    /// two acts each.
    pub fn short_call(&mut self) -> String {
        let subjects = [0, self.below(7)];
        let sizes = [1 + self.below(2), 1 + self.below(2), self.below(2)];
        let scripts = sizes.map(|acts| self.script(&subjects, acts));
        format!("scripts:run([{}])", scripts.join(","))
    }
}

/// Returns the subject that most acts are about, if `MAZURKA_SUBJECT` gives its place in [`ACTS`].
fn subject() -> Option<usize> {
    std::env::var("MAZURKA_SUBJECT").ok().map(|place| place.parse().expect("it is a number"))
}

/// Returns the number in a variable of the environment.
pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Returns the program that makes a call of `scripts:run`.
pub fn script(call: &str) -> ErlangProgram {
    let program = program("scripts", call).ignore_deadlocks(true);
    let reasons = ["seen", "bye", "killed"].into_iter();
    reasons.fold(program, |program, reason| program.treat_as_normal(reason))
}
