/** A file in the folder of the extension: where VS Code keeps the extension's files. Its uninstall program reads it. */
export const storageNote = 'storage.json';
