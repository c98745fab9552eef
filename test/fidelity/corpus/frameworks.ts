// Built pages of UI frameworks, which change the page after an animation frame: in messages, microtasks and timers.
import { readFileSync } from 'node:fs';
import type { FidelityPage } from '../page.ts';

const read = (path: string) => readFileSync(new URL(`../../fixtures/frameworks/${path}`, import.meta.url), 'utf8');

export const frameworks = ['react', 'vue', 'svelte', 'preact'].map(
  (name): FidelityPage => ({
    name: `state of ${name}`,
    files: { 'index.html': read(`${name}/index.html`), 'app.js': read(`${name}/app.js`) },
    path: 'paint',
    threshold: 40,
  }),
);
