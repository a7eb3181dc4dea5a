//! A scripted mail server on loopback.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Maximum wait for an e-mail.
const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

/// How the server reacts to a line. An empty line asks for the greeting, and a dot ends an e-mail.
pub enum ScriptedReply {
    /// Reply like a well-behaved server.
    Take,
    /// Reply with this text.
    Say(String),
    /// Reply with this text, and otherwise act like a well-behaved server.
    SayAndContinue(String),
    /// Do not reply for as long as the client stays connected.
    Hang,
}

/// An e-mail that arrived in full, whether accepted or not.
pub struct Received {
    pub from: String,
    pub to: String,
    pub data: String,
}

type Script = Arc<dyn Fn(&str) -> ScriptedReply + Send + Sync>;

#[derive(Clone)]
pub enum Protection {
    /// Plaintext.
    None,
    /// TLS from the first byte.
    Wrapped(Arc<ServerConfig>),
    /// STARTTLS, required before authentication.
    StartTls(Arc<ServerConfig>),
}

pub struct MailServer {
    pub port: u16,
    received: Receiver<Received>,
    lines_received: Arc<Mutex<ReceivedLines>>,
    clients: Arc<Clients>,
    listening: JoinHandle<()>,
}

/// Current and former connections.
#[derive(Default)]
struct Clients {
    streams: Mutex<Vec<TcpStream>>,
    /// The number of clients waiting for a reply that never comes.
    hanging: AtomicUsize,
    ended: AtomicBool,
}

/// All lines outside of e-mails.
#[derive(Default)]
struct ReceivedLines {
    lines: Vec<String>,
    in_plaintext: Vec<String>,
}

impl MailServer {
    /// Replies to each line as the script says.
    pub fn start(script: impl Fn(&str) -> ScriptedReply + Send + Sync + 'static) -> Self {
        Self::protected(Protection::None, script)
    }

    /// Like [`MailServer::start`], with TLS.
    pub fn protected(protection: Protection, script: impl Fn(&str) -> ScriptedReply + Send + Sync + 'static) -> Self {
        Self::at(0, protection, script)
    }

    /// Accepts everything, on the port of a server that was stopped.
    pub fn good_at(port: u16) -> Self {
        Self::at(port, Protection::None, |_| ScriptedReply::Take)
    }

