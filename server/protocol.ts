// The protocol between the client and this server in addition to the Language Server Protocol. Only types: the client
// imports nothing else from server/.
import type { Range, TextEdit } from 'vscode-languageserver-types';
import type { MediaKind } from '../renderer-core/model/clips.ts';
import type { VariableDeclaration, VariableType } from '../renderer-core/model/variables/variables.ts';

export type InitializationOptions = {
  /** URI of the folder with the documentation (`rules.md`), for links from diagnostics. No trailing slash. */
  docsUri?: string;
};

/** Whose problems are shown: those of open files and of the files that they embed, or those of all files. */
export type LintScope = 'openFiles' | 'workspace';

/** The settings in the `framework` section of `workspace/configuration`. The levels are those of the linter. */
export type Settings = {
  lint?: { scope?: LintScope; rules?: Record<string, 'off' | 'hint' | 'info' | 'warning' | 'error'> };
};

/** The result is the content in base64. Files larger than `maxBytes` count as unreadable. */
export type ReadFileParams = { uri: string; maxBytes: number };

/** Lists the files below a folder, except in hidden folders and in folders named in `skip`. May stop after `limit` files. */
export type ListFilesParams = { uri: string; skip: readonly string[]; limit: number };

/** Paths relative to the folder, POSIX, not percent-encoded. `isComplete` is false if the limit was reached. */
export type ListFilesResult = { paths: string[]; isComplete: boolean };

/** Requests from the server to the client. */
export type ClientRequests = {
  'framework/readFile': { params: ReadFileParams; result: string | null };
  'framework/listFiles': { params: ListFilesParams; result: ListFilesResult };
};

/**
 * One composition file. Sizes in pixels, times in seconds; null if missing or invalid in the file. An embedded file without
 * a size has that of its host.
 */
export type CompositionInfo = {
  uri: string;
  /** Path relative to the project folder. */
  path: string;
  /** URI of the project folder, for `framework render`. No trailing slash. */
  projectUri: string;
  id: string | null;
  width: number | null;
  height: number | null;
  duration: number | null;
  fps: number | null;
  /** The valid declarations. */
  variables: VariableDeclaration[];
  /** The `<title>`, unless it is one that many documents have, such as "Document". */
  title?: string;
  /** The first declaration that cannot be used, or invalid JSON; then `variables` is incomplete or empty. */
  declarationsProblem?: { message: string; position: CommandLocation['range']['start'] };
};

/** A project folder and the number of compositions in it. `only`: the composition, if there is only one. */
export type ProjectInfo = { uri: string; compositions: number; only?: CompositionInfo };

/** An open batch file, with the text in the editor. */
export type BatchInfo = {
  /** Path relative to the project folder. */
  path: string;
  /** The composition that the rows are for. */
  composition: CompositionInfo;
  /** The number of valid rows. */
  rows: number;
  /** Whether every row has a `name` that is a string. */
  hasNames: boolean;
  /** What the output may contain in braces: `index`, and the keys that have a value in every row. */
  placeholders: string[];
  /** The values of rows that do not fit, so that a render would use defaults. Rows count from 0, lines from 1. */
  misfits: { row: number; line: number; id: string; message: string }[];
  /** The requested row; null if it does not exist. */
  row: { variables: Record<string, unknown>; range: CommandLocation['range'] } | null;
};

/** What decides where a block is inserted; `renderer-core/blocks/blockIndex.ts` explains the fields. */
export type BlockPlacement = { name: string; isCentered?: boolean; isBehind?: boolean };
/** A text edit as in the Language Server Protocol. */
export type ProtocolEdit = { range: CommandLocation['range']; newText: string };

