// Modal dialogs, popovers and view transitions.
import { page } from '../../page.ts';

export const topLayer = [
  page(
    'a view transition',
    '#b { position: absolute; left: 20px; top: 30px; width: 120px; height: 90px; background: #06c; view-transition-name: b } #b.on { left: 260px; top: 120px; width: 200px; background: #fc0 } ::view-transition-group(*) { animation-duration: .4s }',
    '<h1>Title</h1><div id="b"></div><script>setTimeout(() => document.startViewTransition(() => { document.getElementById("b").className = "on" }), 100)</script>',
    // The browser crashes when it paints it.
    { path: 'screenshot' },
  ),
  page(
    'dialog and popover in the top layer',
    'dialog { border: 0; border-radius: 18px; padding: 20px 40px; box-shadow: 0 20px 60px #0008 } dialog::backdrop { background: #024a; backdrop-filter: blur(3px) } #pop { inset: auto; left: 20px; top: 10px; background: #fd0 }',
    '<h1>Behind the dialog</h1><dialog id="d">A modal dialog</dialog><div id="pop" popover="manual">Popover</div><script>document.getElementById("d").showModal(); document.getElementById("pop").showPopover();</script>',
    // The browser crashes when it paints a filter behind a dialog.
    { path: 'screenshot' },
  ),
];
