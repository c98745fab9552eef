// The operator's settings of the service, with all defaults applied.

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
  engine: 'local' | 'serverless';
  /** For the serverless engine; undefined: the default stack name. Account and region come from the AWS environment. */
  stackName: string | undefined;
  /** Allow private addresses for webhook targets, project URLs and assets of pages. */
  allowPrivateTargets: boolean;
  /** Anyone can create an account on the web pages. */
  openSignUp: boolean;
  /** Credits of a new account. One credit is one second of 1080p video. */
  initialCredits: number;
  /** Per account. */
  requestsPerMinute: number;
  /** Days after which results and projects are deleted. */
  retentionDays: number;
  /** Lifetime of signed URLs in seconds. */
  urlLifetime: number;
  /** Bearer token for reading metrics from anywhere; undefined: only from this machine. */
  metricsToken?: string | undefined;
  browserPath: string | undefined;
  ffmpegPath: string | undefined;
};
