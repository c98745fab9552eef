// What the editor's client and this server say to each other beside the Language Server Protocol. Types alone: the client
// imports nothing else from this room.
import type { VariableDeclaration } from '../renderer-core/model/variables.ts';
import type { OutlineItem } from './features/outline.ts';

export type { OutlineItem };

/** The client's `initializationOptions`. */
export type InitializationOptions = {
  /** Whether the client answers `framework/readFile` and `framework/listFiles`. In a web worker nobody else can. */
  servesFiles?: boolean;
  /** URI of the folder with the documentation (`rules.md`), for links from diagnostics; without a slash at the end. */
  docsUri?: string;
};

/** The settings, as `workspace/configuration` gives them for the section `framework`. A level is one of the linter's. */
export type Settings = { lint?: { rules?: Record<string, 'off' | 'hint' | 'info' | 'warning' | 'error'> } };

/** `text` is decoded UTF-8 without a byte order mark; `base64` is the bytes. Files above `maxBytes` count as not readable. */
export type ReadFileParams = { uri: string; as: 'text' | 'base64'; maxBytes: number };

/** Every file below a folder, but none in folders called `skip` or in hidden ones; the walk may end at `limit` files. */
export type ListFilesParams = { uri: string; skip: readonly string[]; limit: number };

/** Paths below the folder, POSIX, not percent-encoded. `isComplete` is false where the limit ended the walk. */
export type ListFilesResult = { paths: string[]; isComplete: boolean };

/** Requests that the server sends and the client answers. */
export type ClientRequests = {
  'framework/readFile': { params: ReadFileParams; result: string | null };
  'framework/listFiles': { params: ListFilesParams; result: ListFilesResult };
};

/** One composition file. Sizes in pixels, times in seconds; null where the file does not say, or not legibly. */
export type CompositionInfo = {
  uri: string;
  /** Its path in its project folder. */
  path: string;
  /** The project folder, without a slash at the end: what `framework render` is run for. */
  projectUri: string;
  id: string | null;
  width: number | null;
  height: number | null;
  duration: number | null;
  fps: number | null;
  variables: VariableDeclaration[];
};

/** A batch file that is open, as its text is in the editor. */
export type BatchInfo = {
  /** Its path in the project folder. */
  path: string;
  /** What the rows are for. */
  composition: CompositionInfo;
  /** How many rows can be read. */
  rows: number;
  /** Whether every row has a `name` that is a text. */
  hasNames: boolean;
  /** The row that was asked for; null where there is none. */
  row: { variables: Record<string, unknown>; range: CommandPlace['range'] } | null;
};

/** Requests that the client sends. */
export type ServerRequests = {
  /** The composition in a file as it is in the editor; null for a file that is none. */
  'framework/composition': { params: { uri: string }; result: CompositionInfo | null };
  /** The batch in an open document, and one of its rows, counted from 0; null for a document that is none. */
  'framework/batch': { params: { uri: string; row?: number }; result: BatchInfo | null };
  /**
   * The edits of a composition's declarations that make values its defaults, in its text of that version; null for a file
   * that is none. `left`: ids that are not declared, or whose values do not fit.
   */
  'framework/defaultEdits': {
    params: { uri: string; values: Record<string, unknown> };
    result: {
      version: number;
      edits: { range: CommandPlace['range']; newText: string }[];
      written: string[];
      left: string[];
    } | null;
  };
  /** Every composition of the workspace, once the folders have been read. */
  'framework/compositions': { params: null; result: CompositionInfo[] };
  /** What is in a composition file, in the order of time; empty for a file that is none. */
  'framework/outline': { params: { uri: string }; result: OutlineItem[] };
};

/** `compositions` counts those of all folders. */
export type Status = { state: 'reading' | 'ready'; compositions: number };

/** Notifications that the server sends. */
export type ServerNotifications = {
  'framework/status': Status;
  /** What is known of the compositions may be different now. Not sent for each key, but a moment after the last one. */
  'framework/changed': null;
};

/** A place as commands carry it: plain JSON, as in the Language Server Protocol. */
export type CommandPlace = {
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
};

/** Commands of code lenses, and their arguments. The client registers them. */
export type Commands = {
  'framework.render': [{ uri: string }];
  'framework.renderWithVariables': [{ uri: string }];
  /** Without an `output` it is asked for. */
  'framework.renderBatch': [{ uri: string; output?: string }];
  'framework.renderRow': [{ uri: string; row: number }];
  /** Behind an edit that gave something a name: opens the rename there. */
  'framework.renameAt': [{ uri: string; position: { line: number; character: number } }];
  'framework.showReferences': [
    { uri: string; position: { line: number; character: number }; locations: CommandPlace[] },
  ];
};
