// The texts of the variables form. They are sent to its page, because webviews cannot translate.
import { l10n } from 'vscode';

/** The page fills in `{0}` and `{1}`. */
export type FormStrings = ReturnType<typeof formStrings>;

export function formStrings() {
  return {
    form: l10n.t('Variables of {0}'),
    noComposition: l10n.t('Open a composition to edit its variables: an HTML file that contains data-composition-id.'),
    noVariables: l10n.t('{0} declares no variables.'),
    declareThem: l10n.t('Declare variables in the attribute data-composition-variables of the <html> element.'),
    set: l10n.t('Set'),
    noSet: l10n.t('No set'),
    modifiedSet: l10n.t('{0} (changed)'),
    saveSet: l10n.t('Save as Set…'),
    deleteSet: l10n.t('Delete Set'),
    render: l10n.t('Render'),
    chooseSize: l10n.t('Size: {0}'),
    ownSize: l10n.t('as the composition'),
    renderKeys: l10n.t('Render (Ctrl+Enter)'),
    writeDefaults: l10n.t('Write as Defaults'),
    copyCommand: l10n.t('Copy as Command'),
    resetAll: l10n.t('Reset All'),
    reset: l10n.t('Reset {0} to its default'),
    undo: l10n.t('Undo'),
    wasReset: l10n.t('All values were reset to their defaults.'),
    setUsed: l10n.t('Loaded the values of {0}.'),
    changedCount: l10n.t('{0} of {1} changed'),
    defaultIs: l10n.t('Default: {0}'),
    emptyText: l10n.t('empty'),
    yes: l10n.t('Yes'),
    no: l10n.t('No'),
    counter: l10n.t('{0} of {1} characters'),
    from: l10n.t('From {0}'),
    upTo: l10n.t('Up to {0}'),
    range: l10n.t('{0} to {1}'),
    steps: l10n.t('in steps of {0}'),
    pickColor: l10n.t('Pick a color for {0}'),
    noOptions: l10n.t('This variable declares no options.'),
    unknown: l10n.t('Not declared'),
    unknownWhy: l10n.t('The composition does not declare these variables. Their values stay in the set.'),
    remove: l10n.t('Remove {0}'),
    tooLong: l10n.t('Must be at most {0} characters (got {1}).'),
    noNumber: l10n.t('Must be a number, such as 12 or 0.5.'),
    tooLarge: l10n.t('This number is too large.'),
    atLeast: l10n.t('Must be at least {0}.'),
    atMost: l10n.t('Must be at most {0}.'),
    offStep: l10n.t('Must be in steps of {0}. Nearest: {1}.'),
    noColor: l10n.t('Must be a color, such as #ff5500 or tomato.'),
  };
}
