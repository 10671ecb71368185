//! HTTP by the page's `fetch`.
//!
//! Only GET is used, and no header is set but `Range` in the form `bytes=a-`, so that no request needs
//! a preflight (Fetch standard, "CORS-safelisted"); the form `bytes=-n` would.

use gloo_net::http::{Request, RequestBuilder};
use js_sys::{Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader, RequestCache, Response, ResponseType};

use super::{Answer, Freshness, Part, Transport};
use crate::error::FdlError;

/// Fetches by the global `fetch`, or by a function of the same shape that the page gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Http {
    pub(crate) fetch: Option<Function>,
}

impl Transport for Http {
    type Body = Body;

    async fn get(&self, url: &str, freshness: Freshness) -> Result<Answer<Body>, FdlError> {
        Ok(self.ask(url, freshness, None).await?.map(|part| part.body))
    }

    async fn get_from(
        &self,
        url: &str,
        freshness: Freshness,
        first: u64,
    ) -> Result<Answer<Part<Body>>, FdlError> {
        self.ask(url, freshness, Some(first)).await
    }
}

impl Http {
    async fn ask(
        &self,
        url: &str,
        freshness: Freshness,
        from: Option<u64>,
    ) -> Result<Answer<Part<Body>>, FdlError> {
        let failed = |cause: &JsValue| could_not_fetch(url, cause);
        let controller = AbortController::new().map_err(|cause| failed(&cause))?;
        let mut request = RequestBuilder::new(url)
            .cache(match freshness {
                Freshness::Revalidate => RequestCache::NoCache,
                Freshness::Immutable => RequestCache::Default,
            })
            .abort_signal(Some(&controller.signal()));
        if let Some(first) = from {
            request = request.header("Range", &format!("bytes={first}-"));
        }
        let request = request.build().map_err(|error| failed(&error.to_string().into()))?;
        let request_in_flight = InFlight(controller);
        let response = self.send(request).await.map_err(|cause| failed(&cause))?;
        // Such an answer has the status 0 and no body, whatever the file is.
        if matches!(
            response.type_(),
            ResponseType::Error | ResponseType::Opaque | ResponseType::Opaqueredirect
        ) {
            return Err(failed(&"the answer is one that the page may not read".into()));
        }
        Ok(match response.status() {
            // 0 is what a `file:` answer has in some engines.
            status @ (0 | 200..=299) => Answer::Found(Part {
                first: match from {
                    Some(first) if status == 206 => begins(&response).unwrap_or(first),
                    _ => 0, // the host does not serve parts, and this is the whole
                },
                body: Body {
                    url: url.into(),
                    reader: response
                        .body()
                        .map(|body| ReadableStreamDefaultReader::new(&body))
                        .transpose()
                        .map_err(|cause| failed(&cause))?,
                    _request: request_in_flight,
                },
            }),
            404 | 410 => Answer::Missing,
            status => Answer::Status(status),
        })
    }

    async fn send(&self, request: Request) -> Result<Response, JsValue> {
        let fetch = match &self.fetch {
            Some(fetch) => fetch.clone(),
            None => Reflect::get(&js_sys::global(), &"fetch".into())?.dyn_into()?,
        };
        let request: web_sys::Request = request.into();
        let answer = fetch.call1(&JsValue::UNDEFINED, &request)?;
        JsFuture::from(Promise::resolve(&answer))
            .await?
            .dyn_into()
            .map_err(|_| "the page's fetch gave no Response".into())
    }
}

/// Where a part begins, as `Content-Range` has it. A host of another origin shows that header only
/// where it says so (`Access-Control-Expose-Headers`); a 206 without it is what was asked for.
fn begins(response: &Response) -> Option<u64> {
    let range = response.headers().get("content-range").ok()??;
    range.strip_prefix("bytes ")?.split_once('-')?.0.parse().ok()
}

