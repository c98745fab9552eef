// The definition of the state machine: Plan, a Map of RenderChunk, and Assemble. Errors are not caught: Step Functions resumes an
// execution at the state that failed, which would be a Fail state otherwise.
// Uses JSONPath and an inline Map, which every interpreter of the Amazon States Language supports.

/** Limit of AWS Lambda for one invocation. */
export const taskSeconds = 900;

/** Limit for a render, including the wait for free workers. */
export const machineSeconds = 6 * 60 * 60;

/** Limit of Step Functions for the iterations of an inline Map that run at the same time. */
export const maxMapConcurrency = 40;

/** Limit of Step Functions for the events of an execution. */
export const maxEvents = 25_000;

/** A chunk that is not throttled has seven events, and each throttled attempt three more. */
export const eventsOf = { chunk: 7, throttled: 3, otherStates: 30 } as const;

/** The handler throws errors of the project with this name. They are not retried. */
export const refusedError = 'Framework.Refused';

/**
 * Throttled tasks wait for a free worker as long as the execution may run. With full jitter, they do not all retry at once. The
 * longest delay is as short as `maxEvents` allows if every task that can run at the same time is throttled for all that time.
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

/** With full jitter, a delay is half of its maximum on average. */
const throttledEvents =
  (eventsOf.throttled * maxMapConcurrency * machineSeconds) / (throttledRetry.MaxDelaySeconds / 2);

/** The largest number of chunks with which an execution stays below `maxEvents` even if all its tasks are always throttled. */
export const maxChunks = 100 * Math.floor((maxEvents - throttledEvents - eventsOf.otherStates) / eventsOf.chunk / 100);

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

/**
 * The definition, in the Amazon States Language. After Plan, states pass only keys: `task` is a `TaskInput`. `mapConcurrency`: chunks
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
        'chunks.$': '$.Payload.chunks',
      },
      Next: 'RenderChunks',
    },
    RenderChunks: {
      Type: 'Map',
      ItemsPath: '$.chunks',
      MaxConcurrency: Math.min(maxMapConcurrency, mapConcurrency),
      ItemSelector: {
        'index.$': '$$.Map.Item.Value.index',
        'planKey.$': '$.planKey',
        'task.$': '$.task',
      },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'INLINE' },
        StartAt: 'RenderChunk',
        States: {
          RenderChunk: {
            ...invoke({ step: 'renderChunk', 'input.$': '$.task', 'planKey.$': '$.planKey', 'index.$': '$.index' }),
            ResultSelector: { 'index.$': '$.Payload.index' },
            End: true,
          },
        },
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
