// Reads from the environment where files are stored: on disk or in a bucket.
import { UserError } from '../../../renderer-core/errors.ts';
import type { ServiceSettings } from '../settings.ts';

/**
 * A bucket if SERVICE_S3_BUCKET is set, else the data folder. Region and credentials are read by the AWS SDK itself:
 * AWS_REGION, AWS_ACCESS_KEY_ID, a profile, or the machine's role. Throws UserError `config_invalid`.
 */
export function objectSettings(env: NodeJS.ProcessEnv): ServiceSettings['objects'] {
  const bucket = env.SERVICE_S3_BUCKET;
  if (!bucket) {
    const unused = ['SERVICE_S3_PREFIX', 'SERVICE_S3_ENDPOINT', 'SERVICE_S3_PATH_STYLE'].find((name) => env[name]);
    if (unused === undefined) return { kind: 'disk' };
    throw new UserError('config_invalid', `${unused} is set, but SERVICE_S3_BUCKET is not`, {
      hint: 'Set SERVICE_S3_BUCKET to store files in a bucket, or unset the other variables to store them on disk.',
    });
  }
  const endpoint = env.SERVICE_S3_ENDPOINT;
  return {
    kind: 's3',
    bucket,
    prefix: prefixOf(env.SERVICE_S3_PREFIX ?? ''),
    ...(endpoint ? { endpoint: checkedEndpoint(endpoint) } : {}),
    pathStyle: isTrue('SERVICE_S3_PATH_STYLE', env.SERVICE_S3_PATH_STYLE),
  };
}

/** Empty, or without a slash at the start and with one at the end. */
function prefixOf(text: string): string {
  const inner = text.replaceAll(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `${inner}/`;
}

function checkedEndpoint(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UserError('config_invalid', `SERVICE_S3_ENDPOINT must be an http or https URL (got "${text}")`, {
    hint: 'For example: SERVICE_S3_ENDPOINT=https://s3.example.com',
  });
}

function isTrue(name: string, text: string | undefined): boolean {
  if (!text || text === '0' || text === 'false') return false;
  if (text === '1' || text === 'true') return true;
  throw new UserError('config_invalid', `${name} must be true or false (got "${text}")`, {
    hint: `For example: ${name}=true`,
  });
}