/// A request; it is ended when nobody waits for it any more.
#[derive(Debug)]
struct InFlight(AbortController);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A response that is being read.
#[derive(Debug)]
pub(crate) struct Body {
    url: String,
    /// `None` for an answer without a body.
    reader: Option<ReadableStreamDefaultReader>,
    _request: InFlight,
}

impl super::Body for Body {
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FdlError> {
        let Some(reader) = &self.reader else { return Ok(None) };
        let failed = |cause: JsValue| could_not_fetch(&self.url, &cause);
        let step = JsFuture::from(reader.read()).await.map_err(failed)?;
        if Reflect::get(&step, &"done".into()).map_err(failed)?.is_truthy() {
            return Ok(None);
        }
        match Reflect::get(&step, &"value".into()).map_err(failed)?.dyn_ref::<Uint8Array>() {
            Some(bytes) => Ok(Some(bytes.to_vec())),
            None => Err(failed("a part of the answer is not bytes".into())),
        }
    }
}

/// A page's own fetch may have been told to stop: then no mirror is asked instead. Node's "fetch
/// failed" leaves the reason to its cause.
fn could_not_fetch(url: &str, error: &JsValue) -> FdlError {
    let name = Reflect::get(error, &"name".into()).ok().and_then(|name| name.as_string());
    if name.as_deref() == Some("AbortError") {
        return FdlError::Aborted;
    }
    let cause = error.dyn_ref::<js_sys::Error>().and_then(|error| words(&error.cause()));
    let reason = match (words(error), cause) {
        (Some(message), Some(cause)) => format!("{message} ({cause})"),
        (Some(message), None) => message,
        (None, cause) => cause.unwrap_or_else(|| "no reason given".into()),
    };
    FdlError::CouldNotFetch { url: url.into(), reason: reason.trim_end_matches('.').into() }
}

