// Starting a render when the response to the first request was lost: the AWS SDK retries, and the render may have ended.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { SFNClient } from '@aws-sdk/client-sfn';
import { expect, onTestFinished, test } from 'vitest';
import { startExecution } from '../../../serverless/renders/start.ts';
import { listenInTest } from '../../support/servers/listen.ts';

const stateMachineArn = 'arn:aws:states:us-east-1:123456789012:stateMachine:Render';
const place = { bucket: 'results', siteId: '0123456789abcdef', stateMachineArn };
const order = (title: string) => ({ config: { variables: { title } }, chunks: {}, outputKey: 'a.mp4' });

type Start = { name: string; input: string };

/** Step Functions whose executions end at once; the first answer to a start is lost on the way. */
async function stepFunctions(): Promise<{ client: SFNClient; started: Start[]; asked: string[] }> {
  const started: Start[] = [];
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Start & { executionArn?: string };
    const action = String(request.headers['x-amz-target']).replace(/^.*\./, '');
    asked.push(action);
    const answer = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(value));
    if (action === 'DescribeExecution') {
      const { input } = started.find(({ name }) => body.executionArn?.endsWith(`:execution:Render:${name}`)) ?? {};
      return answer(200, { executionArn: body.executionArn, stateMachineArn, input, status: 'FAILED' });
    }
    if (started.some(({ name }) => name === body.name))
      return answer(400, { __type: 'ExecutionAlreadyExists', message: 'Execution Already Exists' });
    started.push(body);
    return request.socket.destroy();
  });
  const client = new SFNClient({
    endpoint: await listenInTest(server),
    region: 'us-east-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  });
  onTestFinished(() => client.destroy());
  return { client, started, asked };
}

test('does not report a failure when the first request had started the render', async () => {
  const { client, started, asked } = await stepFunctions();
  const handle = await startExecution(client, order('Ann'), place, 'r-1');
  expect(handle).toEqual({
    renderId: 'r-1',
    executionArn: 'arn:aws:states:us-east-1:123456789012:execution:Render:r-1',
    bucketName: 'results',
    outputKey: 'a.mp4',
  });
  expect(started.length).toBe(1);
  expect(asked).toEqual(['StartExecution', 'StartExecution', 'DescribeExecution']);
});

test('rejects the name of another render', async () => {
  const { client, started } = await stepFunctions();
  await startExecution(client, order('Ann'), place, 'r-1');
  await expect(startExecution(client, order('Ben'), place, 'r-1')).rejects.toMatchObject({
    code: 'render_ended',
    message: 'The name r-1 belongs to another render',
  });
  expect(started.length).toBe(1);
});

test('does not report a failed render as started when its name is used again', async () => {
  const { client, started } = await stepFunctions();
  const named = { ...order('Ann'), executionName: 'ann' };
  await expect(startExecution(client, named, place)).rejects.toMatchObject({
    code: 'render_ended',
    message: 'The render ann has already ended with the status FAILED',
    hint: expect.stringContaining('framework serverless resume ann'),
  });
  expect(started.map(({ name }) => name)).toEqual(['ann']);
});
