import type { Feature } from '../feature.ts';

export const backdrop: Feature = {
  name: 'backdrop',
  about: 'Elements that filter what is behind them: `backdrop-filter`',
  share: 'not counted',
  scripts: ['backdropReach.js'],
};
