// Handler attributes such as `onclick` of mounted elements run in the scope of their mount, also those that scripts insert.
import { handlersAttribute, instanceAttribute } from '../page.ts';
import type { Globals } from '../scope.ts';
import type { MountScopes } from './mountScopes.ts';

type Handler = (this: Element, event: Event) => unknown;

/** Observers run before the events and scripts that could use the handlers. */
export function observeHandlers(window: Window & typeof globalThis, scopes: MountScopes): void {
  // A script may have replaced the handler of an element that moves.
  const known = new WeakSet<Element>();
  const visit = (element: Element) => {
    if (!known.has(element)) adopt(window, element, scopes);
    known.add(element);
  };
  const observer = new window.MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        if (!(node instanceof window.Element)) continue;
        visit(node);
        for (const element of node.querySelectorAll('*')) visit(element);
      }
    }
  });
  observer.observe(window.document, { childList: true, subtree: true });
}

function adopt(window: Window & typeof globalThis, element: Element, scopes: MountScopes): void {
  const handlers = [...element.attributes].filter(({ name }) => name.startsWith('on'));
  if (handlers.length === 0) return;
  // The attributes of a host belong to the file that contains the host.
  const id = element.parentElement?.closest(`[${instanceAttribute}]`)?.getAttribute(instanceAttribute);
  if (!id) return;
  const [path, ...positions] = element.getAttribute(handlersAttribute)?.split(' ') ?? [];
  for (const [index, { name, value }] of handlers.entries()) {
    // Other attributes can start with `on` too.
    if (!(name in element)) continue;
    const location = path === undefined ? '' : `${new URL(path, window.location.href)} ${positions[index]}`;
    let compiled: Handler | undefined;
    const handler: Handler = function (event) {
      return scopes.handle(id, (globals) => {
        compiled ??= compile(window, globals, value, location);
        return compiled.call(this, event);
      });
    };
    Reflect.set(element, name, handler);
  }
}

/** Compiles a handler. As in any page, names are those of the element, its form, the document and the globals. */
function compile(window: Window & typeof globalThis, globals: Globals, code: string, location: string): Handler {
  const [url = '', position = ''] = location.split(' ');
  const [line, column] = position.split(':').map(Number);
  // The first line is generated, as that of the mount's scripts.
  const offset = '\n'.repeat(line || 1) + ' '.repeat((column || 1) - 1);
  const source = url === '' ? '' : `\n//# sourceURL=${url}`;
  const scope = 'with(__globals)with(document)with(this.form||{})with(this)';
  try {
    return window.eval(`(function(__globals){return function(event){${scope}{${offset}${code}\n}}})${source}`)(globals);
  } catch (error) {
    // The location of a syntax error would be that of this file.
    return window.eval(`${offset}throw new SyntaxError(${JSON.stringify((error as Error).message)})${source}`);
  }
}
