// The state machine that sends the webhook of a render, and the events that start it. EventBridge starts it for each render with a
// callback URL that has ended, however it has ended.
import { refusedError } from '../deploy/stateMachine.ts';

/** Seconds of one attempt, including the start of the function. */
export const attemptSeconds = 60;

/** The waits are 5, 15, 45, 135, 405, 1,215 and 3,645 s, and then two hours each: 23.5 hours. */
const repeat = {
  ErrorEquals: ['States.ALL'],
  IntervalSeconds: 5,
  BackoffRate: 3,
  MaxDelaySeconds: 7_200,
  MaxAttempts: 18,
};

/** The input is an event of EventBridge. Each attempt is in the history of its execution. */
export const webhookMachineDefinition = {
  Comment: 'Sends the webhook of a render that has ended, until the receiver accepts it.',
  StartAt: 'Send',
  TimeoutSeconds: 25 * 60 * 60,
  States: {
    Send: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation replaces it by the ARN of the function
        FunctionName: '${WebhookFunctionArn}',
        Payload: { 'id.$': '$.id', 'executionArn.$': '$.detail.executionArn', 'status.$': '$.detail.status' },
      },
      TimeoutSeconds: attemptSeconds,
      Retry: [{ ErrorEquals: [refusedError], MaxAttempts: 0 }, repeat],
      ResultSelector: { 'sent.$': '$.Payload.sent' },
      End: true,
    },
  },
};

/**
 * The events that start the machine: ends of renders whose input has a callback. Events of large inputs leave the input out.
 * `stateMachineArn`: that of the renders.
 */
export const endedRenders = (stateMachineArn: unknown) => ({
  source: ['aws.states'],
  'detail-type': ['Step Functions Execution Status Change'],
  detail: {
    stateMachineArn: [stateMachineArn],
    status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'],
    input: [{ wildcard: '*"callback":{*' }, null],
  },
});
