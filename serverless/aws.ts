// Clients of AWS. Credentials, region and endpoints come from the SDK's own chain: environment, profile, role.
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';

// What it prints about Node 20 at every start is for us, not for users.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

export type AwsOptions = {
  region?: string;
  profile?: string;
  /** Buckets in the path and not in the host name: other S3 servers have no name for each bucket. */
  pathStyle?: boolean;
};

/** `FRAMEWORK_S3_PATH_STYLE=1` for S3 servers other than Amazon's: the SDK has no variable for it. */
export const pathStyleFrom = (env: NodeJS.ProcessEnv): boolean => env.FRAMEWORK_S3_PATH_STYLE === '1';

/** Throttled requests wait longer each time, and slow the others down with them. */
const retries = { retryMode: 'adaptive', maxAttempts: 8 } as const;

const common = ({ region, profile }: AwsOptions) => ({
  ...retries,
  ...(region === undefined ? {} : { region }),
  ...(profile === undefined ? {} : { profile }),
});

export function s3Client(options: AwsOptions = {}): S3Client {
  return new S3Client({ ...common(options), ...(options.pathStyle ? { forcePathStyle: true } : {}) });
}

export const stepFunctionsClient = (options: AwsOptions = {}): SFNClient => new SFNClient(common(options));

export const cloudFormationClient = (options: AwsOptions = {}): CloudFormationClient =>
  new CloudFormationClient(common(options));
