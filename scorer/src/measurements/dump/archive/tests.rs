use std::io::{BufReader, Read as _, Write as _};

use proptest::prelude::*;

use super::*;

/// Builds an archive, number by number.
#[derive(Clone)]
struct Builder {
    bytes: Vec<u8>,
    minor: u8,
    int: usize,
}

impl Builder {
    fn head(minor: u8, int: u8, compression: u8) -> Self {
        let mut built = Self { bytes: b"PGDMP\x01".to_vec(), minor, int: int.into() };
        built.bytes.extend([minor, 0, int, 8, 1]);
        if minor >= 15 {
            built.bytes.push(compression);
        } else {
            built.int(if compression == 1 { -1 } else { 0 });
        }
        for _ in 0..7 {
            built.int(0);
        }
        built.text(Some("db"));
        built.text(Some("18.0"));
        built.text(Some("18.0"));
        built
    }

    fn int(&mut self, number: i64) {
        self.bytes.push(u8::from(number < 0));
        self.bytes.extend(&number.unsigned_abs().to_le_bytes()[..self.int]);
    }

    fn text(&mut self, text: Option<&str>) {
        match text {
            None => self.int(-1),
            Some(text) => {
                self.int(i64::try_from(text.len()).unwrap());
                self.bytes.extend(text.as_bytes());
            }
        }
    }

    fn entry(&mut self, id: i64, table: &str, kind: &str, copy: Option<&str>) {
        self.int(id);
        self.int(1);
        for text in ["0", "16384", table, kind] {
            self.text(Some(text));
        }
        self.int(3);
        self.text(Some(""));
        self.text(None);
        self.text(copy);
        self.text(Some("public"));
        self.text(Some(""));
        self.text(None);
        if self.minor >= 16 {
            self.int(0);
        }
        for text in [Some("me"), Some("false"), Some("7"), None] {
            self.text(text);
        }
        self.bytes.push(1);
        self.bytes.extend([0; 8]);
    }

    fn block(&mut self, kind: u8, id: i64, chunks: &[&[u8]]) {
        self.bytes.push(kind);
        self.int(id);
        for chunk in chunks {
            self.int(i64::try_from(chunk.len()).unwrap());
            self.bytes.extend(*chunk);
        }
        self.int(0);
    }
}

const COPY: &str = "COPY public.t (a, \"b\") FROM stdin;\n";

/// An archive with a table that nobody needs, large objects, and one that is needed.
fn archive(minor: u8, int: u8, compression: u8, text: &[&[u8]]) -> Builder {
    let mut built = Builder::head(minor, int, compression);
    built.int(3);
    built.entry(1, "other", "TABLE DATA", Some("COPY public.other (x) FROM stdin;\n"));
    built.entry(2, "t", "TABLE DATA", Some(COPY));
    built.entry(3, "BLOBS", "BLOBS", None);
    built.block(1, 1, &[b"1\n", b"\\.\n"]);
    built.bytes.push(3);
    built.int(3);
    built.int(4711);
    built.int(3);
    built.bytes.extend(b"abc");
    built.int(0);
    built.int(0);
    built.block(1, 2, text);
    built
}

fn read(bytes: &[u8], piece: usize) -> Result<Vec<(Table, String)>, String> {
    let is_wanted = |namespace: &str, name: &str| (namespace, name) == ("public", "t");
    let input = BufReader::with_capacity(piece, bytes);
    let mut archive = Archive::open(input, is_wanted).map_err(|error| error.to_string())?;
    let mut tables = Vec::new();
    while let Some(mut data) = archive.next_table().map_err(|error| error.to_string())? {
        let mut text = String::new();
        data.read_to_string(&mut text).map_err(|error| error.to_string())?;
        let table = data.table().clone();
        data.finish().map_err(|error| error.to_string())?;
        tables.push((table, text));
    }
    Ok(tables)
}

fn expected(text: &str) -> Vec<(Table, String)> {
    let columns = vec!["a".to_owned(), "b".to_owned()];
    vec![(Table { namespace: "public".to_owned(), name: "t".to_owned(), columns }, text.to_owned())]
}

#[test]
fn the_wanted_table_is_read_in_every_version_whatever_the_pieces() {
    for minor in 14..=16 {
        for int in [4, 8] {
            let built = archive(minor, int, 0, &[b"1\tx\n", b"2", b"\ty\n\\.\n"]);
            for piece in [1, 7, 4096] {
                assert_eq!(read(&built.bytes, piece).unwrap(), expected("1\tx\n2\ty\n\\.\n"), "1.{minor}");
            }
        }
    }
}

