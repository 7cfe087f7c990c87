//! fn hidden() {}
use std::fmt;
mod inner;

/* outer /* nested */ fn no() {} */
pub const LIMIT: usize = 3;
static NAME: &'static str = "a{";

#[derive(Debug, Clone)]
pub struct Order<'a, T: Clone> {
    pub id: u64,
    name: &'a str,
}
pub struct Unit;
pub(crate) struct Pair(u8, char);

#[derive(Debug)]
pub enum Kind {
    A,
    B { x: i32 },
}

pub trait Price {
    type Out;
    const TAX: u8 = 1;
    fn price(&self) -> u32;
    fn twice(&self) -> u32 { self.price() * 2 }
}

impl<'a, T> fmt::Display for Order<'a, T>
where
    T: Clone,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = '{';
        let r = r#"fn "no" {"#;
        fn local() {}
        write!(f, "}}")
    }
}

impl<T> Order<'_, T> {
    pub(crate) async fn send<F: Fn(u8) -> u8>(&self, f: F) -> Result<(), Error> { Ok(()) }
    pub unsafe extern "C" fn raw(x: *const u8) {}
}

extern "C" {
    fn outside(x: i32) -> i32;
}

macro_rules! shop {
    ($x:expr) => { $x };
}

type Alias = Vec<u8>;

mod tests {
    fn check() {}
}
