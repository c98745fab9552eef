// AWS doubles on 127.0.0.1: one endpoint with the protocols of CloudFormation, Step Functions and Lambda, and a real S3 server.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { CreateBucketCommand, GetObjectCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { listen, stopListening } from '../support/servers/listen.ts';
import { type CloudFormationDouble, type ResourceProvider, startCloudFormation } from './cloudFormation.ts';
import { startEvents, startSecrets } from './events.ts';
import { identityCall } from './identity.ts';
import { type LambdaDouble, type LambdaOptions, startLambda } from './lambda.ts';
import { type QuotaDouble, startQuotas } from './quotas.ts';
import { type AwsRequest, cloudFormationRequest, recordS3, statesRequest } from './recorder.ts';
import {
  ServiceFault,
  type StepFunctionsDouble,
  type StepFunctionsOptions,
  startStepFunctions,
} from './stepFunctions.ts';

type Json = Record<string, unknown>;

/** A running S3 server and its keys. */
export type S3Server = { endpoint: string; accessKeyId: string; secretAccessKey: string };

/** A simulated failure: a rejected request, or a response that is lost after the work was done. */
export type Trouble = ServiceFault | 'answer lost';

export type AwsOptions = LambdaOptions &
  Omit<StepFunctionsOptions, 'lambda'> & {
    s3: S3Server;
    /** Instead of functions that run in AWS's runtime client. */
    lambda?: LambdaDouble;
    /** Called before each request to Step Functions and CloudFormation. */
    trouble?: (request: AwsRequest, fields: Json) => Trouble | undefined;
    /** Delays requests to S3 until this resolves. */
    hold?: (request: AwsRequest) => Promise<void> | undefined;
    /** The caller's permissions in the IAM simulator. */
    rights?: () => Json[];
    /** Further environment variables of functions. */
    functionEnv?: Record<string, string>;
    /** Concurrent workers that the account allows. Default: 1000. */
    accountConcurrency?: number;
    /** Overrides the providers of resource types. */
    providers?: Record<string, ResourceProvider>;
  };

export type Aws = {
  /** Environment of the commands: endpoints, keys and region for the SDK. */
  env: Record<string, string>;
  /** The requests of the commands in order, without those of the function. */
  requests: AwsRequest[];
  s3: S3Client;
  lambda: LambdaDouble;
  stepFunctions: StepFunctionsDouble;
  cloudFormation: CloudFormationDouble;
  quotas: QuotaDouble;
  close(): Promise<void>;
};

