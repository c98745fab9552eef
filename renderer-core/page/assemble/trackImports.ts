// Reports each `import()` of a script to the clock, which cannot see it otherwise: it is syntax, not a function.

import { parentsOf } from '../../model/script/scriptSyntax.ts';
import { parseStrict } from '../../model/text/parsers.ts';
import { trackedImport } from '../runtime/page.ts';
import { at } from './markup.ts';
import { applyTextEdits, type TextEdit } from './textEdits.ts';

const mentionsImport = /\bimport\s*\(/;

/** The edits of a script, moved by `offset`. None for code with syntax errors, which does not run. */
export function importEdits(code: string, offset = 0): TextEdit[] {
  if (!mentionsImport.test(code)) return [];
  const program = parse(code);
  return [...(program ? parentsOf(program).keys() : [])].flatMap((node) => {
    if (node.type !== 'ImportExpression') return [];
    const { start, end, source } = node;
    const file = source.type === 'Literal' ? String(source.value) : code.slice(source.start, source.end);
    const name = JSON.stringify(file).replaceAll('<', '\\u003c');
    return [
      { span: at(offset + start), text: `window[Symbol.for("${trackedImport}")](` },
      { span: at(offset + end), text: `,${name})` },
    ];
  });
}

export const trackImports = (code: string): string => applyTextEdits(code, importEdits(code));

function parse(code: string): ReturnType<typeof parseStrict> | undefined {
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parseStrict(code, { ecmaVersion: 'latest', sourceType });
    } catch {
      // Some classic scripts are not valid modules.
    }
  }
  return undefined;
}
