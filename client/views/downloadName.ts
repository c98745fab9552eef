// The name of a file that a hosted render is saved as.

/** The title as far as every file system takes it, and enough of the id that no other render has the same. */
export function downloadName(title: string | null, renderId: string, format: string): string {
  const plain = (title ?? '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const id = renderId.replaceAll(/[^\w-]/g, '');
  return `${plain === '' ? id : `${plain}-${id.slice(-8)}`}.${format}`;
}
