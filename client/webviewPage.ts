// The HTML document of a webview. Its content security policy allows only files of the extension, and scripts with the nonce.
import { env, Uri, type Webview } from 'vscode';

export type WebviewPage = {
  /** Base name of `dist/webview/<name>.js` and `.css`, which are built from `client/webview/<name>.ts`. */
  name: string;
  title: string;
  /** Origin that may be shown in a frame, such as `http://127.0.0.1:1234`. */
  frames?: string;
  /** A folder of images of the extension, in addition to the page's own files. */
  images?: Uri;
  /** Folders of videos, in addition to the page's own files. */
  videos?: readonly Uri[];
};

/** Sets the webview's options and its HTML. */
export function showPage(
  webview: Webview,
  extensionUri: Uri,
  { name, title, frames, images, videos }: WebviewPage,
): void {
  const folder = Uri.joinPath(extensionUri, 'dist', 'webview');
  webview.options = {
    enableScripts: true,
    localResourceRoots: [folder, ...(images ? [images] : []), ...(videos ?? [])],
  };
  const nonce = crypto.randomUUID();
  const file = (ending: string) => webview.asWebviewUri(Uri.joinPath(folder, `${name}.${ending}`)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data: blob:`,
    `font-src ${webview.cspSource}`,
    ...(videos ? [`media-src ${webview.cspSource}`] : []),
    ...(frames === undefined ? [] : [`frame-src ${frames}`]),
  ].join('; ');
  webview.html = `<!doctype html>
<html lang="${escapeHtml(env.language)}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${file('css')}"></head>
<body><script nonce="${nonce}" src="${file('js')}"></script></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
