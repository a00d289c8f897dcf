import type { ClientDirective } from 'astro'

/** Longest time that an island waits for pictures, ms. */
const PICTURES_MS = 400

/**
 * `client:session`: an island loads at once where the marker cookie says that somebody is signed in, and hydrates when
 * the server has said so. `client:session="pictures"`: loads, from what the document has fetched, and hydrates when the page
 * has told by `porchlight:pictures` that one plays, or after a moment; both would be slower side by side.
 */
const session: ClientDirective = (load, { value }, island) => {
  holdPress(island)
  const { dataset } = document.documentElement
  const isPatient = value === 'pictures'
  const early = !isPatient && document.cookie.includes('signed_in=1') ? load() : null
  const hydrate = async () => {
    if (isPatient) await untilPictures()
    await (
      await (early ?? load())
    )()
  }
  if (dataset.who === 'user') void hydrate()
  else addEventListener('porchlight:session', () => void hydrate(), { once: true })
}

function untilPictures(): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('porchlight:pictures', () => resolve(), { once: true })
    setTimeout(resolve, PICTURES_MS)
  })
}

/** A button that is pressed while the island's script is still on its way acts once it has come. */
function holdPress(island: HTMLElement): void {
  let pressed: HTMLElement | null = null
  const recordPressedButton = ({ target }: Event) => {
    // The browser itself opens what a popover's button opens.
    if (target instanceof Element) pressed = target.closest<HTMLElement>('button:not([popovertarget])')
  }
  const act = () => {
    island.removeEventListener('click', recordPressedButton)
    pressed?.click()
  }
  island.addEventListener('click', recordPressedButton)
  island.addEventListener('astro:hydrate', act, { once: true })
}

export default session
