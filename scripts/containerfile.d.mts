export const podmanRun: readonly string[];

export function readContainerfile(text: string): {
  /** Release of Debian. */
  baseSuite: string | undefined;
  entrypoint: string[];
  healthCheck: string[];
  user: string;
  env: Record<string, string>;
  run: string;
};
