// The entry point of the Remotion project: a component that shows a composition's own markup, runs its script, and seeks
// its GSAP timeline to the current frame.
import { createElement, useLayoutEffect, useRef } from 'react';
import {
  AbsoluteFill,
  Composition,
  cancelRender,
  continueRender,
  delayRender,
  registerRoot,
  useCurrentFrame,
} from 'remotion';

const framesPerSecond = 30;

function Scene({ styles, body, scripts }) {
  const place = useRef(null);
  const scene = useRef(null);
  const frame = useCurrentFrame();
  useLayoutEffect(() => {
    scene.current ??= open(place.current, { styles, body, scripts });
    const handle = delayRender();
    scene.current.then((seek) => seek(frame / framesPerSecond)).then(() => continueRender(handle), cancelRender);
  }, [styles, body, scripts, frame]);
  return createElement(AbsoluteFill, null, createElement('div', { ref: place }));
}

/** Resolves, when fonts and images have loaded, to a function that shows a time. */
async function open(place, { styles, body, scripts }) {
  document.head.append(Object.assign(document.createElement('style'), { textContent: styles }));
  place.innerHTML = body;
  window.__framework = { getVariables: () => ({}) };
  for (const script of scripts) await run(script);
  await Promise.all([...document.fonts].map((face) => face.load()));
  await Promise.all([...document.images].map((image) => image.decode()));
  const timeline = Object.values(window.__timelines)[0];
  const clips = [...place.querySelectorAll('.clip[data-start]')];
  return (seconds) => {
    for (const clip of clips) {
      const start = Number(clip.dataset.start);
      const isShown = seconds >= start && seconds < start + Number(clip.dataset.duration);
      clip.style.visibility = isShown ? 'visible' : 'hidden';
    }
    timeline.seek(seconds, false);
  };
}

function run({ src, text }) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    if (src) Object.assign(script, { src, onload: resolve, onerror: reject });
    else script.textContent = text;
    document.body.append(script);
    if (!src) resolve();
  });
}

registerRoot(() =>
  createElement(Composition, {
    id: 'scene',
    component: Scene,
    ...{ width: 1920, height: 1080, fps: framesPerSecond, durationInFrames: 1 },
    defaultProps: { styles: '', body: '', scripts: [] },
    calculateMetadata: ({ props: { width, height, frames } }) => ({ width, height, durationInFrames: frames }),
  }),
);
