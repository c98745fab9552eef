// The npm packages with the FFmpeg libraries: one for each system, without install scripts.

/** `package.json` requires exactly this version, whose code `embeddedFfmpeg.mjs` contains. */
export const ffmpegPackageVersion = '6.1.1';

/** The release of FFmpeg in it. */
export const ffmpegRelease = '8.1';

/** The file with the libraries in each package. */
export const ffmpegLibrary = 'node-av.node';

export type FfmpegPackage = { sha512: string; bytes: number; unpackedBytes: number };

const megabyte = 1_000_000;

/** By Node's platform and architecture. The checksums are those of package-lock.json. Linux has glibc. */
export const ffmpegPackages: Readonly<Record<string, FfmpegPackage>> = {
  'linux-x64': row(
    '2HkBkMUSmA+1sP0PN7eFSkNJhbejgJDCXx0w0ZMRlTLqF+snz5ptf/gl/tQye9yER6I4OGW/7WVL5Y2PVneNCA==',
    62.5,
    175,
  ),
  'linux-arm64': row(
    'E5LopQ+LaTGdjmnk3KYsrKF1qRQHT22xVGijUdAcvbScfLTJz2RuJoevKT53cuNupR1gdmRmvnmq+kac4TkDRA==',
    60.8,
    146,
  ),
  'darwin-x64': row(
    '7sfIEA/KkEMPMbfLlU9pGy34vE5iOpWryBFK87jDXeqLo4hB5p5qx2IDKcKfD6WBzEMk5FJScZz4rlT3J546Og==',
    29.4,
    83,
  ),
  'darwin-arm64': row(
    'hJ07HDFwz96MI/EY1V89/jVWXMfn/xb/32vocNhAeqnvBRMZio+hDz8lQloGynqv8iow5y9mPb7fOuzt5cW1+w==',
    27.7,
    62,
  ),
  'win32-x64': row(
    'GLjjoOYTqh1rvTzawgBMVKgY+8OIXMyrgD1eIqKLy3L6rWJhGvsbY+kUy15XbatGTFwStTlHK9ovTi2Xj/+9lQ==',
    45.2,
    125,
  ),
  'win32-arm64': row(
    'gESbRZhCkldciGV+e08PhgJ3Do2PnL1ZY8ZIIDTjutCZdw+lgZigvZGq8jQ+TnsV6Djf1pdcKx3Z2VGnIGId5Q==',
    39.6,
    108,
  ),
};

function row(sha512: string, packed: number, unpacked: number): FfmpegPackage {
  return { sha512, bytes: packed * megabyte, unpackedBytes: unpacked * megabyte };
}

export function ffmpegPackage(platform: NodeJS.Platform, arch: string): string {
  return `@seydx/node-av-${platform}-${arch}${platform === 'win32' ? '-msvc' : ''}`;
}
