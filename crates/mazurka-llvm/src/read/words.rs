//! The words for operations.

use crate::ir::{AtomicOp, BinaryOp, CastOp, Predicate};

/// Arithmetic.
pub(super) fn binary_op(word: &str) -> Option<BinaryOp> {
    Some(match word {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "mul" => BinaryOp::Mul,
        "udiv" => BinaryOp::UDiv,
        "sdiv" => BinaryOp::SDiv,
        "urem" => BinaryOp::URem,
        "srem" => BinaryOp::SRem,
        "shl" => BinaryOp::Shl,
        "lshr" => BinaryOp::LShr,
        "ashr" => BinaryOp::AShr,
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "xor" => BinaryOp::Xor,
        "fadd" => BinaryOp::FAdd,
        "fsub" => BinaryOp::FSub,
        "fmul" => BinaryOp::FMul,
        "fdiv" => BinaryOp::FDiv,
        "frem" => BinaryOp::FRem,
        _ => return None,
    })
}

/// Conversions.
pub(super) fn cast_op(word: &str) -> Option<CastOp> {
    Some(match word {
        "trunc" => CastOp::Trunc,
        "zext" => CastOp::ZExt,
        "sext" => CastOp::SExt,
        "fptrunc" => CastOp::FpTrunc,
        "fpext" => CastOp::FpExt,
        "fptoui" => CastOp::FpToUi,
        "fptosi" => CastOp::FpToSi,
        "uitofp" => CastOp::UiToFp,
        "sitofp" => CastOp::SiToFp,
        "ptrtoint" => CastOp::PtrToInt,
        "inttoptr" => CastOp::IntToPtr,
        "bitcast" => CastOp::Bitcast,
        "addrspacecast" => CastOp::AddrSpaceCast,
        _ => return None,
    })
}

/// What `atomicrmw` does.
pub(super) fn atomic_op(word: &str) -> Option<AtomicOp> {
    Some(match word {
        "xchg" => AtomicOp::Exchange,
        "add" => AtomicOp::Add,
        "sub" => AtomicOp::Sub,
        "and" => AtomicOp::And,
        "nand" => AtomicOp::Nand,
        "or" => AtomicOp::Or,
        "xor" => AtomicOp::Xor,
        "max" => AtomicOp::Max,
        "min" => AtomicOp::Min,
        "umax" => AtomicOp::UMax,
        "umin" => AtomicOp::UMin,
        "fadd" => AtomicOp::FAdd,
        "fsub" => AtomicOp::FSub,
        _ => return None,
    })
}

/// A predicate of `icmp` or `fcmp`.
pub(super) fn predicate(opcode: &str, word: &str) -> Option<Predicate> {
    Some(match (opcode, word) {
        ("icmp", "eq") => Predicate::Eq,
        ("icmp", "ne") => Predicate::Ne,
        ("icmp", "ugt") => Predicate::Ugt,
        ("icmp", "uge") => Predicate::Uge,
        ("icmp", "ult") => Predicate::Ult,
        ("icmp", "ule") => Predicate::Ule,
        ("icmp", "sgt") => Predicate::Sgt,
        ("icmp", "sge") => Predicate::Sge,
        ("icmp", "slt") => Predicate::Slt,
        ("icmp", "sle") => Predicate::Sle,
        ("fcmp", "false") => Predicate::FFalse,
        ("fcmp", "oeq") => Predicate::FOeq,
        ("fcmp", "ogt") => Predicate::FOgt,
        ("fcmp", "oge") => Predicate::FOge,
        ("fcmp", "olt") => Predicate::FOlt,
        ("fcmp", "ole") => Predicate::FOle,
        ("fcmp", "one") => Predicate::FOne,
        ("fcmp", "ord") => Predicate::FOrd,
        ("fcmp", "uno") => Predicate::FUno,
        ("fcmp", "ueq") => Predicate::FUeq,
        ("fcmp", "ugt") => Predicate::FUgt,
        ("fcmp", "uge") => Predicate::FUge,
        ("fcmp", "ult") => Predicate::FUlt,
        ("fcmp", "ule") => Predicate::FUle,
        ("fcmp", "une") => Predicate::FUne,
        ("fcmp", "true") => Predicate::FTrue,
        _ => return None,
    })
}
