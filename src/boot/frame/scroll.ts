/**
 * Back and forward return to where one was. The browser does so by itself only for what is there at once; here content
 * comes when the session has resolved. Each history entry keeps the place of the window and of lists that scroll.
 */
export interface Places {
  readonly scroll?: Readonly<Record<string, number>>
}
const WINDOW = 'window'

/** What scrolls on this page, by a name that is the same at the next visit. */
export function scrollers(): Map<string, Element> {
  const lists = document.querySelectorAll('#content [data-scroller]')
  return new Map([
    [WINDOW, document.scrollingElement ?? document.documentElement],
    ...[...lists].map((list, at) => [`list ${at}`, list] as const),
  ])
}

function keepPlaces(): void {
  const scroll = Object.fromEntries([...scrollers()].map(([name, element]) => [name, element.scrollTop]))
  history.replaceState({ ...(history.state as object | null), scroll }, '')
}

/** From now on the places of this entry are kept when the page is left. */
export function keepScroll(): void {
  history.scrollRestoration = 'manual'
  addEventListener('pagehide', keepPlaces)
}
