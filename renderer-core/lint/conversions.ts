// Values that fixes insert: values converted to a type, labels derived from ids, defaults of types.
import { opaqueColor } from '../model/text/cssColors.ts';
import { fitsType } from '../model/variables/values.ts';
import type { VariableDeclaration, VariableOption, VariableType, VariableValue } from '../model/variables/variables.ts';

/** Converts a value to a type: `"5"` to 5, `"#abc"` to `"#aabbcc"`; undefined if the result would be a guess. */
export function convertTo(type: VariableType, value: unknown): VariableValue | undefined {
  const text = typeof value === 'string' ? value.trim() : undefined;
  switch (type) {
    case 'number': {
      const number = text && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
      return Number.isFinite(number) ? number : undefined;
    }
    case 'boolean':
      if (text !== undefined && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
      return value === 1 || value === 0 ? value === 1 : undefined;
    case 'color':
      return text === undefined ? undefined : opaqueColor(text);
    default:
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      // Structured data is passed as a JSON string.
      return type === 'string' && typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined;
  }
}

/** Converts a value for a declaration; the value of an enum must be one of its options, ignoring case. */
export function convertFor({ type, options }: VariableDeclaration, value: unknown): VariableValue | undefined {
  if (type !== 'enum' || !options) return convertTo(type, value);
  const wanted = String(value).trim().toLowerCase();
  return options.find((option) => option.value.toLowerCase() === wanted)?.value;
}

/** Derives a label from an id: "Title color" from `titleColor`, `title-color` or `title_color`. */
export function labelFor(id: string): string {
  const words = id
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[-_.\s]+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words === '' ? id : words[0]?.toUpperCase() + words.slice(1);
}

/** The option for a plain value. */
export function optionOf(value: string | number): VariableOption {
  return { value: String(value), label: labelFor(String(value)) };
}

/** The simplest value that a declaration allows. */
export function defaultFor({ type, min, max, options }: VariableDeclaration): VariableValue {
  switch (type) {
    case 'number':
      return Math.max(min ?? -Infinity, Math.min(max ?? Infinity, 0));
    case 'boolean':
      return false;
    case 'color':
      return '#000000';
    case 'enum':
      return options?.[0]?.value ?? '';
    default:
      return '';
  }
}

/** Creates a declaration for an undeclared value. */
export function declarationFor(id: string, value: unknown): VariableDeclaration {
  const type: VariableType =
    typeof value === 'boolean'
      ? 'boolean'
      : fitsType('number', value)
        ? 'number'
        : fitsType('color', value)
          ? 'color'
          : 'string';
  const fits = fitsType(type, value) ? (value as VariableValue) : (convertTo(type, value) ?? '');
  return { id, type, label: labelFor(id), default: fits };
}

/** Creates a declaration for a variable that has the values of another one. */
export function copyDeclaration(source: VariableDeclaration, id: string): VariableDeclaration {
  const { type, options, default: value = defaultFor(source) } = source;
  return { id, type, label: labelFor(id), default: value, ...(options ? { options } : {}) };
}

const typeAliases: Record<string, VariableType> = {
  text: 'string',
  str: 'string',
  url: 'string',
  image: 'string',
  video: 'string',
  audio: 'string',
  media: 'string',
  file: 'string',
  textarea: 'string',
  int: 'number',
  integer: 'number',
  float: 'number',
  range: 'number',
  slider: 'number',
  num: 'number',
  bool: 'boolean',
  toggle: 'boolean',
  checkbox: 'boolean',
  switch: 'boolean',
  color: 'color',
  hex: 'color',
  select: 'enum',
  choice: 'enum',
  dropdown: 'enum',
  options: 'enum',
};

/** The type for a name that other tools use: `text`, `bool`, `color`, `select`. */
export function typeForAlias(name: string): VariableType | undefined {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(typeAliases, key) ? typeAliases[key] : undefined;
}
