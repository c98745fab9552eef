// The other sizes of the composition next to the shown one, at the same time. Each is a preview page in a frame.
import type { PageFacts } from '../facts.ts';
import type { FromPage, PreviewState, ToPage } from '../messages.ts';
import type { WithoutName } from './editor.ts';
import { element } from './element.ts';
import { partUrl } from './link.ts';

/** Each page keeps a connection to the server, and browsers open at most six. */
const maxOthers = 3;

type Message = WithoutName<ToPage>;
type ThemeKind = Extract<ToPage, { type: 'theme' }>['kind'];

export class OtherSizes {
  readonly root = element('div', { class: 'others' });
  private frames: HTMLIFrameElement[] = [];
  private sizes: PageFacts['sizes'] = [];
  private state: (PreviewState & { speed: number }) | undefined;
  private texts: Record<string, string> = {};

  constructor() {
    this.root.hidden = true;
    window.addEventListener('message', ({ source, data }: MessageEvent<FromPage | undefined>) => {
      const frame = this.frames.find(({ contentWindow }) => contentWindow === source);
      if (!frame || data?.framework !== 'preview') return;
      if (data.type === 'loaded') this.dress(frame);
      if (data.type === 'shown') this.synchronize([frame]);
    });
  }

  /** None: nothing is compared. */
  show(sizes: PageFacts['sizes']): void {
    const shown = sizes.slice(0, maxOthers);
    if (JSON.stringify(shown) === JSON.stringify(this.sizes)) return;
    this.sizes = shown;
    this.frames = shown.map(({ width, height, name }) => {
      const frame = element('iframe', { src: partUrl(`${width}x${height}`), title: name, tabindex: '-1' });
      // All have the same height.
      frame.style.flexGrow = String(width / height);
      return frame;
    });
    this.root.replaceChildren(...this.frames);
    this.root.hidden = shown.length === 0;
  }

  /** The editor has sent its theme, or its texts. */
  dressAll(texts = this.texts): void {
    this.texts = texts;
    for (const frame of this.frames) this.dress(frame);
  }

  private dress(frame: HTMLIFrameElement): void {
    const { style, dataset } = document.documentElement;
    const variables = Object.fromEntries([...style].map((name) => [name, style.getPropertyValue(name)]));
    post(frame, { type: 'theme', kind: dataset.kind as ThemeKind, variables });
    post(frame, { type: 'strings', texts: this.texts });
  }

  follow(state: PreviewState & { speed: number }): void {
    const before = this.state;
    this.state = state;
    const isPlayingOn = before?.playing && state.playing && state.time >= before.time && state.speed === before.speed;
    const isSame = before?.playing === state.playing && before.time === state.time;
    if (!isPlayingOn && !isSame) this.synchronize(this.frames);
  }

  private synchronize(frames: readonly HTMLIFrameElement[]): void {
    const { state } = this;
    if (!state) return;
    for (const frame of frames) {
      post(frame, { type: 'speed', speed: state.speed });
      if (!state.playing) post(frame, { type: 'pause' });
      post(frame, { type: 'seek', time: state.time });
      if (state.playing) post(frame, { type: 'play' });
    }
  }
}

function post({ contentWindow }: HTMLIFrameElement, message: Message): void {
  contentWindow?.postMessage({ framework: 'preview', ...message }, location.origin);
}
