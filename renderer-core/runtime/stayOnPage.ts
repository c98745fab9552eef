// Keeps the browser on the page of the composition: a navigation would end the render without a reason.

type Navigation = { addEventListener(type: 'navigate', listener: (event: NavigateEvent) => void): void };
type NavigateEvent = Event & { destination: { url: string; sameDocument: boolean } };

/** A navigation is an error of the script that starts it, with its line. Also of forms, and of the window around a frame. */
export function stayOnPage(window: Window): void {
  const { navigation } = window as { navigation?: Navigation };
  navigation?.addEventListener('navigate', (event) => {
    const { url, sameDocument } = event.destination;
    if (sameDocument || !event.cancelable) return;
    event.preventDefault();
    throw new Error(
      `The page must not navigate away from the composition (to ${url.replace(`${window.location.origin}/`, '')})`,
    );
  });
}
