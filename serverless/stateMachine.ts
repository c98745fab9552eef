// The state machine as data: Plan, a Map of RenderChunk, Assemble, and a readable end for whatever fails.
// JSONPath and an inline Map: every interpreter of the Amazon States Language knows them.

/** A task of the function may run this long (AWS Lambda's limit, and the contract's for a chunk). */
export const taskSeconds = 900;

/** How long a render may take, waiting for free workers included. */
const machineSeconds = 6 * 60 * 60;

/** Errors that the handler throws with this name are the project's own: trying again would find the same. */
export const refusedError = 'Framework.Refused';

/** Too many invocations at once, and faults of Lambda itself. Full jitter: those that were refused together come back apart. */
const throttled = {
  ErrorEquals: [
    'Lambda.TooManyRequestsException',
    'Lambda.ServiceException',
    'Lambda.AWSLambdaException',
    'Lambda.SdkClientException',
    'Lambda.ClientExecutionTimeoutException',
  ],
  IntervalSeconds: 2,
  BackoffRate: 2,
  MaxDelaySeconds: 60,
  MaxAttempts: 20,
  JitterStrategy: 'FULL',
};

/** A worker that was killed, ran out of time or lost its browser: on another one it may well work. */
const lost = {
  ErrorEquals: ['States.ALL'],
  IntervalSeconds: 2,
  BackoffRate: 2,
  MaxDelaySeconds: 30,
  MaxAttempts: 2,
  JitterStrategy: 'FULL',
};

/** The first that fits counts. */
const retry = [{ ErrorEquals: [refusedError], MaxAttempts: 0 }, throttled, lost];

/** One invocation of the function; `payload` is a task of execution.ts, with JSONPath in keys that end in `.$`. */
function invoke(payload: Record<string, unknown>): Record<string, unknown> {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation puts the function's ARN there.
    Parameters: { FunctionName: '${RenderFunctionArn}', Payload: payload },
    TimeoutSeconds: taskSeconds,
    Retry: retry,
  };
}

const fail = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'Failed' }];

/** What later tasks need of an execution's input: see `TaskInput`. */
const input = {
  version: 1,
  'renderId.$': '$.renderId',
  'bucket.$': '$.bucket',
  'siteId.$': '$.siteId',
  'outputKey.$': '$.outputKey',
};

/** The definition, in the Amazon States Language. */
export const stateMachineDefinition = {
  Comment: 'Renders a composition: plan, chunks side by side, one file.',
  StartAt: 'Plan',
  TimeoutSeconds: machineSeconds,
  States: {
    Plan: {
      ...invoke({ step: 'plan', 'input.$': '$' }),
      ResultSelector: {
        'planKey.$': '$.Payload.planKey',
        'totalFrames.$': '$.Payload.totalFrames',
        'chunks.$': '$.Payload.chunks',
      },
      ResultPath: '$.plan',
      Catch: fail,
      Next: 'RenderChunks',
    },
    RenderChunks: {
      Type: 'Map',
      ItemsPath: '$.plan.chunks',
      ItemSelector: {
        'index.$': '$$.Map.Item.Value.index',
        'planKey.$': '$.plan.planKey',
        input,
      },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'INLINE' },
        StartAt: 'RenderChunk',
        States: {
          RenderChunk: {
            ...invoke({ step: 'renderChunk', 'input.$': '$.input', 'planKey.$': '$.planKey', 'index.$': '$.index' }),
            ResultSelector: {
              'index.$': '$.Payload.index',
              'frames.$': '$.Payload.frames',
              'elapsedMs.$': '$.Payload.elapsedMs',
              'isReused.$': '$.Payload.isReused',
            },
            End: true,
          },
        },
      },
      ResultPath: '$.rendered',
      Catch: fail,
      Next: 'Assemble',
    },
    Assemble: {
      ...invoke({ step: 'assemble', input, 'planKey.$': '$.plan.planKey' }),
      ResultSelector: {
        'outputKey.$': '$.Payload.outputKey',
        'bytes.$': '$.Payload.bytes',
        'frames.$': '$.Payload.frames',
        'durationSeconds.$': '$.Payload.durationSeconds',
      },
      Catch: fail,
      Next: 'Done',
    },
    Done: { Type: 'Succeed' },
    Failed: { Type: 'Fail', ErrorPath: '$.failure.Error', CausePath: '$.failure.Cause' },
  },
} as const;
