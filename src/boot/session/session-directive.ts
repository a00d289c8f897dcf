import type { ClientDirective } from 'astro'

/**
 * `client:session`: an island loads at once where the marker cookie says that somebody is signed in, and hydrates when
 * the server has said so.
 */
const session: ClientDirective = (load, _options, island) => {
  holdPress(island)
  const { dataset } = document.documentElement
  const early = document.cookie.includes('signed_in=1') ? load() : null
  const hydrate = async () => (await (early ?? load()))()
  if (dataset.who === 'user') void hydrate()
  else addEventListener('porchlight:session', () => void hydrate(), { once: true })
}

/** A button that is pressed while the island's script is still on its way acts once it has come. */
function holdPress(island: HTMLElement): void {
  let pressed: HTMLElement | null = null
  const note = ({ target }: Event) => {
    // The browser itself opens what a popover's button opens.
    if (target instanceof Element) pressed = target.closest<HTMLElement>('button:not([popovertarget])')
  }
  const act = () => {
    island.removeEventListener('click', note)
    pressed?.click()
  }
  island.addEventListener('click', note)
  island.addEventListener('astro:hydrate', act, { once: true })
}

export default session
