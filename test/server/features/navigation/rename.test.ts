// Rename and references: all files of the project in one string, compared after the edits are applied.
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { FileEncoding, ProjectFiles } from '../../../../renderer-core/lint/project.ts';
import { references } from '../../../../server/features/navigation/references.ts';
import { prepareRename, rename } from '../../../../server/features/navigation/rename.ts';
import { filesOf, mark } from '../../../support/editor/markup.ts';
import { fileWithCursor } from '../../../support/editor/sourceFile.ts';
import { applied } from '../../../support/editor/workspaceEdit.ts';

/** `source` contains the cursor as `|`. `expected` is the project afterwards, or the problem. */
function check(source: string, newName: string, expected: string): void {
  const { file, offset } = fileWithCursor(source);
  const result = rename(file, offset, newName);
  expect('problem' in result ? result.problem : applied(source.replace('|', ''), result)).toBe(expected);
}

const root = (attributes = '', inner = '') =>
  `<html ${attributes}><body><div data-composition-id="main" data-duration="5">${inner}</div></body></html>`;
const title = `data-composition-variables='[{"id":"title","type":"string","label":"T","default":"a"}]'`;

describe('a variable', () => {
  test('is renamed with everything in its file that reads it', () => {
    const page = (id: string, cursor: string) => `<html data-composition-variables='[
  {"id":"${id}","type":"color","label":"Accent","default":"#ff0000"},
  {"id":"other","type":"string","label":"accent","default":"accent"}]'>
<style>.a { color: var(--${id}, red); background: var(--other) } /* var(--accent) */ @property --${id} { syntax: "<color>" } [data-var-text="${id}"] {}</style>
<div data-composition-id="main" style="border-color: var( --${id} )">
<h1 data-var-text=" ${id} "></h1><b data-var-if="! ${id}"></b><i data-var-if='${id} = red'></i><img data-var-src='${cursor}'>
<svg><path stroke="var(--${id})"/></svg>
<video data-color-grading='{"preset":"$${id}","adjust":{"exposure":"\${ ${id} }"}}'></video>
<div data-composition-id="part" data-variable-values='{"${id}":"accent"}'></div>
</div>
<script>
  const { "${id}": color = "accent", other } = window.__framework.getVariables();
  const vars = __framework.getVariables();
  use(vars.${id}, vars["${id}"], getComputedStyle(x).getPropertyValue("--${id}"), { color: "var(--${id})" }, \`var(--${id})\`);
</script></html>`;
    check(page('accent', 'acc|ent'), 'tint', page('tint', 'tint'));
  });

  test('is renamed in destructuring patterns, where the local name stays', () => {
    const script = (names: string) => `${root(title)}<script>const { ${names} } = __framework.getVariables();</script>`;
    check(script('ti|tle'), 'name', script('name: title').replace('"id":"title"', '"id":"name"'));
    check(script('ti|tle = "a"'), 'name', script('name: title = "a"').replace('"id":"title"', '"id":"name"'));
    check(script('ti|tle: t'), 'name', script('name: t').replace('"id":"title"', '"id":"name"'));
    check(script('ti|tle'), 'main-title', script('"main-title": title').replace('"id":"title"', '"id":"main-title"'));
  });

  test('is renamed after a dot, with brackets if the new ID needs them', () => {
    const script = (read: string) => `${root(title)}<script>f(__framework.getVariables()${read})</script>`;
    check(script('.ti|tle'), 'a-b', script('["a-b"]').replace('"id":"title"', '"id":"a-b"'));
    check(script('?.ti|tle'), 'a-b', script('?.["a-b"]').replace('"id":"title"', '"id":"a-b"'));
    check(script('?.ti|tle'), 'ab', script('?.ab').replace('"id":"title"', '"id":"ab"'));
  });

  test('is renamed in gradings', () => {
    const page = (reference: string, id: string) =>
      root(
        title.replace('"id":"title"', `"id":"${id}"`),
        `<video data-color-grading="{&quot;preset&quot;:&quot;${reference}&quot;}"></video>`,
      );
    check(page('$ti|tle', 'title'), 'look', page('$look', 'look'));
    check(page('$title', 'ti|tle'), 'look', page('$look', 'look'));
    check(page(`\${ti|tle}`, 'title'), 'look', page(`\${look}`, 'look'));
  });

  test('is renamed in references of hosts, without the variables that it is passed to or comes from', () => {
    const declared = (id: string) => `data-composition-variables='[{"id":"${id}","type":"string"}]'`;
    const host = (src: string, values: string) =>
      `<div data-composition-src="${src}" data-variable-values='${values}'></div>`;
    const project = (id: string, reference: string) => `=== scene.html
${root(declared(id), host('card.html', `{"name":"${reference}","other":"a $name"}`))}
=== index.html
${root(declared('name'), host('scene.html', `{"${id}":"$name"}`))}
=== card.html
${root(declared('name'))}
`;
    check(project('name', '$na|me'), 'head', project('head', '$head'));
    check(project('name', `\${na|me}`), 'head', project('head', `\${head}`));
    check(project('my name', `\${my na|me}`), 'head', project('head', `\${head}`));
  });

  test('is renamed in values of hosts in other files, for every form of the path', () => {
    const project = (id: string, cursor: string) => `=== index.html
${root(
  '',
  `<div data-composition-src="parts/card.html" data-variable-values='{"${cursor}":"x","other":"title"}'></div>
<div data-composition-src="./parts/../parts/card.html" data-variable-values='{"${id}":1}'></div>
<div data-composition-src="other.html" data-variable-values='{"title":"x"}'></div>`,
)}
=== other.html
${root(title)}
=== parts/card.html
${root(title.replace('"id":"title"', `"id":"${id}"`), `<p data-var-text="${id}"></p>`)}
=== parts/deck.html
${root('', `<div data-composition-src="card.html" data-variable-values="{&quot;${id}&quot;: &quot;x&quot;}"></div>`)}
=== z.html
${root('', `<div data-composition-src=/parts/card.html data-variable-values={&quot;${id}&quot;:1}></div>`)}
`;
    check(project('title', 'tit|le'), 'heading', project('heading', 'heading'));
  });

  test('may have an ID that is escaped inside attributes and JSON', () => {
    const page = (json: string, text: string) =>
      `${root(`data-composition-variables='[{"id":"${json}","type":"string"}]'`, `<p data-var-text="${text}"></p>`)}`;
    check(page('it&#39;s \\"s|o\\"', `it's &quot;so&quot;`), 'title', page('title', 'title'));
  });

  test.each([
    ['  ', 'An ID must not be empty.'],
    ['__proto__', '"__proto__" is reserved and cannot be the ID of a variable.'],
    ['size', '"size" is already declared in card.html, line 2.'],
    ['a\u0000b', 'An ID must not contain control characters.'],
    ['count', 'index.html, line 2 already gives "count" a value.'],
    ...['two words', 'a.b', 'a"b', 'a{b}', 'größe'].map((id) => [
      id,
      `The ID of a variable must contain only the letters a to z, digits, - and _, because styles read it as a custom property --id (got "${id}").`,
    ]),
    ['paper', 'The style in card.html, line 3 already uses a custom property --paper.'],
  ])('rejects the new ID %j', (name, problem) => {
    check(
      `=== card.html
<html data-composition-variables='[{"id":"ti|tle","type":"string"},
{"id":"size","type":"number"}]'><body><div data-composition-id="c"></div>
<style>p { color: var(--title); --paper: red }</style>
=== index.html
<div data-composition-id="main">
<div data-composition-src="card.html" data-variable-values='{"title":"a","count":2}'></div></div>`,
      name,
      problem,
    );
  });

  test('rejects an ID that an inline composition already sets', () => {
    check(
      root(
        title.replace('title', 'ti|tle'),
        `<b data-composition-id="c" data-variable-values='{"title":1,"name":2}'></b>`,
      ),
      'name',
      'index.html, line 1 already gives "name" a value.',
    );
  });

  test('rejects a rename if a script may read the variable dynamically', () => {
    const page = (script: string) => `${root(title.replace('title', 'ti|tle'))}<script>${script}</script>`;
    check(
      page('const vars = __framework.getVariables(); for (const id of ["title"]) show(vars[id]);'),
      'name',
      'The script in index.html, line 1 may read the variable through the string "title"; rename it there first.',
    );
    check(
      page('tl.addLabel("title"); show(__framework.getVariables().title)'),
      'name',
      page('tl.addLabel("title"); show(__framework.getVariables().name)').replace('ti|tle', 'name'),
    );
  });

  test('rejects a rename in a file that an editor would save with other letters', () => {
    const page = root(title, '<p data-var-text="ti|tle">Größe</p>');
    const problem = (name: string) =>
      `${name} is not UTF-8, and the editor would lose letters of it. Save it as UTF-8, or open it with its encoding.`;
    check(page.replace('ö', '\uFFFD'), 'x', problem('index.html'));
    const latin: FileEncoding = { encoding: 'windows-1252', isDeclared: true, invalidAt: null };
    const renameIn = (text: string) => {
      const { file, offset } = fileWithCursor(page);
      (file.project as ProjectFiles).set('index.html', text, latin);
      const composition = file.project.composition('index.html');
      return rename({ ...file, composition: composition ?? file.composition }, offset, 'x');
    };
    expect(renameIn(page.replace('|', ''))).toEqual({ problem: problem('index.html') });
    expect(renameIn(page.replace('|', '').replace('Größe', 'Groups'))).not.toHaveProperty('problem');
  });

  test('rejects a rename without a declaration', () => {
    check(root('', '<p data-var-text="ti|tle"></p>'), 'x', 'There is no ID to rename here.');
    const { file, offset } = fileWithCursor(root('', '<p data-var-text="ti|tle"></p>'));
    expect(prepareRename(file, offset)).toBeNull();
  });
});

