// How the web pages look: one style sheet, light and dark, down to 320 pixels of width.

export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: #f4f5fa; --surface: #ffffff; --raised: #f8f9fd; --text: #171a30; --muted: #585e7a; --line: #dfe3ee;
  --link: #a93a12; --primary: #23274a; --on-primary: #ffffff; --primary-hover: #33386a;
  --danger: #b3261e; --on-danger: #ffffff; --good: #1c7446; --warn: #8a5a00; --bar: #f0733f; --focus: #d9541e;
  --good-soft: #e2f4e9; --warn-soft: #fdf1d6; --bad-soft: #fdeceb; --plain-soft: #eceef6;
  --shadow: 0 1px 2px #171a3014, 0 8px 28px #171a300f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10121f; --surface: #191c2e; --raised: #20243a; --text: #eceef8; --muted: #a3a9c5; --line: #30354f;
    --link: #ffb482; --primary: #ff8f52; --on-primary: #20110a; --primary-hover: #ffa573;
    --danger: #ff8a80; --on-danger: #2b0805; --good: #7edba4; --warn: #f5c264; --bar: #ff8f52; --focus: #ffb482;
    --good-soft: #17352a; --warn-soft: #3a2e12; --bad-soft: #40201f; --plain-soft: #282c44;
    --shadow: 0 1px 2px #0006, 0 8px 28px #0004;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1 { font-size: 1.625rem; line-height: 1.2; letter-spacing: -.015em; margin: 0; font-weight: 680; overflow-wrap: anywhere; }
h2 { font-size: 1.0625rem; line-height: 1.35; margin: 0; font-weight: 640; }
p { margin: 0; }
a { color: var(--link); text-underline-offset: .18em; }
code, .code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; }
code { overflow-wrap: anywhere; }
code.whole { white-space: nowrap; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
[hidden] { display: none !important; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: .75rem; background: var(--surface); padding: .5rem .75rem; z-index: 2; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.top { background: var(--surface); border-bottom: 1px solid var(--line); }
.top > div {
  max-width: 62rem; margin: 0 auto; padding: .625rem 1.25rem; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem;
}
.brand { display: inline-flex; align-items: center; gap: .625rem; font-weight: 680; color: var(--text); text-decoration: none; }
.brand svg { width: 1.875rem; height: 1.875rem; flex: none; }
.top nav { display: flex; flex-wrap: wrap; gap: .25rem; }
.top nav a { padding: .375rem .7rem; border-radius: .5rem; color: var(--muted); text-decoration: none; }
.top nav a:hover { color: var(--text); background: var(--plain-soft); }
.top nav a[aria-current] { color: var(--text); background: var(--plain-soft); font-weight: 600; }
.who { margin-left: auto; display: flex; align-items: center; gap: .75rem; color: var(--muted); font-size: .875rem; min-width: 0; }
.who span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 16rem; }

main { width: 100%; max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr); }
main.small { max-width: 29rem; margin: auto; padding: 2rem 1rem 4rem; }
main.small > .brand { justify-self: center; font-size: 1.125rem; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .5rem 1.5rem; }
.muted, .meta { color: var(--muted); }
.meta, small { font-size: .875rem; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: .875rem; padding: 1.5rem; box-shadow: var(--shadow); display: grid; gap: 1.125rem; grid-template-columns: minmax(0, 1fr); }
.card > * { min-width: 0; }
.small .card { padding: 1.75rem; }
.foot { text-align: center; color: var(--muted); font-size: .9375rem; }

form { display: grid; gap: 1.125rem; grid-template-columns: minmax(0, 1fr); }
form.inline { display: inline-flex; gap: .5rem; }
.field { display: grid; gap: .3rem; }
label { font-weight: 600; font-size: .9375rem; }
.hint { color: var(--muted); font-size: .875rem; }
.wrong { color: var(--danger); font-size: .875rem; font-weight: 600; }
input {
  font: inherit; color: inherit; width: 100%; padding: .625rem .75rem; background: var(--surface); border: 1px solid #858ba8; border-radius: .5625rem;
}
input[aria-invalid] { border-color: var(--danger); border-width: 2px; }
input.usercode { font: 600 1.5rem/1.4 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; text-align: center; letter-spacing: .12em; text-transform: uppercase; }
button, .button {
  font: inherit; font-weight: 600; display: inline-flex; justify-content: center; align-items: center; text-decoration: none; cursor: pointer;
  padding: .5625rem 1.125rem; border-radius: .5625rem; border: 1px solid transparent; background: var(--primary); color: var(--on-primary);
}
button:hover, .button:hover { background: var(--primary-hover); }
.quiet { background: var(--surface); color: var(--text); border-color: var(--line); }
.quiet:hover { background: var(--raised); }
.danger { background: var(--danger); color: var(--on-danger); }
.danger:hover { background: var(--danger); filter: brightness(1.1); }
.slim { padding: .3125rem .75rem; font-size: .875rem; }
.actions { display: flex; flex-wrap: wrap; gap: .625rem; align-items: center; }
.choice { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }

