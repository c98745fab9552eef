// The prompt `make-composition`: how to get from an idea to a video with these tools.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'make-composition',
    {
      title: 'Make a composition',
      description: 'Write a composition with variables, look at it, and render it',
      argsSchema: {
        idea: z.string().describe('What the video shows'),
        size: z.string().optional().describe('Pixels, 1920x1080 by default'),
        seconds: z.string().optional().describe('Length in seconds'),
        folder: z.string().optional().describe('Project folder to make or to change'),
      },
    },
    ({ idea, size = '1920x1080', seconds = 'as long as it needs', folder = 'a new folder' }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: textOf(idea, size, seconds, folder) } }],
    }),
  );
}

const textOf = (idea: string, size: string, seconds: string, folder: string): string =>
  `Make a video composition: ${idea}

Size: ${size}. Length in seconds: ${seconds}. Project folder: ${folder}.

1. Read the resource framework://docs/compositions.md: it says what a composition is, how variables are declared and read, and how clips and animations are timed.
2. Write index.html in the project folder. Declare what somebody may want to change (texts, colours, numbers, choices) as variables with a label and a default. Animate with CSS animations or a registered timeline; time that passes by itself follows the video.
3. Call lint and correct everything that it finds.
4. Call snapshot with several times, such as ["0%", "25%", "50%", "75%", "100%"], and look: is the text readable and inside the picture, does each moment show what it should? Correct, and look again.
5. Call snapshot with other values for the variables: long texts, other colours. Nothing may overflow.
6. When it is right, call render, and tell where the video is.
`;
