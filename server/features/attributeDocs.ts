// What the attribute table says about an attribute, as Markdown.
import { type AttributeKey, attr, attributeSpecs } from '../../renderer-core/model/attributes.ts';

/** Doc and example of an attribute. */
export function attributeMarkdown(key: AttributeKey): string {
  const { doc, example } = attributeSpecs[key];
  const usage = example === '' ? attr[key] : `${attr[key]}=${example}`;
  return `${doc}\n\n\`\`\`html\n${usage}\n\`\`\``;
}