describe('a clip', () => {
  test('is renamed in starts, selectors and scripts', () => {
    const page = (id: string, cursor: string) => `<div data-composition-id="main">
<h1 id="${cursor}" data-start="0" data-duration="1"></h1><p data-start=" ${id} + 0.5"></p><label for="${id}"></label><a href="#${id}">intro</a>
<p class="intro" id="intro2" aria-labelledby="x ${id}" style="clip-path: url(#${id})"></p>
<audio data-start="0" data-duck=" ${id} -18 0.2"></audio><audio data-start="0" data-duck="2 -18"></audio></div>
<style>#${id} > b, h1#${id}.intro { color: #fff } @media print { .a, #${id}:hover {} } #intro2 {} [id="${id}"] {}</style>
<script>
  document.getElementById("${id}"); document.querySelector('#${id} .intro'); gsap.to("#${id}", { x: 1 }); tl.from(['#${id}', '#intro2'], {}, "intro");
</script>`;
    check(page('intro', 'in|tro'), 'opening', page('opening', 'opening'));
    check(
      page('intro', 'intro').replace('data-start=" intro', 'data-start=" in|tro'),
      'opening',
      page('opening', 'opening'),
    );
  });

  test('is escaped in selectors', () => {
    check(
      `<div data-composition-id="m"><p id="a|" data-start="0"></p></div><style>#a {}</style><script>$('#a')</script>`,
      '1:b',
      `<div data-composition-id="m"><p id="1:b" data-start="0"></p></div><style>#\\31 \\:b {}</style><script>$('#\\\\31 \\\\:b')</script>`,
    );
  });

  test('does not change colors and other files', () => {
    const project = (id: string, cursor: string) => `=== a.html
<div data-composition-id="m"><p id="${cursor}" data-start="0"></p><p data-start="${id}"></p></div>
<style>p { color: #fade } #${id} {}</style><script>set("#fade"); $("#${id}")</script>
=== b.html
<div data-composition-id="m"><p id="fade" data-start="0"></p><p data-start="fade"></p></div>
`;
    check(project('fade', 'fa|de'), 'out', project('out', 'out'));
  });

  const page = `<div data-composition-id="main"><p id="a|" data-start="0"></p><p id="b"></p></div>`;
  test.each([
    [page, 'b', '"b" is already the ID of another element, in index.html, line 1.'],
    [page, 'main', '"main" is already the ID of another element, in index.html, line 1.'],
    [page, 'b c', 'The ID must not contain white space (got "b c").'],
    [page, '12', 'The ID must not be a number or contain "+": data-start would read "12" as a time.'],
    [
      `${page}\n<i id=a>`,
      'c',
      'Another element has the same ID "a", in index.html, line 2; make the IDs unique first.',
    ],
    [
      `${page}<script>["a"].map((id) => document.getElementById(id))</script>`,
      'c',
      'The script in index.html, line 1 may look up the clip through the string "a"; rename it there first.',
    ],
  ])('in %s rejects the new ID %j', (source, name, problem) => check(source, name, problem));
});

