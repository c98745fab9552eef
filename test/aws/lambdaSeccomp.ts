// The system calls that a function may not make, as a program for the kernel's filter.
// Source: the Linux documentation, "Seccomp BPF"; numbers of x86-64.

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
/** Skips `count` instructions if the loaded value is another one. */
const unlessEqual = (value: number, count: number): Instruction => [0x15, 0, count, value];
const unlessAnyBit = (mask: number, count: number): Instruction => [0x45, 0, count, mask];
const answer = (result: number): Instruction => [0x06, 0, 0, result];

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

const allow = answer(0x7fff_0000);
const fail = (errno: number) => answer(0x0005_0000 | errno);
const [notPermitted, notImplemented] = [fail(1), fail(38)];
const [systemCall, firstArgument] = [0, 16];

/** Mounts, namespaces, filters of a process's own, and reading other processes. */
const denied = { ptrace: 101, pivot_root: 155, chroot: 161, mount: 165, unshare: 272, setns: 308, seccomp: 317 };
const [clone, prctl, clone3] = [56, 157, 435];
const [setSeccomp, setNoNewPrivileges] = [22, 38];
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const newNamespaces = 0x7e02_0000;

const program: Instruction[] = [
  load(systemCall),
  ...Object.values(denied).flatMap((number) => [unlessEqual(number, 1), notPermitted]),
  // The filter cannot read its flags. The C library uses `clone` instead.
  ...[unlessEqual(clone3, 1), notImplemented],
  ...[unlessEqual(clone, 4), load(firstArgument), unlessAnyBit(newNamespaces, 1), notPermitted, allow],
  ...[unlessEqual(prctl, 6), load(firstArgument)],
  ...[setSeccomp, setNoNewPrivileges].flatMap((option) => [unlessEqual(option, 1), notPermitted]),
  allow,
  allow,
];

/** In the format that bubblewrap's `--seccomp` reads. */
export function seccompProgram(): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}
