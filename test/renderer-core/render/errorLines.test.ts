// Errors name the line in the source file, also after an embedded file that has changed the line numbers.
import { expect, test } from 'vitest';
import { renderVideo } from '../../../renderer-core/render/pipeline.ts';
import { composition, project, temporaryFolder } from '../../support/project.ts';

test('reports the source line of an exception after an embedded file', async () => {
  const card = '<div data-composition-id="card" data-width="8" data-height="8">\n\n\n\n<p>x</p>\n</div>';
  const host = '<div data-composition-src="card.html" data-start="0" data-duration="1"></div>';
  const index = composition(`${host}\n<script>\nnull.x\n</script>`);
  const line = index.slice(0, index.indexOf('null.x')).split('\n').length;
  const render = renderVideo({
    projectDir: project({ 'index.html': index, 'card.html': card }),
    output: `${temporaryFolder()}/a.mp4`,
  });
  await expect(render).rejects.toMatchObject({ code: 'script_error', place: { file: 'index.html', line } });
});
