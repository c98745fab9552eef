// The icons of the preview page, 16 by 16 pixels, in the color of the surrounding text.

const icon = (content: string, filled = false): string =>
  `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" ${
    filled
      ? 'fill="currentColor"'
      : 'fill="none" stroke="currentColor" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round"'
  }>${content}</svg>`;

export const icons = {
  play: icon('<path d="M4 2.5v11l9.5-5.5z"/>', true),
  pause: icon('<path d="M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z"/>', true),
  previous: icon('<path d="M10.5 3.5 6 8l4.5 4.5M4 3.5v9"/>'),
  next: icon('<path d="M5.5 3.5 10 8l-4.5 4.5M12 3.5v9"/>'),
  start: icon('<path d="M8 3.5 3.5 8 8 12.5M13 3.5 8.5 8l4.5 4.5"/>'),
  end: icon('<path d="m3 3.5 4.5 4.5L3 12.5M8 3.5 12.5 8 8 12.5"/>'),
  loop: icon('<path d="M11 1.8 13.2 4 11 6.2M13 4H5a3 3 0 0 0-3 3v.5M5 14.2 2.8 12 5 9.8M3 12h8a3 3 0 0 0 3-3v-.5"/>'),
  setIn: icon('<path d="M7 2.5H4v11h3M8 8h5M11 6l2 2-2 2"/>'),
  setOut: icon('<path d="M9 2.5h3v11H9M8 8H3M5 6 3 8l2 2"/>'),
  sound: icon('<path d="M2.5 6v4h2.2L8 13V3L4.7 6zM10.5 5.8a3 3 0 0 1 0 4.4M12.3 4a5.6 5.6 0 0 1 0 8"/>'),
  muted: icon('<path d="M2.5 6v4h2.2L8 13V3L4.7 6zM10.8 6.3l3.4 3.4M14.2 6.3l-3.4 3.4"/>'),
  pick: icon('<path d="M13.5 7V3.5a1 1 0 0 0-1-1h-9a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1H7M8 8l6 2.2-2.7 1.1L10.200 14z"/>'),
  grid: icon(
    '<path d="M2.5 2.5h11v11h-11zM8 2.5v11M2.5 8h11"/><path d="M2.500 2.500H8V8H2.500zM8 8h5.500v5.500H8z" fill="currentColor" stroke="none" opacity=".45"/>',
  ),
  fonts: icon(
    '<path d="M1.500 12.500 5 3.500l3.500 9M2.700 9.500h4.600M14 12.500V7.800M14 10.200a2.100 2.300 0 1 1-.1-.8"/>',
  ),
  picture: icon(
    '<path d="M2.500 4.800h2.600l1.200-1.800h3.400l1.200 1.800h2.600v8h-11z"/><circle cx="8" cy="8.600" r="2.300"/>',
  ),
  compare: icon('<path d="M1.500 5h8v6h-8zM11.500 2.500h3v11h-3z"/>'),
  full: icon('<path d="M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10"/>'),
  open: icon('<path d="m6 4 4 4-4 4"/>'),
} as const;

export type IconName = keyof typeof icons;
