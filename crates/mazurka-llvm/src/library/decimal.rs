//! Floating-point numbers in decimal, as `printf` writes them: exact, and rounded to even.

/// A finite number that is not negative, as all of its decimal digits.
pub(super) struct Decimal {
    /// The digits, from 0 to 9, without zeros at the front; none for zero.
    digits: Vec<u8>,
    /// How many of them are before the point; it may be negative, or more than there are.
    point: i64,
}

impl Decimal {
    /// `mantissa * 2^exponent`.
    pub(super) fn new(mantissa: u64, exponent: i32) -> Decimal {
        let mut number = Big::new(mantissa);
        if exponent >= 0 {
            for _ in 0..exponent / 29 {
                number.multiply(1 << 29);
            }
            number.multiply(1 << (exponent % 29));
        } else {
            // x / 2^n = x * 5^n / 10^n
            const FIVE_TO_12: u32 = 244_140_625;
            for _ in 0..-exponent / 12 {
                number.multiply(FIVE_TO_12);
            }
            number.multiply(5u32.pow((-exponent % 12) as u32));
        }
        let digits = number.digits();
        let point = digits.len() as i64 + i64::from(exponent.min(0));
        Decimal { digits, point }
    }

    /// A finite `double`, without its sign.
    #[cfg(test)]
    pub(super) fn of_double(number: f64) -> Decimal {
        let bits = number.to_bits() & (u64::MAX >> 1);
        match (bits >> 52) as i32 {
            0 => Decimal::new(bits, -1074),
            exponent => Decimal::new(bits & ((1 << 52) - 1) | 1 << 52, exponent - 1075),
        }
    }

    /// Rounds to the digits before this place, counted from the point; to even if it is half way.
    fn round(&mut self, places: i64) {
        let keep = self.point + places;
        if keep >= self.digits.len() as i64 {
            return;
        }
        if keep < 0 {
            self.digits.clear();
            return;
        }
        let keep = keep as usize;
        let rest = self.digits[keep..].iter().skip(1).any(|&digit| digit != 0);
        let odd = keep > 0 && self.digits[keep - 1] % 2 == 1;
        let up = match self.digits[keep] {
            0..=4 => false,
            5 => rest || odd,
            _ => true,
        };
        self.digits.truncate(keep);
        if !up {
            return;
        }
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    /// The digit at a place: 0 is the one before the point, 1 the one after it.
    fn digit(&self, place: i64) -> char {
        let index = self.point - 1 + place;
        let digit = usize::try_from(index).ok().and_then(|index| self.digits.get(index));
        char::from(b'0' + digit.copied().unwrap_or(0))
    }

    /// As `%f`: so many digits after the point.
    pub(super) fn fixed(mut self, precision: usize, always_point: bool) -> String {
        self.round(precision as i64);
        let before = self.point.max(1);
        let mut text: String = (1 - before..=0).map(|place| self.digit(place)).collect();
        if precision > 0 || always_point {
            text.push('.');
        }
        text.extend((1..=precision as i64).map(|place| self.digit(place)));
        text
    }

    /// As `%e`: one digit before the point, and so many after it.
    pub(super) fn exponential(mut self, precision: usize, always_point: bool) -> String {
        self.round_to_digits(precision + 1);
        let exponent = self.exponent();
        let mut text = String::new();
        text.push(self.digit(-exponent));
        if precision > 0 || always_point {
            text.push('.');
        }
        text.extend((1..=precision as i64).map(|place| self.digit(place - exponent)));
        let sign = if exponent < 0 { '-' } else { '+' };
        text + &format!("e{sign}{:02}", exponent.abs())
    }

    fn round_to_digits(&mut self, digits: usize) {
        self.round(digits as i64 - self.point);
    }

    fn exponent(&self) -> i64 {
        match self.digits.is_empty() {
            true => 0,
            false => self.point - 1,
        }
    }

    /// As `%g`: whichever of the two is shorter, of so many digits.
    pub(super) fn general(mut self, precision: usize, alternate: bool) -> String {
        let precision = precision.max(1);
        self.round_to_digits(precision);
        let exponent = self.exponent();
        if exponent < -4 || exponent >= precision as i64 {
            let text = self.exponential(precision - 1, alternate);
            return if alternate { text } else { without_zeros(&text) };
        }
        let text = self.fixed((precision as i64 - 1 - exponent) as usize, alternate);
        if alternate { text } else { without_zeros(&text) }
    }
}

/// Without the zeros at the end of a fraction.
fn without_zeros(text: &str) -> String {
    let (number, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned() + exponent,
        false => text.to_owned(),
    }
}

/// `%a`: the bits of a number in hexadecimal. `mantissa` has its first digit in front of `digits`
/// others of four bits.
pub(super) fn hexadecimal(
    mantissa: u64,
    digits: u32,
    exponent: i32,
    precision: Option<usize>,
    always_point: bool,
) -> String {
    let mut mantissa = u128::from(mantissa);
    let mut shown = digits as usize;
    match precision {
        Some(precision) if precision < shown => {
            let cut = 4 * (shown - precision) as u32;
            let (half, rest) = (1u128 << (cut - 1), mantissa & ((1 << cut) - 1));
            mantissa >>= cut;
            if rest > half || (rest == half && mantissa & 1 == 1) {
                mantissa += 1;
            }
            shown = precision;
        }
        Some(_) => {}
        None => {
            while shown > 0 && mantissa & 15 == 0 {
                mantissa >>= 4;
                shown -= 1;
            }
        }
    }
    let first = mantissa >> (4 * shown);
    let mut text = format!("0x{first:x}");
    let wanted = precision.unwrap_or(shown);
    if wanted > 0 || always_point {
        text.push('.');
    }
    if shown > 0 {
        let fraction = mantissa & ((1 << (4 * shown)) - 1);
        text += &format!("{fraction:0shown$x}");
    }
    text.extend(std::iter::repeat_n('0', wanted - shown));
    let sign = if exponent < 0 { '-' } else { '+' };
    text + &format!("p{sign}{}", exponent.abs())
}

/// A large number, in limbs of nine decimal digits, the lowest first.
struct Big {
    limbs: Vec<u32>,
}

const LIMB: u64 = 1_000_000_000;

impl Big {
    fn new(mut number: u64) -> Big {
        let mut limbs = Vec::new();
        while number > 0 {
            limbs.push((number % LIMB) as u32);
            number /= LIMB;
        }
        Big { limbs }
    }

