// Creates clients of AWS. The AWS SDK finds credentials, region and endpoints itself: environment, profile, role.

import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { SFNClient } from '@aws-sdk/client-sfn';
import { given } from '../renderer-core/model/variables/given.ts';

// Hides the SDK's warning about Node 20. The SDK reads this variable from process.env only.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

export type AwsOptions = {
  region?: string;
  profile?: string;
  /** Puts bucket names into the path instead of the host name, which S3 servers other than Amazon's need. */
  pathStyle?: boolean;
};

/** `FRAMEWORK_S3_PATH_STYLE=1`, because the SDK has no environment variable for it. */
export const pathStyleFrom = (env: NodeJS.ProcessEnv): boolean => env.FRAMEWORK_S3_PATH_STYLE === '1';

/** The adaptive mode also slows down other requests after a throttled one. */
const retries = { retryMode: 'adaptive', maxAttempts: 8 } as const;

export const clientOptions = ({ region, profile }: AwsOptions) => ({
  ...retries,
  ...given({ region, profile }),
});

export function s3Client(options: AwsOptions = {}): S3Client {
  return new S3Client({ ...clientOptions(options), ...(options.pathStyle ? { forcePathStyle: true } : {}) });
}

export const stepFunctionsClient = (options: AwsOptions = {}): SFNClient => new SFNClient(clientOptions(options));

export const cloudFormationClient = (options: AwsOptions = {}): CloudFormationClient =>
  new CloudFormationClient(clientOptions(options));

export const lambdaClient = (options: AwsOptions = {}): LambdaClient => new LambdaClient(clientOptions(options));

export const serviceQuotasClient = (options: AwsOptions = {}): ServiceQuotasClient =>
  new ServiceQuotasClient(clientOptions(options));
