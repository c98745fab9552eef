// Font configuration for machines without fontconfig: the system's font folders, if any, and Open Sans as the fallback.
// Only `--system-fonts` uses these fonts; otherwise pages have the pinned fonts.
import { join } from 'node:path';

/** Font folders of Linux systems and users. */
export function systemFontFolders(home: string): string[] {
  return ['/usr/share/fonts', '/usr/local/share/fonts', join(home, '.fonts'), join(home, '.local', 'share', 'fonts')];
}

// Fallbacks of generic families: well-known fonts first, so that installing any of them is enough, and Open Sans last.
const generic: Record<string, string[]> = {
  'sans-serif': ['DejaVu Sans', 'Noto Sans', 'Liberation Sans'],
  serif: ['DejaVu Serif', 'Noto Serif', 'Liberation Serif'],
  monospace: ['DejaVu Sans Mono', 'Noto Sans Mono', 'Liberation Mono'],
  'system-ui': ['Noto Sans', 'DejaVu Sans', 'Liberation Sans'],
  emoji: ['Noto Color Emoji'],
  Arial: ['Liberation Sans', 'Arimo'],
  Helvetica: ['Liberation Sans', 'Arimo'],
  'Times New Roman': ['Liberation Serif', 'Tinos'],
  'Courier New': ['Liberation Mono', 'Cousine'],
};

/** Text of a fonts.conf that lists `folders`, which need not exist, and keeps its caches in `cacheDir`. */
export function fontsConf(folders: string[], cacheDir: string): string {
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    ...folders.map((folder) => `  <dir>${escapeXml(folder)}</dir>`),
    `  <cachedir>${escapeXml(cacheDir)}</cachedir>`,
    '  <include ignore_missing="yes">/etc/fonts/conf.d</include>',
    ...Object.entries(generic).map(([family, preferred]) => alias(family, [...preferred, 'Open Sans'])),
    '</fontconfig>',
  ];
  return `${lines.join('\n')}\n`;
}

function alias(family: string, preferred: string[]): string {
  const names = preferred.map((name) => `<family>${escapeXml(name)}</family>`).join('');
  return `  <alias><family>${escapeXml(family)}</family><prefer>${names}</prefer></alias>`;
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
