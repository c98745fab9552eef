// The document of the preview's page, and what stands in front of the composition's own page in its frame.
import { type PageFacts, watcherSymbol } from './facts.ts';

/** Scripts and styles are named from the page's own address: it may be reached through a port that is forwarded. */
export const previewHtml = `<!doctype html>
<html lang="en" data-kind="dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<title>Preview</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="preview.css">
</head>
<body><script src="preview.js"></script></body>
</html>
`;

/** Tells the page around who it is, before any of its own scripts run. */
export function watcherScript(facts: PageFacts): string {
  const json = JSON.stringify(facts).replaceAll('<', '\\u003c');
  return `<script>parent[Symbol.for(${JSON.stringify(watcherSymbol)})]?.(window,${json})</script>`;
}
