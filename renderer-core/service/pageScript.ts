// The script of the web pages. Everything works without it, but progress does not move by itself.

export const pageScript = `
'use strict';
const parts = (selector, root = document) => [...root.querySelectorAll(selector)];

function enhance(root) {
  for (const time of parts('time', root)) {
    const options = { dateStyle: 'medium', timeStyle: 'short' };
    time.textContent = new Intl.DateTimeFormat(undefined, options).format(new Date(time.dateTime));
  }
  for (const button of parts('button[data-copy]', root)) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      const label = button.textContent;
      button.textContent = 'Copied';
      say('Copied');
      setTimeout(() => { button.textContent = label; }, 2000);
    });
  }
}

function say(text) {
  document.getElementById('news').textContent = text;
}

// What is running is asked for until nothing is; when one ends, its part of the page is fetched anew.
let pause = 1500;
async function follow() {
  const running = parts('[data-running]');
  if (running.length === 0) return;
  try {
    const ids = running.map((part) => part.dataset.render).join(',');
    const answer = await fetch('/renders/progress?ids=' + ids, { headers: { accept: 'application/json' } });
    if (!answer.ok) throw new Error('status ' + answer.status);
    pause = 1500;
    const { renders } = await answer.json();
    const ended = running.filter((part) => !show(part, renders.find(({ id }) => id === part.dataset.render)));
    if (ended.length > 0) await replace(ended);
  } catch {
    pause = Math.min(pause * 2, 30000);
  }
  setTimeout(follow, document.hidden ? 15000 : pause);
}

/** False when it is no longer as the page shows it. */
function show(part, render) {
  if (!render || render.status !== part.dataset.running) return false;
  for (const bar of parts('progress', part)) if (render.status === 'rendering') bar.value = render.progress;
  for (const text of parts('[data-percent]', part)) text.textContent = Math.floor(render.progress * 100) + ' %';
  return true;
}

async function replace(ended) {
  const answer = await fetch(location.href);
  if (!answer.ok) throw new Error('status ' + answer.status);
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of ended) {
    const next = parts('[data-render]', fresh).find(({ dataset }) => dataset.render === part.dataset.render);
    if (!next) { part.remove(); continue; }
    const focused = part.contains(document.activeElement);
    part.replaceWith(next);
    enhance(next);
    if (focused) next.querySelector('a, button')?.focus();
    if (!next.dataset.running) say(next.dataset.news);
  }
}

enhance(document);
setTimeout(follow, pause);
`;
