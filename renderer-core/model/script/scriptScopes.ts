// Resolves identifiers in a script to the scope that declares them.
import type { AnyNode, Identifier, Pattern } from 'acorn';

export type Parents = ReadonlyMap<AnyNode, AnyNode | null>;

export type Scopes = {
  /** The node whose scope declares the identifier; null for an undeclared global. */
  declaring(node: Identifier): AnyNode | null;
  /** Every identifier with this name. */
  identifiers(name: string): readonly Identifier[];
};

export function readScopes(parents: Parents): Scopes {
  const declared = new Map<AnyNode, Set<string>>();
  const byName = new Map<string, Identifier[]>();
  const declare = (scope: AnyNode | null, name: string) => {
    if (scope) declared.set(scope, (declared.get(scope) ?? new Set()).add(name));
  };
  for (const [node, parent] of parents) {
    if (node.type === 'Identifier') {
      const same = byName.get(node.name);
      if (same) same.push(node);
      else byName.set(node.name, [node]);
    }
    for (const name of namesOf(node)) declare(scopeOfNames(node, parent, parents), name);
  }
  return {
    declaring(node) {
      let at: AnyNode | null = node;
      while (at && !declared.get(at)?.has(node.name)) at = parents.get(at) ?? null;
      return at;
    },
    identifiers: (name) => byName.get(name) ?? [],
  };
}

function namesOf(node: AnyNode): string[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return patternNames(node.id);
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return node.params.flatMap(patternNames);
    case 'FunctionDeclaration':
      return node.params.flatMap(patternNames);
    case 'CatchClause':
      return node.param ? patternNames(node.param) : [];
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return [node.local.name];
    default:
      return [];
  }
}

/** The scope of a declaration: the function for parameters and `var`, otherwise the block. */
function scopeOfNames(node: AnyNode, parent: AnyNode | null, parents: Parents): AnyNode | null {
  if (node.type !== 'VariableDeclarator') return isImport(node) ? nearest(node, isFunctionScope, parents) : node;
  const isVar = parent?.type === 'VariableDeclaration' && parent.kind === 'var';
  return nearest(node, isVar ? isFunctionScope : isBlockScope, parents);
}

const isImport = ({ type }: AnyNode): boolean => type.startsWith('Import');

export const isFunctionScope = ({ type }: AnyNode): boolean =>
  type === 'Program' ||
  type === 'FunctionDeclaration' ||
  type === 'FunctionExpression' ||
  type === 'ArrowFunctionExpression' ||
  type === 'StaticBlock';

const isBlockScope = (node: AnyNode): boolean =>
  isFunctionScope(node) ||
  node.type === 'BlockStatement' ||
  node.type === 'ForStatement' ||
  node.type === 'ForInStatement' ||
  node.type === 'ForOfStatement' ||
  node.type === 'SwitchStatement';

export function nearest(node: AnyNode, test: (node: AnyNode) => boolean, parents: Parents): AnyNode | null {
  let at = parents.get(node) ?? null;
  while (at && !test(at)) at = parents.get(at) ?? null;
  return at;
}

export function patternNames(pattern: Pattern): string[] {
  const names: string[] = [];
  const pending: (AnyNode | null)[] = [pattern];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next?.type === 'Identifier') names.push(next.name);
    else if (next?.type === 'ObjectPattern') pending.push(...next.properties);
    else if (next?.type === 'Property') pending.push(next.value);
    else if (next?.type === 'ArrayPattern') pending.push(...next.elements);
    else if (next?.type === 'RestElement') pending.push(next.argument);
    else if (next?.type === 'AssignmentPattern') pending.push(next.left);
  }
  return names;
}
