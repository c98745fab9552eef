// What a video shows or sounds differently from a browser.
import { test } from 'vitest';
import { check } from './lint.ts';

const still = 'stands still in the video';
const realTime = 'real time, differently in each render';

test('reports content that stands still or runs in real time, and no other', () => {
  check(
    `<div data-composition-id="m">
«<marquee>»News</marquee>«<progress>»</progress>
<iframe src="«logo.html»"></iframe><iframe srcdoc="«<b style='animation: spin 1s'>Hi</b>»"></iframe>
<object data="«logo.svg?v=2»"></object><embed src="«map.HTM»"><object data="«clip.mp4»"></object>
<object data="«a.gif»"></object><embed src="«a.gif»"><input type="image" src="«a.apng»"><video poster="«a.gif»"></video>
<input «autofocus»><p contenteditable «autofocus»></p>
<iframe></iframe><iframe src="about:blank"></iframe><iframe srcdoc="<b>Hi</b>"></iframe><object data="photo.png"></object>
<img src="logo.svg"><img src="a.gif"><input type="image" src="a.png"><video poster="a.png"></video><progress value="0.5"></progress><input>
<template><marquee>Inert</marquee></template>
</div>`,
    'own-clock',
    {
      findings: [
        `<marquee> ${still}; move the text with a CSS animation`,
        `<progress> without a value moves in ${realTime}; give it a value`,
        `The document in <iframe> ${still}, and videos in it run in real time; embed a composition with data-composition-src`,
        `The document in <iframe> ${still}, and videos in it run in real time; embed a composition with data-composition-src`,
        `The drawing in <object> ${still}; put the <svg> itself into the page`,
        `The document in <embed> ${still}, and videos in it run in real time; embed a composition with data-composition-src`,
        'The video in <object> does not play in the video; use <video> with data-start',
        `An animated image in <object> runs in ${realTime}; use <img>`,
        `An animated image in <embed> runs in ${realTime}; use <img>`,
        `An animated image in <input> runs in ${realTime}; use <img>`,
        `An animated image in the poster of a <video> runs in ${realTime}; use <img>`,
        `The caret of this field blinks in ${realTime}; remove autofocus, or set caret-color to transparent`,
        `The caret of this field blinks in ${realTime}; remove autofocus, or set caret-color to transparent`,
      ].map((message) => `warning own-clock: ${message}`),
    },
  );
});

test('does not report a progress bar that a script sets, and a caret that is not visible', () => {
  check(
    '<style>input { caret-color: transparent }</style><div data-composition-id="m"><progress id="bar"></progress><input autofocus></div><script>bar.value = 1</script>',
    'own-clock',
    { findings: [] },
  );
});

test('reports workers once', () => {
  check(
    `<div data-composition-id="m"></div><script>
const ticker = «new Worker»('ticker.js');
new Worker('other.js'); new self.SharedWorker('a.js'); new WorkerPool(); new AudioWorkletNode(c, 'n');
</script>`,
    'own-clock',
    {
      findings: [
        `warning own-clock: The timers, frames and answers of a worker run in ${realTime}; do its work in the page`,
      ],
    },
  );
});

test('accepts scripts that only analyse the sound of elements', () => {
  check(
    `<div data-composition-id="m"><audio id="a" src="a.mp3" data-start="0"></audio></div><script>
const context = new AudioContext();
// No createOscillator, createGain or new GainNode().
const splitter = context.createChannelSplitter();
context.createMediaElementSource(document.getElementById('a')).connect(splitter).connect(context.createAnalyser()).connect(context.destination);
</script>`,
    'sound-of-script',
    { findings: [] },
  );
});

test('reports nodes that change only what the browser plays', () => {
  check(
    `<div data-composition-id="m"><audio id="a" src="a.mp3" data-start="0"></audio></div><script>
const context = new AudioContext();
const filter = «new BiquadFilterNode»(context);
const source = context.createMediaElementSource(document.getElementById('a'));
source.connect(filter).connect(context.createGain()).connect(context.destination);
</script>`,
    'sound-of-script',
    {
      findings: [
        'warning sound-of-script: Gains, filters and other nodes of an AudioContext do not change the sound of the video; use data-volume, data-fade-in or data-fade-out',
      ],
    },
  );
});

test('accepts nodes that change only what an analyser hears', () => {
  check(
    `<div data-composition-id="m"><audio id="a" src="a.mp3" data-start="0"></audio></div><script>
const context = new AudioContext();
const source = new MediaElementAudioSourceNode(context, { mediaElement: document.getElementById('a') });
source.connect(context.createGain()).connect(context.createAnalyser());
</script>`,
    'sound-of-script',
    { findings: [] },
  );
});

test('reports sound of scripts, whatever comments say', () => {
  check(
    `<div data-composition-id="m"></div><script>
// Unlike createMediaElementSource, this plays a tone.
const context = «new AudioContext»();
context.createConstantSource().start();
</script>`,
    'sound-of-script',
    {
      findings: [
        'warning sound-of-script: The sound of an AudioContext is missing from the video; use an <audio> element with data-start',
      ],
    },
  );
});

test('reports sound of scripts that is missing from the video', () => {
  check(
    `<div data-composition-id="m"></div><script>
const context = «new (window.AudioContext || window.webkitAudioContext»)();
const analyser = context.createAnalyser();
«new Audio»('tick.mp3').play();
«speechSynthesis.speak»(text);
new OfflineAudioContext(1, 1, 44100); new Image(); voice.speak();
</script>`,
    'sound-of-script',
    {
      findings: [
        'The sound of an AudioContext is missing from the video; use an <audio> element with data-start',
        'The sound of new Audio() is missing from the video; use an <audio> element with data-start',
        'The sound of speechSynthesis is missing from the video; use an <audio> element with data-start',
      ].map((message) => `warning sound-of-script: ${message}`),
    },
  );
});
