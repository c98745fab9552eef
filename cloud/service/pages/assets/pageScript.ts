// The script of the web pages. The pages work without it; it formats times, copies keys and updates running renders.
import type { RenderRow } from '../../storage/tables.ts';

/** A render as `/renders/progress` returns it. */
type RenderProgress = Pick<RenderRow, 'id' | 'status' | 'progress'>;

const pollMs = 1_500;
const maxPollMs = 30_000;
const hiddenPollMs = 15_000;

function all<T extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): T[] {
  return [...root.querySelectorAll<T>(selector)];
}

function enhance(root: ParentNode): void {
  for (const time of all<HTMLTimeElement>('time', root)) {
    const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
    time.textContent = format.format(new Date(time.dateTime));
  }
  for (const button of all('button[data-copy]', root)) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy ?? '');
      const label = button.textContent;
      button.textContent = 'Copied';
      announce('Copied');
      setTimeout(() => {
        button.textContent = label;
      }, 2_000);
    });
  }
}

/** Screen readers read the text aloud. */
function announce(text: string): void {
  const news = document.getElementById('news');
  if (news) news.textContent = text;
}

let pauseMs = pollMs;

/** Polls the running renders of this page until none is left, and reloads the part of the page of each that has ended. */
async function pollRunning(): Promise<void> {
  const running = all('[data-running]');
  if (running.length === 0) return;
  try {
    const ids = running.map((part) => part.dataset.render).join(',');
    const response = await fetch(`/renders/progress?ids=${ids}`, { headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(`status ${response.status}`);
    pauseMs = pollMs;
    const { renders } = (await response.json()) as { renders: RenderProgress[] };
    const ended = running.filter((part) => !showProgress(part, renders));
    if (ended.length > 0) await reload(ended);
  } catch {
    // The service or the network is down: try again, less often.
    pauseMs = Math.min(pauseMs * 2, maxPollMs);
  }
  setTimeout(pollRunning, document.hidden ? hiddenPollMs : pauseMs);
}

/** Returns false if the status has changed, so that the part must be reloaded. */
function showProgress(part: HTMLElement, renders: readonly RenderProgress[]): boolean {
  const render = renders.find(({ id }) => id === part.dataset.render);
  if (!render || render.status !== part.dataset.running) return false;
  if (render.status === 'rendering') {
    for (const bar of all<HTMLProgressElement>('progress', part)) bar.value = render.progress;
  }
  for (const text of all('[data-percent]', part)) text.textContent = `${Math.floor(render.progress * 100)} %`;
  return true;
}

async function reload(parts: readonly HTMLElement[]): Promise<void> {
  const response = await fetch(location.href);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of parts) {
    const next = all('[data-render]', page).find(({ dataset }) => dataset.render === part.dataset.render);
    if (!next) {
      part.remove();
      continue;
    }
    const hadFocus = part.contains(document.activeElement);
    part.replaceWith(next);
    enhance(next);
    if (hadFocus) next.querySelector<HTMLElement>('a, button')?.focus();
    if (!next.dataset.running) announce(next.dataset.news ?? '');
  }
}

enhance(document);
setTimeout(pollRunning, pollMs);
