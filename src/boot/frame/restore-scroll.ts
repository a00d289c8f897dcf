import { scrollers, type Places } from './scroll.ts'

const PATIENCE_MS = 3000

/** Returns to the places of this history entry as soon as the content is tall enough. */

const places = new Map(Object.entries((history.state as Places | null)?.scroll ?? {}).filter(([, top]) => top > 0))
const ends = performance.now() + PATIENCE_MS
const look = () => {
  for (const [name, top] of places) {
    const element = scrollers().get(name)
    if (!element || element.scrollHeight - element.clientHeight < top) continue
    element.scrollTop = top
    places.delete(name)
  }
  if (places.size > 0 && performance.now() < ends) requestAnimationFrame(look)
}
for (const type of ['wheel', 'touchstart', 'keydown']) addEventListener(type, () => places.clear(), { once: true })
look()
