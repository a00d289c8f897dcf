import { AUTOMATIC_EVENTS } from '../../contract/telemetry/analytics-events.ts'
import type { EventProps } from './analytics.ts'

/** A click without effect for this time is a dead click (ANALYTICS-10). */
const DEAD_CLICK_MS = 3000
/** Clicks in a box of this size within this time are rage clicks (ANALYTICS-11, OPEN-153). */
const RAGE_CLICK = { count: 4, ms: 1000, px: 50 }

const CLICKABLE = 'a, button, summary, [role=button], [role=link], [role=menuitem], [role=tab], input[type=submit]'
/** Effects of a click that do not change the document's nodes or attributes. */
const EFFECT_EVENTS = [
  'scroll',
  'toggle',
  'play',
  'pause',
  'change',
  'submit',
  'popstate',
  'hashchange',
  'blur',
  'pagehide',
]

interface Click {
  readonly x: number
  readonly y: number
  readonly at: number
}

type Track = (type: string, props: EventProps) => void

/** Tracks dead clicks and rage clicks with the tag of the clicked element. Returns a function that ends this. */
export function observeClicks(track: Track): () => void {
  const deadClicks = createDeadClickDetector((tag) => track(AUTOMATIC_EVENTS.deadClick, nameTag(tag)))
  let clicks: Click[] = []
  const handleClick = ({ target, clientX: x, clientY: y, detail }: MouseEvent) => {
    if (!(target instanceof Element)) return
    deadClicks.watch(target.closest(CLICKABLE), detail > 0)
    clicks = [...clicks, { x, y, at: Date.now() }].slice(-RAGE_CLICK.count)
    if (!areRageClicks(clicks)) return
    clicks = []
    track(AUTOMATIC_EVENTS.rageClick, nameTag(target.closest(CLICKABLE) ?? target))
  }
  addEventListener('click', handleClick, true)
  return () => {
    removeEventListener('click', handleClick, true)
    deadClicks.stop()
  }
}

const nameTag = ({ tagName }: Element): EventProps => ({ '[Amplitude] Element Tag': tagName.toLowerCase() })

function areRageClicks(clicks: readonly Click[]): boolean {
  const getSpan = (key: keyof Click) => Math.max(...clicks.map((c) => c[key])) - Math.min(...clicks.map((c) => c[key]))
  const { count, ms, px } = RAGE_CLICK
  return clicks.length === count && getSpan('at') <= ms && getSpan('x') <= px && getSpan('y') <= px
}

/**
 * Watches the document only between a press and the end of the time that a click has for its effect, because pages with
 * live video change often.
 */
function createDeadClickDetector(onDeadClick: (element: Element) => void) {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  /** True if the pointer's press has already had an effect before the click. */
  let hasPressEffect = false
  const handleEffect = () => {
    hasPressEffect = true
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    effects.disconnect()
  }
  const effects = createEffectObserver(handleEffect)
  const handlePress = () => {
    hasPressEffect = false
    effects.observe()
  }
  addEventListener('pointerdown', handlePress, true)
  return {
    watch(element: Element | null, isPointer: boolean) {
      if (element === null || leavesPage(element) || (isPointer && hasPressEffect)) return
      effects.observe()
      const timer = setTimeout(() => {
        timers.delete(timer)
        if (timers.size === 0) effects.disconnect()
        onDeadClick(element)
      }, DEAD_CLICK_MS)
      timers.add(timer)
    },
    stop() {
      handleEffect()
      removeEventListener('pointerdown', handlePress, true)
    },
  }
}

function createEffectObserver(onEffect: () => void) {
  const mutations = new MutationObserver(onEffect)
  // An element loses the focus whenever another element is pressed. Only the window's own event is an effect.
  const handleEvent = ({ type, target }: Event) => {
    if (type !== 'blur' || !(target instanceof Element)) onEffect()
  }
  return {
    observe() {
      mutations.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
      for (const type of EFFECT_EVENTS) addEventListener(type, handleEvent, true)
    },
    disconnect() {
      mutations.disconnect()
      for (const type of EFFECT_EVENTS) removeEventListener(type, handleEvent, true)
    },
  }
}

/** True for a link to another document. Such a click is never a dead click. */
const leavesPage = (element: Element): boolean =>
  element instanceof HTMLAnchorElement && element.href.split('#')[0] !== location.href.split('#')[0]
