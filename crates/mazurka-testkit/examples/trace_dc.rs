use mazurka_core::explore::*;
use mazurka_core::model::*;
use mazurka_testkit::script::*;
struct W;
impl<M> Monitor<M> for W {
    fn ended(&mut self, _m: &M, e: &Execution, end: Option<&Ending>, _v: Option<&mazurka_core::verdict::Violation>) {
        let s: mazurka_core::verdict::Schedule = e.steps().collect();
        println!("{s} {:?}", end.is_some());
    }
}
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let script: Script = text.parse().unwrap();
    let program = ScriptProgram::new(&script).unwrap();
    let mut m = program.start().unwrap();
    let o = Options { algorithm: Algorithm::DataCentric, keep_going: true, ..Options::default() };
    let v = explore(&mut m, &o, &mut W);
    println!("{} + {}", v.executions, v.blocked);
}
