// Checks the values of a render request against the variables that the composition declares.
import { checkValues, misfits } from '../../../renderer-core/model/variables/values.ts';
import type { ProjectVariables } from '../storage/projectCheck.ts';
import type { Session } from '../storage/tables.ts';
import { ApiError } from './apiErrors.ts';
import type { RenderOrderInput } from './apiSchemas.ts';

/** If a request has more, only the first are listed. */
const mostIssues = 50;

/** Throws ApiError `framework_project_invalid` that lists every value which does not fit. Without strict checking, none is an error. */
export async function checkVariables(session: Session, assetId: string, order: RenderOrderInput): Promise<void> {
  if (!order.strict_variables) return;
  const { variables } = await session
    .selectFrom('assets')
    .select('variables')
    .where('id', '=', assetId)
    .executeTakeFirstOrThrow();
  if (variables === null) return;
  const composition = order.composition ?? 'index.html';
  const project = new Map(Object.entries(JSON.parse(variables) as ProjectVariables));
  const declared = project.get(composition);
  if (!declared) return;
  const { declarations, invalid } = declared;
  const values = order.variables ?? {};
  const ids = misfits(declarations, values, invalid);
  if (ids.length === 0) return;
  const shown = Object.fromEntries(ids.slice(0, mostIssues).map((id) => [id, values[id]]));
  const issues = checkValues(declarations, shown, invalid);
  const lines = issues.map(({ message }) => `${composition}: ${message.replace(/[^?]$/, '$&.')}`);
  if (ids.length > mostIssues) lines.push(`and ${ids.length - mostIssues} more.`);
  const message = lines.join('\n');
  throw new ApiError('framework_project_invalid', message, { param: 'variables' });
}
