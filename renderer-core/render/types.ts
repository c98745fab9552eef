// The data that passes between the stages of a render (pipeline.ts). Types only, so that stages need not import each other.
import type { CapturePage, CaptureServices, CaptureTarget } from '../capture/capturePage.ts';
import type { GpuChoice } from '../capture/graphics.ts';
import type { LaunchedBrowser } from '../capture/launch.ts';
import type { Sample, ShownTime } from '../capture/samples.ts';
import type { SegmentJob, startSegment } from '../media/segment.ts';
import type { Composition } from '../model/composition.ts';
import type { CompositionSize } from '../model/compositionSize.ts';
import type { ProjectGraph } from '../model/graph.ts';
import type { HostLists } from '../model/hostPatterns.ts';
import type { PageTraits } from '../page/features/pageTraits.ts';
import type { MissingCharacter, Sound, UsedFace } from '../page/runtime/page.ts';
import type { LightLevels } from '../plan/brightness.ts';
import type { Chunk } from '../plan/chunks.ts';
import type { PageFonts } from '../plan/fonts/pageFonts.ts';
import type { ShownFont } from '../plan/fonts/shownFonts.ts';
import type { PlanDraft } from '../plan/plan.ts';
import type { ProjectFiles } from '../plan/projectPaths.ts';
import type { RenderPlan } from '../plan/renderPlan.ts';
import type { SizeOptions } from '../plan/resolution.ts';
import type { RangeOptions } from '../plan/timeRange.ts';
import type { ValueProblem, ValuesSource } from '../plan/valueProblems.ts';
import type { WriteBytes } from '../project/output/outputStream.ts';
import type { Network } from '../project/remote/publicFetch.ts';
import type { Engine } from '../reports/engine.ts';
import type { KeptSegments } from './chunks/keptSegments.ts';
import type { Load, WorkerChoice } from './chunks/workers.ts';
import type { RenderEvent } from './renderReport.ts';
import type { Browsers, Session, Site } from './session.ts';

/** A render as the caller requests it. docs/render.md lists the defaults. */
export type RenderRequest = SizeOptions &
  RangeOptions & {
    /** Project folder, absolute or relative to the working directory. */
    projectDir: string;
    /** Entry composition, relative to the project folder. Default `index.html`. */
    composition?: string;
    /** Values for the top-level composition's variables. */
    variables?: Record<string, unknown>;
    /** The JSON that `variables` were read from, for the locations of their problems. */
    variablesSource?: ValuesSource;
    /** Turn variable issues into an error before a browser starts. */
    strictVariables?: boolean;
    /**
     * Output file, or folder for HLS and PNG frames. Default `renders/<composition>.<ext>`. A device or a pipe receives the finished
     * video; an mp4 is fragmented then.
     */
    output?: string;
    /** Writes to standard output; the output can be `-` then. */
    stdout?: WriteBytes;
    /** Frames per second: `30`, `29.97`, `30000/1001`. Default: the root's `data-fps`, else 30. */
    fps?: string;
    format?: string;
    codec?: string;
    quality?: string;
    /** Rate factor of the encoder: 1 to 51 for h264 and h265, to 63 for av1 and vp9. Default: that of `quality`. */
    crf?: number;
    /** Bits per second of the frames, such as `8M` or `4500k`, instead of a rate factor. */
    bitrate?: string;
    /** HDR in BT.2020, in mp4 with h265 or av1, or mov with h265: with the curve PQ (`true` or `pq`) or `hlg`. */
    hdr?: boolean | string;
    /** Bits of each color: 8 (default) or 10, for h265, av1 and vp9. HDR and ProRes have 10. */
    bitDepth?: number;
    /** Text uses the fonts of this machine, so that frames differ between machines. Default false: docs/fonts.md. */
    systemFonts?: boolean;
    /** Time zone and language of the page. Default: the root's `data-timezone` and `data-locale`, else UTC and en-US. */
    timezone?: string;
    locale?: string;
    /** Loudness of the sound in LUFS. Default: the root's `data-loudness`, else the sound as it is mixed. */
    loudness?: number;
    /** Writes the captions: `embed` for a track, `vtt` or `srt` for a file next to the output, or the path of a file. */
    captions?: string;
    /** Number of pages that capture at the same time. Default: chosen from the machine. */
    workers?: number;
    /** Continue a render with the same output and inputs whose process was killed, if there is one. */
    resume?: boolean;
    /** Frames per chunk, for any number of workers. Default 240. The encoding depends on it, but the frames do not. */
    chunkFrames?: number;
    /** Paths of the browser and ffmpeg executables. Default: found on this machine. */
    browserPath?: string;
    ffmpegPath?: string;
    /** Force a capture path. Default `auto`: paint if sample frames equal the browser's screenshots, else screenshot. */
    capture?: 'auto' | 'paint' | 'screenshot';
    /**
     * What draws WebGL: `auto` (default) the graphics card if there is one, `off` software, `on` the graphics card, which then
     * also draws pages without WebGL. Cards differ in some pixels; software draws the same on every machine.
     */
    gpu?: GpuChoice;
    /** Features to switch off, such as `-depth,-banding` (docs/capture.md). Default: all are on. */
    features?: string;
    /**
     * What the composition's page may connect to. `any` (default): everything that this machine can reach. `public`, for
     * untrusted projects: files on public hosts, by GET, and nothing else; no WebSocket, WebRTC or other connection, no
     * address of this machine or its network, and no cache that other renders share.
     */
    network?: Network;
    /**
     * Lists of the hosts that the page may load files from, such as `cdn.example.com` or `*.example.com`, besides the list
     * `allowHosts` in the project's `framework.json`. A host must be in each of them. Default: all hosts.
     */
    allowHosts?: HostLists;
    signal?: AbortSignal;
    onEvent?: (event: RenderEvent) => void;
    /** Called once the length is known, before the first frame is captured. If it rejects, the render fails with that error. */
    onPlan?: (plan: RenderPlan) => void | Promise<void>;
  };

