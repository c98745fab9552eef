// The intrinsic functions of CloudFormation that the templates use, and the dependency order of resources.

type Json = Record<string, unknown>;

export type Scope = {
  parameters: Record<string, string>;
  conditions: Record<string, unknown>;
  /** The results of `Ref` and `Fn::GetAtt` of a created resource. */
  refs: Record<string, string>;
  attributes: Record<string, Record<string, string>>;
  pseudo: Record<string, string>;
};

/** The result of `Ref: AWS::NoValue`, which removes the property. */
const nothing = Symbol('no value');

/** Evaluates all functions in a property. Throws on an unsupported function. */
export function evaluate(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => evaluate(item, scope)).filter((item) => item !== nothing);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [key = '', argument] = entries[0] ?? [];
  if (entries.length === 1 && (key === 'Ref' || key.startsWith('Fn::'))) return call(key, argument, scope);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, evaluate(item, scope)] as const).filter(([, item]) => item !== nothing),
  );
}

function call(name: string, argument: unknown, scope: Scope): unknown {
  const list = argument as unknown[];
  switch (name) {
    case 'Ref':
      return reference(String(argument), scope);
    case 'Fn::GetAtt': {
      const [resource = '', attribute = ''] = list.map(String);
      const found = scope.attributes[resource]?.[attribute];
      if (found === undefined) throw new Error(`${resource} has no attribute ${attribute} here`);
      return found;
    }
    case 'Fn::Join':
      return (list[1] as unknown[]).map((part) => evaluate(part, scope)).join(String(list[0]));
    case 'Fn::If':
      return evaluate(holds(String(list[0]), scope) ? list[1] : list[2], scope);
    case 'Fn::Equals':
      return String(evaluate(list[0], scope)) === String(evaluate(list[1], scope));
    case 'Fn::Not':
      return !evaluate(list[0], scope);
    default:
      throw new Error(`the double does not support ${name}`);
  }
}

function reference(name: string, { parameters, refs, pseudo }: Scope): unknown {
  if (name === 'AWS::NoValue') return nothing;
  const found = parameters[name] ?? refs[name] ?? pseudo[name];
  if (found === undefined) throw new Error(`unknown name ${name}`);
  return found;
}

export function holds(condition: string, scope: Scope): boolean {
  if (!(condition in scope.conditions)) throw new Error(`unknown condition ${condition}`);
  return evaluate(scope.conditions[condition], scope) === true;
}

/** The names of the resources, each after those that it refers to. */
export function creationOrder(resources: Record<string, Json>): string[] {
  const order: string[] = [];
  const visit = (name: string, path: string[]): void => {
    if (path.includes(name)) throw new Error(`circular dependency: ${[...path, name].join(' -> ')}`);
    if (order.includes(name)) return;
    for (const other of referred(resources[name]))
      if (other in resources && other !== name) visit(other, [...path, name]);
    order.push(name);
  };
  for (const name of Object.keys(resources)) visit(name, []);
  return order;
}

function referred(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referred);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key === 'Ref') return [String(item)];
    if (key === 'Fn::GetAtt') return [String((item as unknown[])[0])];
    if (key === 'DependsOn') return [item].flat().map(String);
    return referred(item);
  });
}
