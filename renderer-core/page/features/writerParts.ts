// The features that do something in the worker that compares frames.
import { depthInWriter } from './depth/planeEdges.ts';
import type { WriterPart } from './writerPart.ts';

export const writerParts: Readonly<Record<string, WriterPart>> = { depth: depthInWriter as WriterPart };
