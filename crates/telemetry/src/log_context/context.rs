//! The current context of a thread.

use std::cell::RefCell;
use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;

use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    Text(Arc<str>),
    Id(Uuid),
}

impl From<Arc<str>> for FieldValue {
    fn from(text: Arc<str>) -> Self {
        Self::Text(text)
    }
}

impl From<Uuid> for FieldValue {
    fn from(id: Uuid) -> Self {
        Self::Id(id)
    }
}

impl fmt::Display for FieldValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Id(id) => id.fmt(formatter),
        }
    }
}

/// The fields of the current log lines. Cheap to clone: one reference count.
#[derive(Debug, Clone, Default)]
pub struct Context {
    fields: Option<Arc<[(&'static str, FieldValue)]>>,
    operation: Option<&'static str>,
    span: Option<SpanIds>,
}

/// Identifies the span of a trace that work belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanIds {
    pub trace: u128,
    pub span: u64,
    /// Whether the trace is recorded.
    pub is_sampled: bool,
}

thread_local! {
    static CURRENT: RefCell<Context> =
        const { RefCell::new(Context { fields: None, operation: None, span: None }) };
}

impl Context {
    /// Field names are members of JSON lines: `snake_case`, and not `timestamp`, `level`, `target` or `message`.
    pub fn new<const N: usize>(fields: [(&'static str, FieldValue); N]) -> Self {
        Self { fields: Some(Arc::from(fields)), operation: None, span: None }
    }

    /// The current context of this thread; empty if none is set.
    pub fn current() -> Self {
        // A thread that is ending may log after its locals are gone.
        CURRENT.try_with(|current| current.borrow().clone()).unwrap_or_default()
    }

    /// Sets the operation, for metrics; log lines do not show it. Use few names, because they become values of a label.
    #[must_use]
    pub fn with_operation(self, operation: &'static str) -> Self {
        Self { operation: Some(operation), ..self }
    }

    /// The name of the operation, if set.
    pub const fn operation(&self) -> Option<&'static str> {
        self.operation
    }

    /// Sets the span; log lines show its trace.
    #[must_use]
    pub fn with_span(self, span: Option<SpanIds>) -> Self {
        Self { span, ..self }
    }

    /// The span, if traces are exported.
    pub const fn span(&self) -> Option<SpanIds> {
        self.span
    }

    /// The text of a field, if set.
    pub fn text(&self, name: &str) -> Option<String> {
        self.fields().iter().find(|(field, _)| *field == name).map(|(_, value)| value.to_string())
    }

    pub(crate) fn fields(&self) -> &[(&'static str, FieldValue)] {
        self.fields.as_deref().unwrap_or_default()
    }

    /// Runs a closure within this context.
    pub fn enter<T>(&self, work: impl FnOnce() -> T) -> T {
        let _entered = Entered(CURRENT.replace(self.clone()));
        work()
    }

    /// Runs a future within this context, on whichever thread polls it.
    pub async fn scope<F: Future>(self, future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(|task| self.enter(|| future.as_mut().poll(task))).await
    }
}

/// Runs a future within the caller's context: for spawned work.
pub fn inherit<F: Future>(future: F) -> impl Future<Output = F::Output> {
    Context::current().scope(future)
}

/// Restores the previous context, which it holds, on drop, even after a panic.
struct Entered(Context);

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(std::mem::take(&mut self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_id(name: &str) -> Context {
        Context::new([("request_id", FieldValue::Text(name.into()))])
    }

    fn current_id() -> Option<String> {
        Context::current().fields().first().map(|(_, value)| value.to_string())
    }

    #[tokio::test]
    async fn concurrent_contexts_do_not_mix() {
        let work = |name: &'static str| {
            with_id(name).scope(async move {
                for _ in 0..100 {
                    assert_eq!(current_id().as_deref(), Some(name));
                    tokio::task::yield_now().await;
                }
            })
        };
        tokio::join!(work("a"), work("b"));
        assert_eq!(current_id(), None);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn spawned_work_and_threads_can_inherit_the_context() {
        let ids = with_id("a").scope(async {
            let task = tokio::spawn(inherit(async { current_id() })).await.unwrap();
            let context = Context::current();
            let thread = std::thread::spawn(move || context.enter(current_id)).join().unwrap();
            let stray = tokio::spawn(async { current_id() }).await.unwrap();
            (task, thread, stray)
        });
        assert_eq!(ids.await, (Some("a".to_owned()), Some("a".to_owned()), None));
    }

    #[test]
    fn the_previous_context_is_restored_even_after_a_panic() {
        with_id("outer").enter(|| {
            let inner = with_id("inner").with_operation("list_deals");
            let panicked = std::panic::catch_unwind(|| inner.enter(|| panic!("{:?}", Context::current().operation())));
            assert_eq!(panicked.unwrap_err().downcast_ref::<String>().unwrap(), "Some(\"list_deals\")");
            assert_eq!(current_id().as_deref(), Some("outer"));
        });
        assert_eq!(current_id(), None);
    }
}
