// What an operator can choose about the service, resolved: every default is already in place.

export type ServiceSettings = {
  /** Where SQLite, files and work folders are, absolute. */
  dataDir: string;
  host: string;
  /** 0: any free port. */
  port: number;
  /** How clients reach the service, without a slash at the end: signed URLs and the issuer of tokens begin with it. */
  publicUrl: string;
  /** `postgres://…`; undefined: SQLite in the data folder. */
  databaseUrl: string | undefined;
  objects: { kind: 'disk' } | { kind: 's3'; bucket: string; prefix: string; endpoint?: string; pathStyle: boolean };
  /** Renders at once in this process; 0: this instance only answers requests. */
  workers: number;
  engine: 'local' | 'serverless';
  /** Of the serverless engine; undefined: as it is deployed. Account and region are those of AWS's own environment. */
  stackName: string | undefined;
  /** Webhook targets, project URLs and assets of pages may be on private addresses. */
  allowPrivateTargets: boolean;
  /** Anybody may make an account on the sign-in page. */
  openSignUp: boolean;
  /** What a new account begins with. One credit is one second of 1080p video. */
  initialCredits: number;
  /** Requests that one account may make in a minute. */
  requestsPerMinute: number;
  /** Results and projects of renders are deleted after so many days. */
  retentionDays: number;
  /** Seconds for which signed URLs hold. */
  urlLifetime: number;
  /** Who may read the metrics, from anywhere; undefined: whoever is on this machine. */
  metricsToken?: string | undefined;
  browserPath: string | undefined;
  ffmpegPath: string | undefined;
};