    fn at(port: u16, protection: Protection, script: impl Fn(&str) -> ScriptedReply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, received) = mpsc::channel();
        let script = Arc::new(script);
        let conversation =
            Conversation { sender, script, lines_received: Arc::default(), protection, clients: Arc::default() };
        let (lines_received, clients) = (Arc::clone(&conversation.lines_received), Arc::clone(&conversation.clients));
        let listening = std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if conversation.clients.ended.load(Ordering::SeqCst) {
                    return;
                }
                let kept = stream.try_clone().unwrap();
                conversation.clients.streams.lock().unwrap().push(kept);
                let conversation = conversation.clone();
                // A client may disconnect at any point.
                std::thread::spawn(move || conversation.run(&stream));
            }
        });
        Self { port, received, lines_received, clients, listening }
    }

    /// Disconnects all clients and releases the port.
    pub fn stop(self) {
        self.clients.ended.store(true, Ordering::SeqCst);
        // A new connection wakes the listener.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        self.listening.join().unwrap();
        for stream in self.clients.streams.lock().unwrap().iter() {
            // The client may have disconnected.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// The number of clients waiting for a reply that never comes.
    pub fn hanging(&self) -> usize {
        self.clients.hanging.load(Ordering::SeqCst)
    }

    /// All e-mails received and not yet returned.
    pub fn all(&self) -> Vec<Received> {
        self.received.try_iter().collect()
    }

    /// Accepts everything.
    pub fn good() -> Self {
        Self::start(|_| ScriptedReply::Take)
    }

    /// Waits for the next e-mail.
    pub fn next(&self) -> Received {
        self.received.recv_timeout(WAIT_TIMEOUT).unwrap()
    }

    /// The number of e-mails received and not yet returned.
    pub fn rest(&self) -> usize {
        self.all().len()
    }

    /// All lines so far outside of e-mails.
    pub fn lines(&self) -> Vec<String> {
        self.lines_received.lock().unwrap().lines.clone()
    }

    /// The lines that arrived in plaintext.
    pub fn lines_in_plaintext(&self) -> Vec<String> {
        self.lines_received.lock().unwrap().in_plaintext.clone()
    }
}

trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

type Line = BufReader<Box<dyn Stream>>;

/// The server's side of a connection.
#[derive(Clone)]
struct Conversation {
    sender: Sender<Received>,
    script: Script,
    lines_received: Arc<Mutex<ReceivedLines>>,
    protection: Protection,
    clients: Arc<Clients>,
}

impl Conversation {
    fn run(self, stream: &TcpStream) -> Option<()> {
        let mut is_secure = false;
        let mut client: Line = BufReader::new(Box::new(stream.try_clone().ok()?));
        if let Protection::Wrapped(config) = &self.protection {
            (client, is_secure) = (secure(stream, config)?, true);
        }
        let (mut from, mut to, mut line) = (String::new(), String::new(), String::new());
        loop {
            self.record_line(&line, is_secure);
            let reply = (self.script)(&line);
            let is_taken = matches!(reply, ScriptedReply::Take | ScriptedReply::SayAndContinue(_));
            match reply {
                ScriptedReply::Take => say(&mut client, self.default_reply(&line, is_secure))?,
                ScriptedReply::Say(text) | ScriptedReply::SayAndContinue(text) => {
                    say(&mut client, &format!("{text}\r\n"))?;
                }
                ScriptedReply::Hang => return self.hang(client),
            }
            let in_brackets = |text: &str| text.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
            match (line.get(..4).unwrap_or_default(), &self.protection) {
                ("STAR", Protection::StartTls(config)) if is_taken => {
                    (client, is_secure) = (secure(stream, config)?, true);
                }
                ("MAIL", _) => from = in_brackets(&line),
                ("RCPT", _) => to = in_brackets(&line),
                ("QUIT", _) => return Some(()),
                ("DATA", _) => {
                    let data = read_data(&mut client)?;
                    self.sender.send(Received { from: from.clone(), to: to.clone(), data }).ok()?;
                    ".".clone_into(&mut line);
                    continue;
                }
                _ => {}
            }
            line = read_line(&mut client)?;
        }
    }

    fn hang(self, mut client: Line) -> Option<()> {
        self.clients.hanging.fetch_add(1, Ordering::SeqCst);
        let disconnected = std::io::copy(&mut client, &mut std::io::sink()).map(drop);
        self.clients.hanging.fetch_sub(1, Ordering::SeqCst);
        disconnected.ok()
    }

    fn record_line(&self, line: &str, is_secure: bool) {
        let mut lines_received = self.lines_received.lock().unwrap();
        lines_received.lines.push(line.to_owned());
        if !is_secure {
            lines_received.in_plaintext.push(line.to_owned());
        }
    }

    fn default_reply(&self, line: &str, is_secure: bool) -> &'static str {
        let asks_for_tls = matches!(self.protection, Protection::StartTls(_)) && !is_secure;
        match line.get(..4).unwrap_or(line) {
            "" => "220 mail.test ESMTP\r\n",
            "EHLO" if asks_for_tls => "250-mail.test\r\n250-8BITMIME\r\n250 STARTTLS\r\n",
            "EHLO" => "250-mail.test\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN\r\n",
            "AUTH" | "MAIL" if asks_for_tls => "530 5.7.0 STARTTLS first\r\n",
            "STAR" => "220 go on\r\n",
            "AUTH" => "235 welcome\r\n",
            "DATA" => "354 go on\r\n",
            "QUIT" => "221 bye\r\n",
            _ => "250 fine\r\n",
        }
    }
}

fn say(client: &mut Line, text: &str) -> Option<()> {
    let stream = client.get_mut();
    stream.write_all(text.as_bytes()).ok()?;
    stream.flush().ok()
}

fn secure(stream: &TcpStream, config: &Arc<ServerConfig>) -> Option<Line> {
    let connection = ServerConnection::new(Arc::clone(config)).ok()?;
    let mut secured = StreamOwned::new(connection, stream.try_clone().ok()?);
    // Fails for clients that do not trust the certificate.
    secured.conn.complete_io(&mut secured.sock).ok()?;
    Some(BufReader::new(Box::new(secured)))
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
        // Undoes dot-stuffing.
        data.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
