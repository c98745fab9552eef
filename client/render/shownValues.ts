// The values of every render that starts from the editor: those that the preview and the form show.
import { Uri } from 'vscode';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { DraftValues, Values } from '../compositions/draftValues.ts';
import { onlyChanged } from '../form/formModel.ts';

/** Only the values that differ from the defaults. */
export function shownValues({ uri, variables }: CompositionInfo, drafts: Pick<DraftValues, 'get'>): Values {
  return onlyChanged(variables, drafts.get(Uri.parse(uri)));
}
