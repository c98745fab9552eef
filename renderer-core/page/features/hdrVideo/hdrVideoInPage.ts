import type { PagePart } from '../../runtime/pagePart.ts';

/** The page around the composition needs only the videos. */
export const hdrVideoInPage: PagePart = { install: ({ handles }) => ({ handle: handles.video }) };