/** A render that can be interrupted and continued. */
export type Resumable = {
  /**
   * Finished segments are kept in `folder`. Those of an interrupted render are not captured again, and the video is the same.
   * `key` identifies the files of the project and this program.
   */
  segments: { folder: string; key: string };
};

/** Collects what a render reports while it runs. */
export type ProgressReporter = {
  /** Milliseconds on a clock that only moves forward. */
  now(): number;
  /** When the render began, by `now`. */
  startedAt: number;
  /** The warnings so far. */
  warnings: string[];
  emit(event: RenderEvent): void;
};

/** A project that has been read and has no errors. */
export type OpenProject = {
  root: string;
  graph: ProjectGraph;
  files: ProjectFiles;
  /** The composition to render; its path is the graph's `entry`. */
  entry: Composition;
  size: CompositionSize;
  /** About the files, without values and options. */
  warnings: string[];
};

/** Result of `prepare`: everything about a render that is known before a browser starts. */
export type PreparedRender = Omit<OpenProject, 'entry' | 'size' | 'warnings'> & {
  /** The plan, without the length if only the page knows it. */
  draft: PlanDraft;
  valueProblems: ValueProblem[];
  /** Warnings other than `valueProblems`. */
  warnings: string[];
};

/** Result of `launch`: where a render runs. Site and browsers serve one render at a time. */
export type RenderPlace = { session: Session; site: Site; browsers: Browsers };

/** What opens pages of one composition. */
export type PageJob = {
  launched: LaunchedBrowser;
  services: CaptureServices;
  target: CaptureTarget;
  /** Throws the error of the page or its files, if there is one. */
  check(page: CapturePage): void;
};

/** What encodes frames. */
export type EncodingJob = Omit<SegmentJob, 'plan' | 'signal'> & {
  /** Starts the encoder of a chunk. Tests and benchmarks replace it. */
  startSegment: typeof startSegment;
};

/** The number of pages that capture this many shares, or a function that chooses it from the measured load of the first one. */
export type CountWorkers = (shares: number) => number | ((load: Load) => number);