describe('a composition', () => {
  test('is renamed in timelines, selectors and hosts', () => {
    const project = (id: string, cursor: string) => `=== index.html
<div data-composition-id="main"><div data-composition-id="${id}" data-composition-src="intro.html" data-start="0" data-duration="2"></div>
<p data-start="${id} - 1"></p><div data-composition-id="again" data-composition-src="intro.html"></div></div>
<style>[data-composition-id="${id}"] { top: 0 } [data-composition-id=main] {}</style>
=== intro.html
<template><div data-composition-id="${cursor}"></div>
<style>[data-composition-id='${id}'] .intro {}</style>
<script>window.__timelines = window.__timelines || {}; window.__timelines["${id}"] = tl; __timelines.${id} = tl; q('[data-composition-id="${id}"] b')</script></template>
=== other.html
<div data-composition-id="intro"><div data-composition-src="x.html" data-composition-id="intro"></div></div>
`;
    check(project('intro', 'int|ro'), 'opening', project('opening', 'opening'));
    check(
      project('intro', 'intro').replace(
        'data-composition-id="intro" data-composition-src="intro',
        'data-composition-id="in|tro" data-composition-src="intro',
      ),
      'opening',
      project('opening', 'opening'),
    );
  });

  test('uses brackets for its timeline if necessary', () => {
    check(
      `<div data-composition-id="a|"></div><script>window.__timelines.a = tl</script>`,
      'a-b',
      `<div data-composition-id="a-b"></div><script>window.__timelines["a-b"] = tl</script>`,
    );
  });

  test('is renamed in every form of timeline registration', () => {
    const page = (id: string, cursor: string, script: string) =>
      `<div data-composition-id="${cursor}"></div><script>${script.replaceAll('$', id)}</script>`;
    for (const script of [
      'window.__timelines = { $: tl }',
      'window.__timelines = { "$": tl, other }',
      'Object.assign((window.__timelines ||= {}), { $: tl }, { x: "main" })',
      'window["__timelines"][`$`] = tl',
      '__timelines?.$.pause()',
    ]) {
      check(page('main', 'ma|in', script), 'intro', page('intro', 'intro', script));
    }
    check(page('main', 'ma|in', '__timelines = { main }'), 'a-b', page('', 'a-b', '__timelines = { "a-b": main }'));
    check(
      page('main', 'ma|in', 'const id = "$"; __timelines[id] = tl'),
      'intro',
      'The script in index.html, line 1 may register the timeline through the string "main"; rename it there first.',
    );
  });

  test('rejects an ID that is in use', () => {
    check(
      `<div data-composition-id="main|"><div data-composition-id="part"></div></div>`,
      'part',
      '"part" is already in use in index.html, line 1.',
    );
  });
});

