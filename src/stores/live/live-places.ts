/** From this width on tiles stand where the rule says; narrower windows show one or two beside each other. */
const WIDE = globalThis.matchMedia?.('(width >= 768px)')

let place: ((body: HTMLElement) => void) | undefined

/** Fetches the rule where the window is wide enough to need it, now or later. Until it is there the tiles are not shown; without it they stand in plain rows. */
export function loadPlaces(): void {
  if (!WIDE?.matches) return WIDE?.addEventListener('change', loadPlaces, { once: true })
  import('./place-tiles.ts').then(
    ({ placeTiles }) => {
      place = placeTiles
      placeAll()
    },
    () => bodyOf()?.setAttribute('data-plain', ''),
  )
}

/** Puts the tiles that are drawn now where they belong. */
export function placeAll(): void {
  const body = bodyOf()
  if (body) place?.(body)
}

const bodyOf = () => document.querySelector<HTMLElement>('.live-body')
