// Records requests to AWS as permissions, and forwards S3 requests to the real server.
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request as send } from 'node:http';
import { listen, stopListening } from '../support/servers/listen.ts';

/** One request in IAM's terms: `s3:GetObject` on `arn:aws:s3:::bucket/key`. */
export type AwsRequest = { action: string; resource: string };

/** `endpoint`: the address for clients. Signatures stay valid, because the server receives the original host name. */
export async function recordS3(
  server: string,
  /** The request continues when the returned promise resolves. */
  onRequest: (request: AwsRequest) => Promise<void> | undefined,
): Promise<{ endpoint: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(server);
  const http = createServer(async (request, response) => {
    await onRequest(s3Request(request));
    const { expect: _expect, ...headers } = request.headers;
    const { method, url: path } = request;
    const passed = send({ hostname, port, method, path, headers: headers as OutgoingHttpHeaders }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    // A client that aborts also aborts the request to the server.
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  return { endpoint: await listen(http), close: () => stopListening(http) };
}

/** Source: the S3 user guide, "Required permissions for Amazon S3 API operations". */
function s3Request({ method = '', url = '' }: IncomingMessage): AwsRequest {
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const [, bucket = '', ...rest] = decodeURIComponent(pathname).split('/');
  const key = rest.join('/');
  if (bucket === '') return { action: 's3:ListAllMyBuckets', resource: '*' };
  const resource = `arn:aws:s3:::${bucket}${key === '' ? '' : `/${key}`}`;
  if (key === '') return { action: method === 'GET' || method === 'HEAD' ? 's3:ListBucket' : `s3:${method}`, resource };
  if (method === 'GET' || method === 'HEAD') return { action: 's3:GetObject', resource };
  if (method === 'DELETE' && searchParams.has('uploadId')) return { action: 's3:AbortMultipartUpload', resource };
  return { action: method === 'DELETE' ? 's3:DeleteObject' : 's3:PutObject', resource };
}

type Fields = Record<string, unknown>;

export const cloudFormationRequest = (action: string, { StackName }: Fields): AwsRequest => {
  const name = String(StackName ?? '*');
  const resource = name.startsWith('arn:') ? name : `arn:aws:cloudformation:us-east-1:000000000000:stack/${name}/1`;
  return { action: `cloudformation:${action}`, resource };
};

export const statesRequest = (action: string, { stateMachineArn, mapRunArn, executionArn }: Fields): AwsRequest => ({
  action: `states:${action}`,
  resource: String(stateMachineArn ?? mapRunArn ?? executionArn),
});
