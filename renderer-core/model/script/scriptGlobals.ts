// The globals of a script: what it declares at its top level, and which undeclared names it sets.
import type { AnyNode } from 'acorn';
import { isFunctionScope, nearest, type Parents, patternNames, readScopes } from './scriptScopes.ts';
import { type Syntax, syntaxOf } from './scriptSyntax.ts';

/**
 * `declared` are all names that later scripts of the page can use. `vars` are those of them that keep the value of an
 * earlier script. `assigned` are names that the script sets without a declaration.
 */
export type ScriptGlobals = { declared: string[]; vars: string[]; assigned: string[]; isStrict: boolean };

const none: ScriptGlobals = { declared: [], vars: [], assigned: [], isStrict: false };

/** Never throws. A script with a syntax error does not run, so it has no globals. */
export function scriptGlobals(code: string): ScriptGlobals {
  const syntax = syntaxOf({ text: code });
  if (!syntax?.isValid) return none;
  const globals = known.get(syntax) ?? readGlobals(syntax);
  known.set(syntax, globals);
  return globals;
}

/** A file can be mounted many times. */
const known = new WeakMap<Syntax, ScriptGlobals>();

function readGlobals(syntax: Syntax): ScriptGlobals {
  const { lexical, vars } = declarationsOf(syntax.parents);
  const declared = new Set([...lexical, ...vars]);
  return {
    declared: [...declared],
    vars: [...vars].filter((name) => !lexical.has(name)),
    assigned: assignedNames(syntax.parents).filter((name) => !declared.has(name)),
    isStrict: isStrict(syntax),
  };
}

/** Functions are among the lexical names: they replace the value of an earlier script. */
function declarationsOf(parents: Parents): { lexical: Set<string>; vars: Set<string> } {
  const found = { lexical: new Set<string>(), vars: new Set<string>() };
  for (const [node, parent] of parents) {
    if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') {
      if (parent?.type === 'Program' && node.id) found.lexical.add(node.id.name);
    } else if (node.type === 'VariableDeclarator' && parent?.type === 'VariableDeclaration') {
      const isVar = parent.kind === 'var';
      const scope = isVar ? nearest(parent, isFunctionScope, parents) : parents.get(parent);
      if (scope?.type !== 'Program') continue;
      for (const name of patternNames(node.id)) (isVar ? found.vars : found.lexical).add(name);
    }
  }
  return found;
}

function assignedNames(parents: Parents): string[] {
  const targets = [...parents.keys()].flatMap(targetsOf);
  if (targets.length === 0) return [];
  const scopes = readScopes(parents);
  const isUndeclared = (name: string) => scopes.identifiers(name).some((node) => scopes.declaring(node) === null);
  return [...new Set(targets)].filter(isUndeclared);
}

function targetsOf(node: AnyNode): string[] {
  // Other operators need a value, so the variable is defined elsewhere.
  if (node.type === 'AssignmentExpression') return node.operator === '=' ? patternNames(node.left) : [];
  const isLoop = node.type === 'ForInStatement' || node.type === 'ForOfStatement';
  return isLoop && node.left.type !== 'VariableDeclaration' ? patternNames(node.left) : [];
}

function isStrict({ program }: Syntax): boolean {
  for (const statement of program.body) {
    if (statement.type !== 'ExpressionStatement' || statement.directive === undefined) return false;
    if (statement.directive === 'use strict') return true;
  }
  return false;
}
