// The npm packages with the FFmpeg libraries: one for each system, without install scripts.

export function addonPackage(platform: NodeJS.Platform, arch: string): string {
  return `@seydx/node-av-${platform}-${arch}${platform === 'win32' ? '-msvc' : ''}`;
}
