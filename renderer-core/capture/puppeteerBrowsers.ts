// Finds browsers with @puppeteer/browsers. In its own file, so that the package is only loaded when it is needed.
import {
  Browser,
  BrowserPlatform,
  ChromeReleaseChannel,
  computeSystemExecutablePath,
  getInstalledBrowsers,
} from '@puppeteer/browsers';

/** Executables of `browser` in puppeteer's cache for this machine, newest version first. */
export async function listCachedBrowsers(
  cacheDir: string,
  browser: 'chrome' | 'chrome-headless-shell',
  platform: NodeJS.Platform,
  arch: string,
): Promise<string[]> {
  const all = await getInstalledBrowsers({ cacheDir });
  return all
    .filter((one) => one.browser === browser && one.platform === browserPlatform(platform, arch))
    .sort((a, b) => b.buildId.localeCompare(a.buildId, 'en', { numeric: true }))
    .map(({ executablePath }) => executablePath);
}

/** The stable Chrome of the system; undefined when it is not installed. */
export function systemChrome(platform: NodeJS.Platform, arch: string): string | undefined {
  try {
    return computeSystemExecutablePath({
      browser: Browser.CHROME,
      platform: browserPlatform(platform, arch),
      channel: ChromeReleaseChannel.STABLE,
    });
  } catch {
    // The function throws when Chrome is not installed.
    return undefined;
  }
}

/** The name of a platform in @puppeteer/browsers, which cannot detect one other than this machine's. */
function browserPlatform(platform: NodeJS.Platform, arch: string): BrowserPlatform {
  const isArm = arch === 'arm64';
  if (platform === 'darwin') return isArm ? BrowserPlatform.MAC_ARM : BrowserPlatform.MAC;
  if (platform === 'win32') return arch === 'ia32' ? BrowserPlatform.WIN32 : BrowserPlatform.WIN64;
  return isArm ? BrowserPlatform.LINUX_ARM : BrowserPlatform.LINUX;
}
