//! The connection to a server, and what Mazurka keeps there.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{self, DiscardPolicy, Stream};
use async_nats::jetstream::{self, kv, object_store};
use async_nats::{ConnectErrorKind, ConnectOptions, ServerAddr};
use futures_util::StreamExt;
use mazurka_core::explore::Explored;
use tokio::io::AsyncReadExt;
use tokio::runtime::Runtime;
use tokio::time::timeout;

use crate::Error;
use crate::job::{File, Job, MOST_BYTES, NewJob, State, Status, VERSION, is_file_name};
use crate::queue::Queue;

const JOBS: &str = "mazurka-jobs";
const PROGRAMS: &str = "mazurka-programs";

/// A worker that says nothing for this long is thought dead, and its part is given to another one.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// How often a client asks the server for a sign of life. After three questions without an answer, the
/// client connects anew: a network that is cut drops packets without an error.
const PING_INTERVAL: Duration = Duration::from_secs(2);

/// Where the server is, and how to log in.
#[derive(Clone, Debug, Default)]
pub struct Address {
    /// Addresses such as `nats://user:password@host:4222`, separated by commas.
    pub servers: String,
    /// A file with credentials (a JWT and an NKey seed), as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an NKey.
    pub nkey: Option<PathBuf>,
    /// A file with the certificates of authorities to trust, for TLS.
    pub authorities: Option<PathBuf>,
    /// Files with the certificate of this client and its key, for TLS.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// On how many servers streams and buckets are kept, if they do not exist yet.
    pub replicas: usize,
}

/// A connection to a cluster.
pub struct Cluster {
    pub(crate) runtime: Runtime,
    pub(crate) link: Link,
}

/// The connection, for the asynchronous part of the crate.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) client: async_nats::Client,
    pub(crate) context: jetstream::Context,
    pub(crate) replicas: usize,
    /// The name of this process as a coordinator.
    pub(crate) name: String,
}

impl Cluster {
    /// Connects to a server.
    ///
    /// # Errors
    ///
    /// If there is no server, if it refuses the credentials, or if it has no JetStream.
    pub fn connect(address: &Address) -> Result<Self, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::of("no event loop can be started", error))?;
        let link = runtime.block_on(Link::connect(address))?;
        Ok(Cluster { runtime, link })
    }

    /// Publishes a job. It makes progress once it is [coordinated](Cluster::coordinate).
    ///
    /// # Errors
    ///
    /// If the server does not store it.
    pub fn publish(&self, new: NewJob) -> Result<Job, Error> {
        self.runtime.block_on(self.link.publish(new))
    }

    /// Returns the jobs and how far they have come, the oldest first.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub fn jobs(&self) -> Result<Vec<(Job, Status)>, Error> {
        self.runtime.block_on(self.link.jobs())
    }

    /// Returns a job.
    ///
    /// # Errors
    ///
    /// If there is no such job.
    pub fn job(&self, id: &str) -> Result<(Job, Status), Error> {
        self.runtime.block_on(async {
            let found = self.link.job(id).await?;
            found.ok_or_else(|| {
                Error::new(format!("there is no job `{id}`; `mazurka jobs` lists the jobs"))
            })
        })
    }

    /// Returns the files of a job.
    ///
    /// # Errors
    ///
    /// If they are not there, or are damaged.
    pub fn files(&self, job: &Job) -> Result<Vec<File>, Error> {
        self.runtime.block_on(self.link.files(job))
    }

    /// Cancels a job. Removes one that has ended.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub fn cancel(&self, job: &Job, status: &Status) -> Result<(), Error> {
        self.runtime.block_on(async {
            let is_over = matches!(status.state, State::Done | State::Cancelled);
            let status = Status { state: State::Cancelled, ..status.clone() };
            self.link.put_status(&job.id, &status).await?;
            self.link.clean_up(job).await?;
            if is_over {
                self.link.forget(&job.id).await?;
            }
            Ok(())
        })
    }
}

