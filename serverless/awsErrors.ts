// What AWS says when something is refused, in words for people, with the way out.
import { UserError } from '../errors.ts';

type AwsFault = Error & { Code?: string; $metadata?: { httpStatusCode?: number }; code?: string };

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

/** Runs `work`; what AWS throws comes out as a UserError that says what was being done. */
export async function withAws<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error ? explained(doing, error as AwsFault) : error;
  }
}

/** The same fault for people; an abort is `cancelled`. A UserError stays as it is. */
export function explained(doing: string, error: AwsFault): Error {
  if (error instanceof UserError) return error;
  if (error.name === 'AbortError') return new UserError('cancelled', `${doing}: cancelled`, { cause: error });
  const name = error.name === 'Error' ? (error.Code ?? error.code ?? error.name) : error.name;
  const { message } = error;
  if (unsigned.has(name)) {
    return new UserError('aws_credentials_missing', `${doing}: AWS does not know who asks (${message})`, {
      hint: 'Set up credentials for AWS: environment variables, --profile, or a role. Temporary ones may have ended.',
      cause: error,
    });
  }
  if (name === 'Region is missing' || /region is missing/i.test(message)) {
    return new UserError('usage', `${doing}: no region is chosen`, {
      hint: 'Name one with --region or AWS_REGION.',
      cause: error,
    });
  }
  if (refused.has(name) || error.$metadata?.httpStatusCode === 403) {
    return new UserError('aws_refused', `${doing}: AWS refused it (${message})`, {
      hint: 'framework serverless policies prints what the commands need to be allowed.',
      cause: error,
    });
  }
  const hint = throttled.has(name)
    ? 'Too many requests in this account: wait a little, or do fewer at once (--max-concurrent).'
    : 'Try again; if it stays, look at the service in the AWS console.';
  return new UserError('aws_failed', `${doing}: ${name}: ${message}`, { hint, cause: error });
}
