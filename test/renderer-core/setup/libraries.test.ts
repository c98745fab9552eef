// Packages that contain the missing libraries of a browser.
import { expect, test } from 'vitest';
import { libraryHint, libraryIn } from '../../../renderer-core/setup/libraries.ts';

const lacking = ['libnss3.so', 'libnssutil3.so', 'libasound.so.2', 'libgbm.so.1'];

test.each([
  ['Debian 12', 'ID=debian\nVERSION_ID="12"\n', 'sudo apt-get install libasound2 libgbm1 libnss3'],
  ['Debian 13', 'ID=debian\nVERSION_ID="13"\n', 'sudo apt-get install libasound2t64 libgbm1 libnss3'],
  ['Ubuntu 22.04', 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"\n', 'apt-get install libasound2 libgbm1 libnss3'],
  ['Ubuntu 24.04', 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n', 'apt-get install libasound2t64 libgbm1'],
  ['Mint 21', 'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_ID="21"\nUBUNTU_CODENAME=jammy\n', 'libasound2 libgbm1'],
  [
    'Mint 22',
    'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_ID="22"\nUBUNTU_CODENAME=noble\n',
    'libasound2t64 libgbm1',
  ],
  ['Fedora', 'ID=fedora\nVERSION_ID=42\n', 'sudo dnf install alsa-lib mesa-libgbm nss nss-util'],
  ['Rocky', 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'sudo dnf install alsa-lib'],
  ['another system', 'ID=arch\n', 'Debian: apt-get install libasound2 libgbm1 libnss3; Fedora: dnf install alsa-lib'],
])('names the packages of %s', (_name, release, expected) => {
  expect(libraryHint(lacking, release)).toContain(expected);
});

test('names libraries whose package is unknown', () => {
  expect(libraryHint(['libnss3.so', 'libodd.so.9'], 'ID=debian\nVERSION_ID="12"\n')).toBe(
    'Run: sudo apt-get install libnss3 (also install the packages that contain libodd.so.9)',
  );
  expect(libraryHint(['libodd.so.9'], 'ID=debian\n')).toBe('Install the packages that contain libodd.so.9.');
});

test('reads the missing library from the error message of the loader', () => {
  const message = 'chrome: error while loading shared libraries: libnss3.so: cannot open shared object file';
  expect(libraryIn(message)).toBe('libnss3.so');
  expect(libraryIn('Segmentation fault')).toBeUndefined();
});
