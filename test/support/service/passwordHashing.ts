// Watches when passwords are hashed.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished, vi } from 'vitest';

/** From now on, `before` is called before each password is hashed, which waits for it. Returns a spy that counts the hashes. */
export function watchHashing(before: () => Promise<unknown>) {
  const { scrypt } = crypto;
  const spy = vi.spyOn(crypto, 'scrypt').mockImplementation(((...args: Parameters<typeof scrypt>) => {
    void before().then(() => scrypt(...args));
  }) as typeof scrypt);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return spy;
}
