// The licenses that the packages of a release may have, which test/architecture/licenses.test.ts checks.

/** By SPDX identifier. `null`: usual, asks for nothing but its text, which THIRD-PARTY-NOTICES.txt has. Otherwise why it is allowed. */
export const allowedLicenses: Readonly<Record<string, string | null>> = {
  'Apache-2.0': null,
  'BSD-2-Clause': null,
  'BSD-3-Clause': null,
  ISC: null,
  MIT: null,
  '0BSD': 'Like ISC, and does not even ask for its text.',
  'BlueOak-1.0.0': 'Like Apache-2.0, in plain words.',
  'CC0-1.0': 'The authors have given up their rights.',
  'MIT-0': 'MIT, and does not even ask for its text.',
  'MPL-2.0': 'Only changed files of the package itself must be published. The bundles contain them unchanged.',
  'OFL-1.1': 'For fonts: they may be part of software, and keep their names and texts of licenses.',
  Unlicense: 'The authors have given up their rights.',
};

/** One sentence for each package whose license is not allowed. */
export function licenseProblems(packages: readonly { id: string; license: string | undefined }[]): string[] {
  return packages.flatMap(({ id, license }) => {
    if (license === undefined) return [`${id} names no license`];
    return Object.hasOwn(allowedLicenses, license) ? [] : [`${id} has the license ${license}`];
  });
}
