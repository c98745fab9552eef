// What the manifest says about this program.
import manifest from '../package.json' with { type: 'json' };

const { name, version, homepage }: { name: string; version: string; homepage?: string } = manifest;

export { homepage, name, version };
