import type { CapturePart } from '../capturePart.ts';
import type { TopLayer } from './topLayerInPage.ts';

export const topLayerInCapture: CapturePart<TopLayer> = { begin: (_, { obstacle }) => ({ obstacle }) };
