// Where things are in the bucket. What is under `intermediate/` expires; sites, results and code do not.

export const keys = {
  /** A file of any site, by its content. */
  siteFile: (sha256: string) => `sites/files/${sha256}`,
  /** The list of a site's files: JSON, `[{"path", "sha256", "bytes"}]`. */
  site: (siteId: string) => `sites/${siteId}.json`,
  code: (sha256: string) => `code/${sha256}.zip`,
  plan: (renderId: string) => `intermediate/${renderId}/plan.json`,
  /** A chunk's frames, by a hash of all that decides what is in them. */
  segment: (renderId: string, index: number, hash: string, extension: string) =>
    `intermediate/${renderId}/segments/${String(index).padStart(5, '0')}-${hash}.${extension}`,
  /** How far a chunk is: JSON, see progress.ts. */
  progress: (renderId: string, index: number) =>
    `intermediate/${renderId}/progress/${String(index).padStart(5, '0')}.json`,
  /** Where results are when no key is given. */
  output: (renderId: string, extension: string) => `renders/${renderId}${extension}`,
} as const;

export const intermediatePrefix = 'intermediate/';
