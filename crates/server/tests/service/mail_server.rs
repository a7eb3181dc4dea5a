//! A mail server of a test's own, on loopback, that does what it is told to.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a letter may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// What the server does with a line; the greeting is an empty line, and the end of a letter a dot.
pub(crate) enum Answer {
    /// What a good server would.
    Take,
    /// Says this.
    Say(String),
    /// Nothing, for as long as the client stays.
    Hang,
}

/// A letter that came whole, whether it was taken or not.
pub(crate) struct Received {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) data: String,
}

type Script = Arc<dyn Fn(&str) -> Answer + Send + Sync>;

pub(crate) struct MailServer {
    pub(crate) port: u16,
    received: Receiver<Received>,
    lines: Arc<Mutex<Vec<String>>>,
}

impl MailServer {
    /// Answers each line as the script says.
    pub(crate) fn start(script: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, received) = mpsc::channel();
        let (lines, script): (Arc<Mutex<Vec<String>>>, Script) = (Arc::default(), Arc::new(script));
        let heard = Arc::clone(&lines);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (sender, script, heard) = (sender.clone(), Arc::clone(&script), Arc::clone(&heard));
                // A client that goes away in the middle is none of the server's business.
                std::thread::spawn(move || converse(stream, &sender, &script, &heard));
            }
        });
        Self { port, received, lines }
    }

    /// Takes everything.
    pub(crate) fn good() -> Self {
        Self::start(|_| Answer::Take)
    }

    /// The next letter.
    pub(crate) fn next(&self) -> Received {
        self.received.recv_timeout(PATIENCE).unwrap()
    }

    /// How many letters came that were not asked for yet.
    pub(crate) fn rest(&self) -> usize {
        self.received.try_iter().count()
    }

    /// All lines so far that were no part of a letter.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn converse(stream: TcpStream, sender: &Sender<Received>, script: &Script, heard: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut writer = stream;
    let (mut from, mut to, mut line) = (String::new(), String::new(), String::new());
    loop {
        heard.lock().unwrap_or_else(PoisonError::into_inner).push(line.clone());
        match script(&line) {
            Answer::Take => writer.write_all(good_answer(&line).as_bytes()).ok()?,
            Answer::Say(text) => writer.write_all(format!("{text}\r\n").as_bytes()).ok()?,
            Answer::Hang => std::io::copy(&mut reader, &mut std::io::sink()).map(drop).ok()?,
        }
        let in_brackets = |text: &str| text.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
        match line.get(..4).unwrap_or_default() {
            "MAIL" => from = in_brackets(&line),
            "RCPT" => to = in_brackets(&line),
            "QUIT" => return Some(()),
            "DATA" => {
                let data = read_data(&mut reader)?;
                sender.send(Received { from: from.clone(), to: to.clone(), data }).ok()?;
                ".".clone_into(&mut line);
                continue;
            }
            _ => {}
        }
        line = read_line(&mut reader)?;
    }
}

fn good_answer(line: &str) -> &'static str {
    match line.get(..4).unwrap_or(line) {
        "" => "220 mail.test ESMTP\r\n",
        "EHLO" => "250-mail.test\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN\r\n",
        "AUTH" => "235 welcome\r\n",
        "DATA" => "354 go on\r\n",
        "QUIT" => "221 bye\r\n",
        _ => "250 fine\r\n",
    }
}

fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    let length = reader.read_line(&mut line).ok()?;
    (length > 0).then(|| line.trim_end().to_owned())
}

fn read_data(reader: &mut impl BufRead) -> Option<String> {
    let mut data = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == ".\r\n" {
            return Some(data);
        }
        // A dot in front is doubled on its way.
        data.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
