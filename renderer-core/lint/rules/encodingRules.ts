// The rule for encodings: characters that cannot be decoded, here and in the files that are loaded, and encodings that are not declared.
import { referenceBase, referenceCandidates } from '../../model/graph.ts';
import { undeclaredMessage } from '../../model/variables/undeclaredMessage.ts';
import type { RuleContext, RuleFinding } from '../context.ts';

export function textEncoding(context: RuleContext): RuleFinding[] {
  return [...ownText(context), ...loadedTexts(context)];
}

function ownText({ path, project, text }: RuleContext): RuleFinding[] {
  const decoded = project.encoding(path);
  const at = decoded ? decoded.invalidAt : text.indexOf('\uFFFD');
  if (at !== null && at >= 0) {
    const span = { start: at, end: Math.min(text.length, at + 1) };
    if (!decoded) return [{ message: replacedMessage(), span, severity: 'warning' }];
    const encoding = decoded.encoding.toUpperCase();
    return [{ message: `The file is not valid ${encoding} text; save it as UTF-8, or declare its encoding`, span }];
  }
  const isGuess = decoded && !decoded.isDeclared && decoded.encoding !== 'utf-8';
  return isGuess ? [{ message: undeclaredMessage(path), span: { start: 0, end: 1 }, severity: 'warning' }] : [];
}

/** An editor has opened the file in another encoding. */
const replacedMessage = (): string =>
  'A character could not be decoded, and saving the file would lose it; open the file in its own encoding (in VS Code with “Reopen with Encoding”)';

/** Style sheets and scripts, and the style sheets that they import. */
function loadedTexts({ composition, path, project }: RuleContext): RuleFinding[] {
  const references = [
    ...composition.stylesheets.map(({ href }) => href),
    ...composition.scripts.flatMap(({ src }) => src ?? []),
  ];
  return references.flatMap(({ text, span }) => {
    const candidates = referenceCandidates(referenceBase(path, composition, span.start), text);
    const file = candidates.find((candidate) => project.exists(candidate));
    const problem = file === undefined ? undefined : project.undecodable(file);
    return problem === undefined ? [] : [{ message: problem, span }];
  });
}
