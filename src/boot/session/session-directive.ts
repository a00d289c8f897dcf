import type { ClientDirective } from 'astro'

/**
 * `client:session`: the island loads immediately if the marker cookie is set, otherwise after the server has confirmed
 * the session. The island hydrates after this confirmation. `client:session="pictures"`: after the confirmation, the
 * island waits for `window.firstScreen` (boot/early/start-live.ts), and then loads. Loading the island earlier would
 * slow down the video.
 */
const session: ClientDirective = (load, { value }, island) => {
  replayClickAfterHydration(island)
  const { dataset } = document.documentElement
  const waitsForVideo = value === 'pictures'
  const early = !waitsForVideo && document.cookie.includes('signed_in=1') ? load() : null
  const hydrate = async () => {
    if (waitsForVideo) await window.firstScreen
    await (
      await (early ?? load())
    )()
  }
  if (dataset.who === 'user') void hydrate()
  else addEventListener('porchlight:session', () => void hydrate(), { once: true })
}

function replayClickAfterHydration(island: HTMLElement): void {
  let pressedButton: HTMLElement | null = null
  const recordPressedButton = ({ target }: Event) => {
    // The browser itself handles popover buttons.
    if (target instanceof Element) pressedButton = target.closest<HTMLElement>('button:not([popovertarget])')
  }
  const replayClick = () => {
    island.removeEventListener('click', recordPressedButton)
    pressedButton?.click()
  }
  island.addEventListener('click', recordPressedButton)
  island.addEventListener('astro:hydrate', replayClick, { once: true })
}

export default session
