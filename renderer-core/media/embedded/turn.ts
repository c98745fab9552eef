// The filters that turn frames as the display matrix of their file says. Players do the same.
import * as constants from 'node-av/constants';
import type { CodecParameters } from 'node-av/lib';

const filters: Readonly<Record<number, string>> = {
  90: 'transpose=clock,',
  180: 'hflip,vflip,',
  270: 'transpose=cclock,',
};

/** Empty for frames that are not turned; otherwise it ends with a comma. */
export function turnFilters(parameters: CodecParameters): string {
  const matrix = parameters.getCodedSideData(constants.AV_PKT_DATA_DISPLAYMATRIX);
  if (!matrix || matrix.length < 36) return '';
  const [a, b] = [matrix.readInt32LE(0), matrix.readInt32LE(4)];
  const degrees = Math.round((Math.atan2(b, a) * 180) / Math.PI);
  return filters[(degrees + 360) % 360] ?? '';
}