describe('references', () => {
  /** Marks the references in each file. */
  function checkReferences(source: string, expected: string, withDeclaration = true): void {
    const { file, offset } = fileWithCursor(source);
    const found = references(file, offset, withDeclaration);
    const shown = [...filesOf(source.replace('|', ''))].map(([path, text]) => {
      const document = TextDocument.create(path, 'html', 1, text);
      const spans = found
        .filter(({ uri }) => uri.endsWith(`/${path}`))
        .map(({ range }) => ({ start: document.offsetAt(range.start), end: document.offsetAt(range.end) }));
      return `=== ${path}\n${mark(text, spans)}`;
    });
    expect(shown.join('')).toBe(expected);
  }

  const project = (open: string, close: string, declared: [string, string], cursor = '') => `=== card.html
<html data-composition-variables='[{"id":"${declared[0]}ti${cursor}tle${declared[1]}","type":"string"}]'><div data-composition-id="c" data-var-text="${open}title${close}"></div>
=== index.html
<div data-composition-id="m"><i data-composition-src="card.html" data-variable-values='{"${open}title${close}":"title"}'></i></div>
`;
  test('include the declaration of a variable only on request', () => {
    checkReferences(project('', '', ['', ''], '|'), project('«', '»', ['«', '»']));
    checkReferences(project('', '', ['', ''], '|'), project('«', '»', ['', '']), false);
  });

  test('are empty if there is no name', () => {
    const { file, offset } = fileWithCursor('<div data-composition-id="m"><p>te|xt</p></div>');
    expect(references(file, offset, true)).toEqual([]);
  });
});