export async function startAws(options: AwsOptions): Promise<Aws> {
  const { s3: server } = options;
  const keys = { accessKeyId: server.accessKeyId, secretAccessKey: server.secretAccessKey };
  const env: Record<string, string> = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    AWS_ENDPOINT_URL_S3: server.endpoint,
    AWS_REQUEST_CHECKSUM_CALCULATION: 'WHEN_REQUIRED',
    AWS_RESPONSE_CHECKSUM_VALIDATION: 'WHEN_REQUIRED',
    FRAMEWORK_S3_PATH_STYLE: '1',
  };
  const s3 = new S3Client({
    region: 'us-east-1',
    endpoint: server.endpoint,
    forcePathStyle: true,
    credentials: keys,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const folder = await mkdtemp(join(tmpdir(), 'aws-'));
  const lambda = options.lambda ?? (await startLambda(options));
  const stepFunctions: StepFunctionsDouble = await startStepFunctions({
    ...options,
    lambda,
    readObject: async (Bucket, Key) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      return (await Body?.transformToString()) ?? '';
    },
    onEnd: (execution) => events.ended(execution),
  });
  const events = startEvents((stateMachineArn, input) =>
    stepFunctions.call('StartExecution', { stateMachineArn, input }),
  );
  const secrets = startSecrets();
  const functionEnv: Record<string, string> = { ...env, ...options.functionEnv };
  const providers = resourceProviders({
    ...{ s3, lambda, stepFunctions, folder },
    env: functionEnv,
  });
  const cloudFormation = startCloudFormation({
    ...providers,
    'AWS::Events::Rule': events.provider,
    'AWS::SecretsManager::Secret': secrets.provider,
    ...options.providers,
  });
  const requests: AwsRequest[] = [];
  const recorded = await recordS3(server.endpoint, (request) => {
    requests.push(request);
    return options.hold?.(request);
  });
  const iam = (action: string, fields: Json) => identityCall(action, fields, options.rights?.() ?? []);
  const quotas = startQuotas(options.accountConcurrency);
  const answer = answerWith({ lambda, stepFunctions, cloudFormation, quotas, secrets, iam }, (request, fields) => {
    requests.push(request);
    return options.trouble?.(request, fields);
  });
  const http = createServer((request, response) => void answer(request, response));
  const endpoint = await listen(http);
  Object.assign(functionEnv, { AWS_ENDPOINT_URL_SFN: endpoint, AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint });
  return {
    env: {
      ...env,
      AWS_ENDPOINT_URL_S3: recorded.endpoint,
      AWS_ENDPOINT_URL_SFN: endpoint,
      AWS_ENDPOINT_URL_LAMBDA: endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
      AWS_ENDPOINT_URL_SERVICE_QUOTAS: endpoint,
      AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint,
      AWS_ENDPOINT_URL_IAM: endpoint,
      AWS_ENDPOINT_URL_STS: endpoint,
    },
    requests,
    s3,
    lambda,
    stepFunctions,
    cloudFormation,
    quotas,
    async close() {
      await recorded.close();
      await stepFunctions.close();
      await lambda.close();
      await cloudFormation.settled();
      await stopListening(http);
      s3.destroy();
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

type Doubles = Pick<Aws, 'lambda' | 'stepFunctions' | 'cloudFormation' | 'quotas'> & {
  secrets: ReturnType<typeof startSecrets>;
  iam(action: string, fields: Json): Promise<Json> | undefined;
};

function answerWith(
  { lambda, stepFunctions, cloudFormation, quotas, secrets, iam }: Doubles,
  troubleWith: (request: AwsRequest, fields: Json) => Trouble | undefined,
) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const target = String(request.headers['x-amz-target'] ?? '');
    const invoked = /^\/2015-03-31\/functions\/([^/]+)\/invocations/.exec(request.url ?? '')?.[1];
    if (invoked !== undefined) return invoke(lambda, decodeURIComponent(invoked), body, response);
    if (request.url?.startsWith('/2016-08-19/account-settings')) {
      troubleWith({ action: 'lambda:GetAccountSettings', resource: '*' }, {});
      return json(response, () => quotas.accountSettings());
    }
    if (target === '') {
      const { Action = '', ...fields } = fieldsOf(body);
      const action = String(Action);
      const identity = await iam(action, fields);
      if (identity) return xml(response, action, () => identity);
      const call = () => cloudFormation.call(action, fields);
      return xml(
        response,
        action,
        troubled(response, troubleWith(cloudFormationRequest(action, fields), fields), call),
      );
    }
    const action = target.replace(/^.*\./, '');
    const fields = JSON.parse(body) as Json;
    if (target.startsWith('ServiceQuotas')) {
      troubleWith({ action: `servicequotas:${action}`, resource: '*' }, fields);
      return json(response, () => quotas.call(action, fields));
    }
    if (target.startsWith('secretsmanager')) {
      troubleWith({ action: `secretsmanager:${action}`, resource: String(fields.SecretId) }, fields);
      return json(response, () => secrets.call(action, fields));
    }
    const call = () => stepFunctions.call(action, fields);
    return json(response, troubled(response, troubleWith(statesRequest(action, fields), fields), call));
  };
}

function troubled(response: ServerResponse, trouble: Trouble | undefined, call: () => Json): () => Json {
  return () => {
    if (trouble instanceof ServiceFault) throw trouble;
    const result = call();
    if (trouble === 'answer lost') response.socket?.destroy();
    return result;
  };
}

async function invoke(lambda: LambdaDouble, name: string, payload: string, response: ServerResponse): Promise<void> {
  const outcome = await lambda.invoke(name.replace(/^.*:function:/, ''), payload || '{}');
  if (outcome === 'throttled') {
    response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException', 'content-type': 'application/json' });
    response.end('{"Reason":"ReservedFunctionConcurrentInvocationLimitExceeded","message":"Rate Exceeded."}');
  } else if (outcome === 'unknown') {
    response
      .writeHead(404, { 'x-amzn-errortype': 'ResourceNotFoundException' })
      .end('{"message":"Function not found"}');
  } else {
    response.writeHead(200, outcome.failure ? { 'x-amz-function-error': outcome.failure } : {}).end(outcome.payload);
  }
}

function json(response: ServerResponse, act: () => Json): void {
  try {
    // Runs before the response head is written, because its errors have another status.
    const answer = JSON.stringify(act());
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(answer);
  } catch (error) {
    const { code, status, message } = faultOf(error);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': code });
    response.end(JSON.stringify({ __type: `com.amazonaws.states#${code}`, message }));
  }
}

function xml(response: ServerResponse, action: string, act: () => Json): void {
  try {
    const result = `<${action}Result>${toXml(act())}</${action}Result>`;
    response.writeHead(200, { 'content-type': 'text/xml' });
    response.end(
      `<${action}Response>${result}<ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></${action}Response>`,
    );
  } catch (error) {
    const { code, status, message } = faultOf(error);
    response.writeHead(status, { 'content-type': 'text/xml' });
    response.end(
      `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error></ErrorResponse>`,
    );
  }
}

const faultOf = (error: unknown): { code: string; status: number; message: string } =>
  error instanceof ServiceFault
    ? { code: error.code, status: error.status, message: error.message }
    : { code: 'InternalFailure', status: 500, message: String((error as Error).stack) };

/** Decodes parameters such as `Parameters.member.1.ParameterKey=a`. */
function fieldsOf(body: string): Json {
  const root: Json = {};
  for (const [path, value] of new URLSearchParams(body)) {
    const steps = path.split('.');
    let at = root;
    for (const [index, step] of steps.entries()) {
      const below = index === steps.length - 1 ? value : (at[step] ?? {});
      at[step] = below;
      at = below as Json;
    }
  }
  return unfold(root) as Json;
}

function unfold(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { member, ...rest } = value as Json;
  if (member !== undefined) return Object.values(member as Json).map(unfold);
  return Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, unfold(item)]));
}

