// Ends a render whose files fill the disk: a page can store data in the browser, and a project can unpack to many files.
import { diskUsage } from '../../../renderer-core/project/folderBytes.ts';
import type { RenderFailure } from './renderFailure.ts';

const checkMs = 2_000;

/** Calls `onExceeded` when the files and folders in `folder` use more than `maxBytes` of the disk. */
export function watchDisk(
  folder: string,
  maxBytes: number,
  onExceeded: (failure: RenderFailure) => void,
): { stop(): void } {
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    const bytes = await diskUsage(folder, maxBytes);
    isChecking = false;
    if (bytes <= maxBytes) return;
    clearInterval(timer);
    const message = `The render stored more than ${Math.round(maxBytes / 1024 ** 2)} MB of temporary files, the limit for every render.`;
    onExceeded({ code: 'framework_project_invalid', message });
  };
  const timer = setInterval(() => void check(), checkMs);
  return { stop: () => clearInterval(timer) };
}
