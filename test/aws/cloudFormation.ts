// A double of AWS CloudFormation for the resource types of the render stack: change sets, events, states, outputs. Creates
// buckets on the real S3 server and functions and state machines on the other doubles; only records all other resources.
import { isDeepStrictEqual } from 'node:util';
import { importsOf, parametersOf } from './changeSets.ts';
import { creationOrder, evaluate, holds, type Scope } from './intrinsics.ts';
import { ServiceFault } from './stepFunctions.ts';

type Json = Record<string, unknown>;
type Resource = { Type: string; Properties?: Json; Condition?: string; DeletionPolicy?: string };

/** Creates, updates and deletes the resources of one type. */
export type ResourceProvider = {
  /** `before`: the old properties, for an update. Returns the results of `Ref` and `Fn::GetAtt`. */
  put(
    physicalId: string,
    properties: Json,
    before: Json | undefined,
  ): Promise<{ ref: string; attributes: Record<string, string> }>;
  remove?(physicalId: string): Promise<void>;
  /** Takes over an existing resource. Throws if it does not exist. */
  adopt?(physicalId: string): Promise<{ ref: string; attributes: Record<string, string> }>;
};

type Made = { type: string; properties: Json; ref: string; attributes: Record<string, string>; keeps: boolean };
type StackEvent = {
  at: number;
  id: string;
  logicalId: string;
  physicalId: string;
  type: string;
  status: string;
  reason?: string;
};

export type Stack = {
  name: string;
  id: string;
  status: string;
  template: Json;
  parameters: Record<string, string>;
  resources: Map<string, Made>;
  outputs: Record<string, string>;
  events: StackEvent[];
  changeSets: Map<string, ChangeSet>;
};

type Change = { action: 'Add' | 'Modify' | 'Remove' | 'Import'; logicalId: string; type: string };
type ChangeSet = {
  name: string;
  status: 'CREATE_COMPLETE' | 'FAILED';
  reason?: string;
  changes: Change[];
  template: Json;
  parameters: Record<string, string>;
  /** Physical ids by logical ids. */
  imports: Map<string, string>;
};

export type CloudFormationDouble = {
  stacks: Map<string, Stack>;
  /** Runs an action of the API and returns the fields of its result. Throws `ServiceFault`. */
  call(action: string, body: Json): Json;
  settled(): Promise<void>;
};

const account = '000000000000';
const region = 'us-east-1';

