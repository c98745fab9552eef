// The operator's settings of the service, with all defaults applied.
import type { Sandbox } from './isolation/sandbox.ts';

/** What one account may use at a time. */
export type Quotas = {
  /** The most bytes that projects and videos may have together. */
  storedBytes: number;
  /** In progress. */
  uploads: number;
  /** Queued and running. */
  renders: number;
};

/** An upload that is slower in any window except the first is cancelled. */
export type UploadPace = { bytesPerSecond: number; windowMs: number };

export type ServiceSettings = {
  /** Folder of SQLite, files and work folders, absolute. */
  dataDir: string;
  host: string;
  /** 0: any free port. */
  port: number;
  /**
   * The URL at which clients reach the service, without a slash at the end. Signed URLs and the issuer of tokens begin
   * with it.
   */
  publicUrl: string;
  /** `postgres://…`; undefined: SQLite in the data folder. */
  databaseUrl: string | undefined;
  objects: { kind: 'disk' } | { kind: 's3'; bucket: string; prefix: string; endpoint?: string; pathStyle: boolean };
  /** Maximum concurrent renders of this process. 0: this instance only handles requests. */
  workers: number;
  /** Per account, on all instances together. */
  maxRunningRenders: number;
  /** Time for a frame of a local render. */
  maxFrameSeconds: number;
  /** Temporary files of a local render. */
  maxRenderDiskBytes: number;
  /** Time for renders in progress when the service shuts down. */
  drainSeconds: number;
  engine: 'local' | 'serverless';
  /** For the serverless engine; undefined: the default stack name. Account and region come from the AWS environment. */
  stackName: string | undefined;
  /** Allow private addresses for webhook targets, project URLs and assets of pages. */
  allowPrivateTargets: boolean;
  /** The hosts from which pages may load files; undefined: all that have a public address. */
  allowHosts?: readonly string[] | undefined;
  /** Anyone can create an account on the web pages. */
  openSignUp: boolean;
  /** E-mail addresses of accounts that see the operator page, in lower case. */
  operators: readonly string[];
  /** Credits of a new account. One credit is one second of 1080p video. */
  initialCredits: number;
  /** Per account. */
  requestsPerMinute: number;
  /** Days after which results and projects are deleted. */
  retentionDays: number;
  quotas: Quotas;
  /** Uploads and renders are rejected before the data folder has fewer free bytes. */
  reservedDiskBytes: number;
  /** Open connections to this process. */
  maxConnections: number;
  uploadPace: UploadPace;
  /** The server that sends mails, and their sender; undefined: no mails are sent. */
  mail?: { smtpUrl: string; from: string } | undefined;
  /** Lifetime of signed URLs in seconds. */
  urlLifetime: number;
  /** Bearer token for reading metrics from anywhere; undefined: only from this machine. */
  metricsToken?: string | undefined;
  /** Isolates workers; undefined: they run like the service itself. */
  sandbox?: Sandbox | undefined;
  browserPath: string | undefined;
  ffmpegPath: string | undefined;
};
