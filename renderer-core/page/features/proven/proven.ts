import type { Feature } from '../feature.ts';

export const proven: Feature = {
  name: 'proven',
  about:
    'Pages without scripts that use only what is always painted as on a screen. One sample frame is enough for them',
  share: 'not counted',
};
