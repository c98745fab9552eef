// Plain data that the page's assembly passes to the runtime, and that the runtime reports about the page.
import type { FrameRate } from '../../model/frameGrid.ts';
import type { SoundShape } from '../../model/soundShape.ts';
import type { VariableDeclaration } from '../../model/variables/variables.ts';

/** One composition in the page: the top level, or one mount of a composition file. */
export type InstanceConfig = {
  /** Unique in the page. The mount's element has it in `data-framework-instance`. The top level is `top`. */
  id: string;
  /** Merged variable values of this instance. */
  values: Record<string, unknown>;
  /** URLs of variables whose value is a project file that an element's source is bound to, by variable id. */
  sources?: Record<string, string>;
  /** The number of scripts that run in the scope of a mount. */
  scripts?: number;
  /** What the values of a mount follow from, because a script may set others on its host. */
  host?: HostConfig;
};

export type HostConfig = {
  /** The instance that contains the host. */
  embedding: string;
  /** The embedded file, its declarations, and the ids of its invalid ones. */
  target: string;
  declarations: readonly VariableDeclaration[];
  invalid: readonly string[];
  /** The `data-variable-values` that `values` were computed from. */
  given: string;
  /** Location of the host, for messages. */
  place: { file: string; line: number; column: number };
};

/** The assembly writes it into the page as JSON; the runtime reads it once. */
export type PageConfig = {
  /** The value of `Date.now()` at time 0, in milliseconds. */
  epochMs: number;
  /** Seed of `Math.random`. */
  seed: number;
  /** Clips begin and end at frames. */
  fps: FrameRate;
  instances: InstanceConfig[];
  /** Whether the page uses the pinned fonts. */
  pinsFonts: boolean;
  /** For browsers that may have another time zone and language. */
  environment?: { timezone: string; locale: string };
  /** The names of features that are switched off. */
  featuresOff?: readonly string[];
  /** URLs of the style sheets that come before those of the page. */
  sheets: string[];
};

/**
 * A variable value that a script has set on a host and that does not match its declaration. `isMalformed`: the values are not
 * a JSON object. `isUnresolved`: a reference to a variable without a value.
 */
export type HostValueProblem = {
  message: string;
  place: HostConfig['place'];
  isMalformed?: true;
  isUnresolved?: true;
};

/** The custom property with the families that follow in every list of families. */
export const fallbackFonts = '--framework-fallback-fonts';

/** Key of the set of faces that scripts draw with, which are always loaded. */
export const loadedFaces = 'framework.loadedFaces';

/** Key of the function that replaces the generic families of all style sheets. The script that calls it is removed. */
export const pinnedSheets = 'framework.pinnedSheets';

/** The custom property with an element's list of families without those that follow in every list. */
export const ownFonts = '--framework-own-fonts';

/** Key of the function that scripts call with each dynamic import and the text of its argument, see `page/assemble/trackImports.ts`. */
export const trackedImport = 'framework.import';

export const topInstance = 'top';

/** Marks the element that a composition file was mounted into. */
export const instanceAttribute = 'data-framework-instance';
/** The variables of an element that are in the markup, written by `page/assemble/boundElements.ts`. The runtime binds all others. */
export const boundAttribute = 'data-framework-bound';
/** The global function that the scripts of mounts call, see `page/assemble/mountScripts.ts`. */
export const mountFunction = '__frameworkMount';
/** Identifies a script element in a mount by instance and number. The page runs its code later. */
export const scriptAttribute = 'data-framework-script';
/** Where the code of an element's handlers is, written by `page/assemble/mountScripts.ts`. */
export const handlersAttribute = 'data-framework-handlers';
/** Only in the preview: the source location of an element, written by `plan/sourceMarks.ts`. */
export const sourceAttribute = 'data-framework-source';
/** Marks elements outside of their time span. The runtime's style sheet hides them. */
export const hiddenAttribute = 'data-framework-hidden';

/** Marks captions, written by `page/assemble/captionEdits.ts`. */
export const cueAttribute = 'data-framework-cue';

/** A media element with sound, after changes by scripts and animations. Times are seconds of the top-level composition. */
export type Sound = {
  /** For messages: `<audio id="music">`. */
  name: string;
  /** Absolute URL of its file. */
  url: string;
  start: number;
  /** The end of its clip; null if the clip has no end. */
  end: number | null;
  mediaStart: number;
  rate: number;
  loop: boolean;
  /** The volume from 0 to 1, with the times at which it has changed in the frames shown so far. */
  volumes: { from: number; volume: number }[];
  /** Its fades and ducking, if it has any. */
  shape?: SoundShape;
};

/** What a page needs of its browser. */
export type PageNeeds = {
  /** Graphics in 3D, which only some of the browsers that are started have. */
  graphics3d: boolean;
  /** The frame rate of a display. Without it, the browser renders as often as it can. */
  displayRate: boolean;
};

/** A face that text of the page uses. */
export type UsedFace = { family: string; weight: string; style: string };

/** A character that no font of the page has. `element` describes the element that shows it. */
export type MissingCharacter = { character: string; element: string };

/** What a page knows when its frames have been captured. Sounds are complete after the last frame of the video. */
export type PageResults = {
  sounds: Sound[];
  faces: UsedFace[];
  missing: MissingCharacter[];
  /** Whether scripts post messages or tasks without end. */
  postsWithoutEnd: boolean;
  /** Elements that are not drawn in HDR, and why: `#stage (filter)`. */
  limits: string[];
};

/** A file that exists but cannot be used. `element` describes the element that uses it. */
export type BrokenAsset = { kind: 'image' | 'font'; url: string; element: string };

/** Prefix of error messages that contain a `BrokenAsset` as JSON. */
export const assetErrorPrefix = 'asset: ';

/** Prefix of error messages about `data-start`, which distinguishes them from exceptions of page scripts. */
export const timingErrorPrefix = 'timing: ';

/** Prefix of error messages with `UnfinishedWork` as JSON. */
export const loadingErrorPrefix = 'loading: ';

/** What scripts have started and what has not ended in time: addresses of files, or names of functions. */
export type UnfinishedWork = { names: string[]; seconds: number };

/** Prefix of error messages about media files that cannot be used. */
export const mediaErrorPrefix = 'media: ';
