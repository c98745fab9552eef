// Metadata of a composition for other tools: its variables, size, duration and frame rate.
import { parseComposition } from './composition.ts';
import type { NumberField } from './variables/fields.ts';
import type { VariableDeclaration } from './variables/variables.ts';

/** `variables` are the valid declarations. Sizes are in pixels, `duration` in seconds, `fps` in frames per second. */
export type CompositionMetadata = {
  variables: VariableDeclaration[];
  id?: string;
  width?: number;
  height?: number;
  duration?: number;
  fps?: number;
};

/**
 * Extracts the metadata from the HTML text of a composition. Never throws; missing and invalid fields are left out.
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