function toXml(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<member>${toXml(item)}</member>`).join('');
  if (typeof value !== 'object' || value === null) return escaped(String(value));
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `<${key}>${toXml(item)}</${key}>`)
    .join('');
}

const escaped = (value: string): string => value.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);

type ProviderPlace = Pick<Aws, 's3' | 'lambda' | 'stepFunctions' | 'env'> & { folder: string };

function resourceProviders({
  s3,
  lambda,
  stepFunctions,
  folder,
  env,
}: ProviderPlace): Record<string, ResourceProvider> {
  const noted = (arn: (id: string) => string): ResourceProvider => ({
    put: async (id) => ({ ref: id, attributes: { Arn: arn(id) } }),
  });
  let deployments = 0;
  return {
    'AWS::S3::Bucket': {
      async put(id, _properties, before) {
        if (!before) await s3.send(new CreateBucketCommand({ Bucket: id }));
        return { ref: id, attributes: { Arn: `arn:aws:s3:::${id}` } };
      },
      async adopt(id) {
        await s3.send(new HeadBucketCommand({ Bucket: id }));
        return { ref: id, attributes: { Arn: `arn:aws:s3:::${id}` } };
      },
    },
    'AWS::S3::BucketPolicy': noted((id) => id),
    'AWS::IAM::Role': noted((id) => `arn:aws:iam::000000000000:role/${id}`),
    'AWS::IAM::RolePolicy': noted((id) => id),
    'AWS::Logs::LogGroup': noted((id) => `arn:aws:logs:us-east-1:000000000000:log-group:${id}:*`),
    'AWS::CloudWatch::Alarm': noted((id) => id),
    'AWS::Lambda::Function': {
      async put(id, properties) {
        const { S3Bucket, S3Key } = properties.Code as Record<string, string>;
        const code = join(folder, `code-${++deployments}`);
        await unpack(s3, S3Bucket ?? '', S3Key ?? '', code);
        const concurrency = properties.ReservedConcurrentExecutions;
        await lambda.put(id, {
          code,
          handler: String(properties.Handler),
          memoryMb: Number(properties.MemorySize),
          diskMb: Number((properties.EphemeralStorage as { Size?: number } | undefined)?.Size ?? 512),
          timeoutSeconds: Number(properties.Timeout),
          concurrency: concurrency === undefined ? undefined : Number(concurrency),
          env: { ...env, ...(properties.Environment as { Variables?: Record<string, string> } | undefined)?.Variables },
        });
        return { ref: id, attributes: { Arn: `arn:aws:lambda:us-east-1:000000000000:function:${id}` } };
      },
    },
    'AWS::Lambda::Version': {
      // CloudFormation publishes a version for each new name in the template.
      async put(_id, properties, before) {
        const name = String(properties.FunctionName);
        const version = before ? lambda.versions(name) : await lambda.publish(name);
        const arn = `arn:aws:lambda:us-east-1:000000000000:function:${name}:${version}`;
        return { ref: arn, attributes: { Version: String(version) } };
      },
    },
    'AWS::Lambda::Alias': {
      async put(_id, { FunctionName, Name }) {
        return { ref: `arn:aws:lambda:us-east-1:000000000000:function:${FunctionName}:${Name}`, attributes: {} };
      },
    },
    'AWS::StepFunctions::StateMachine': {
      // Only this generated name does not start with the stack's name.
      async put(id, properties) {
        const arn = id.startsWith('arn:') ? id : `arn:aws:states:us-east-1:000000000000:stateMachine:${id}`;
        const substitutions = properties.DefinitionSubstitutions as Record<string, string>;
        const definition = Object.entries(substitutions).reduce(
          (all, [name, value]) => all.replaceAll(`\${${name}}`, value),
          JSON.stringify(properties.Definition),
        );
        stepFunctions.put(arn, JSON.parse(definition) as Json);
        return { ref: arn, attributes: { Arn: arn, Name: arn.replace(/^.*:/, '') } };
      },
    },
  };
}

async function unpack(s3: S3Client, bucket: string, key: string, into: string): Promise<void> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  await mkdir(into, { recursive: true });
  const zip = `${into}.zip`;
  await writeFile(zip, (await Body?.transformToByteArray()) ?? new Uint8Array());
  await promisify(execFile)('unzip', ['-q', zip, '-d', into]);
  await rm(zip);
}
