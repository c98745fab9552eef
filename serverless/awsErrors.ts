// Converts errors of AWS to messages with a hint.
import { UserError } from '../renderer-core/errors.ts';

type AwsError = Error & { Code?: string; $metadata?: { httpStatusCode?: number }; code?: string };

const refused = new Set(['AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation', 'AuthorizationError']);
const unsigned = new Set([
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
]);
const throttled = new Set(['ThrottlingException', 'Throttling', 'TooManyRequestsException', 'SlowDown']);

/** Runs `work`. Throws UserError for errors of AWS; their messages start with `action`, such as "Uploading the code". */
export async function withAws<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error ? toUserError(action, error as AwsError) : error;
  }
}

/** An abort becomes `cancelled`. Returns a UserError unchanged. */
function toUserError(action: string, error: AwsError): Error {
  if (error instanceof UserError) return error;
  if (error.name === 'AbortError') return new UserError('cancelled', `${action}: cancelled`, { cause: error });
  const name = error.name === 'Error' ? (error.Code ?? error.code ?? error.name) : error.name;
  const { message } = error;
  if (unsigned.has(name)) {
    return new UserError('aws_credentials_missing', `${action}: AWS credentials are missing or invalid (${message})`, {
      hint: 'Configure AWS credentials: environment variables, --profile, or a role. Temporary credentials may have expired.',
      cause: error,
    });
  }
  if (name === 'Region is missing' || /region is missing/i.test(message)) {
    return new UserError('usage', `${action}: the AWS region is missing`, {
      hint: 'Set --region or AWS_REGION.',
      cause: error,
    });
  }
  if (refused.has(name) || error.$metadata?.httpStatusCode === 403) {
    return new UserError('aws_refused', `${action}: AWS denied access (${message})`, {
      hint: 'framework serverless policies prints the permissions that the commands need.',
      cause: error,
    });
  }
  const hint = throttled.has(name)
    ? 'There are too many requests in this account. Wait, or reduce --max-concurrent.'
    : 'Try again. If the error persists, check the service in the AWS console.';
  return new UserError('aws_failed', `${action}: ${name}: ${message}`, { hint, cause: error });
}
