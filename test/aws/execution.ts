// Executions of the double of AWS Step Functions, and the errors of the doubles.
type Json = Record<string, unknown>;

export type Execution = {
  arn: string;
  name: string;
  machine: string;
  input: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  startDate: number;
  stopDate?: number | undefined;
  output?: string | undefined;
  error?: string | undefined;
  cause?: string | undefined;
  events: Json[];
  /** Results of tasks by their state and payload. A redriven execution does not repeat them. */
  results: Map<string, unknown>;
  redriveDate?: number | undefined;
  /** The Map Run of an item of a distributed Map. */
  mapRun?: string;
  /** By the names of their states. */
  mapRuns: Map<string, MapRun>;
  abort(): void;
  done: Promise<void>;
};

/** The executions of one distributed Map. Those that have not started yet are missing. */
export type MapRun = { arn: string; startDate: number; inputs: string[]; children: (Execution | undefined)[] };

export const executionOf = (machine: string, name: string, input: string): Execution => ({
  arn: `${machine.replace(':stateMachine:', ':execution:')}:${name}`,
  name,
  machine,
  input,
  status: 'RUNNING',
  startDate: Date.now() / 1000,
  events: [],
  results: new Map(),
  mapRuns: new Map(),
  abort: () => undefined,
  done: Promise.resolve(),
});

export class ServiceFault extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