export function startCloudFormation(providers: Record<string, ResourceProvider>): CloudFormationDouble {
  const stacks = new Map<string, Stack>();
  let working: Promise<void> = Promise.resolve();
  let ids = 0;

  const existing = (name: unknown): Stack => {
    const found = [...stacks.values()].find((stack) => stack.name === name || stack.id === name);
    if (!found || (found.status === 'DELETE_COMPLETE' && found.id !== name))
      throw new ServiceFault('ValidationError', `Stack with id ${String(name)} does not exist`);
    return found;
  };

  const note = (stack: Stack, logicalId: string, type: string, physicalId: string, status: string, reason?: string) =>
    stack.events.unshift({
      at: Date.now(),
      id: `event-${++ids}`,
      logicalId,
      physicalId,
      type,
      status,
      ...(reason === undefined ? {} : { reason }),
    });
  const settle = (stack: Stack, status: string, reason?: string) => {
    stack.status = status;
    note(stack, stack.name, 'AWS::CloudFormation::Stack', stack.id, status, reason);
  };

  const createChangeSet = (body: Json): Json => {
    const name = String(body.StackName);
    const template = JSON.parse(String(body.TemplateBody)) as Json;
    const known = stacks.get(name);
    const isImport = body.ChangeSetType === 'IMPORT';
    const isNew = body.ChangeSetType === 'CREATE' || isImport;
    if (isNew && known && !['REVIEW_IN_PROGRESS', 'DELETE_COMPLETE'].includes(known.status))
      throw new ServiceFault('AlreadyExistsException', `Stack [${name}] already exists`);
    if (!isNew) existing(name);
    if (needsCapability(template) && !list(body.Capabilities).some((one) => String(one).startsWith('CAPABILITY_IAM')))
      throw new ServiceFault('InsufficientCapabilitiesException', 'Requires capabilities : [CAPABILITY_IAM]');
    const stack = known && known.status !== 'DELETE_COMPLETE' ? known : emptyStack(name, ++ids);
    stacks.set(name, stack);
    if (isNew) stack.status = 'REVIEW_IN_PROGRESS';
    const imports = importsOf(template, isImport, body.ResourcesToImport);
    const parameters = parametersOf(template, body.Parameters, stack.parameters);
    const changes = changesOf(stack, template, parameters).map((change) =>
      imports.has(change.logicalId) ? { ...change, action: 'Import' as const } : change,
    );
    const set: ChangeSet = {
      name: String(body.ChangeSetName),
      status: changes.length > 0 ? 'CREATE_COMPLETE' : 'FAILED',
      ...(changes.length > 0
        ? {}
        : {
            reason:
              "The submitted information didn't contain changes. Submit different information to create a change set.",
          }),
      changes,
      template,
      parameters,
      imports,
    };
    stack.changeSets.set(set.name, set);
    return { Id: `arn:aws:cloudformation:${region}:${account}:changeSet/${set.name}/1`, StackId: stack.id };
  };

  const changeSet = (body: Json): { stack: Stack; set: ChangeSet } => {
    const name = String(body.ChangeSetName).replace(/^arn:.*:changeSet\/([^/]+)\/.*$/, '$1');
    for (const stack of body.StackName ? [existing(body.StackName)] : [...stacks.values()]) {
      const set = stack.changeSets.get(name);
      if (set) return { stack, set };
    }
    throw new ServiceFault('ChangeSetNotFoundException', `ChangeSet [${name}] does not exist`, 404);
  };

  const execute = async (stack: Stack, set: ChangeSet, isNew: boolean): Promise<void> => {
    const verb = set.imports.size > 0 ? 'IMPORT' : isNew ? 'CREATE' : 'UPDATE';
    settle(stack, `${verb}_IN_PROGRESS`, 'User Initiated');
    const scope = scopeOf(stack, set);
    const resources = wanted(set.template, scope);
    let failed: { logicalId: string; reason: string } | undefined;
    for (const logicalId of creationOrder(resources)) {
      const { Type: type, Properties = {}, DeletionPolicy } = resources[logicalId] as Resource;
      const before = stack.resources.get(logicalId);
      try {
        const properties = evaluate(Properties, scope) as Json;
        const physicalId = before?.ref ?? generatedName(stack.name, logicalId, type, ++ids);
        if (!before || !isDeepStrictEqual(before.properties, properties)) {
          const done = before ? 'UPDATE' : 'CREATE';
          note(stack, logicalId, type, physicalId, `${done}_IN_PROGRESS`);
          const provider = providers[type];
          if (!provider) throw new Error(`the double does not support ${type}`);
          const adopted = set.imports.get(logicalId);
          if (adopted !== undefined && !provider.adopt) throw new Error(`the double does not import ${type}`);
          const made =
            (adopted === undefined ? undefined : await provider.adopt?.(adopted)) ??
            (await provider.put(physicalId, properties, before?.properties));
          stack.resources.set(logicalId, { type, properties, ...made, keeps: DeletionPolicy === 'Retain' });
          note(stack, logicalId, type, made.ref, `${done}_COMPLETE`);
        }
        const made = stack.resources.get(logicalId);
        scope.refs[logicalId] = made?.ref ?? '';
        scope.attributes[logicalId] = made?.attributes ?? {};
      } catch (error) {
        failed = { logicalId, reason: (error as Error).message };
        note(stack, logicalId, type, '', `${before ? 'UPDATE' : 'CREATE'}_FAILED`, failed.reason);
        break;
      }
    }
    if (failed) {
      settle(
        stack,
        `${isNew ? '' : 'UPDATE_'}ROLLBACK_IN_PROGRESS`,
        `The following resource(s) failed: [${failed.logicalId}].`,
      );
      return settle(stack, `${isNew ? '' : 'UPDATE_'}ROLLBACK_COMPLETE`);
    }
    for (const [logicalId, made] of [...stack.resources]) {
      if (logicalId in resources) continue;
      await providers[made.type]?.remove?.(made.ref);
      stack.resources.delete(logicalId);
    }
    stack.template = set.template;
    stack.parameters = set.parameters;
    stack.outputs = outputsOf(set.template, scope);
    stack.changeSets.clear();
    settle(stack, `${verb}_COMPLETE`);
  };

  const remove = async (stack: Stack): Promise<void> => {
    settle(stack, 'DELETE_IN_PROGRESS', 'User Initiated');
    for (const [logicalId, made] of [...stack.resources].reverse()) {
      if (made.keeps) {
        note(stack, logicalId, made.type, made.ref, 'DELETE_SKIPPED');
        continue;
      }
      await providers[made.type]?.remove?.(made.ref);
      note(stack, logicalId, made.type, made.ref, 'DELETE_COMPLETE');
    }
    stack.resources.clear();
    settle(stack, 'DELETE_COMPLETE');
  };

  const begin = (work: () => Promise<void>): void => {
    working = working.then(work);
  };

  const actions: Record<string, (body: Json) => Json> = {
    CreateChangeSet: createChangeSet,
    DescribeChangeSet: (body) => {
      const { stack, set } = changeSet(body);
      return {
        StackName: stack.name,
        StackId: stack.id,
        ChangeSetName: set.name,
        Status: set.status,
        ExecutionStatus: set.status === 'FAILED' ? 'UNAVAILABLE' : 'AVAILABLE',
        ...(set.reason === undefined ? {} : { StatusReason: set.reason }),
        Changes: set.changes.map(({ action, logicalId, type }) => ({
          Type: 'Resource',
          ResourceChange: { Action: action, LogicalResourceId: logicalId, ResourceType: type },
        })),
      };
    },
    ExecuteChangeSet: (body) => {
      const { stack, set } = changeSet(body);
      if (set.status === 'FAILED')
        throw new ServiceFault('InvalidChangeSetStatus', `ChangeSet [${set.name}] cannot be executed`);
      const isNew = stack.status === 'REVIEW_IN_PROGRESS';
      stack.status = set.imports.size > 0 ? 'IMPORT_IN_PROGRESS' : isNew ? 'CREATE_IN_PROGRESS' : 'UPDATE_IN_PROGRESS';
      begin(() => execute(stack, set, isNew));
      return {};
    },
    DeleteChangeSet: (body) => {
      const { stack, set } = changeSet(body);
      stack.changeSets.delete(set.name);
      return {};
    },
    DescribeStacks: ({ StackName }) => ({
      Stacks: (StackName ? [existing(StackName)] : [...stacks.values()]).map(describe),
    }),
    DescribeStackEvents: ({ StackName }) => ({
      StackEvents: existing(StackName).events.map((event) => eventOf(existing(StackName), event)),
    }),
    DeleteStack: ({ StackName }) => {
      const stack = existing(StackName);
      stack.status = 'DELETE_IN_PROGRESS';
      begin(() => remove(stack));
      return {};
    },
    GetTemplate: ({ StackName }) => ({ TemplateBody: JSON.stringify(existing(StackName).template) }),
  };

  return {
    stacks,
    call(action, body) {
      const act = actions[action];
      if (!act) throw new ServiceFault('InvalidAction', `${action} is not here`);
      return act(body);
    },
    settled: () => working,
  };
}

