// Builds the assets of the service's web pages before tests that run the service from its sources.
import { build } from 'esbuild';
import { servicePages } from '../../../scripts/servicePages.mjs';

export async function setup(): Promise<void> {
  await build(servicePages);
}
