import type { Script } from '../composition.ts';

/** Whether the browser would run the script as a classic script. */
export function runs({ type, element }: Pick<Script, 'type' | 'element'>): boolean {
  return !element.attributes.has('nomodule') && /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script)?$/.test(type);
}
