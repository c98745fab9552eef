// The list of problems over the frame. Collects problems from all sources without duplicates.
import type { PreviewLocation, PreviewProblem } from '../messages.ts';
import { element } from './element.ts';
import { text, whenTexts } from './texts.ts';

/** The source of a problem. The problems of a source are replaced together. */
export type ProblemSource = 'project' | 'page' | 'files' | 'sound';

export type ProblemsView = {
  root: HTMLElement;
  set(source: ProblemSource, problems: readonly PreviewProblem[]): void;
  add(source: ProblemSource, problem: PreviewProblem): void;
};

const maxProblems = 50;

export function createProblemsView(
  onChange: (problems: PreviewProblem[]) => void,
  onOpen: (place: PreviewLocation) => void,
): ProblemsView {
  const found = new Map<ProblemSource, PreviewProblem[]>();
  const title = element('strong');
  const hide = element('button', { type: 'button', class: 'link' });
  const list = element('ul');
  const root = element('section', { class: 'problems', role: 'status', 'aria-live': 'polite' });
  root.append(element('header', {}, title, hide), list);
  root.hidden = true;
  hide.addEventListener('click', () => {
    root.hidden = true;
  });

  const all = (): PreviewProblem[] => {
    // A missing file is also reported as one that cannot be decoded: keep only one of the problems.
    const missing = (found.get('files') ?? []).map(({ message }) => /^The file (\S+) /.exec(message)?.[1]);
    const isReported = ({ message }: PreviewProblem) =>
      missing.some((path) => path !== undefined && message.startsWith(`${path} is not `));
    const byMessage = new Map<string, PreviewProblem>();
    for (const problem of [...found.values()].flat().filter((one) => !isReported(one))) {
      const key = `${problem.message} ${problem.place?.file}:${problem.place?.line}`;
      if (!byMessage.has(key)) byMessage.set(key, problem);
    }
    return [...byMessage.values()].slice(0, maxProblems);
  };
  const show = () => {
    const problems = all();
    title.textContent = problems.length === 1 ? text('oneProblem') : text('problems', problems.length);
    hide.textContent = text('hideProblems');
    list.replaceChildren(...problems.map((problem) => row(problem, onOpen)));
    root.hidden = problems.length === 0;
    root.classList.toggle(
      'mild',
      problems.every(({ severity }) => severity === 'warning'),
    );
  };
  whenTexts(show);
  let reported = '[]';
  const change = () => {
    const problems = all();
    const json = JSON.stringify(problems);
    if (json === reported) return;
    reported = json;
    show();
    onChange(problems);
  };
  return {
    root,
    set(source, problems) {
      found.set(source, [...problems]);
      change();
    },
    add(source, problem) {
      found.set(source, [...(found.get(source) ?? []), problem].slice(0, maxProblems));
      change();
    },
  };
}

function row(
  { severity, message, hint, place }: PreviewProblem,
  onOpen: (place: PreviewLocation) => void,
): HTMLElement {
  const item = element('li', { class: severity }, element('span', {}, message));
  if (hint !== undefined) item.append(element('span', { class: 'hint' }, hint));
  if (place) {
    const shown = [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
    const link = element('button', { type: 'button', class: 'link place' }, shown);
    link.addEventListener('click', () => onOpen(place));
    item.append(link);
  }
  return item;
}
