// Replaces proxy-agent in the bundles. The browser driver needs it only to download browsers, which this program never does.
export class ProxyAgent {
  constructor() {
    throw new Error('This program does not download browsers through puppeteer.');
  }
}