.problem, .note { border-radius: .625rem; padding: .875rem 1rem; display: grid; gap: .25rem; overflow-wrap: anywhere; }
.problem { background: var(--bad-soft); border-left: 4px solid var(--danger); }
.problem ul { margin: 0; padding-left: 1.1rem; }
.problem a { color: inherit; }
.note { background: var(--warn-soft); border-left: 4px solid var(--warn); }
.note.good { background: var(--good-soft); border-left-color: var(--good); }
.usercode.shown { font: 700 1.75rem/1.3 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; letter-spacing: .1em; text-align: center; padding: .875rem .5rem; background: var(--raised); border: 1px solid var(--line); border-radius: .625rem; }
.secret { display: flex; flex-wrap: wrap; gap: .625rem; align-items: center; }
.secret code { flex: 1 1 14rem; padding: .5625rem .75rem; background: var(--raised); border: 1px solid var(--line); border-radius: .5625rem; }
ul.may { margin: 0; padding: 0; list-style: none; display: grid; gap: .5rem; }
ul.may li { display: flex; gap: .625rem; }
ul.may li::before { content: "✓"; color: var(--good); font-weight: 700; }
dl.facts { margin: 0; display: grid; align-items: baseline; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: .5rem 1.25rem; }
dl.facts dt { color: var(--muted); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }

.badge { display: inline-flex; align-items: center; gap: .375rem; padding: .0625rem .5625rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; background: var(--plain-soft); color: var(--muted); white-space: nowrap; }
.badge::before { content: ""; width: .5rem; height: .5rem; border-radius: 50%; background: currentColor; }
.badge.completed, .badge.delivered { background: var(--good-soft); color: var(--good); }
.badge.rendering, .badge.pending { background: var(--warn-soft); color: var(--warn); }
.badge.failed { background: var(--bad-soft); color: var(--danger); }
.badge.rendering::before { animation: pulse 1.4s ease-in-out infinite; }
@keyframes pulse { 50% { opacity: .25; } }

ol.renders { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
ol.renders > li { display: grid; grid-template-columns: 10rem minmax(0, 1fr) auto; gap: .25rem 1.25rem; align-items: center; background: var(--surface); border: 1px solid var(--line); border-radius: .875rem; padding: .75rem; }
.thumb { position: relative; display: grid; place-items: center; aspect-ratio: 16 / 9; border-radius: .5rem; overflow: hidden; background: #14162a; color: #8f96b8; }
.thumb img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.thumb svg { width: 2.25rem; height: 2.25rem; }
.about { display: grid; grid-template-columns: minmax(0, 1fr); gap: .375rem; overflow-wrap: anywhere; }
.about h2 a { color: inherit; text-decoration: none; }
.about h2 a:hover { text-decoration: underline; }
.about .meta { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; }
progress { appearance: none; width: 100%; height: .5rem; border: 0; border-radius: 1rem; overflow: hidden; background: var(--plain-soft); }
progress::-webkit-progress-bar { background: var(--plain-soft); }
progress::-webkit-progress-value { background: var(--bar); border-radius: 1rem; transition: inline-size .6s linear; }
progress::-moz-progress-bar { background: var(--bar); border-radius: 1rem; }
video { display: block; width: 100%; max-height: 72vh; background: #0b0c16; border-radius: .625rem; }
.running { display: grid; gap: .625rem; padding: 2.5rem 1.5rem; border-radius: .625rem; background: var(--raised); }
.empty { text-align: center; justify-items: center; padding: 3rem 1.5rem; }
.empty svg { width: 4rem; height: 4rem; }
.empty ol { text-align: left; display: grid; gap: .75rem; margin: 0; padding-left: 1.25rem; }
.pages { display: flex; justify-content: space-between; gap: 1rem; }

.scroll { overflow-x: auto; margin: 0 -1.5rem; padding: 0 1.5rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th { text-align: left; font-weight: 600; color: var(--muted); font-size: .8125rem; }
td strong { overflow-wrap: anywhere; }
th, td { padding: .5625rem .75rem .5625rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.end { text-align: right; }
time { white-space: nowrap; }
summary { cursor: pointer; font-weight: 600; width: fit-content; }
details > :not(summary) { margin-top: .75rem; }

@media (max-width: 40rem) {
  main { padding: 1.25rem 1rem 3rem; }
  .top > div { padding: .625rem 1rem; }
  .top nav { order: 3; width: 100%; margin: 0 -.375rem; gap: 0; justify-content: space-between; font-size: .875rem; }
  .top nav a { padding: .3125rem .375rem; }
  .who span { display: none; }
  time { white-space: normal; }
  .card { padding: 1.125rem; }
  .small .card { padding: 1.25rem; }
  .scroll { margin: 0 -1.125rem; padding: 0 1.125rem; }
  ol.renders > li { grid-template-columns: 6.5rem minmax(0, 1fr); gap: .625rem .875rem; align-items: start; }
  ol.renders > li .actions { grid-column: 1 / -1; }
  dl.facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dl.facts dd { margin-bottom: .625rem; }
  .stack thead { display: none; }
  .stack, .stack tbody, .stack tr, .stack td { display: block; }
  .stack td { border: 0; padding: .125rem 0; text-align: left; }
  .stack tr { border-bottom: 1px solid var(--line); padding: .625rem 0; }
  .stack tr:last-child { border-bottom: 0; }
  .stack td[data-name]::before { content: attr(data-name) ": "; color: var(--muted); }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; }
}
`;
