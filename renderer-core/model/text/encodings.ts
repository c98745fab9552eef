// The encodings of the Encoding Standard. A file of its own: the command line and the language server of a package share it.
// Node's TextDecoder reads bytes 0x80 to 0x9F of windows-1252 wrongly, lacks some encodings, and cannot write any but UTF-8.
export { getBOMEncoding, isomorphicDecode, normalizeEncoding, TextDecoder } from '@exodus/bytes/encoding.js';
export { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
export { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
export { utf16fromString } from '@exodus/bytes/utf16.js';
