//! Files that both readers must read alike, with the expected results.

use crate::read::{NOT_TEXT, ReadResult, lines_of, read};

/// A file and its rows.
type Readable = (&'static [u8], &'static [(u64, &'static [&'static str])]);
/// A file and the reason it is refused, with the line and the line of the opening mark.
type Refused = (&'static [u8], &'static str);

const READABLE: &[Readable] = &[
    (b"a,b\n1,2\n", &[(2, &["1", "2"])]),
    // A quotation mark inside an unquoted cell has only one reading.
    (b"a,b\n1,5\" pipe\n2,5\"\n3,x\"y\"z\n", &[(2, &["1", "5\" pipe"]), (3, &["2", "5\""]), (4, &["3", "x\"y\"z"])]),
    (b"a,b\n\"1\",\"5\"\" pipe\"\n\"\"\"\",\"\"\n", &[(2, &["1", "5\" pipe"]), (3, &["\"", ""])]),
    (b"a,b\n\"1,\n\r2\",3\n4,5\n", &[(2, &["1,\n\r2", "3"]), (5, &["4", "5"])]),
    (b"a,b\r\"1\r2\",3\r\r4,5\r", &[(2, &["1\r2", "3"]), (5, &["4", "5"])]),
    (b"a,b\r\n\r\n\"1\r\n2\",3\r\n4,5", &[(3, &["1\r\n2", "3"]), (5, &["4", "5"])]),
    (b"a,b\n1,2\r\n3,4\r5,6\n\r7,8", &[(2, &["1", "2"]), (3, &["3", "4"]), (4, &["5", "6"]), (6, &["7", "8"])]),
    // Spaces are part of the text.
    (b"a,b\n 1 , 2\n", &[(2, &[" 1 ", " 2"])]),
    (b"sep=;\r\na;b\r\n1,5;2\r\n", &[(3, &["1,5", "2"])]),
    (b"SEP=,\na,b\n1,2\n", &[(3, &["1", "2"])]),
    (b"sep=\t\ra\tb\r1\t2\r", &[(3, &["1", "2"])]),
    (b"\xef\xbb\xbf\"sep=;\"\na;b\n1;2\n", &[(3, &["1", "2"])]),
    (b"\xef\xbb\xbfsep=|\na|b,c;d\n1|2\n", &[(3, &["1", "2"])]),
    (b"sep=;\na;b\n", &[]),
    (b"\xef\xbb\xbf\xef\xbb\xbfa;b\n1;2\n", &[(2, &["1", "2"])]),
    (b"\xff\xfea\0\t\0b\0\n\0\x31\0\t\0\xe4\0\n\0", &[(2, &["1", "\u{e4}"])]),
    (b"\xfe\xff\0s\0e\0p\0=\0;\0\r\0a\0;\0b\0\r\xd8\x3d\xde\0\0;\x65\xe5", &[(3, &["\u{1f600}", "\u{65e5}"])]),
    // Remains of cleared cells in spreadsheets.
    (b"a,b\n1,2,,,\n,\n,,,\n\"\",\n3,4\n,,,\n", &[(2, &["1", "2"]), (6, &["3", "4"])]),
    (b",,\n\na,b\n1,2,3\n4\n5,,,6,\n", &[(4, &["1", "2", "3"]), (5, &["4"]), (6, &["5", "", "", "6"])]),
    (b"a\n\"\"\n1\n \n", &[(3, &["1"]), (4, &[" "])]),
    // An apostrophe guards against formulas in reports and exports. In other files, it is part of the text.
    (b"a,b\n'=1,'tis\n", &[(2, &["'=1", "'tis"])]),
    (b"a,line,reason\n'=1,2,no\n''@b,3,no\n", &[(2, &["=1", "2", "no"]), (3, &["'@b", "3", "no"])]),
    (
        b"id;a\n01890a5d-ac96-774b-bcce-b302099a8057;'=1\n4711;'=1\n",
        &[(2, &["01890a5d-ac96-774b-bcce-b302099a8057", "=1"]), (3, &["4711", "'=1"])],
    ),
    (b"\"a\nb\";c\n1;2\n", &[(3, &["1", "2"])]),
];

const REFUSED: &[Refused] = &[
    (b"email,notes\na@x.example,\"open quote\nb@x.example,B\nc@x.example,C\n", "unclosed 2 2"),
    (b"a,b\n1,2\n3,\"", "unclosed 3 3"),
    (b"a,b\n1,\"2\r\n3,\"\"4\n", "unclosed 2 2"),
    (b"a,b\n1,\"6 inch\n2,x\n3,5\" pipe\n4,y\n", "behindQuote 4 2"),
    (b"a,b\r1,\"6 inch\r2,x\r3,5\" pipe\r4,y\r", "behindQuote 4 2"),
    (b"a,b\n1,\"open\n2,\"x\"\n", "behindQuote 3 2"),
    (b"a,b\n1,\"abc\"def\n2,x\n", "behindQuote 2 2"),
    (b"a,b\n1,\"a \\\"q\\\" b\"\n", "behindQuote 2 2"),
    (b"a,b\n\"1\" ,2\n", "behindQuote 2 2"),
    (b"a,b\n\n1, \"2, 3\"\n", "beforeQuote 3 3"),
    (b"sep=;\na;b\n1;\t\"2\"\n", "beforeQuote 3 3"),
    (b"a,\"b\n1,2\n", "unclosed 1 1"),
    (b"a,b\n1,\xe4\n", NOT_TEXT),
    (b"\xff\xfea\0,\0b\0\n\0\x31\0,\0\x3d\xd8", NOT_TEXT),
    (b"\xff\xfea\0,\0b\0\n\0\x31\0,\0x", NOT_TEXT),
    (b"\xff\xfe\0\0a\0\0\0,\0\0\0b\0\0\0", NOT_TEXT),
    (b"\0\0\xfe\xff\0\0\0a\0\0\0,\0\0\0b", NOT_TEXT),
];

/// All cases.
pub(crate) fn cases() -> impl Iterator<Item = (&'static [u8], ReadResult)> {
    let readable = READABLE.iter().map(|(file, rows)| (*file, Ok(lines_of(rows))));
    readable.chain(REFUSED.iter().map(|(file, reason)| (*file, Err((*reason).to_owned()))))
}

#[test]
fn each_file_is_read_or_refused_by_its_line() {
    for (file, expected) in cases() {
        assert_eq!(read(file), expected, "{:?}", String::from_utf8_lossy(file));
    }
}
