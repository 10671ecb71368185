//! Several things done at the same time, so many at once and no more.
//!
//! They are boxed and give nothing, so that the wasm holds once what drives them. Whenever one of them
//! can go on, each that was begun is polled, which is nothing beside a request.

use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use crate::error::FdlError;

/// One of the things that are done.
pub(crate) type Work<'a> = Pin<Box<dyn Future<Output = Result<(), FdlError>> + 'a>>;

/// Does all of it, `at_once` at a time. What comes later is begun when there is room for it.
///
/// # Errors
/// The first one; what is not done by then is dropped.
pub(crate) async fn each<'a>(
    at_once: usize,
    work: &mut dyn Iterator<Item = Work<'a>>,
) -> Result<(), FdlError> {
    let at_once = at_once.max(1);
    let mut begun: Vec<Work> = Vec::new();
    poll_fn(|context| {
        let mut polled = 0;
        while polled < begun.len() || polled < at_once {
            if polled == begun.len() {
                let Some(next) = work.next() else { break };
                begun.push(next);
            }
            match begun[polled].as_mut().poll(context) {
                Poll::Pending => polled += 1,
                Poll::Ready(Ok(())) => drop(begun.swap_remove(polled)),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
            }
        }
        if begun.is_empty() { Poll::Ready(Ok(())) } else { Poll::Pending }
    })
    .await
}

/// What comes of each, in the order in which they are given; all are done at once.
///
/// # Errors
/// The first one; what is not done by then is dropped.
pub(crate) async fn all<R>(
    work: impl ExactSizeIterator<Item = impl Future<Output = Result<R, FdlError>>>,
) -> Result<Vec<R>, FdlError> {
    let came = RefCell::new(Vec::new());
    came.borrow_mut().resize_with(work.len(), || None);
    let (at_once, slots) = (work.len(), &came);
    let mut work = work.enumerate().map(|(place, work)| -> Work {
        Box::pin(async move {
            let result = work.await?;
            slots.borrow_mut()[place] = Some(result);
            Ok(())
        })
    });
    each(at_once, &mut work).await?;
    drop(work);
    Ok(came.into_inner().into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Waits so many times before it goes on.
    async fn wait(mut times: usize) {
        poll_fn(|context| {
            if times == 0 {
                return Poll::Ready(());
            }
            times -= 1;
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await
    }

    #[test]
    fn no_more_is_under_way_at_once_than_was_asked_for_and_all_of_it_is_done() {
        for (at_once, most) in [(0, 1), (1, 1), (3, 3), (8, 8), (usize::MAX, 20)] {
            let (under_way, seen, done) = (Cell::new(0), Cell::new(0), Cell::new(0));
            let mut work = (0..20).map(|number| -> Work {
                let (under_way, seen, done) = (&under_way, &seen, &done);
                Box::pin(async move {
                    under_way.set(under_way.get() + 1);
                    seen.set(under_way.get().max(seen.get()));
                    wait(number % 4 + 1).await;
                    under_way.set(under_way.get() - 1);
                    done.set(done.get() + 1);
                    Ok(())
                })
            });
            pollster::block_on(each(at_once, &mut work)).unwrap();
            assert_eq!((seen.get(), done.get()), (most, 20), "{at_once}");
        }
    }

    #[test]
    fn what_comes_of_each_stands_in_the_order_in_which_they_were_given() {
        let work = (0..9).map(|number| async move {
            wait(9 - number).await;
            Ok(number)
        });
        assert_eq!(pollster::block_on(all(work)).unwrap(), (0..9).collect::<Vec<_>>());
        let nothing = std::iter::empty::<std::future::Ready<Result<u8, FdlError>>>();
        assert!(pollster::block_on(all(nothing)).unwrap().is_empty());
    }

    #[test]
    fn the_first_error_ends_what_is_under_way() {
        let begun = Cell::new(0);
        let work = (0..9).map(|number| {
            begun.set(begun.get() + 1);
            async move {
                wait(number).await;
                if number == 2 {
                    Err(FdlError::Aborted)
                } else if number < 2 {
                    Ok(())
                } else {
                    panic!()
                }
            }
        });
        assert_eq!(pollster::block_on(all(work)), Err(FdlError::Aborted));
        assert_eq!(begun.get(), 9);
    }
}