/** Requests from the client to the server. */
export type ServerRequests = {
  /** The composition in a file, with the text in the editor; null if the file is not a composition. */
  'framework/composition': { params: { uri: string }; result: CompositionInfo | null };
  /** The batch in an open document and one of its rows, counted from 0; null if the document is not a batch file. */
  'framework/batch': { params: { uri: string; row?: number }; result: BatchInfo | null };
  /** The rows of a batch in an open document, checked with a template of output paths; null if there is no such batch. */
  'framework/rows': { params: { uri: string; output: string }; result: RowTable | null };
  /** The edits of a change of rows, for the returned document version; null if it is not possible. */
  'framework/rowEdits': {
    params: { uri: string; change: RowChange };
    result: { version: number; edits: ProtocolEdit[] } | null;
  };
  /**
   * The edits that write values into a composition's declarations as defaults, for the returned document version; null if the
   * file is not a composition. `left`: IDs that are not declared or whose values are invalid.
   */
  'framework/defaultEdits': {
    params: { uri: string; values: Record<string, unknown> };
    result: {
      version: number;
      edits: ProtocolEdit[];
      written: string[];
      left: string[];
    } | null;
  };
  /** The edits that declare a variable, for the returned document version; null if the file is not a composition. */
  'framework/declareVariable': {
    params: { uri: string; declaration: VariableDeclaration };
    result: { version: number; edits: ProtocolEdit[] } | { reason: string } | null;
  };
  /**
   * The edits that move or trim the clip whose start tag starts at `offset`, for the returned document version; `reason`: why it
   * cannot change; null if the file is not a composition.
   */
  'framework/clipEdits': {
    params: { uri: string; offset: number; change: ClipChange };
    result: { version: number; edits: ProtocolEdit[]; reason?: string } | null;
  };
  /** The text of a composition file that the preview shows; null if the file is not a composition. */
  'framework/findText': { params: { uri: string; request: TextRequest }; result: FoundText | null };
  /** What changes that text to `value`. */
  'framework/changeText': { params: { uri: string; request: TextRequest; value: string }; result: TextChange | null };
  /** The parts of an element of a composition file that can be changed; null if the file is not a composition. */
  'framework/findParts': { params: { uri: string; request: PartsRequest }; result: ElementPart[] | null };
  /** What changes a part to `value`. */
  'framework/changePart': {
    params: { uri: string; request: PartsRequest; part: PartReference; value: string };
    result: TextChange | null;
  };
  /** The edits that turn a part into a variable with this ID, or with one that suits it. */
  'framework/partVariable': {
    params: { uri: string; request: PartsRequest; part: PartReference; id?: string };
    result: PartVariable | { reason: string } | null;
  };
  /** The projects of the workspace that contain compositions, after its folders have been read. */
  'framework/projects': { params: null; result: ProjectInfo[] };
  /** The compositions of a project, or of the whole workspace, after its folders have been read. */
  'framework/compositions': { params: { projectUri: string } | null; result: CompositionInfo[] };
  /**
   * Lints all compositions and then shows their problems until `framework/lintOpenFiles`; null if it was cancelled. Sends
   * `framework/lintProgress`.
   */
  'framework/lintWorkspace': { params: null; result: LintSummary | null };
  'framework/lintOpenFiles': { params: null; result: null };
  /**
   * The edits that insert a block into a composition, for the returned document version, and the file to create; null if the
   * file is not a composition. `text` is the file of the block; times are seconds.
   */
  'framework/insertBlock': {
    params: { uri: string; block: BlockPlacement; text: string; at: number };
    result:
      | {
          version: number;
          edits: { range: CommandLocation['range']; newText: string }[];
          file: { uri: string; text: string } | null;
          id: string;
          start: number;
          duration: number;
        }
      | { problem: string }
      | null;
  };
  /** The contents of a composition file, sorted by start time; empty if the file is not a composition. */
  'framework/outline': { params: { uri: string }; result: OutlineItem[] };
};

/** The number of linted compositions, and the number of problems in them. */
export type LintSummary = { compositions: number; problems: number };

/** `compositions`: the number of compositions in all folders. */
export type Status = { state: 'reading' | 'ready'; compositions: number; lintScope: LintScope };

/** Notifications from the server to the client. */
export type ServerNotifications = {
  'framework/status': Status;
  /** Information about compositions may have changed. Sent shortly after the last of several changes. */
  'framework/changed': null;
  'framework/lintProgress': { done: number; total: number };
};

/** A location in the arguments of a command: plain JSON, as in the Language Server Protocol. */
export type CommandLocation = {
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
};

/** The commands of code lenses and code actions with their arguments. The client registers them. */
export type Commands = {
  'framework.render': [{ uri: string }];
  'framework.renderWithVariables': [{ uri: string }];
  /** Asks the user for the output if `output` is missing. `rows`: the number of rows, for the title of the lens. */
  'framework.renderBatch': [{ uri: string; output?: string; rows?: number }];
  'framework.renderRow': [{ uri: string; row: number }];
  /** Copies a font family into the project of a composition. */
  'framework.addFont': [{ uri: string; font: string }];
  /** Opens the rename box at a position. Runs after an edit that created a name. */
  'framework.renameAt': [{ uri: string; position: { line: number; character: number } }];
  'framework.showReferences': [
    { uri: string; position: { line: number; character: number }; locations: CommandLocation[]; files?: number },
  ];
};

