// How the image of the hosted service is run, and what deploy/Containerfile says about it.

/** Options of `podman run` that restrict the service, as in docs/operations.md. */
export const podmanRun = [
  '--read-only',
  '--tmpfs=/tmp:rw,size=1g',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--security-opt=seccomp=deploy/seccomp.json',
  '--security-opt=unmask=ALL',
  '--memory=8g',
  '--pids-limit=4096',
];

/** Lines that end with a backslash continue on the next line; comments are ignored. */
function instructionsIn(text: string): { name: string; value: string }[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ');
  return lines
    .split('\n')
    .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line.trim()))
    .filter((match) => match !== null)
    .map(([, name = '', value = '']) => ({ name, value: value.replaceAll(/\s+/g, ' ') }));
}

export type Containerfile = {
  base: string;
  entrypoint: string[];
  healthCheck: string[];
  user: string;
  env: Record<string, string | undefined>;
  run: string;
};

/** Throws if an instruction is missing. */
export function readContainerfile(text: string): Containerfile {
  const instructions = instructionsIn(text);
  const instruction = (name: string): string => {
    const found = instructions.findLast((each) => each.name === name);
    if (found === undefined) throw new Error(`deploy/Containerfile has no ${name}.`);
    return found.value;
  };
  return {
    base: instruction('FROM'),
    entrypoint: JSON.parse(instruction('ENTRYPOINT')),
    healthCheck: JSON.parse(instruction('HEALTHCHECK').replace(/^.* CMD /, '')),
    user: instruction('USER'),
    env: Object.fromEntries(
      instruction('ENV')
        .split(' ')
        .map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
    ),
    run: instruction('RUN'),
  };
}
