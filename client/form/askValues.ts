// Asks for the values of a composition's variables, one input after another, with a way back and a way to stop asking.
import { type QuickInput, type QuickInputButton, QuickInputButtons, ThemeIcon, window } from 'vscode';
import { type Choice, choicesOf, colorChoices } from './choices.ts';
import { checkText, describeInput, textOf, type Value, type VariableDeclaration } from './valueText.ts';

/** How one input ended. `defaults`: no more questions. */
type Answer = { value: Value } | 'back' | 'defaults' | 'cancelled';

const defaultsButton: QuickInputButton = {
  iconPath: new ThemeIcon('run-all'),
  tooltip: 'Render now, with the defaults for the rest',
};

/** The values given so far when the last input is answered; undefined when the user gave up. */
export async function askValues(
  variables: readonly VariableDeclaration[],
  title: string,
): Promise<Map<string, Value> | undefined> {
  const values = new Map<string, Value>();
  let at = 0;
  while (at < variables.length) {
    const declaration = variables[at];
    if (!declaration) break;
    const known = values.get(declaration.id) ?? declaration.default;
    const answer = await ask(declaration, known, { title, step: at + 1, totalSteps: variables.length });
    if (answer === 'cancelled') return undefined;
    if (answer === 'defaults') break;
    if (answer === 'back') at -= 1;
    else {
      values.set(declaration.id, answer.value);
      at += 1;
    }
  }
  return values;
}

type Frame = { title: string; step: number; totalSteps: number };

function ask(declaration: VariableDeclaration, known: Value | undefined, frame: Frame): Promise<Answer> {
  if (declaration.type === 'string' || declaration.type === 'number') return askText(declaration, known, frame);
  return askChoice(declaration, known, frame);
}

function askText(declaration: VariableDeclaration, known: Value | undefined, frame: Frame): Promise<Answer> {
  const input = window.createInputBox();
  input.value = textOf(known);
  input.valueSelection = [0, input.value.length];
  input.prompt = describeInput(declaration);
  if (declaration.placeholder !== undefined) input.placeholder = declaration.placeholder;
  const check = () => checkText(input.value, declaration);
  // A number without a default must not be complained about before anything was typed.
  input.onDidChangeValue(() => {
    const checked = check();
    input.validationMessage = 'problem' in checked ? checked.problem : undefined;
  });
  return answerOf(input, declaration, frame, (settle) => {
    input.onDidTriggerButton((button) => settle(pressed(button)));
    input.onDidAccept(() => {
      const checked = check();
      if ('problem' in checked) input.validationMessage = checked.problem;
      else settle(checked);
    });
  });
}

function askChoice(declaration: VariableDeclaration, known: Value | undefined, frame: Frame): Promise<Answer> {
  const pick = window.createQuickPick<Choice>();
  pick.placeholder = describeInput(declaration);
  pick.matchOnDescription = true;
  const show = (items: Choice[]) => {
    pick.items = items;
    const chosen = items.find(({ value }) => value === known);
    if (chosen && pick.value === '') pick.activeItems = [chosen];
  };
  show(choicesOf(declaration, known));
  if (declaration.type === 'color') pick.onDidChangeValue((typed) => show(colorChoices(declaration, known, typed)));
  return answerOf(pick, declaration, frame, (settle) => {
    pick.onDidTriggerButton((button) => settle(pressed(button)));
    pick.onDidAccept(() => {
      const value = pick.selectedItems[0]?.value;
      if (value !== undefined) settle({ value });
    });
  });
}

/** Shows the input and waits for its end, which is cancelled when it goes away by itself. */
function answerOf(
  input: QuickInput & { buttons: readonly QuickInputButton[] },
  { id, label }: VariableDeclaration,
  { title, step, totalSteps }: Frame,
  listen: (settle: (answer: Answer) => void) => void,
): Promise<Answer> {
  input.title = `${title}: ${label || id}`;
  input.step = step;
  input.totalSteps = totalSteps;
  input.ignoreFocusOut = true;
  input.buttons = [...(step > 1 ? [QuickInputButtons.Back] : []), defaultsButton];
  return new Promise<Answer>((settle) => {
    listen(settle);
    input.onDidHide(() => settle('cancelled'));
    input.show();
  }).finally(() => input.dispose());
}

function pressed(button: QuickInputButton): Answer {
  return button === QuickInputButtons.Back ? 'back' : 'defaults';
}
