// The editor of finished videos. It opens a video at its poster frame; VS Code's own one opens it at the first frame.
import { commands, type Disposable, Uri, window } from 'vscode';
import type { RenderServices } from '../renderServices.ts';

const viewType = 'framework.video';

/** Whether the editor can show a file. */
export const isVideo = (path: string): boolean => /\.(?:mp4|webm)$/i.test(path);

/** The arguments of VS Code's command `vscode.openWith` for a video. */
export function openVideoArguments(path: string, options: { preserveFocus?: boolean } = {}): unknown[] {
  return [Uri.file(path), viewType, options];
}

export async function openVideo(path: string): Promise<void> {
  await commands.executeCommand('vscode.openWith', ...openVideoArguments(path));
}

export function createVideoEditor(services: RenderServices): Disposable {
  return window.registerCustomEditorProvider(
    viewType,
    {
      openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
      async resolveCustomEditor({ uri }, panel) {
        // Loaded lazily, because most windows open no video.
        const { showVideo } = await import('./videoPage.ts');
        showVideo(panel, uri, services);
      },
    },
    // A video in a hidden tab keeps its position.
    { supportsMultipleEditorsPerDocument: true, webviewOptions: { retainContextWhenHidden: true } },
  );
}
