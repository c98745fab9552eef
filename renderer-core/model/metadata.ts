// What tools outside want to know about a composition: its variables and its format.
import { parseComposition } from './composition.ts';
import type { NumberField } from './fields.ts';
import type { VariableDeclaration } from './variables.ts';

/** `variables` are the usable declarations. Sizes are pixels, `duration` seconds, `fps` frames per second. */
export type CompositionMetadata = {
  variables: VariableDeclaration[];
  id?: string;
  width?: number;
  height?: number;
  duration?: number;
  fps?: number;
};

/**
 * Reads the metadata out of a composition's HTML text. Never throws; what is missing or cannot be read is left out.
 * Source: the contract, "Format of serverless SDK calls".
 */
export function extractCompositionMetadata(html: string): CompositionMetadata {
  const { declarations, id, width, height, duration, fps } = parseComposition(html);
  return {
    variables: declarations,
    ...(id?.text ? { id: id.text } : {}),
    ...numberOf('width', width),
    ...numberOf('height', height),
    ...numberOf('duration', duration),
    ...numberOf('fps', fps),
  };
}

function numberOf<Name extends string>(name: Name, field: NumberField | null): { [key in Name]?: number } {
  const result: { [key in Name]?: number } = {};
  if (field?.value != null) result[name] = field.value;
  return result;
}
