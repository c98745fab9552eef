// The parts of the CloudFormation template that several of its resources share.

/** Days after which logs are deleted. */
export const logDays = 30;

export const ref = (name: string) => ({ Ref: name });
export const arn = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });
export const join = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });

/** An ARN of Step Functions in the account and region of the stack. */
export const statesArn = (type: string, ...name: unknown[]) =>
  join('arn:', ref('AWS::Partition'), ':states:', ref('AWS::Region'), ':', ref('AWS::AccountId'), `:${type}:`, ...name);

/** Without a code key, only the bucket is created: the function needs code in the bucket. */
export const withCode = { Condition: 'HasCode' };

export function assumedBy(service: string) {
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  };
}

export function policy(name: string, statements: unknown[]) {
  return { PolicyName: name, PolicyDocument: { Version: '2012-10-17', Statement: statements } };
}

export function allow(actions: string[], resources: unknown[]) {
  return { Effect: 'Allow', Action: actions, Resource: resources };
}

/** Evaluates periods of five minutes. Missing data does not raise the alarm. */
export function alarm(
  description: string,
  namespace: string,
  metric: string,
  dimension: string,
  resource: string,
  limit: { Statistic: string; Threshold: number },
) {
  return {
    ...withCode,
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription: description,
      Namespace: namespace,
      MetricName: metric,
      Dimensions: [{ Name: dimension, Value: ref(resource) }],
      ...limit,
      Period: 300,
      EvaluationPeriods: 1,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    },
  };
}
