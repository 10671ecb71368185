//! A host of a real repository: it may hold other bytes for a file or answer with a status, and it
//! notes what it is asked, and in which round.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use fdl_reader::transport::{Answer, Body, ByteRange, Directory, Freshness, Memory, Part};
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
    /// How often whoever waits has been answered: what is asked for between two answers is one
    /// round.
    round: Cell<usize>,
    requests: RefCell<Vec<Request>>,
}

/// What the host has instead of a file.
#[derive(Clone)]
pub enum Instead {
    Bytes(Vec<u8>),
    Nothing,
    Status(u16),
}

#[derive(Clone)]
struct Request {
    path: String,
    round: usize,
    freshness: Freshness,
    /// The part that was asked for, where it was not the whole.
    #[allow(dead_code)]
    part: Option<ByteRange>,
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
            round: Cell::new(0),
            requests: RefCell::default(),
        }))
    }

    pub fn scenario(&self) -> &Scenario {
        &self.0.scenario
    }

    /// Puts other bytes, nothing or a status in the place of a file.
    pub fn put(&self, path: &str, instead: Instead) -> &Host {
        self.0.instead.borrow_mut().insert(path.into(), instead);
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

    async fn get_part(
        &self,
        url: &str,
        freshness: Freshness,
        part: ByteRange,
    ) -> Result<Answer<Part<Sent>>, FdlError> {
        self.answer(url, freshness, Some(part)).await
    }
}

impl Host {
    async fn answer(
        &self,
        url: &str,
        freshness: Freshness,
        part: Option<ByteRange>,
    ) -> Result<Answer<Part<Sent>>, FdlError> {
        let path = self.path(url).to_owned();
        let round = self.0.round.get();
        self.0.requests.borrow_mut().push(Request { path: path.clone(), round, freshness, part });
        poll_fn(|context| {
            if self.0.round.get() > round {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        let instead = self.0.instead.borrow().get(&path).cloned();
        match instead {
            None => Ok(ask(&Directory, url, part).await?.map(|part| sent(part, Sent::FromDisk))),
            Some(Instead::Nothing) => Ok(Answer::Missing),
            Some(Instead::Status(status)) => Ok(Answer::Status(status)),
            Some(Instead::Bytes(bytes)) => {
                let memory = Memory { files: BTreeMap::from([(url.into(), bytes)]) };
                Ok(ask(&memory, url, part).await?.map(|part| sent(part, Sent::FromMemory)))
            }
        }
    }
}

async fn ask<T: Transport>(
    transport: &T,
    url: &str,
    #[allow(dead_code)] part: Option<ByteRange>,
) -> Result<Answer<Part<T::Body>>, FdlError> {
    match part {
        Some(part) => transport.get_part(url, Freshness::Immutable, part).await,
        None => {
            let answer = transport.get(url, Freshness::Immutable).await?;
            Ok(answer.map(|body| Part { first: 0, body }))
        }
    }
}

fn sent<B>(Part { first, body }: Part<B>, from: impl FnOnce(B) -> Sent) -> Part<Sent> {
    Part { first, body: from(body) }
}

/// What the host sends.
#[derive(Debug)]
pub enum Sent {
    FromDisk(<Directory as Transport>::Body),
    FromMemory(<Memory as Transport>::Body),
}

impl Body for Sent {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        match self {
            Sent::FromDisk(body) => body.chunk().await,
            Sent::FromMemory(body) => body.chunk().await,
        }
    }
}
