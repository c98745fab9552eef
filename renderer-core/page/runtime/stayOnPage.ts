// Keeps the browser on the page of the composition: a navigation would end the render without a reason.

type Navigation = { addEventListener(type: 'navigate', listener: (event: NavigateEvent) => void): void };
type NavigateEvent = Event & { destination: { url: string; sameDocument: boolean } };

const leaving = (url: string, { location }: Window): Error =>
  new Error(`The page must not navigate away from the composition (to ${url.replace(`${location.origin}/`, '')})`);

/** A navigation is an error of the script that starts it, with its line. Also one of the window around a frame. */
export function stayOnPage(window: Window): void {
  const { navigation } = window as { navigation?: Navigation };
  navigation?.addEventListener('navigate', (event) => {
    const { url, sameDocument } = event.destination;
    if (sameDocument || !event.cancelable) return;
    event.preventDefault();
    throw leaving(url, window);
  });
}

/** A form that is sent while the page loads stops its loading, also if the navigation is prevented. */
export function keepForms(window: Window & typeof globalThis): void {
  const { prototype } = window.HTMLFormElement;
  const { submit } = prototype;
  prototype.submit = function () {
    if (leavesPage(this)) throw leaving(this.action, window);
    submit.call(this);
  };
  window.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || !leavesPage(form)) return;
    event.preventDefault();
    throw leaving(form.action, window);
  });
}

const leavesPage = ({ method, target }: HTMLFormElement): boolean =>
  method !== 'dialog' && ['', '_self', '_parent', '_top'].includes(target);
