import { type RefObject, useEffect } from 'react'
import { panTimeline, viewNow, zoomTimeline } from '../../../stores/events/timeline.ts'

/** A pointer that moved less than this, in pixels, has clicked. */
const CLICK = 4
const WHEEL_ZOOM = 1.0015

/** Drag moves the timeline, two fingers or Ctrl and the wheel zoom it, the wheel sideways moves it. */
export function useDrag(grid: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = grid.current
    if (!element) return
    const gestures = new Gestures(element)
    const ending = new AbortController()
    const { signal } = ending
    element.addEventListener('pointerdown', gestures.down, { signal })
    element.addEventListener('pointermove', gestures.move, { signal })
    element.addEventListener('pointerup', gestures.up, { signal })
    element.addEventListener('pointercancel', gestures.up, { signal })
    element.addEventListener('click', gestures.click, { signal, capture: true })
    element.addEventListener('wheel', gestures.wheel, { signal, passive: false })
    return () => ending.abort()
  }, [grid])
}

class Gestures {
  private readonly element: HTMLElement
  /** Where each finger is, in pixels from the left. */
  private readonly fingers = new Map<number, number>()
  private moved = 0

  constructor(element: HTMLElement) {
    this.element = element
  }

  readonly down = (pointer: PointerEvent): void => {
    if (this.fingers.size === 0) this.moved = 0
    this.fingers.set(pointer.pointerId, pointer.clientX)
  }

  readonly move = (pointer: PointerEvent): void => {
    const before = this.fingers.get(pointer.pointerId)
    if (before === undefined) return
    const was = this.spread()
    this.fingers.set(pointer.pointerId, pointer.clientX)
    this.moved += Math.abs(pointer.clientX - before)
    if (this.fingers.size === 2) {
      const is = this.spread()
      if (is.width > 0 && was.width > 0) zoomTimeline(was.width / is.width, this.timeAt(is.middle))
    } else if (this.moved > CLICK) {
      this.element.setPointerCapture(pointer.pointerId)
      panTimeline((before - pointer.clientX) * this.scale().perPixel)
    }
  }

  readonly up = (pointer: PointerEvent): void => void this.fingers.delete(pointer.pointerId)

  /** A drag that ends on a strip opens nothing. */
  readonly click = (event: MouseEvent): void => {
    if (this.moved > CLICK) event.stopPropagation()
  }

  readonly wheel = (event: WheelEvent): void => {
    if (event.ctrlKey || event.metaKey) zoomTimeline(WHEEL_ZOOM ** event.deltaY, this.timeAt(event.clientX))
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) panTimeline(event.deltaX * this.scale().perPixel)
    else return
    event.preventDefault()
  }

  private spread(): { width: number; middle: number } {
    const [a = 0, b = 0] = this.fingers.values()
    return { width: Math.abs(a - b), middle: (a + b) / 2 }
  }

  private scale(): { left: number; begin: number; perPixel: number } {
    const box = this.element.querySelector('[data-strip]')?.getBoundingClientRect()
    const { begin, end } = viewNow(Date.now())
    return { left: box?.left ?? 0, begin, perPixel: (end - begin) / Math.max(1, box?.width ?? 1) }
  }

  private timeAt(x: number): number {
    const { left, begin, perPixel } = this.scale()
    return begin + (x - left) * perPixel
  }
}
