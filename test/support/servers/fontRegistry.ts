// A local npm registry with packages of fonts.
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-fs';
import { onTestFinished } from 'vitest';
import { project } from '../project.ts';
import { startMirror } from './mirror.ts';

export type FontRegistry = {
  /** The environment of an npm that uses the registry. */
  env: NodeJS.ProcessEnv;
  /** Publishes version 1.2.3 of a package with these files. */
  publish(name: string, files: Record<string, string>): Promise<void>;
};

export async function startFontRegistry(): Promise<FontRegistry> {
  const mirror = await startMirror();
  onTestFinished(() => mirror.close());
  const version = '1.2.3';
  return {
    env: { ...process.env, npm_config_registry: mirror.url },
    async publish(name, files) {
      const manifest = { 'package.json': JSON.stringify({ name, version }), ...files };
      const inFolder = Object.entries(manifest).map(([path, text]) => [`package/${path}`, text]);
      const content = await buffer(pack(project(Object.fromEntries(inFolder))).pipe(createGzip()));
      const tarball = `/${name.replaceAll(/\W/g, '-')}.tgz`;
      const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
      const dist = { tarball: `${mirror.url}${tarball}`, integrity };
      const document = { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } };
      mirror.files.set(`/${name.replace('/', '%2f')}`, { content: Buffer.from(JSON.stringify(document)) });
      mirror.files.set(tarball, { content });
    },
  };
}

type Face = { weight: string; style?: 'normal' | 'italic'; subset?: string; family?: string };

/** A rule as in the style sheets of font packages. */
export const packageFace = ({ weight, style = 'normal', subset = 'latin', family = 'Test Sans' }: Face): string => `
/* test-sans-${subset} */
@font-face {
  font-family: '${family}';
  font-style: ${style};
  font-display: swap;
  font-weight: ${weight};
  src: url(./files/test-sans-${subset}-${weight.replace(' ', '-')}-${style}.woff2) format('woff2'), url(./files/x.woff) format('woff');
  unicode-range: ${subset === 'latin' ? 'U+0000-00FF,U+0131' : 'U+0400-045F'};
}
`;

/** Test Sans in the weights 300 and 400, and in italic 400, with two subsets. */
export const testSans: Record<string, string> = {
  LICENSE: 'Open Font License',
  'index.css': packageFace({ weight: '400' }),
  'latin-400.css': packageFace({ weight: '400' }),
  '300.css': packageFace({ weight: '300' }),
  '400.css': packageFace({ weight: '400', subset: 'cyrillic' }) + packageFace({ weight: '400' }),
  '400-italic.css': packageFace({ weight: '400', style: 'italic' }),
  'files/test-sans-latin-300-normal.woff2': 'light',
  'files/test-sans-latin-400-normal.woff2': 'regular',
  'files/test-sans-cyrillic-400-normal.woff2': 'cyrillic',
  'files/test-sans-latin-400-italic.woff2': 'italic',
};