/// Returns the error of a request that the server did not answer as expected.
pub(crate) fn lost(reason: impl std::fmt::Display) -> Error {
    Error::of("the NATS server does not do as it is asked", reason)
}

fn job_key(id: &str) -> String {
    format!("{id}.job")
}

fn status_key(id: &str) -> String {
    format!("{id}.status")
}

fn verdict_key(id: &str) -> String {
    format!("{id}.verdict")
}

impl Link {
    async fn connect(address: &Address) -> Result<Self, Error> {
        let parse = |text: &str| {
            text.trim().parse::<ServerAddr>().map_err(|error| {
                let form = "write addresses like `nats://host:4222`";
                Error::new(format!("the address of the cluster cannot be read: {error}; {form}"))
            })
        };
        let servers: Vec<ServerAddr> =
            address.servers.split(',').map(parse).collect::<Result<_, _>>()?;
        let hosts: Vec<String> =
            servers.iter().map(|server| format!("{}:{}", server.host(), server.port())).collect();
        let hosts = hosts.join(", ");
        let mut options = options(address)?.name("mazurka");
        let user = servers.iter().find_map(|server| Some((server.username()?, server.password())));
        options = match user {
            Some((user, Some(password))) => {
                options.user_and_password(decoded(user), decoded(password))
            }
            Some((token, None)) => options.token(decoded(token)),
            None => options,
        };
        let client = options.connect(servers).await.map_err(|error| match error.kind() {
            ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                Error::new(format!(
                    "the NATS server at {hosts} refuses the credentials; give user and password in \
                     the address (`nats://user:password@host:4222`), or a file by --nats-creds or \
                     --nats-nkey"
                ))
            }
            _ => Error::new(format!(
                "the NATS server at {hosts} cannot be reached: {error}; start one with \
                 `nats-server -js`"
            )),
        })?;
        let mut context = jetstream::new(client.clone());
        context.set_timeout(Duration::from_secs(5));
        let replicas = address.replicas.max(1);
        let mut link = Link { client, context, replicas, name: String::new() };
        link.name = link.unique();
        link.parts(&Queue::SHARED).await.map_err(|error| {
            Error::new(format!(
                "the NATS server at {hosts} has no JetStream for this account ({error}); start it \
                 with `nats-server -js`"
            ))
        })?;
        Ok(link)
    }

    /// Returns the subject of the results of a job.
    pub(crate) fn results_of(id: &str) -> String {
        format!("mazurka.results.{id}")
    }

    fn results_name(id: &str) -> String {
        format!("MAZURKA_RESULTS_{id}")
    }

    /// Returns the stream of the results of a job.
    pub(crate) async fn results(&self, id: &str) -> Result<Stream, Error> {
        self.context.get_stream(Self::results_name(id)).await.map_err(lost)
    }

    async fn bucket(&self) -> Result<kv::Store, Error> {
        if let Ok(store) = self.context.get_key_value(JOBS).await {
            return Ok(store);
        }
        // `create_key_value` would need an answer that servers before 2.11 do not give.
        let config = stream::Config {
            name: format!("KV_{JOBS}"),
            subjects: vec![format!("$KV.{JOBS}.>")],
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            deny_delete: true,
            allow_direct: true,
            num_replicas: self.replicas,
            ..stream::Config::default()
        };
        self.context.get_or_create_stream(config).await.map_err(lost)?;
        self.context.get_key_value(JOBS).await.map_err(lost)
    }

    async fn programs(&self) -> Result<ObjectStore, Error> {
        if let Ok(store) = self.context.get_object_store(PROGRAMS).await {
            return Ok(store);
        }
        let config = object_store::Config {
            bucket: PROGRAMS.to_owned(),
            num_replicas: self.replicas,
            ..object_store::Config::default()
        };
        self.context.create_object_store(config).await.map_err(lost)
    }

    pub(crate) async fn publish(&self, new: NewJob) -> Result<Job, Error> {
        if new.files.iter().map(|file| file.bytes.len()).sum::<usize>() > MOST_BYTES {
            return Err(Error::new("the program is too large for a cluster: more than 1 GiB"));
        }
        if let Some(File { name, .. }) = new.files.iter().find(|file| !is_file_name(&file.name)) {
            return Err(Error::new(format!(
                "the file `{name}` cannot be on a cluster: its name must have at most 100 characters, \
                 and only letters, digits, `.`, `-` and `_`. Rename the module"
            )));
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let job = Job {
            id: new.id.unwrap_or_else(|| self.unique()),
            version: VERSION.to_owned(),
            name: new.name,
            options: new.options,
            opens: new.opens,
            files: new.files.iter().map(|file| file.name.clone()).collect(),
            digest: format!("{:016x}", new.digest),
            memory: new.memory,
            replay: new.replay,
            published: since.as_secs(),
            crew: new.crew,
        };
        let programs = self.programs().await?;
        for file in &new.files {
            let name = format!("{}/{}", job.id, file.name);
            programs.put(name.as_str(), &mut file.bytes.as_slice()).await.map_err(lost)?;
        }
        let config = stream::Config {
            name: Self::results_name(&job.id),
            subjects: vec![Self::results_of(&job.id)],
            num_replicas: self.replicas,
            ..stream::Config::default()
        };
        self.context.get_or_create_stream(config).await.map_err(lost)?;
        let bytes = serde_json::to_vec(&job).map_err(lost)?;
        self.bucket().await?.create(job_key(&job.id), bytes.into()).await.map_err(lost)?;
        self.put_status(&job.id, &Status::new(&self.name)).await?;
        Ok(job)
    }

    /// Returns a name that is used nowhere else.
    fn unique(&self) -> String {
        let inbox = self.client.new_inbox();
        let id: String = inbox.chars().rev().filter(char::is_ascii_alphanumeric).take(8).collect();
        id.to_ascii_lowercase()
    }

    /// Returns a job, if there is one with this id.
    pub(crate) async fn job(&self, id: &str) -> Result<Option<(Job, Status)>, Error> {
        if !crate::job::is_id(id) {
            return Ok(None);
        }
        let jobs = self.bucket().await?;
        let Some(job) = jobs.get(job_key(id)).await.map_err(lost)? else { return Ok(None) };
        let Some(job) = Job::read(&job).filter(|job| job.id == id) else {
            return Err(Error::new(format!(
                "the record of the job `{id}` is damaged, or was written by another version"
            )));
        };
        let status = jobs.get(status_key(id)).await.map_err(lost)?;
        let status = status.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Ok(Some((job, status.unwrap_or_else(|| Status::new("")))))
    }

    async fn jobs(&self) -> Result<Vec<(Job, Status)>, Error> {
        let mut keys = self.bucket().await?.keys().await.map_err(lost)?;
        let mut jobs = Vec::new();
        // The list has no end if a key changes while it is read: no answer counts as the end, too.
        while let Ok(Some(key)) = timeout(Duration::from_secs(1), keys.next()).await {
            let key = key.map_err(lost)?;
            let Some(id) = key.strip_suffix(".job") else { continue };
            // Records of other versions are not shown.
            jobs.extend(self.job(id).await.ok().flatten());
        }
        jobs.sort_by(|(a, _), (b, _)| (a.published, &a.id).cmp(&(b.published, &b.id)));
        Ok(jobs)
    }

    pub(crate) async fn files(&self, job: &Job) -> Result<Vec<File>, Error> {
        let programs = self.programs().await?;
        let (mut files, mut room) = (Vec::new(), MOST_BYTES as u64);
        for name in &job.files {
            let object = programs.get(format!("{}/{name}", job.id)).await.map_err(lost)?;
            let mut bytes = Vec::new();
            // The digest of the object is checked at its end.
            object.take(room).read_to_end(&mut bytes).await.map_err(lost)?;
            room -= bytes.len() as u64;
            if room == 0 {
                return Err(Error::new("the program of this job is too large"));
            }
            files.push(File { name: name.clone(), bytes });
        }
        Ok(files)
    }

    pub(crate) async fn put_status(&self, id: &str, status: &Status) -> Result<(), Error> {
        let bytes = serde_json::to_vec(status).map_err(lost)?;
        self.bucket().await?.put(status_key(id), bytes.into()).await.map_err(lost)?;
        Ok(())
    }

    /// Removes the record of a job.
    pub(crate) async fn forget(&self, id: &str) -> Result<(), Error> {
        let jobs = self.bucket().await?;
        for key in [job_key(id), status_key(id), verdict_key(id)] {
            jobs.purge(&key).await.map_err(lost)?;
        }
        Ok(())
    }

    /// Stores the findings of a job for the other processes of its crew. If they are too large for one
    /// message, stores the first violation only.
    pub(crate) async fn put_verdict(&self, id: &str, found: &Explored) -> Result<(), Error> {
        let (jobs, key) = (self.bucket().await?, verdict_key(id));
        if jobs.put(&key, found.to_bytes().into()).await.is_ok() {
            return Ok(());
        }
        let mut found = found.clone();
        found.verdict.violations.truncate(1);
        found.verdict.warnings.clear();
        jobs.put(&key, found.to_bytes().into()).await.map_err(lost)?;
        Ok(())
    }

    /// Returns the findings of a job that has ended or was stopped.
    pub(crate) async fn verdict(&self, id: &str) -> Result<Explored, Error> {
        let bytes = self.bucket().await?.get(verdict_key(id)).await.map_err(lost)?;
        let found = bytes.and_then(|bytes| Explored::from_bytes(&bytes).ok());
        found.ok_or_else(|| {
            Error::new(format!(
                "the verdict of the job `{id}` is missing or damaged; remove the job with `mazurka \
                 jobs --cluster URL cancel {id}`"
            ))
        })
    }

    /// Makes this process the coordinator of a job. Returns how long the job has been worked on, in
    /// seconds.
    pub(crate) async fn lead(&self, id: &str) -> Result<f64, Error> {
        let Some((_, status)) = self.job(id).await? else { return Ok(0.0) };
        if matches!(status.state, State::Done | State::Cancelled) {
            return Ok(status.seconds);
        }
        let coordinator = self.name.clone();
        let status = Status { state: State::Running, coordinator, ..status };
        self.put_status(id, &status).await?;
        Ok(status.seconds)
    }

    /// Removes everything of a job except for its record.
    pub(crate) async fn clean_up(&self, job: &Job) -> Result<(), Error> {
        self.leave_queue(job).await?;
        // They may be gone already.
        let _ = self.context.delete_stream(Self::results_name(&job.id)).await;
        let programs = self.programs().await?;
        for name in &job.files {
            let _ = programs.delete(format!("{}/{name}", job.id)).await;
        }
        Ok(())
    }
}

fn options(address: &Address) -> Result<ConnectOptions, Error> {
    let unreadable = |file: &PathBuf, error: std::io::Error| {
        Error::new(format!("{}: the credentials cannot be read: {error}", file.display()))
    };
    let mut options = ConnectOptions::new()
        .connection_timeout(Duration::from_secs(5))
        .ping_interval(PING_INTERVAL);
    if let Some(file) = &address.credentials {
        let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, error))?;
        options = options.credentials(&text).map_err(|error| unreadable(file, error))?;
    }
    if let Some(file) = &address.nkey {
        let seed = std::fs::read_to_string(file).map_err(|error| unreadable(file, error))?;
        options = options.nkey(seed.trim().to_owned());
    }
    if let Some(authorities) = &address.authorities {
        options = options.add_root_certificates(authorities.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &address.certificate {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    Ok(options)
}

/// Returns a part of an address without its escapes: `%40` is `@`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = after.get(..2).filter(|_| *first == b'%');
        let escaped = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_addresses_are_decoded() {
        assert_eq!(decoded("p%40ss%2Fword"), "p@ss/word");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%4"), "%zz%4");
    }
}