/// What an error says; some say it by their code alone.
fn words(error: &JsValue) -> Option<String> {
    let Some(error) = error.dyn_ref::<js_sys::Error>() else { return error.as_string() };
    let message = String::from(error.message());
    let code = || Reflect::get(error, &"code".into()).ok()?.as_string();
    Some(message).filter(|message| !message.is_empty()).or_else(code)
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::transport::Body as _;

    const URL: &str = "https://host.example/lake/fdl.json";

    /// A page's own fetch, written in JavaScript: it gets `request`.
    fn page(fetch: &str) -> Http {
        Http { fetch: Some(Function::new_with_args("request", fetch)) }
    }

    async fn get(fetch: &str) -> Result<Answer<Body>, FdlError> {
        page(fetch).get(URL, Freshness::Revalidate).await
    }

    async fn body(fetch: &str) -> Body {
        match get(fetch).await {
            Ok(Answer::Found(body)) => body,
            other => panic!("{other:?}"),
        }
    }

    async fn reason(fetch: &str) -> String {
        match get(fetch).await {
            Err(FdlError::CouldNotFetch { url, reason }) if url == URL => reason,
            other => panic!("{other:?}"),
        }
    }

    /// What a test's fetch left behind.
    fn left(name: &str) -> JsValue {
        Reflect::get(&js_sys::global(), &name.into()).unwrap()
    }

    fn is_aborted(signal: &str) -> bool {
        Reflect::get(&left(signal), &"aborted".into()).unwrap().is_truthy()
    }

    #[wasm_bindgen_test]
    async fn a_body_is_given_as_its_chunks_come() {
        let mut body = body(
            "return new Response(new ReadableStream({ start(stream) {
                for (const part of ['one', '', 'two']) stream.enqueue(new TextEncoder().encode(part));
                stream.close();
            } }))",
        )
        .await;
        for part in ["one", "", "two"] {
            assert_eq!(body.chunk().await.unwrap().as_deref(), Some(part.as_bytes()));
        }
        assert_eq!(body.chunk().await, Ok(None));
        assert_eq!(body.chunk().await, Ok(None), "the end stays the end");
    }

    #[wasm_bindgen_test]
    async fn an_answer_without_a_body_is_an_empty_file() {
        for answer in ["new Response()", "new Response(null, { status: 204 })", "new Response('')"] {
            let mut body = body(&format!("return {answer}")).await;
            let mut bytes = Vec::new();
            while let Some(chunk) = body.chunk().await.unwrap() {
                bytes.extend(chunk);
            }
            assert_eq!(bytes, b"", "{answer}");
        }
    }

    #[wasm_bindgen_test]
    async fn missing_is_404_or_410_and_every_other_status_is_told() {
        for status in [404, 410] {
            let answer = get(&format!("return new Response('gone', {{ status: {status} }})")).await;
            assert!(matches!(answer, Ok(Answer::Missing)), "{answer:?}");
        }
        for status in [301, 304, 400, 401, 403, 418, 429, 500, 503] {
            let answer = get(&format!("return new Response(null, {{ status: {status} }})")).await;
            assert!(matches!(answer, Ok(Answer::Status(found)) if found == status), "{answer:?}");
        }
    }

    #[wasm_bindgen_test]
    async fn what_fetch_throws_is_the_reason() {
        for (fetch, expected) in [
            ("throw new TypeError('Failed to fetch.')", "Failed to fetch"),
            ("return Promise.reject(new TypeError('Failed to fetch'))", "Failed to fetch"),
            ("throw 'no network'", "no network"),
            ("throw undefined", "no reason given"),
            ("return Promise.reject({})", "no reason given"),
            (
                "throw new Error('fetch failed', { cause: new Error('no such host') })",
                "fetch failed (no such host)",
            ),
            ("throw Object.assign(new Error(''), { code: 'ECONNREFUSED' })", "ECONNREFUSED"),
        ] {
            assert_eq!(reason(fetch).await, expected, "{fetch}");
        }
    }

    #[wasm_bindgen_test]
    async fn a_fetch_that_the_page_stopped_is_no_failure_of_the_host() {
        for fetch in [
            "throw new DOMException('stop', 'AbortError')",
            "return fetch('data:,x', { signal: AbortSignal.abort() })",
        ] {
            assert_eq!(get(fetch).await.unwrap_err(), FdlError::Aborted, "{fetch}");
        }
    }

    #[wasm_bindgen_test]
    async fn what_is_no_response_is_no_answer() {
        for given in ["undefined", "null", "'{}'", "{ status: 200 }", "Promise.resolve(7)", "request"] {
            let fetch = format!("return {given}");
            assert_eq!(reason(&fetch).await, "the page's fetch gave no Response", "{given}");
        }
    }

    #[wasm_bindgen_test]
    async fn an_answer_that_the_page_may_not_read_is_not_an_empty_file() {
        let unread = "the answer is one that the page may not read";
        assert_eq!(reason("return Response.error()").await, unread);
        assert_eq!(
            reason("return fetch('data:,x', { mode: 'no-cors' }).then(() => Response.error())").await,
            unread
        );
    }

    #[wasm_bindgen_test]
    async fn a_body_that_someone_else_reads_is_not_an_empty_file() {
        let taken = "const response = new Response('{}'); response.body.getReader(); return response";
        assert!(reason(taken).await.contains("locked"), "{}", reason(taken).await);
    }

    #[wasm_bindgen_test]
    async fn a_body_that_breaks_off_is_not_at_its_end() {
        let mut body = body(
            "return new Response(new ReadableStream({ pull(stream) {
                if (this.begun) stream.error(new TypeError('network error'));
                else stream.enqueue(new Uint8Array([123]));
                this.begun = true;
            } }))",
        )
        .await;
        assert_eq!(body.chunk().await.unwrap().as_deref(), Some(&b"{"[..]));
        let broken_off = FdlError::CouldNotFetch { url: URL.into(), reason: "network error".into() };
        assert_eq!(body.chunk().await, Err(broken_off));
    }

    #[wasm_bindgen_test]
    async fn a_part_that_is_not_bytes_is_not_the_end() {
        let mut body = body(
            "return new Response(new ReadableStream({ start(stream) { stream.enqueue('text'); stream.close(); } }))",
        )
        .await;
        assert_eq!(body.chunk().await.unwrap_err().code(), "could_not_fetch");
    }

    #[wasm_bindgen_test]
    async fn dropping_a_body_ends_its_request() {
        let body = body("globalThis.ofBody = request.signal; return new Response('{}')").await;
        assert!(!is_aborted("ofBody"));
        drop(body);
        assert!(is_aborted("ofBody"));
    }

    #[wasm_bindgen_test]
    async fn dropping_a_request_that_was_not_answered_ends_it() {
        let waiting = page("globalThis.ofRequest = request.signal; return new Promise(() => {})");
        {
            let mut request = std::pin::pin!(waiting.get(URL, Freshness::Immutable));
            assert!(futures_util::poll!(request.as_mut()).is_pending());
            assert!(!is_aborted("ofRequest"));
        }
        assert!(is_aborted("ofRequest"));
    }

    #[wasm_bindgen_test]
    async fn an_answer_of_another_kind_ends_its_request() {
        for status in [404, 500] {
            let fetch = format!(
                "globalThis.ofAnswer = request.signal; return new Response('page', {{ status: {status} }})"
            );
            assert!(get(&fetch).await.is_ok());
            assert!(is_aborted("ofAnswer"), "{status}");
        }
    }

    #[wasm_bindgen_test]
    async fn a_request_is_a_get_that_needs_no_preflight() {
        let fetch = "globalThis.asked = request; return new Response('{}')";
        for (freshness, cache) in [(Freshness::Revalidate, "no-cache"), (Freshness::Immutable, "default")] {
            assert!(page(fetch).get(URL, freshness).await.is_ok());
            let asked: web_sys::Request = left("asked").unchecked_into();
            assert_eq!((asked.method(), asked.url()), ("GET".into(), URL.into()));
            assert_eq!(asked.headers().keys().into_iter().count(), 0);
            assert_eq!(Reflect::get(&asked, &"cache".into()).unwrap().as_string().as_deref(), Some(cache));
        }
    }

    #[wasm_bindgen_test]
    async fn the_end_of_a_file_is_asked_for_by_range_and_begins_where_the_answer_says() {
        for (answer, first) in [
            ("'x', { status: 206 }", 7),
            ("'x', { status: 206, headers: { 'content-range': 'bytes 7-7/8' } }", 7),
            ("'x', { status: 206, headers: { 'content-range': 'bytes 5-7/8' } }", 5),
            ("'x', { status: 206, headers: { 'content-range': 'items 5-7/8' } }", 7),
            ("'the whole', { status: 200, headers: { 'content-range': 'bytes 5-7/8' } }", 0),
        ] {
            let fetch = format!("globalThis.range = request; return new Response({answer})");
            let got = page(&fetch).get_from(URL, Freshness::Immutable, 7).await;
            let Ok(Answer::Found(part)) = got else { panic!("{answer}: {got:?}") };
            assert_eq!(part.first, first, "{answer}");
            let asked: web_sys::Request = left("range").unchecked_into();
            assert_eq!(asked.headers().get("range").unwrap().as_deref(), Some("bytes=7-"));
        }
        let behind = page("return new Response(null, { status: 416 })");
        let answer = behind.get_from(URL, Freshness::Immutable, 7).await;
        assert!(matches!(answer, Ok(Answer::Status(416))), "{answer:?}");
    }

    #[wasm_bindgen_test]
    async fn what_is_no_url_is_not_fetched() {
        let answer = page("return new Response('{}')").get("https://", Freshness::Immutable).await;
        assert_eq!(answer.unwrap_err().code(), "could_not_fetch");
    }

    #[wasm_bindgen_test]
    async fn without_a_fetch_of_the_pages_own_the_global_one_is_used() {
        let answer = Http::default().get("data:application/json,%7B%7D", Freshness::Immutable).await;
        let Ok(Answer::Found(mut body)) = answer else { panic!("{answer:?}") };
        assert_eq!(body.chunk().await.unwrap().as_deref(), Some(&b"{}"[..]));
    }
}
