// The definition of the state machine: Plan, a Map of RenderChunk, and Assemble. Errors are not caught: Step Functions resumes an
// execution at the state that failed, which would be a Fail state otherwise.
// Few chunks run in an inline Map, which starts at once. More run in a distributed Map, where each chunk is an execution of its own.

/** Limit of AWS Lambda for one invocation. */
export const taskSeconds = 900;

/** Limit for a render, including the wait for free workers. */
export const machineSeconds = 6 * 60 * 60;

/** Limit of Step Functions for the iterations of an inline Map that run at the same time. Renders of more chunks use a distributed Map. */
export const maxInlineChunks = 40;

/** Chunks of one render that run at the same time. A new account of AWS may run 1,000 workers, which renders share. */
export const maxChunksAtOnce = 200;

/** The largest number of chunks of a render. `progress` reads an object of each, and more would only start more workers. */
export const maxChunks = 400;

/** Part of the names of the executions of a distributed Map. */
export const manyChunksLabel = 'Chunks';

/**
 * What a distributed Map adds to the time of a render, in seconds. Measured by a user of AWS with 100 empty items:
 * https://repost.aws/questions/QUn5oKgcnjRTemt39V9hdtyw
 */
export const distributedMapSeconds = 7;

/** Whether the chunks are executions of their own. */
export const isDistributed = (chunks: number): boolean => chunks > maxInlineChunks;

/** Limit of Step Functions for the events of an execution. */
export const maxEvents = 25_000;

/** A chunk that is not throttled has seven events, and each throttled attempt three more. */
export const eventsOf = { chunk: 7, throttled: 3, otherStates: 30 } as const;

/** The handler throws errors of the project with this name. They are not retried. */
export const refusedError = 'Framework.Refused';

/**
 * Throttled tasks wait for a free worker as long as the execution may run. With full jitter, they do not all retry at once. The
 * longest delay is as short as `maxEvents` allows if every chunk of an inline Map is throttled for all that time.
 */
export const throttledRetry = {
  ErrorEquals: [
    'Lambda.TooManyRequestsException',
    'Lambda.ServiceException',
    'Lambda.AWSLambdaException',
    'Lambda.SdkClientException',
    'Lambda.ClientExecutionTimeoutException',
  ],
  IntervalSeconds: 2,
  BackoffRate: 2,
  MaxDelaySeconds: 240,
  // More than fit into `machineSeconds`.
  MaxAttempts: 100_000,
  JitterStrategy: 'FULL',
};

/** A worker that was killed, timed out or lost its browser. Another worker may succeed. */
const lost = {
  ErrorEquals: ['States.ALL'],
  IntervalSeconds: 2,
  BackoffRate: 2,
  MaxDelaySeconds: 30,
  MaxAttempts: 2,
  JitterStrategy: 'FULL',
};

/** The first matching entry applies. */
const retry = [{ ErrorEquals: [refusedError], MaxAttempts: 0 }, throttledRetry, lost];

/** A state that invokes the function. `payload` is a `Task`; keys that end in `.$` contain JSONPath. */
function invoke(payload: Record<string, unknown>): Record<string, unknown> {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation replaces it by the ARN of the function
    Parameters: { FunctionName: '${RenderFunctionArn}', Payload: payload },
    TimeoutSeconds: taskSeconds,
    Retry: retry,
  };
}

/** The input of a chunk. */
const chunkInput = { 'index.$': '$$.Map.Item.Value.index', 'planKey.$': '$.planKey', 'task.$': '$.task' };

/** The states of a chunk. `name`: its task. Names of states are unique in a definition. */
const chunkStates = (name: string) => ({
  StartAt: name,
  States: {
    [name]: {
      ...invoke({ step: 'renderChunk', 'input.$': '$.task', 'planKey.$': '$.planKey', 'index.$': '$.index' }),
      ResultSelector: { 'index.$': '$.Payload.index' },
      End: true,
    },
  },
});

/**
 * The definition, in the Amazon States Language. Plan returns a `PlanResult`; later states pass only keys. `mapConcurrency`: chunks
 * of one render that run at the same time.
 */
export const stateMachineDefinition = (mapConcurrency: number) => ({
  Comment: 'Renders a composition: plan, chunks side by side, one file.',
  StartAt: 'Plan',
  TimeoutSeconds: machineSeconds,
  States: {
    Plan: {
      ...invoke({ step: 'plan', 'input.$': '$' }),
      ResultSelector: {
        'task.$': '$.Payload.task',
        'planKey.$': '$.Payload.planKey',
        'chunkCount.$': '$.Payload.chunkCount',
        'chunks.$': '$.Payload.chunks',
        'chunksKey.$': '$.Payload.chunksKey',
      },
      Next: 'CountChunks',
    },
    CountChunks: {
      Type: 'Choice',
      Choices: [{ Variable: '$.chunkCount', NumericGreaterThan: maxInlineChunks, Next: 'RenderManyChunks' }],
      Default: 'RenderChunks',
    },
    RenderChunks: {
      Type: 'Map',
      ItemsPath: '$.chunks',
      MaxConcurrency: Math.min(maxInlineChunks, mapConcurrency),
      ItemSelector: chunkInput,
      ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, ...chunkStates('RenderChunk') },
      ResultPath: null,
      Next: 'Assemble',
    },
    RenderManyChunks: {
      Type: 'Map',
      Label: manyChunksLabel,
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        ReaderConfig: { InputType: 'JSON' },
        Parameters: { 'Bucket.$': '$.task.bucket', 'Key.$': '$.chunksKey' },
      },
      MaxConcurrency: Math.min(maxChunksAtOnce, mapConcurrency),
      ItemSelector: chunkInput,
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        ...chunkStates('RenderOneOfManyChunks'),
      },
      ResultPath: null,
      Next: 'Assemble',
    },
    Assemble: {
      ...invoke({ step: 'assemble', 'input.$': '$.task', 'planKey.$': '$.planKey' }),
      ResultSelector: {
        'outputKey.$': '$.Payload.outputKey',
        'bytes.$': '$.Payload.bytes',
        'frames.$': '$.Payload.frames',
        'durationSeconds.$': '$.Payload.durationSeconds',
        'times.$': '$.Payload.times',
      },
      Next: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
});