#[test]
fn every_inner_compression_is_read_and_must_end_with_its_table() {
    let text = "1\tx\n".repeat(60_000) + "\\.\n";
    let gzip = {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let lz4 = {
        let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
    for (number, compressed) in [(1, gzip), (2, lz4), (3, zstd)] {
        let chunks: Vec<&[u8]> = compressed.chunks(100).collect();
        assert!(read(&archive(16, 4, number, &chunks).bytes, 64).unwrap() == expected(&text), "{number}");
        let longer = [&chunks[..], &[b"more"]].concat();
        let told = read(&archive(16, 4, number, &longer).bytes, 64).unwrap_err();
        assert!(told.contains("follow the end of the compressed data") || number == 2, "{number}: {told}");
    }
}

#[test]
fn another_kind_of_file_is_told() {
    let told = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = archive(16, 4, 0, &[]).bytes;
        change(&mut bytes);
        read(&bytes, 99).unwrap_err()
    };
    assert!(told(&|bytes| bytes[0] = b'X').contains("no archive of pg_dump"));
    assert!(told(&|bytes| bytes[5] = 2).contains("version 2.16"));
    assert!(told(&|bytes| bytes[6] = 13).contains("version 1.13"));
    assert!(told(&|bytes| bytes[8] = 0).contains("numbers have 0"));
    assert!(told(&|bytes| bytes[9] = 200).contains("offsets 200"));
    assert!(told(&|bytes| bytes[10] = 3).contains("of format 3"));
    assert!(told(&|bytes| bytes[11] = 9).contains("not known (9)"));
    assert!(told(&|bytes| bytes[12] = 7).contains("damaged or too large"));
}

#[test]
fn a_table_of_contents_that_never_ends_is_refused_before_it_is_read() {
    for count in [1 << 31, -1, i64::from(u32::MAX)] {
        let mut built = Builder::head(16, 4, 0);
        built.int(count);
        let told = read(&built.bytes, 99).unwrap_err();
        assert!(told.contains("which no database of this kind has") || told.contains("too large"), "{told}");
    }
    let mut built = Builder::head(16, 4, 0);
    built.int(1_000_000);
    assert!(read(&built.bytes, 99).unwrap_err().contains("in the middle of an entry"));
}

#[test]
fn a_chunk_of_negative_or_enormous_length_is_refused() {
    for (length, wanted) in [(-5, 1), (i64::from(u32::MAX), 1), (-5, 2), ((1 << 30) + 1, 2)] {
        let mut built = Builder::head(16, 4, 0);
        built.int(2);
        built.entry(1, "other", "TABLE DATA", Some("COPY public.other (x) FROM stdin;\n"));
        built.entry(2, "t", "TABLE DATA", Some(COPY));
        built.bytes.push(1);
        built.int(wanted);
        built.int(length);
        let told = read(&built.bytes, 99).unwrap_err();
        assert!(told.contains("a chunk of data has a length of"), "{told}");
    }
}

#[test]
fn entries_and_blocks_that_cannot_be_are_refused() {
    let told = |build: &dyn Fn(&mut Builder)| {
        let mut built = Builder::head(16, 4, 0);
        build(&mut built);
        read(&built.bytes, 99).unwrap_err()
    };
    let twice = |built: &mut Builder| {
        built.int(2);
        built.entry(1, "t", "TABLE DATA", Some(COPY));
    };
    assert!(
        told(&|built| {
            twice(built);
            built.entry(1, "x", "TABLE DATA", None);
        })
        .contains("two entries with the number 1")
    );
    assert!(
        told(&|built| {
            twice(built);
            built.entry(2, "t", "TABLE DATA", Some(COPY));
        })
        .contains("table t is there twice")
    );
    assert!(
        told(&|built| {
            built.int(1);
            built.entry(1, "t", "TABLE DATA", Some("COPY public.t FROM stdin;\n"));
        })
        .contains("columns of table t are not named")
    );
    assert!(
        told(&|built| {
            built.int(0);
            built.block(1, 9, &[]);
        })
        .contains("belongs to entry 9")
    );
    assert!(
        told(&|built| {
            built.int(0);
            built.block(7, 9, &[]);
        })
        .contains("begins with 7")
    );
}

#[test]
fn an_archive_that_ends_anywhere_within_is_told() {
    let whole = archive(16, 4, 0, &[b"1\tx\n\\.\n"]).bytes;
    let toc_end = {
        let mut built = Builder::head(16, 4, 0);
        built.int(3);
        built.entry(1, "other", "TABLE DATA", Some("COPY public.other (x) FROM stdin;\n"));
        built.entry(2, "t", "TABLE DATA", Some(COPY));
        built.entry(3, "BLOBS", "BLOBS", None);
        built.bytes.len()
    };
    for length in 0..whole.len() {
        match read(&whole[..length], 99) {
            Err(told) => assert!(told.contains("ends at byte"), "{length}: {told}"),
            // Between two blocks an archive may end; whoever misses a table tells.
            Ok(tables) => assert!(length >= toc_end && tables.is_empty(), "{length}"),
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(
        start in 0..200_usize,
        noise in prop::collection::vec(any::<u8>(), 0..100),
        compression in 0..4_u8,
    ) {
        let mut bytes = archive(16, 4, compression, &[b"1\tx\n\\.\n"]).bytes;
        bytes.truncate(start.min(bytes.len()));
        bytes.extend(noise);
        let _ = read(&bytes, 64);
    }

    #[test]
    fn no_single_byte_makes_it_panic(place in 0..600_usize, byte in any::<u8>(), compression in 0..4_u8) {
        let mut bytes = archive(16, 4, compression, &[b"1\tx\n\\.\n"]).bytes;
        if let Some(old) = bytes.get_mut(place) {
            *old = byte;
        }
        let _ = read(&bytes, 64);
    }
}
