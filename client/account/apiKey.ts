// The API key that the user has entered in VS Code. It is in VS Code's secret storage, and only cloud commands receive it.
import type { Disposable, ExtensionContext } from 'vscode';
import type { Host } from '../host.ts';

export type ApiKey = Disposable & {
  /** Resolves when the stored key has been read. */
  ready: Promise<void>;
  /** Whether cloud commands use it: a key in the environment takes precedence. */
  isUsed(): boolean;
  store(key: string): Promise<void>;
  remove(): Promise<void>;
};

const name = 'framework.apiKey';

/** `onChange` is called when another window has changed the key. */
export function createApiKey(
  { secrets }: Pick<ExtensionContext, 'secrets'>,
  { apiKey }: Host,
  onChange: () => void,
): ApiKey {
  const read = async () => apiKey?.set(await secrets.get(name));
  const listening = secrets.onDidChange(({ key }) => {
    if (key === name) void read().then(onChange);
  });
  return {
    ready: read(),
    isUsed: () => apiKey?.isUsed() ?? false,
    async store(key) {
      await secrets.store(name, key);
      apiKey?.set(key);
    },
    async remove() {
      await secrets.delete(name);
      apiKey?.set(undefined);
    },
    dispose: () => listening.dispose(),
  };
}
