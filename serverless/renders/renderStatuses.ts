// The states of an execution of Step Functions.

export const renderStatuses = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'] as const;

/** `TIMED_OUT` is `timed-out` on the command line. */
export const choiceOf = (status: string): string => status.toLowerCase().replaceAll('_', '-');
