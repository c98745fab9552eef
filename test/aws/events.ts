// Doubles of Amazon EventBridge, for the ends of executions, and of AWS Secrets Manager.
import { randomBytes, randomUUID } from 'node:crypto';
import type { ResourceProvider } from './cloudFormation.ts';
import { ServiceFault } from './stepFunctions.ts';

type Json = Record<string, unknown>;
type Rule = { EventPattern: Json; Targets: { Arn: string }[] };

/** An execution that has ended. */
export type Ended = {
  arn: string;
  name: string;
  machine: string;
  status: string;
  input: string;
  output?: string | undefined;
  startDate: number;
  stopDate?: number | undefined;
};

/** Events of larger inputs and outputs leave both out. */
const maxIncluded = 248 * 1024;

export function startEvents(start: (stateMachineArn: string, input: string) => void) {
  const rules = new Map<string, Rule>();
  return {
    provider: {
      async put(id, properties) {
        rules.set(id, properties as unknown as Rule);
        return { ref: id, attributes: { Arn: `arn:aws:events:us-east-1:000000000000:rule/${id}` } };
      },
      async remove(id) {
        rules.delete(id);
      },
    } satisfies ResourceProvider,
    ended({ arn, name, machine, status, input, output, startDate, stopDate }: Ended): void {
      const isIncluded = Buffer.byteLength(input) + Buffer.byteLength(output ?? '') <= maxIncluded;
      const event = {
        ...{ version: '0', id: randomUUID(), source: 'aws.states', account: '000000000000', region: 'us-east-1' },
        'detail-type': 'Step Functions Execution Status Change',
        detail: {
          ...{ executionArn: arn, stateMachineArn: machine, name, status },
          ...{ startDate: startDate * 1000, stopDate: (stopDate ?? 0) * 1000 },
          ...{ input: isIncluded ? input : null, inputDetails: { included: isIncluded } },
          ...{ output: isIncluded ? (output ?? null) : null, outputDetails: { included: isIncluded } },
        },
      };
      for (const { EventPattern, Targets } of rules.values()) {
        if (matches(EventPattern, event)) for (const { Arn } of Targets) start(Arn, JSON.stringify(event));
      }
    },
  };
}

/** The parts of event patterns that the stack uses: fields, lists of values, and wildcards. */
export function matches(pattern: Json, event: Json): boolean {
  return Object.entries(pattern).every(([key, wanted]) => {
    const value = event[key];
    if (!Array.isArray(wanted)) return matches(wanted as Json, value as Json);
    return wanted.some((one: unknown) => {
      if (typeof one !== 'object' || one === null) return one === value;
      const { wildcard, ...others } = one as { wildcard?: string };
      if (wildcard === undefined || Object.keys(others).length > 0)
        throw new ServiceFault('InvalidEventPattern', `${JSON.stringify(one)} is not here`);
      return typeof value === 'string' && glob(wildcard).test(value);
    });
  });
}

const glob = (wildcard: string): RegExp =>
  new RegExp(`^${wildcard.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('*', '.*')}$`, 's');

export function startSecrets() {
  const secrets = new Map<string, string>();
  return {
    provider: {
      async put(id, { GenerateSecretString }, before) {
        const arn = id.startsWith('arn:') ? id : `arn:aws:secretsmanager:us-east-1:000000000000:secret:${id}`;
        const { PasswordLength = 32 } = GenerateSecretString as { PasswordLength?: number };
        if (!before) secrets.set(arn, randomBytes(PasswordLength).toString('hex').slice(0, PasswordLength));
        return { ref: arn, attributes: {} };
      },
      async remove(arn) {
        secrets.delete(arn);
      },
    } satisfies ResourceProvider,
    call(action: string, { SecretId }: Json): Json {
      const SecretString = secrets.get(String(SecretId));
      if (action !== 'GetSecretValue' || SecretString === undefined)
        throw new ServiceFault('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      return { ARN: SecretId, SecretString };
    },
  };
}
