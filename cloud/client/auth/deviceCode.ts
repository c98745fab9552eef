// The code to enter on the sign-in page, when another device signs in.
import { z } from 'zod';
import { count, maybe } from '../../../renderer-core/reports/reportFields.ts';

export const deviceCodeSchema = z.object({
  userCode: z.string().describe('Code to enter on that page.'),
  url: z.string(),
  completeUrl: maybe(z.string().describe('Address that contains the code.')),
  expiresIn: count('Seconds.'),
});
export type DeviceCode = z.infer<typeof deviceCodeSchema>;