    fn multiply(&mut self, by: u32) {
        let mut carry = 0;
        for limb in &mut self.limbs {
            let product = u64::from(*limb) * u64::from(by) + carry;
            *limb = (product % LIMB) as u32;
            carry = product / LIMB;
        }
        if carry > 0 {
            self.limbs.push(carry as u32);
        }
    }

    fn digits(&self) -> Vec<u8> {
        let text: String = self.limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
        text.trim_start_matches('0').bytes().map(|digit| digit - b'0').collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(number: f64, precision: usize) -> String {
        Decimal::of_double(number).fixed(precision, false)
    }

    #[test]
    fn fixed_point() {
        for number in [0.0, 0.5, 1.5, 2.5, 0.1, 1e22, 123_456.789, 1e-10, 9.995, 0.05, 1e300] {
            for precision in [0, 1, 2, 6, 20] {
                assert_eq!(fixed(number, precision), format!("{number:.precision$}"), "{number}");
            }
        }
        assert_eq!(fixed(5e-324, 2), "0.00");
    }

    #[test]
    fn exponents() {
        let exponential =
            |number, precision| Decimal::of_double(number).exponential(precision, false);
        assert_eq!(exponential(0.0, 6), "0.000000e+00");
        assert_eq!(exponential(123_456.789, 3), "1.235e+05");
        assert_eq!(exponential(9.9999, 2), "1.00e+01");
        assert_eq!(exponential(1e-310, 0), "1e-310");
        assert_eq!(exponential(2.5, 0), "2e+00");
    }

    #[test]
    fn general() {
        let general = |number, precision| Decimal::of_double(number).general(precision, false);
        assert_eq!(general(100_000.0, 6), "100000");
        assert_eq!(general(1_000_000.0, 6), "1e+06");
        assert_eq!(general(0.0001, 6), "0.0001");
        assert_eq!(general(0.000_01, 6), "1e-05");
        assert_eq!(general(0.0, 6), "0");
        assert_eq!(general(2.71999, 3), "2.72");
        assert_eq!(general(999_999.5, 6), "1e+06");
        assert_eq!(Decimal::of_double(1.5).general(6, true), "1.50000");
    }

    #[test]
    fn long_doubles_are_exact() {
        // 0.1L
        let number = Decimal::new(0xCCCC_CCCC_CCCC_CCCD, -67);
        assert_eq!(number.fixed(25, false), "0.1000000000000000000013553");
        let largest = Decimal::new(u64::MAX, 16320);
        assert_eq!(largest.exponential(10, false), "1.1897314954e+4932");
        let smallest = Decimal::new(1, -16445);
        assert_eq!(smallest.exponential(3, false), "3.645e-4951");
    }

    #[test]
    fn hexadecimals() {
        assert_eq!(hexadecimal(1 << 52, 13, 0, None, false), "0x1p+0");
        assert_eq!(hexadecimal(3 << 51, 13, -3, None, false), "0x1.8p-3");
        assert_eq!(hexadecimal(3 << 51, 13, 0, Some(0), false), "0x2p+0");
        assert_eq!(hexadecimal(1 << 52, 13, 1, Some(3), false), "0x1.000p+1");
    }
}
