// Keys of objects in the bucket. Objects under `intermediate/` expire; sites, results and code do not.

export const keys = {
  /** A file of any site, by its content. */
  siteFile: (sha256: string) => `sites/files/${sha256}`,
  /** The files of a site as JSON: `[{"path", "sha256", "bytes"}]`. */
  site: (siteId: string) => `sites/${siteId}.json`,
  code: (sha256: string) => `code/${sha256}.zip`,
  /** What the test video of the last deployment has measured, as JSON: see canary.ts. The function cannot change it. */
  canary: 'code/canary.json',
  /** The prefix of everything that a render stores until its video is complete. */
  render: (renderId: string) => `intermediate/${renderId}/`,
  plan: (renderId: string) => `intermediate/${renderId}/plan.json`,
  /** The items of the distributed Map as JSON: `[{"index": 0}]`. */
  chunks: (renderId: string) => `intermediate/${renderId}/chunks.json`,
  /** The encoded frames of a chunk. The hash covers everything that affects them. */
  segment: (renderId: string, index: number, hash: string, extension: string) =>
    `intermediate/${renderId}/segments/${String(index).padStart(5, '0')}-${hash}.${extension}`,
  /** The progress of a chunk as JSON: see chunkProgress.ts. */
  progress: (renderId: string, index: number) =>
    `intermediate/${renderId}/progress/${String(index).padStart(5, '0')}.json`,
  /** The report of the finished video as JSON: see storedRender.ts. */
  report: (renderId: string) => `intermediate/${renderId}/report.json`,
  /** The default key of the result. */
  output: (renderId: string, extension: string) => `renders/${renderId}${extension}`,
} as const;

export const codePrefix = 'code/';
export const sitesPrefix = 'sites/';
export const intermediatePrefix = 'intermediate/';
