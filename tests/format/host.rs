//! A host of a real repository: it may hold other bytes for a file or answer with a status, and it
//! notes what it is asked, and in which round.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use fdl_reader::transport::{Answer, Body, Directory, Freshness, Memory, Part};
use fdl_reader::{FdlError, Options, Repository, Root, Transport};

use crate::scenario::{self, Scenario};

/// A host. Its clones are the same host.
#[derive(Clone)]
pub struct Host(Rc<State>);

struct State {
    scenario: Scenario,
    root: Root,
    /// What is not as on disk, by path.
    instead: RefCell<BTreeMap<String, Instead>>,
    /// What it answers whatever it is asked, instead of what is there.
    always: RefCell<Option<Instead>>,
    /// How often whoever waits has been answered: what is asked for between two answers is one
    /// round. Mirrors count together.
    round: Rc<Cell<usize>>,
    requests: RefCell<Vec<Request>>,
    /// Whether a file is given from a byte on where that is asked for.
    serves_parts: Cell<bool>,
    /// Requests that are not at their end, now and at most.
    open: Cell<usize>,
    most_open: Cell<usize>,
}

/// What the host has instead of a file.
#[derive(Clone)]
pub enum Instead {
    Bytes(Vec<u8>),
    Nothing,
    Status(u16),
    /// No answer at all.
    Error(FdlError),
}

#[derive(Clone)]
struct Request {
    path: String,
    round: usize,
    freshness: Freshness,
    /// The byte from which on it was asked for, where it was not the whole.
    first: Option<u64>,
}

/// What hosts of single-page sites answer for every missing file.
pub const HTML: &[u8] = b"<!doctype html>\n<html><head><title>Lake</title></head><body></body></html>\n";

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a host of {}", self.scenario().judged.name)
    }
}

impl Host {
    /// A host of the scenario of this name.
    pub fn of(name: &str) -> Host {
        let scenario = scenario::named(name);
        Host(Rc::new(State {
            root: scenario.root(),
            scenario,
            instead: RefCell::default(),
            always: RefCell::default(),
            round: Rc::default(),
            requests: RefCell::default(),
            serves_parts: Cell::new(true),
            open: Cell::default(),
            most_open: Cell::default(),
        }))
    }

    /// The same host, which gives every file whole whatever is asked for.
    pub fn without_parts(self) -> Host {
        self.0.serves_parts.set(false);
        self
    }

    /// Another host, of what the first one has on disk.
    pub fn mirror(&self, root: &str) -> Host {
        Host(Rc::new(State {
            scenario: scenario::named(&self.scenario().judged.name),
            root: Root::parse(root).unwrap(),
            instead: RefCell::default(),
            always: RefCell::default(),
            round: self.0.round.clone(),
            requests: RefCell::default(),
            serves_parts: Cell::new(true),
            open: Cell::default(),
            most_open: Cell::default(),
        }))
    }

    pub fn root(&self) -> &Root {
        &self.0.root
    }

    pub fn scenario(&self) -> &Scenario {
        &self.0.scenario
    }

    /// Puts other bytes, nothing or a status in the place of a file.
    pub fn put(&self, path: &str, instead: Instead) -> &Host {
        self.0.instead.borrow_mut().insert(path.into(), instead);
        self
    }

    /// Answers everything so; with `None` as before.
    pub fn always(&self, instead: Option<Instead>) -> &Host {
        *self.0.always.borrow_mut() = instead;
        self
    }

    /// Takes that back.
    pub fn restore(&self, path: &str) {
        self.0.instead.borrow_mut().remove(path);
    }

    /// Opens the repository as the scenario's page does.
    pub async fn open(&self) -> Result<Repository<Host>, FdlError> {
        self.open_with(self.scenario().options()).await
    }

    pub async fn open_with(&self, options: Options) -> Result<Repository<Host>, FdlError> {
        Repository::open(self.clone(), self.0.root.clone(), options).await
    }

