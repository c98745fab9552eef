// The definition of the state machine: Plan, a Map of RenderChunk, Assemble, and a Fail state with a readable error.
// Uses JSONPath and an inline Map, which every interpreter of the Amazon States Language supports.

/** Limit of AWS Lambda for one invocation. */
export const taskSeconds = 900;

/** Limit for a render, including the wait for free workers. */
const machineSeconds = 6 * 60 * 60;

/** The handler throws errors of the project with this name. They are not retried. */
export const refusedError = 'Framework.Refused';

/** Throttling, and errors of Lambda itself. With full jitter, so that throttled tasks do not all retry at once. */
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
const retry = [{ ErrorEquals: [refusedError], MaxAttempts: 0 }, throttled, lost];

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

const fail = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'Failed' }];

/** See `TaskInput`. */
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
