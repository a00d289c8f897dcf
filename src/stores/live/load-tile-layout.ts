import { loadWithRetry } from '../../media/load-with-retry.ts'

/** From this width on tiles stand where the rule says; narrower windows show one or two beside each other. */
const WIDE = globalThis.matchMedia?.('(width >= 768px)')

let place: ((body: HTMLElement) => void) | undefined

/** Fetches the rule where the window is wide enough to need it, now or later. Until it is there the tiles are not shown, or, where it does not come soon, stand in plain rows. */
export function loadPlaces(): void {
  if (!WIDE?.matches) return WIDE?.addEventListener('change', loadPlaces, { once: true })
  void loadWithRetry(fetchRule).then(({ placeTiles }) => {
    place = placeTiles
    findLiveBody()?.removeAttribute('data-plain')
    placeAll()
  })
}

const fetchRule = () =>
  import('./position-tiles.ts').catch((error) => {
    findLiveBody()?.setAttribute('data-plain', '')
    throw error
  })

/** Puts the tiles that are drawn now where they belong. */
export function placeAll(): void {
  const body = findLiveBody()
  if (body) place?.(body)
}

const findLiveBody = () => document.querySelector<HTMLElement>('.live-body')
