// Generates compositions of a given size with realistic proportions of clips, variables, styles and scripts.

const types = [
  (index: number) => ({
    id: `title${index}`,
    type: 'string',
    label: `Title ${index}`,
    default: 'Hello',
    maxLength: 80,
  }),
  (index: number) => ({ id: `speed${index}`, type: 'number', label: `Speed ${index}`, default: 1, min: 0, max: 10 }),
  (index: number) => ({ id: `tint${index}`, type: 'color', label: `Tint ${index}`, default: '#ff8800' }),
  (index: number) => ({ id: `on${index}`, type: 'boolean', label: `On ${index}`, default: true }),
];

function declarations(count: number): string {
  const list = Array.from({ length: count }, (_, index) => types[index % types.length]?.(index));
  return JSON.stringify(list, null, 1).replaceAll("'", '&#39;');
}

/** A composition of about `bytes` bytes. Its only finding is the one that the benchmark types. */
export function compositionText(bytes: number, hosts: readonly string[] = []): string {
  const variables = Math.min(40, Math.max(4, Math.round(bytes / 4000)));
  const clips: string[] = [];
  const styles: string[] = [];
  const steps: string[] = [];
  let size = 120 * variables;
  for (let index = 0; size < bytes; index++) {
    const start = index % 5 === 0 ? `${index * 2}` : `clip${index - 1}`;
    const variable = 4 * (index % Math.floor(variables / 4));
    clips.push(`  <section id="clip${index}" class="scene scene${index}" data-start="${start}" data-duration="2" data-track-index="${index % 3}">
    <h2 data-var-text="title${variable}">A heading that the variable replaces</h2>
    <p style="color: var(--tint${variable + 2})">Some copy of the scene, as long as copy is, with <b>words</b> in it &amp; an entity.</p>
  </section>`);
    styles.push(`  .scene${index} { position: absolute; inset: 0; transform: translateX(${index}px); }`);
    steps.push(
      `    tl.from('.scene${index} h2', { y: 40, opacity: 0, duration: 0.6, ease: 'power2.out' }, ${index * 2});`,
    );
    size += 560;
  }
  const names = Array.from({ length: variables }, (_, index) => types[index % types.length]?.(index).id);
  const embedded = hosts.map(
    (src, index) =>
      `  <div data-composition-id="host${index}" data-composition-src="${src}" data-start="0" data-duration="2" data-variable-values='{"title0":"Pro"}'></div>`,
  );
  return `<!doctype html>
<html lang="en" data-composition-variables='${declarations(variables)}'>
<head>
<style>
${styles.join('\n')}
</style>
</head>
<body>
<div id="root" data-composition-id="main" data-width="1920" data-height="1080" data-duration="${clips.length * 2 + 10}">
${[...embedded, ...clips].join('\n')}
</div>
<script>
  (() => {
    const { ${names.join(', ')} } = window.__framework.getVariables();
    const tl = gsap.timeline({ paused: true });
    document.body.dataset.used = [${names.join(', ')}].join();
${steps.join('\n')}
    window.__timelines = { main: tl };
  })();
</script>
</body>
</html>
`;
}

/** A workspace of `count` compositions: every tenth embeds the next nine, and all of them embed `shared.html`. */
export function workspaceFiles(count: number): Map<string, string> {
  const files = new Map<string, string>();
  files.set('shared.html', compositionText(4000));
  const name = (index: number) => `scenes/part${Math.floor(index / 100)}/scene${index}.html`;
  for (let index = 0; index < count - 1; index++) {
    const next = Array.from({ length: 9 }, (_, step) => index + 1 + step).filter((each) => each < count - 1);
    const hosts = index % 10 === 0 ? next.map((each) => `/${name(each)}`) : [];
    files.set(name(index), compositionText(5000, ['/shared.html', ...hosts]));
  }
  return files;
}

/** A workspace of `count` projects, each in its own folder: a page that embeds two scenes, a style sheet and an image. */
export function manyProjects(count: number): Map<string, string> {
  const files = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const folder = `project${index}`;
    files.set(`${folder}/index.html`, compositionText(8000, ['scenes/intro.html', 'scenes/outro.html']));
    files.set(`${folder}/scenes/intro.html`, compositionText(4000));
    files.set(`${folder}/scenes/outro.html`, compositionText(4000));
    files.set(`${folder}/styles/theme.css`, `.scene { color: white; }\n`);
    files.set(`${folder}/assets/logo.svg`, '<svg xmlns="http://www.w3.org/2000/svg"></svg>\n');
  }
  return files;
}
