import type { ClientDirective } from 'astro'

/**
 * `client:session`: an island loads at once where the marker cookie says that somebody is signed in, and hydrates when
 * the server has said so.
 */
const session: ClientDirective = (load, _options, _element) => {
  const { dataset } = document.documentElement
  const early = document.cookie.includes('signed_in=1') ? load() : null
  const hydrate = async () => (await (early ?? load()))()
  if (dataset.who === 'user') void hydrate()
  else addEventListener('porchlight:session', () => void hydrate(), { once: true })
}

export default session
