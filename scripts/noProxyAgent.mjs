// Stands in the bundles for proxy-agent, with which the browser driver downloads browsers: here it never does.
export class ProxyAgent {
  constructor() {
    throw new Error('Browsers are not downloaded by this program.');
  }
}
