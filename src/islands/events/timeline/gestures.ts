import type { Event as HomeEvent } from '../../../../contract/events/events.ts'
import { openEvent } from '../../../stores/events/event-url.ts'
import { panTimeline, zoomTimeline } from '../../../stores/events/timeline.ts'
import { $timelineCursor } from '../../../stores/events/timeline-cursor.ts'
import { isPressed } from '../../../ui/pointer-state.ts'
import { cursorAt, type CameraStrip } from './camera-strips.ts'

/** Maximum movement of a click, in pixels. */
const CLICK = 4
const WHEEL_ZOOM = 1.0015

export const openClip = (event: HomeEvent): void => openEvent({ eventId: event.event_id, deviceId: event.device_id })

/**
 * Pointer gestures on the strips in `element` (`[data-strip]` contains the camera id). Hovering shows the time. A drag
 * scrubs, and its release opens the displayed event. A click opens the tick under it. Pinch and wheel zoom; a sideways
 * wheel or Shift and wheel pans; Escape ends a drag.
 */
export class Gestures {
  private readonly element: HTMLElement
  private readonly laneOf: (deviceId: string) => CameraStrip | undefined
  /** x positions of the pressed pointers, in CSS pixels. */
  private readonly fingers = new Map<number, number>()
  /** Strip on which the press began. */
  private held: HTMLElement | null = null
  private from = 0
  private hasMoved = false

  constructor(element: HTMLElement, laneOf: (deviceId: string) => CameraStrip | undefined) {
    this.element = element
    this.laneOf = laneOf
  }

  /** Adds the listeners; returns a function that removes them. */
  start(): () => void {
    const ending = new AbortController()
    const { signal } = ending
    const { element } = this
    element.addEventListener('pointerdown', this.down, { signal })
    element.addEventListener('pointermove', this.move, { signal })
    element.addEventListener('pointerup', this.up, { signal })
    element.addEventListener('pointercancel', this.cancel, { signal })
    element.addEventListener('lostpointercapture', this.cancel, { signal })
    element.addEventListener('pointerleave', this.leave, { signal })
    element.addEventListener('wheel', this.wheel, { signal, passive: false })
    document.addEventListener('keydown', this.escape, { signal, capture: true })
    return () => ending.abort()
  }

  private readonly down = (pointer: PointerEvent): void => {
    if (pointer.button !== 0) return
    this.fingers.set(pointer.pointerId, pointer.clientX)
    const strip = findStrip(pointer)
    if (this.fingers.size > 1 || !strip) return this.let()
    this.held = strip
    this.from = pointer.clientX
    this.hasMoved = false
    this.element.setPointerCapture(pointer.pointerId)
    this.point(strip, pointer.clientX)
  }

  private readonly move = (pointer: PointerEvent): void => {
    // The page missed the release, because the pointer was on a system menu or in another window.
    if (!isPressed(pointer)) this.cancel(pointer)
    const before = this.fingers.get(pointer.pointerId)
    if (before !== undefined && this.fingers.size === 2) return this.pinch(pointer)
    if (before !== undefined) this.fingers.set(pointer.pointerId, pointer.clientX)
    if (this.held && Math.abs(pointer.clientX - this.from) > CLICK) this.hasMoved = true
    const strip = this.held ?? (before === undefined ? findStrip(pointer) : null)
    if (strip) this.point(strip, pointer.clientX)
    else if (before === undefined) $timelineCursor.set(null)
  }

  private readonly up = (pointer: PointerEvent): void => {
    this.fingers.delete(pointer.pointerId)
    const cursor = this.held ? $timelineCursor.get() : null
    const { hasMoved } = this
    this.held = null
    if (pointer.pointerType !== 'mouse') $timelineCursor.set(null)
    // A click opens an event only if it hit a tick; a drag opens the event displayed at its release.
    if (cursor?.event && (cursor.tick || hasMoved)) openClip(cursor.event)
  }

  /** Ends the gesture when the browser cancels a pointer. Does nothing if that pointer was already released. */
  private readonly cancel = (pointer: PointerEvent): void => {
    if (this.fingers.delete(pointer.pointerId)) this.let()
  }

  private readonly leave = (): void => {
    if (!this.held) $timelineCursor.set(null)
  }

  private readonly escape = (key: KeyboardEvent): void => {
    if (key.key !== 'Escape' || !this.held) return
    key.preventDefault()
    this.let()
  }

  private readonly wheel = (event: WheelEvent): void => {
    const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
    const delta = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
    if (isPan) panTimeline(delta * this.scale().perPixel)
    // A touchpad pinch arrives as a wheel event with Ctrl: zoom around the pointer.
    else if (event.ctrlKey || event.metaKey) zoomTimeline(WHEEL_ZOOM ** event.deltaY, this.timeAt(event.clientX))
    else if (event.deltaY !== 0) zoomTimeline(WHEEL_ZOOM ** event.deltaY)
    else return
    event.preventDefault()
  }

  private pinch(pointer: PointerEvent): void {
    const was = this.spread()
    this.fingers.set(pointer.pointerId, pointer.clientX)
    const is = this.spread()
    if (is.width > 0 && was.width > 0) zoomTimeline(was.width / is.width, this.timeAt(is.middle))
  }

  private point(strip: HTMLElement, clientX: number): void {
    const lane = this.laneOf(strip.dataset['strip'] ?? '')
    if (lane) $timelineCursor.set(cursorAt(lane, clientX - strip.getBoundingClientRect().left))
  }

  /** Ends the drag without opening an event. */
  private let(): void {
    this.held = null
    $timelineCursor.set(null)
  }

  private spread(): { width: number; middle: number } {
    const [a = 0, b = 0] = this.fingers.values()
    return { width: Math.abs(a - b), middle: (a + b) / 2 }
  }

  private scale(): { left: number; begin: number; perPixel: number } {
    const strip = this.element.querySelector<HTMLElement>('[data-strip]')
    const box = strip?.getBoundingClientRect()
    const view = this.laneOf(strip?.dataset['strip'] ?? '')?.view ?? { begin: 0, end: 0 }
    return { left: box?.left ?? 0, begin: view.begin, perPixel: (view.end - view.begin) / Math.max(1, box?.width ?? 1) }
  }

  private timeAt(x: number): number {
    const { left, begin, perPixel } = this.scale()
    return begin + (x - left) * perPixel
  }
}

function findStrip({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-strip]') : null
}