    /// Waits for `work`, answering a round of requests at a time.
    pub fn run<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        pollster::block_on(poll_fn(|context| {
            self.0.round.set(self.0.round.get() + 1);
            work.as_mut().poll(context)
        }))
    }

    /// What was asked for since the last call: the paths of each round, sorted.
    pub fn rounds(&self) -> Vec<Vec<String>> {
        let mut rounds: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for request in self.0.requests.take() {
            rounds.entry(request.round).or_default().push(request.path);
        }
        rounds.values_mut().for_each(|paths| paths.sort());
        rounds.into_values().collect()
    }

    /// Every request since the last call, as its path and how fresh the answer must be.
    pub fn freshness(&self) -> BTreeMap<String, Freshness> {
        self.0.requests.take().into_iter().map(|request| (request.path, request.freshness)).collect()
    }

    /// Every request since the last call, as its path and the byte from which on the file was asked
    /// for, sorted.
    pub fn parts(&self) -> Vec<(String, Option<u64>)> {
        let mut parts: Vec<_> =
            self.0.requests.take().into_iter().map(|request| (request.path, request.first)).collect();
        parts.sort();
        parts
    }

    /// How many requests were under way at once since the last call, at most.
    pub fn most_at_once(&self) -> usize {
        self.0.most_open.replace(self.0.open.get())
    }

    /// How many requests are under way.
    pub fn open_now(&self) -> usize {
        self.0.open.get()
    }

    fn path<'a>(&self, url: &'a str) -> &'a str {
        let root = self.0.root.to_string();
        url.strip_prefix(&root).unwrap_or_else(|| panic!("{url} is not under {root}"))
    }
}

impl Transport for Host {
    type Body = Sent;

    async fn get(&self, url: &str, freshness: Freshness) -> Result<Answer<Sent>, FdlError> {
        Ok(self.answer(url, freshness, None).await?.map(|part| part.body))
    }

    async fn get_from(
        &self,
        url: &str,
        freshness: Freshness,
        first: u64,
    ) -> Result<Answer<Part<Sent>>, FdlError> {
        self.answer(url, freshness, Some(first)).await
    }
}

impl Host {
    async fn answer(
        &self,
        url: &str,
        freshness: Freshness,
        first: Option<u64>,
    ) -> Result<Answer<Part<Sent>>, FdlError> {
        let path = self.path(url).to_owned();
        let round = self.0.round.get();
        self.0.requests.borrow_mut().push(Request { path: path.clone(), round, freshness, first });
        let open = Open::on(self);
        poll_fn(|context| {
            if self.0.round.get() > round {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        let first = first.filter(|_| self.0.serves_parts.get());
        let always = self.0.always.borrow().clone();
        let instead = always.or_else(|| self.0.instead.borrow().get(&path).cloned());
        let answer = match instead {
            None => {
                let on_disk = format!("{}{path}", self.scenario().root());
                ask(&Directory, &on_disk, first).await?.map(|part| part.with(From::Disk))
            }
            Some(Instead::Error(error)) => return Err(error),
            Some(Instead::Nothing) => Answer::Missing,
            Some(Instead::Status(status)) => Answer::Status(status),
            Some(Instead::Bytes(bytes)) => {
                let memory = Memory { files: BTreeMap::from([(url.into(), bytes)]) };
                ask(&memory, url, first).await?.map(|part| part.with(From::Memory))
            }
        };
        Ok(answer.map(|part| part.with(|from| Sent { from, _open: open })))
    }
}

async fn ask<T: Transport>(
    transport: &T,
    url: &str,
    first: Option<u64>,
) -> Result<Answer<Part<T::Body>>, FdlError> {
    match first {
        Some(first) => transport.get_from(url, Freshness::Immutable, first).await,
        None => {
            let answer = transport.get(url, Freshness::Immutable).await?;
            Ok(answer.map(|body| Part { first: 0, body }))
        }
    }
}

/// What the host sends.
#[derive(Debug)]
pub struct Sent {
    from: From,
    _open: Open,
}

#[derive(Debug)]
enum From {
    Disk(<Directory as Transport>::Body),
    Memory(<Memory as Transport>::Body),
}

impl Body for Sent {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        match &mut self.from {
            From::Disk(body) => body.chunk().await,
            From::Memory(body) => body.chunk().await,
        }
    }
}

/// A request that is not at its end.
#[derive(Debug)]
struct Open(Host);

impl Open {
    fn on(host: &Host) -> Open {
        host.0.open.set(host.0.open.get() + 1);
        host.0.most_open.set(host.0.most_open.get().max(host.0.open.get()));
        Open(host.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.0.open.set(self.0.0.open.get() - 1);
    }
}
