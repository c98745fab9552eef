// Where an operator wants files to be, out of the environment.
import { UserError } from '../errors.ts';
import type { ServiceSettings } from './settings.ts';

/**
 * A bucket where SERVICE_S3_BUCKET names one, else the data folder. Throws UserError `config_invalid`.
 * Region and credentials are found by the SDK itself, in AWS_REGION, AWS_ACCESS_KEY_ID, a profile, or the machine's role.
 */
export function objectSettings(env: NodeJS.ProcessEnv): ServiceSettings['objects'] {
  const bucket = env.SERVICE_S3_BUCKET;
  if (!bucket) {
    const stray = ['SERVICE_S3_PREFIX', 'SERVICE_S3_ENDPOINT', 'SERVICE_S3_PATH_STYLE'].find((name) => env[name]);
    if (stray === undefined) return { kind: 'disk' };
    throw new UserError('config_invalid', `${stray} is set, but SERVICE_S3_BUCKET is not`, {
      hint: 'Set SERVICE_S3_BUCKET to keep files in that bucket, or unset the others to keep them on disk.',
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

/** Empty, or with one slash at its end and none at its beginning. */
function prefixOf(text: string): string {
  const inner = text.replaceAll(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `${inner}/`;
}

function checkedEndpoint(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UserError('config_invalid', `SERVICE_S3_ENDPOINT is "${text}", which is no URL`, {
    hint: 'For example: SERVICE_S3_ENDPOINT=https://s3.example.com',
  });
}

function isTrue(name: string, text: string | undefined): boolean {
  if (!text || text === '0' || text === 'false') return false;
  if (text === '1' || text === 'true') return true;
  throw new UserError('config_invalid', `${name} is "${text}"`, { hint: `${name} is true or false.` });
}
