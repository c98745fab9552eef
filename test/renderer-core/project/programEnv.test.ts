// Browsers and ffmpeg get the variables that they need, and no keys.
import { expect, test } from 'vitest';
import { programEnv } from '../../../renderer-core/project/programEnv.ts';

test('keeps paths, languages, displays and drivers', () => {
  const env = {
    PATH: '/usr/bin',
    HOME: '/home/ann',
    LC_ALL: 'C.UTF-8',
    LD_LIBRARY_PATH: '/lib',
    DISPLAY: ':0',
    VK_ICD_FILENAMES: '/icd.json',
    SystemRoot: 'C:\\Windows',
    ELECTRON_RUN_AS_NODE: '1',
  };
  expect(programEnv(env)).toEqual(env);
});

test('leaves out everything else', () => {
  const env = {
    AWS_SECRET_ACCESS_KEY: 'secret',
    SERVICE_API_KEY: 'fk_secret',
    DATABASE_URL: 'postgres://ann:secret@localhost',
    GITHUB_TOKEN: 'secret',
    HTTPS_PROXY: 'http://ann:secret@proxy',
    NODE_OPTIONS: '--require ./x.js',
    LD_PRELOAD: '/x.so',
    lc_all: 'C',
  };
  expect(programEnv(env)).toEqual({});
});
