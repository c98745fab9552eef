// A value that does not fit the declarations of variables.
import { z } from 'zod';

export const valueIssueSchema = z.object({
  kind: z.enum(['undeclared', 'type-mismatch', 'enum-out-of-range']),
  id: z.string().describe('Variable id.'),
  message: z.string(),
  // Missing for an undeclared id.
  expected: z.exactOptional(z.string()),
  given: z.string().describe('The value, shortened.'),
});
export type ValueIssue = z.infer<typeof valueIssueSchema>;
