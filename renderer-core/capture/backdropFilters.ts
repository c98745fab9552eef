/** Whether an element in `window` filters what is behind it. Runs in the capture page. */
export const hasBackdropFilter = (window: Window): boolean =>
  [...window.document.getElementsByTagName('*')].some((element) => {
    const { backdropFilter } = window.getComputedStyle(element);
    return backdropFilter !== 'none' && backdropFilter !== '';
  });
