// The tool `list_sounds`: what is heard, and how loud, with an image of the waveforms.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listSounds } from '../../renderer-core/check/listSounds.ts';
import { given } from '../../renderer-core/model/variables/given.ts';
import { soundsText } from '../output/soundsText.ts';
import { result, tool } from './tool.ts';
import { soundsDefinition } from './toolDefinitions.ts';

export const soundsTool = tool(
  soundsDefinition,
  async ({ project = '.', composition, variables }, { folders, programs, surroundings }, { signal, progress }) => {
    const folder = await mkdtemp(join(tmpdir(), 'framework-sounds-'));
    try {
      const request = {
        ...programs,
        ...given({ composition, variables }),
        projectDir: await folders.inside(project),
        output: join(folder, 'sounds.png'),
        signal,
        onEvent: ({ message }: { message: string }) => progress(0, undefined, message),
      };
      const { image: _, ...report } = await listSounds(request, surroundings);
      const { content, ...rest } = result(soundsText(report), report);
      const data = (await readFile(request.output)).toString('base64');
      return { ...rest, content: [{ type: 'image', data, mimeType: 'image/png' }, ...content] };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
