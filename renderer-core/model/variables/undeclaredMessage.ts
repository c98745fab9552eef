/** About a page without a declared encoding. Separate from the tables of encodings, which the language server loads later. */
export const undeclaredMessage = (file: string): string =>
  `${file} is not UTF-8 and declares no encoding, so it is read as windows-1252; save it as UTF-8, or add <meta charset="windows-1252">`;
