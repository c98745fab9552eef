// Edits of clips on their way to the editor: one at a time, each shown before the text has changed.
import type { ClipChange } from '../../messages.ts';
import { type ClipPlace, changeOf } from './clipDrag.ts';
import type { ClipFact } from './lanes.ts';

/** The place that a clip gets. `trims`: its length changes too. */
export type ClipTarget = ClipPlace & { trims: boolean };

export type ClipEditsEvents = {
  /** Sends an edit to the editor, which responds with `edited`. */
  send(clip: ClipFact, change: ClipChange): void;
  show(clips: readonly ClipFact[]): void;
  /** An edit was not possible. */
  onReason(index: number, reason: string): void;
};

/** The page may show an edit only after the file is saved. */
const maxWaitMs = 1500;

export class ClipEdits {
  private readonly events: ClipEditsEvents;
  /** The clips of the text, as far as the page knows it. */
  private clips: readonly ClipFact[] = [];
  /** Not sent yet. They have places and not differences, so that many edits of one clip become one. */
  private readonly waiting = new Map<number, ClipTarget>();
  private sent: { index: number; target: ClipTarget; timer?: ReturnType<typeof setTimeout> } | undefined;

  constructor(events: ClipEditsEvents) {
    this.events = events;
  }

  /** Changes a clip now, or after the current edit has arrived in the page. */
  edit(index: number, target: ClipTarget): void {
    const trims = target.trims || (this.waiting.get(index)?.trims ?? false);
    this.waiting.set(index, { ...target, trims });
    if (this.sent) this.show();
    else this.sendNext();
  }

  /** The page has loaded these clips. */
  loaded(clips: readonly ClipFact[]): void {
    this.clips = clips;
    clearTimeout(this.sent?.timer);
    this.sent = undefined;
    this.sendNext();
  }

  /** The editor's response; `reason` is why the text has not changed. */
  edited(reason: string | null): void {
    const { sent } = this;
    if (!sent) return;
    if (reason === null) {
      sent.timer = setTimeout(() => this.loaded(withTarget(this.clips, sent.index, sent.target)), maxWaitMs);
      return;
    }
    this.sent = undefined;
    this.waiting.clear();
    this.show();
    this.events.onReason(sent.index, reason);
  }

  private sendNext(): void {
    for (const [index, target] of this.waiting) {
      this.waiting.delete(index);
      const clip = this.clips[index];
      const change = clip && changeOf(clip, target, target.trims);
      if (!clip || !change) continue;
      this.sent = { index, target };
      this.events.send(clip, change);
      break;
    }
    this.show();
  }

  private show(): void {
    let shown = this.clips;
    if (this.sent) shown = withTarget(shown, this.sent.index, this.sent.target);
    for (const [index, target] of this.waiting) shown = withTarget(shown, index, target);
    this.events.show(shown);
  }
}

const withTarget = (clips: readonly ClipFact[], index: number, { start, end, track }: ClipTarget) =>
  clips.map((clip, at) => (at === index ? { ...clip, start, end, track } : clip));
