// What the parts of the extension share.
import type { RenderServices } from './render/renderServices.ts';
import type { Renders } from './render/renders.ts';

export type ExtensionServices = RenderServices & { renders: Renders };
