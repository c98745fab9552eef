// The prompt `make-composition`: the steps from an idea to a video with these tools.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'make-composition',
    {
      title: 'Create a composition',
      description: 'Write a composition with variables, check it, and render it',
      argsSchema: {
        idea: z.string().describe('What the video shows'),
        size: z.string().optional().describe('Pixels, 1920x1080 by default'),
        seconds: z.string().optional().describe('Duration in seconds'),
        folder: z.string().optional().describe('Project folder to create or change'),
      },
    },
    ({ idea, size = '1920x1080', seconds = 'as needed', folder = 'a new folder' }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: textOf(idea, size, seconds, folder) } }],
    }),
  );
}

const textOf = (idea: string, size: string, seconds: string, folder: string): string =>
  `Create a video composition: ${idea}

Size: ${size}. Duration in seconds: ${seconds}. Project folder: ${folder}.

1. Read the resource framework://docs/compositions.md: it explains compositions, how to declare and read variables, and how to time clips and animations.
2. Write index.html in the project folder. Declare everything that a user may want to change (texts, colors, numbers, choices) as variables with a label and a default. Animate with CSS animations or a registered timeline; both follow the time of the video.
3. Call lint and fix everything that it reports.
4. Call snapshot with several times, such as ["0%", "25%", "50%", "75%", "100%"], and check the image: is the text readable and inside the frame, and does each time show what it should? Fix problems and take another snapshot.
5. Call snapshot with other variable values, such as long texts and other colors. Nothing may overflow.
6. When everything is right, call render and report the path of the video.
`;