/** Rows count from 0. Without a `value`, the row has no value of its own afterwards. */
export type RowChange =
  | { kind: 'set'; row: number; key: string; value?: unknown }
  | { kind: 'add' }
  | { kind: 'duplicate'; row: number }
  | { kind: 'remove'; rows: readonly number[] };

/** `key`: the column; null for a problem of the whole row. */
export type RowProblem = { key: string | null; message: string; isError: boolean };

/** A problem of the whole file. Without an error, it is a note about what was skipped. */
export type FileProblem = { message: string; line: number; isError: boolean };

/** `others`: the keys of rows that are not declared variables. */
export type RowTable = { others: string[]; rows: TableRow[]; problems: FileProblem[] };

/** `output`: the path of its video; missing if the output has a problem. */
export type TableRow = {
  index: number;
  values: Record<string, unknown>;
  output?: string;
  problems: RowProblem[];
  /** A value does not fit, so a render would use its default. */
  isInvalid?: true;
};

export type OutlineItem = {
  what: 'composition' | 'variables' | 'clip' | 'host' | VariableType | MediaKind;
  name: string;
  /** Times and track of a clip, type and default of a variable, size and duration of a composition. */
  detail: string;
  /** URI of the file that a host embeds, if it exists. */
  target?: string;
  range: Range;
  /** The range to select: the start tag of an element, the ID of a variable. */
  selectionRange: Range;
  children: OutlineItem[];
};

/**
 * Times are relative, because the same clip can be at other times of the videos that embed its file. `startBy`: seconds that
 * the clip starts later. `duration`: its new length; absent if only its position changes. `track`: absent if it stays.
 */
export type ClipChange = { startBy?: number; duration?: number; track?: number };

/** A host element, by the start of its start tag. `path` is the file that contains it. */
export type HostLocation = { path: string; offset: number };

export type PaintName = 'color' | 'background-color' | 'fill' | 'stroke';

/**
 * `sources`: what could set the part, the one that wins first; the page knows to which elements they apply. `files`: the images
 * that can be chosen.
 */
export type ElementPart = { name: PartName; sources: PartSource[]; files?: string[] };

export type PartName = 'text' | 'image' | PaintName;

/** The source at an index of a part, which has to have the value that the page has shown. */
export type PartReference = { name: PartName; index: number; value: string };

/**
 * Applies to the elements that match `selector`, or to the element whose start tag starts at `offset`. `value`: as the source has
 * it, colors as #rrggbb. `property`: the custom property that has it. `from`: the selectors of each rule that defines one of
 * several values of a custom property; it applies to what inherits from an element that matches one of them. `reason`: why it
 * cannot be changed, and `at`: the offset of the value.
 */
export type PartSource = {
  selector?: string;
  offset?: number;
  value: string;
  property?: string;
  from?: string[][];
  variable?: string;
  reason?: string;
  at?: number;
};

/** `offset`: the start of the start tag of the element. `text`: a text in it. The rest is that of `TextRequest`. */
export type PartsRequest = {
  offset: number;
  text?: ShownText;
  hosts: HostLocation[];
  drafts: Record<string, unknown>;
};

/** The variable that was added, and the edits of the file. */
export type PartVariable = { id: string; uri: string; version: number; edits: TextEdit[] };

/** `offset`: the start of the start tag of the nearest element that the author has written. */
export type ShownText = {
  offset: number;
  /** All text of that element. */
  whole: string;
  /** Present if the text is directly in the element: the text, and the number of child elements before it. */
  run?: { text: string; before: number };
  /** Whether line breaks of the source are shown. */
  keepsLines: boolean;
};

/** `hosts` contain the element, the innermost first. `drafts`: the draft values of the previewed composition. */
export type TextRequest = { shown: ShownText; hosts: HostLocation[]; drafts: Record<string, unknown> };

/** `lines`: whether the text may have several lines. `variable`: the variable that it is the value of. */
export type FoundText = { text: string; lines: boolean; variable?: string } | { reason: string };

/** The draft value to set, or the edits of a file. */
export type TextChange =
  | { draft: { id: string; value: unknown } }
  | { uri: string; version: number; edits: TextEdit[] }
  | { reason: string };
