// The processes that serve previews: one for each project folder, started on demand.
import { type Disposable, Uri } from 'vscode';
import type { FromProcess } from '../../preview/messages.ts';
import type { SizeOptions } from '../../renderer-core/plan/resolution.ts';
import type { CompositionInfo } from '../../server/protocol.ts';
import type { Values } from '../compositions/draftValues.ts';
import type { ExtensionServices } from '../extensionServices.ts';
import { followEdits } from './editSync.ts';
import { type PreviewProcess, startPreviewProcess } from './previewProcess.ts';

export type PreviewServers = Disposable & {
  /** The address of the preview page of a project. Starts the process when it is not running. */
  url(projectUri: string): Promise<string>;
  /** Sends the composition that is shown, with its draft values. Does nothing when the process is not running. */
  show(composition: CompositionInfo): void;
  /** Sends the values of a view of the composition. Does nothing when the process is not running. */
  showView(composition: CompositionInfo, view: string, values: Values): void;
  hideView(composition: CompositionInfo, view: string): void;
  /** Shows the unsaved text of a file, also if typing is not shown before it is saved. */
  showText(projectUri: string, path: string, text: string): void;
  stop(projectUri: string): void;
};

/** `onEnd` is called when a process ends without having been stopped. */
export function createPreviewServers(
  services: ExtensionServices,
  onMessage: (projectUri: string, message: FromProcess) => void,
  onEnd: (projectUri: string, reason: string) => void,
): PreviewServers {
  const running = new Map<string, { process: PreviewProcess; edits: Disposable }>();

  function start(projectUri: string): PreviewProcess {
    const process = startPreviewProcess(projectUri, services, (message) => onMessage(projectUri, message));
    running.set(projectUri, { process, edits: followEdits(process) });
    sendSize(process);
    void process.ended.then(({ reason }) => {
      if (running.get(projectUri)?.process !== process) return;
      stop(projectUri);
      onEnd(projectUri, reason);
    });
    return process;
  }
  // The command line checks the size.
  const sendSize = (process: PreviewProcess) =>
    process.send({ type: 'size', size: services.videoSize.current() as SizeOptions });
  const sizeChange = services.videoSize.onDidChange(() => {
    for (const { process } of running.values()) sendSize(process);
  });
  function stop(projectUri: string): void {
    const found = running.get(projectUri);
    running.delete(projectUri);
    found?.edits.dispose();
    found?.process.dispose();
  }
  return {
    url: (projectUri) => (running.get(projectUri)?.process ?? start(projectUri)).url,
    show({ path, projectUri, uri }) {
      const values = { ...services.values.get(Uri.parse(uri)) };
      running.get(projectUri)?.process.send({ type: 'show', composition: path, values });
    },
    showView({ path, projectUri }, view, values) {
      running.get(projectUri)?.process.send({ type: 'show', composition: path, view, values: { ...values } });
    },
    hideView({ path, projectUri }, view) {
      running.get(projectUri)?.process.send({ type: 'hide', composition: path, view });
    },
    showText: (projectUri, path, text) => running.get(projectUri)?.process.send({ type: 'text', path, text }),
    stop,
    dispose() {
      sizeChange.dispose();
      for (const projectUri of [...running.keys()]) stop(projectUri);
    },
  };
}
