// What CloudFormation checks in a change set: parameters and imports.
import { ServiceFault } from './stepFunctions.ts';

type Json = Record<string, unknown>;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** An import may contain nothing but existing resources, which outlive the stack. */
export function importsOf(template: Json, isImport: boolean, given: unknown): Map<string, string> {
  if (!isImport) return new Map();
  const imports = new Map(
    list(given).map((one) => {
      const { LogicalResourceId, ResourceIdentifier } = one as {
        LogicalResourceId: string;
        ResourceIdentifier: { entry: Record<string, { value: string }> };
      };
      const [{ value } = { value: '' }] = Object.values(ResourceIdentifier.entry);
      return [LogicalResourceId, value] as const;
    }),
  );
  for (const [name, { DeletionPolicy }] of Object.entries(
    template.Resources as Record<string, { DeletionPolicy?: string }>,
  )) {
    if (!imports.has(name)) throw new ServiceFault('ValidationError', `Resource [${name}] must be imported`);
    if (DeletionPolicy === undefined) throw new ServiceFault('ValidationError', `${name} has no DeletionPolicy`);
  }
  if (template.Outputs !== undefined)
    throw new ServiceFault('ValidationError', 'As part of the import operation, you cannot modify or add [Outputs]');
  return imports;
}

export function parametersOf(template: Json, given: unknown, previous: Record<string, string>): Record<string, string> {
  const declared = (template.Parameters ?? {}) as Record<string, Json>;
  const values = new Map(
    list(given).map((one) => {
      const { ParameterKey, ParameterValue, UsePreviousValue } = one as Json;
      const key = String(ParameterKey);
      if (!(key in declared))
        throw new ServiceFault('ValidationError', `Parameters: [${key}] do not exist in the template`);
      return [key, String(UsePreviousValue) === 'true' ? previous[key] : String(ParameterValue)] as const;
    }),
  );
  return Object.fromEntries(
    Object.entries(declared).map(([key, { Type, Default, MinValue, MaxValue }]) => {
      const value = values.get(key) ?? (Default === undefined ? undefined : String(Default));
      if (value === undefined) throw new ServiceFault('ValidationError', `Parameters: [${key}] must have values`);
      const isOut =
        Type === 'Number' &&
        (Number(value) < Number(MinValue ?? -Infinity) || Number(value) > Number(MaxValue ?? Infinity));
      if (isOut)
        throw new ServiceFault('ValidationError', `Parameter '${key}' must be from ${MinValue} to ${MaxValue}`);
      return [key, value];
    }),
  );
}
