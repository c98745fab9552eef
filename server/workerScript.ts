// The script of the web worker. Extension hosts in browsers start classic scripts only; the server is a module, because
// it shares its files with the server for Node. Messages that arrive while the module loads are kept for it.
const early: MessageEvent[] = [];
const keep = (event: MessageEvent): void => void early.push(event);
self.addEventListener('message', keep);

// The build leaves this import as it is: the module is in the same folder.
const module = './serverModule.js';
import(module).then(() => {
  self.removeEventListener('message', keep);
  for (const { data } of early) self.dispatchEvent(new MessageEvent('message', { data }));
});
