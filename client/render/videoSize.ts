// The size and aspect ratio of renders from this workspace: chosen once and stored in the workspace state.
import { type Disposable, type Event, EventEmitter, type Memento } from 'vscode';
import type { SizeChoice } from './jobArguments.ts';

export type VideoSize = Disposable & {
  current(): SizeChoice;
  /** Does nothing if the user cancels. */
  choose(): Promise<void>;
  onDidChange: Event<void>;
};

const key = 'framework.videoSize';

export function createVideoSize(memento: Memento): VideoSize {
  const changed = new EventEmitter<void>();
  return {
    current: () => memento.get<SizeChoice>(key, {}),
    async choose() {
      const { promptForSize } = await import('./promptForSize.ts');
      const choice = await promptForSize(memento.get<SizeChoice>(key, {}));
      if (!choice) return;
      await memento.update(key, choice);
      changed.fire();
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