/** Everything that captures the chunks of a plan. */
export type CaptureJob = Pick<ProbedRender, 'plan' | 'page' | 'encoding' | 'ready' | 'samples' | 'signal'> & {
  workers: CountWorkers;
  now(): number;
  onFrames(count: number): void;
  /** Finished segments of an interrupted run, and where to keep those of this one. */
  kept?: KeptSegments;
  /** Called with each finished segment, which exists until the render ends. */
  onSegment?(chunk: Chunk, file: string): Promise<void>;
};

/** The browser's own screenshots of sample frames. */
export type SampleFrames = {
  /** Whether pages that paint take the screenshots of their frames. Otherwise a separate page does, at the same time. */
  byPainters: boolean;
  /** Starts to take the frames that have not been requested before, unless they are taken `byPainters`. */
  take(frames: readonly number[]): void;
  /** Adds the screenshot of a frame, as PNG. */
  put(frame: number, png: Buffer): void;
  /** The path of a frame's screenshot on the project server. Rejects if it could not be taken. */
  of(frame: number): Promise<string>;
  /**
   * Takes a frame again, with a new page and until its screenshot no longer changes. `isNarrow`: what differs is narrow, so
   * the screenshot has double the size if the compositor draws the page coarsely.
   */
  retake(frame: number, isNarrow?: boolean): Promise<string>;
  /** Cancels the work in progress; resolves when its pages are closed. */
  close(): Promise<void>;
};

/** What the first page shows about painting the others. */
export type PageFacts = {
  /** Why this page cannot be painted; null if it can. */
  obstacle: string | null;
  traits: PageTraits;
  /** When its clips are shown. */
  clips: readonly ShownTime[];
};

/** What the report tells about a video besides its plan. `fonts`: the pinned ones; null with the fonts of the machine. */
export type RenderSource = { graph: ProjectGraph; engine: Engine; fonts: PageFonts | null };

/** Result of `probe`: the complete plan, and a first page that is ready for its first frame. */
export type ProbedRender = {
  plan: RenderPlan;
  source: RenderSource;
  page: PageJob;
  facts: PageFacts;
  encoding: EncodingJob;
  /** Pages that are open and ready, to be used first. */
  ready: CapturePage[];
  samples: SampleFrames;
  signal: AbortSignal;
  /** Closes pages, encoder and browser lease, and removes the render's folder. May be called again. */
  close(): Promise<void>;
};

/** How the frames of a video leave the page, and why. It is decided once per video. */
export type CaptureDecision = { path: 'paint' | 'screenshot'; reason: string };

export type CaptureOptions = {
  /** Forces a capture path. Default `auto`. */
  capture?: RenderRequest['capture'];
  /** The decision for the whole video, if it was made before. Then nothing is compared. */
  decided?: CaptureDecision;
  /** The number of pages; `choice` is the number that was used. */
  workers: { count: CountWorkers; choice(): WorkerChoice };
  /** Folder for PNG frames. Default: the render's own folder, with segments. */
  folder?: string;
  kept?: KeptSegments;
  /** Selects which of the video's sample frames are compared. Default: all. */
  sample?: (samples: Sample[]) => Sample[];
};

/** What one capture path returns when all frames have left their pages. */
export type CapturedFrames = {
  /** Files of encoded frames, in order. */
  segments: string[];
  /** Resolves when the encoders have written the segments. */
  encoded: Promise<unknown>;
  /** Resolves when the pages are closed. */
  closed: Promise<unknown>;
  sounds: Sound[];
  faces: UsedFace[];
  missing: MissingCharacter[];
  /** Whether scripts of the page post messages or tasks without end. */
  postsWithoutEnd: boolean;
  /** Elements that are not drawn in HDR, and why. */
  limits: string[];
  /** Number of frames whose footage came from its decoder instead of through the page. */
  passthroughFrames: number;
  /** Sample frames that show only one color. */
  plainSamples: number[];
  /** Of HDR frames that were painted. */
  light?: LightLevels;
  /** Number of frames that an interrupted render had finished. */
  resumedFrames?: number;
};

/** Result of `capture`. */
export type CaptureResult = CapturedFrames & {
  /** The fonts of the text; null with the fonts of the machine. */
  fonts: ShownFont[] | null;
  capture: CaptureDecision;
  workers: WorkerChoice;
  /** When the first frame was captured, by the reporter's `now`. */
  firstFrameAt: number;
};
