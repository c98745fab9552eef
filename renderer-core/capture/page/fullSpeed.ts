// Makes the browser render as often as it can, although nothing visible changes. Runs in the capture page.
import { canvas } from './stage.ts';

export const dot = document.createElement('div');
dot.style.cssText = 'position:fixed;left:0;top:0;width:1px;height:1px';
const nextTask = new MessageChannel();
let colors = 0;

/** A changed frame renders sooner than this without the dot, and drawing the dot would cost time. */
const dotDelayMs = 4;

/**
 * While nothing visible changes, the browser renders at the display's rate, one frame in 16 ms, and changes in the hidden
 * canvas are not visible. So a dot changes its color until `work` is done: once a frame, after that frame's rendering.
 */
export async function atFullSpeed<T>(work: Promise<T>, atOnce = false): Promise<T> {
  let done = false;
  const changeDot = () => {
    if (done) return;
    if (!dot.isConnected) document.body.append(dot);
    dot.style.background = `rgb(${colors++ % 256} 0 0)`;
    requestAnimationFrame(() => nextTask.port2.postMessage(null));
  };
  nextTask.port1.onmessage = changeDot;
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (atOnce) changeDot();
  else timer = setTimeout(changeDot, dotDelayMs);
  try {
    return await work;
  } finally {
    done = true;
    clearTimeout(timer);
    // Without the canvas, the dot would be visible in screenshots.
    if (!canvas) dot.remove();
  }
}

export const nextRendering = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