/** The generated name of a resource without a name in the template. */
function generatedName(stack: string, logicalId: string, type: string, number: number): string {
  if (type === 'AWS::StepFunctions::StateMachine') return `${logicalId}-${number}`;
  const name = `${stack}-${logicalId}-${number}`;
  return type === 'AWS::S3::Bucket' ? name.toLowerCase() : name;
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function emptyStack(name: string, number: number): Stack {
  return {
    name,
    id: `arn:aws:cloudformation:${region}:${account}:stack/${name}/${number}`,
    status: 'REVIEW_IN_PROGRESS',
    template: {},
    parameters: {},
    resources: new Map(),
    outputs: {},
    events: [],
    changeSets: new Map(),
  };
}

const needsCapability = (template: Json): boolean =>
  Object.values(template.Resources as Record<string, Resource>).some(({ Type }) => Type === 'AWS::IAM::Role');

function scopeOf(stack: Stack, { template, parameters }: Pick<ChangeSet, 'template' | 'parameters'>): Scope {
  return {
    parameters,
    conditions: (template.Conditions ?? {}) as Json,
    refs: Object.fromEntries([...stack.resources].map(([name, { ref }]) => [name, ref])),
    attributes: Object.fromEntries([...stack.resources].map(([name, { attributes }]) => [name, attributes])),
    pseudo: { 'AWS::StackName': stack.name, 'AWS::Region': region, 'AWS::AccountId': account, 'AWS::Partition': 'aws' },
  };
}

function wanted(template: Json, scope: Scope): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(template.Resources as Record<string, Json>).filter(
      ([, { Condition }]) => Condition === undefined || holds(String(Condition), scope),
    ),
  );
}

/** The changes of a change set. A property that depends on a resource to be created counts as changed. */
function changesOf(stack: Stack, template: Json, parameters: Record<string, string>): Change[] {
  const scope = scopeOf(stack, { template, parameters });
  const resources = wanted(template, scope);
  const put = Object.entries(resources).flatMap(([logicalId, resource]): Change[] => {
    const { Type: type, Properties = {} } = resource as Resource;
    const before = stack.resources.get(logicalId);
    if (!before) return [{ action: 'Add', logicalId, type }];
    try {
      if (isDeepStrictEqual(evaluate(Properties, scope), before.properties)) return [];
    } catch {
      // The resource does not exist yet.
    }
    return [{ action: 'Modify', logicalId, type }];
  });
  const gone = [...stack.resources].filter(([logicalId]) => !(logicalId in resources));
  return [...put, ...gone.map(([logicalId, { type }]): Change => ({ action: 'Remove', logicalId, type }))];
}

function outputsOf(template: Json, scope: Scope): Record<string, string> {
  const outputs = Object.entries((template.Outputs ?? {}) as Record<string, Json>);
  return Object.fromEntries(
    outputs
      .filter(([, { Condition }]) => Condition === undefined || holds(String(Condition), scope))
      .map(([name, { Value }]) => [name, String(evaluate(Value, scope))]),
  );
}

function describe({ name, id, status, outputs, parameters }: Stack): Json {
  return {
    StackName: name,
    StackId: id,
    StackStatus: status,
    CreationTime: new Date(0).toISOString(),
    Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue })),
    Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  };
}

function eventOf(stack: Stack, { at, id, logicalId, physicalId, type, status, reason }: StackEvent): Json {
  return {
    StackId: stack.id,
    StackName: stack.name,
    EventId: id,
    Timestamp: new Date(at).toISOString(),
    LogicalResourceId: logicalId,
    PhysicalResourceId: physicalId,
    ResourceType: type,
    ResourceStatus: status,
    ...(reason === undefined ? {} : { ResourceStatusReason: reason }),
  };
}
