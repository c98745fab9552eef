// The icon of the webview tabs, as data URIs: a color for light and one for dark themes.
import { Uri } from 'vscode';

export const panelIcon = { light: mark('#424242'), dark: mark('#c5c5c5') };

function mark(color: string): Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" fill="none" stroke="${color}" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"><path d="M8 4 3 12l5 8M16 4l5 8-5 8"/><path d="m10.2 8.6 5 3.4-5 3.4z" fill="${color}"/></svg>`;
  return Uri.parse(`data:image/svg+xml;base64,${btoa(svg)}`);
}
