// A Lambda without workers: a function of the test answers each invocation at once.
import type { Invocation, LambdaDouble } from './lambda.ts';
import type { Outcome } from './lambdaSandbox.ts';

export type Payload = Record<string, unknown>;

export function instantLambda<P = Payload>(
  answer: (payload: P) => Outcome | 'throttled' | Promise<Outcome | 'throttled'>,
): LambdaDouble {
  const invocations: Invocation[] = [];
  return {
    invocations,
    logs: [],
    put: async () => undefined,
    publish: async () => 1,
    versions: () => 1,
    change: async () => undefined,
    async invoke(_name, text) {
      const payload = JSON.parse(text) as Payload;
      invocations.push({ payload, at: Date.now(), outcome: 'done' });
      return answer(payload as P);
    },
    close: async () => undefined,
  };
}

export const succeeded = (result: unknown): Outcome => ({ payload: JSON.stringify(result) });

export const failed = (errorType: string, errorMessage: string): Outcome => ({
  payload: JSON.stringify({ errorType, errorMessage }),
  failure: 'Unhandled',
});
