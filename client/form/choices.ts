// What there is to choose from for a boolean, an enum or a colour.
import { type QuickPickItem, Uri } from 'vscode';
import { checkColor, type Value, type VariableDeclaration } from './valueText.ts';

/** Without a value it only says something and cannot be chosen. */
export type Choice = QuickPickItem & { value?: Value };

const knownColors: readonly [name: string, value: string][] = [
  ['Black', '#000000'],
  ['White', '#ffffff'],
  ['Grey', '#808080'],
  ['Red', '#e53935'],
  ['Orange', '#fb8c00'],
  ['Yellow', '#fdd835'],
  ['Green', '#43a047'],
  ['Teal', '#00897b'],
  ['Blue', '#1e88e5'],
  ['Indigo', '#3949ab'],
  ['Purple', '#8e24aa'],
  ['Pink', '#d81b60'],
];

export function choicesOf(declaration: VariableDeclaration, known: Value | undefined): Choice[] {
  if (declaration.type === 'color') return colorChoices(declaration, known, '');
  const options =
    declaration.type === 'boolean'
      ? [
          { value: true, label: 'Yes', description: 'true' },
          { value: false, label: 'No', description: 'false' },
        ]
      : (declaration.options ?? []).map(({ value, label }) => ({ value, label: label || value, description: value }));
  return options.map((option) => withDefault(option, declaration));
}

/** What was typed stands first when it is a colour; the editor's filter leaves the rest to what fits. */
export function colorChoices(declaration: VariableDeclaration, known: Value | undefined, typed: string): Choice[] {
  const checked = typed.trim() === '' ? undefined : checkColor(typed);
  const own: Choice[] = [];
  if (checked && 'value' in checked) own.push(colorChoice('', String(checked.value), { alwaysShow: true }));
  for (const value of [known, declaration.default]) {
    if (typeof value === 'string' && own.every((choice) => choice.value !== value)) own.push(colorChoice('', value));
  }
  const rest = knownColors.filter(([, value]) => own.every((choice) => choice.value !== value));
  const choices = [...own, ...rest.map(([name, value]) => colorChoice(name, value))];
  if (checked && 'problem' in checked) choices.push({ label: checked.problem, alwaysShow: true });
  return choices.map((choice) => withDefault(choice, declaration));
}

function colorChoice(name: string, value: string, extra: Partial<Choice> = {}): Choice {
  const known = name || knownColors.find(([, color]) => color === value)?.[0];
  return { label: value, ...(known ? { description: known } : {}), iconPath: swatch(value), value, ...extra };
}

function swatch(color: string): Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect x="1.5" y="1.5" width="13" height="13" rx="3" fill="${color}" stroke="#808080"/></svg>`;
  return Uri.parse(`data:image/svg+xml;base64,${btoa(svg)}`);
}

function withDefault(choice: Choice, { default: byDefault }: VariableDeclaration): Choice {
  if (choice.value === undefined || choice.value !== byDefault) return choice;
  return { ...choice, description: [choice.description, 'default'].filter(Boolean).join(' · ') };
}
