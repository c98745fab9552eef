// The HTML of the preview page, and the script at the start of each composition page in its frame.
import { type PageFacts, watcherSymbol } from './facts.ts';

/** Scripts and styles have relative URLs, because the port may be forwarded. */
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

/** Passes the facts to the preview page before any script of the composition runs. */
export function watcherScript(facts: PageFacts): string {
  const json = JSON.stringify(facts).replaceAll('<', '\\u003c');
  return `<script>parent[Symbol.for(${JSON.stringify(watcherSymbol)})]?.(window,${json})</script>`;
}
