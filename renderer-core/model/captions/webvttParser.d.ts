// Types of the parser of the W3C, which has none.
declare module 'webvtt-parser' {
  type CueNode = import('./readCues.ts').CueNode;
  const module: {
    WebVTTParser: new (
      entities: Record<string, string>,
    ) => {
      parse(
        text: string,
        mode: 'captions',
      ): { cues: { startTime: number; endTime: number; tree: { children: CueNode[] } }[] };
    };
  };
  export = module;
}
